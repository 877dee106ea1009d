/* Shape expressions over the words of a launch: a stack machine on 64-bit integers. */

#ifndef HOLOGRAM_SHAPE_EXPRESSION_H
#define HOLOGRAM_SHAPE_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_STACK = 32 };

/* STEPS of runtime/native has the same order. */
enum shape_operation {
  CONSTANT, /* pushes the operand */
  WORD,     /* pushes the word with that struct number */
  REQUIRE,  /* pops a truth value; evaluation fails if it is 0 */
  KEEP,     /* pops into the word with that struct number */
  NEGATE,
  ADD,
  SUBTRACT,
  MULTIPLY,
  FLOOR_DIVIDE,
  MODULO,
  MINIMUM,
  MAXIMUM,
  EQUAL,
  NOT_EQUAL,
  LESS,
  LESS_EQUAL,
  GREATER,
  GREATER_EQUAL,
};

struct shape_step {
  int64_t operation, operand;
};

/* Computes a binary operation; false if 64 bits do not hold the result, or there is none. */
static inline bool compute_binary(int64_t operation, int64_t a, int64_t b, int64_t *result) {
  switch (operation) {
  case ADD: return !__builtin_add_overflow(a, b, result);
  case SUBTRACT: return !__builtin_sub_overflow(a, b, result);
  case MULTIPLY: return !__builtin_mul_overflow(a, b, result);
  case FLOOR_DIVIDE:
  case MODULO: {
    /* The quotient by 0 is an error that Python reports, and that by -1 may overflow. */
    if (b == 0 || b == -1) return false;
    int64_t quotient = a / b, remainder = a % b;
    bool round_down = remainder != 0 && (remainder ^ b) < 0;
    *result = operation == FLOOR_DIVIDE ? quotient - round_down : remainder + (round_down ? b : 0);
    return true;
  }
  case MINIMUM: *result = a < b ? a : b; return true;
  case MAXIMUM: *result = a > b ? a : b; return true;
  case EQUAL: *result = a == b; return true;
  case NOT_EQUAL: *result = a != b; return true;
  case LESS: *result = a < b; return true;
  case LESS_EQUAL: *result = a <= b; return true;
  case GREATER: *result = a > b; return true;
  case GREATER_EQUAL: *result = a >= b; return true;
  default: return false;
  }
}

/* Runs `count` steps on the words; false if a requirement fails, or a value does not fit 64 bits. The stack does not
   overflow: whoever writes steps counts its depth. */
static __attribute__((noinline)) bool evaluate_shape(const struct shape_step *steps, int64_t count, int64_t *words) {
  int64_t stack[MAX_STACK];
  int64_t *top = stack; /* the first free place */
  for (const struct shape_step *step = steps; step < steps + count; step++) {
    switch (step->operation) {
    case CONSTANT: *top++ = step->operand; break;
    case WORD: *top++ = words[step->operand]; break;
    case REQUIRE:
      if (*--top == 0) return false;
      break;
    case KEEP: words[step->operand] = *--top; break;
    case NEGATE:
      if (__builtin_sub_overflow((int64_t)0, top[-1], &top[-1])) return false;
      break;
    default:
      top--;
      if (!compute_binary(step->operation, top[-1], top[0], &top[-1])) return false;
    }
  }
  return true;
}

#endif
