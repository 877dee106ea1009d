/* Checks of the arguments of a launch: what is accepted goes into the words of the entry's packed form.

   Accepted is what needs no explanation: exactly numpy arrays, contiguous in C order and aligned, with the element
   types, ranks and sizes of the table, and numbers of Python or numpy that are in range. */

#ifndef HOLOGRAM_LAUNCH_ARGUMENTS_H
#define HOLOGRAM_LAUNCH_ARGUMENTS_H

#include "launch_table.h"
#include "launch_watch.h"

#include <float.h>

struct launch_config hologram_launch_config;

struct launch {
  int64_t words[MAX_WORDS];
  int64_t ends[MAX_WORDS];               /* of the words that are pointers: the end of the memory there */
  int64_t bytes;                         /* of all arrays */
  struct object *objects[MAX_ARGUMENTS]; /* by position; NULL for outputs that the call leaves out */
  int64_t trap[RECORD_WORDS];
  struct object *created[MAX_ARGUMENTS]; /* by position: outputs that were made for this struct launch */
};

/* The size that an axis requires, if it requires one. */
static inline int64_t required_size(const struct axis *axis, const struct launch *launch) {
  return axis->size >= 0 ? axis->size : launch->words[-2 - axis->size];
}

/* Takes the strides of an array, in elements; false if they are not those required where they matter. */
static __attribute__((noinline)) bool take_strides(const struct array_object *array, const struct argument *argument,
                                                   struct launch *launch, bool empty) {
  for (int64_t i = 0; i < argument->rank; i++) {
    const struct axis *axis = &argument->axes[i];
    int64_t bytes = array->strides[i];
    int64_t stride = bytes >> argument->item_shift;
    launch->words[axis->stride_word] = stride;
    if (empty || array->sizes[i] <= 1) continue;
    bool is_whole = (int64_t)((uint64_t)stride << argument->item_shift) == bytes;
    if (!is_whole || (axis->has_stride && stride != axis->stride)) return false;
  }
  return true;
}

/* Takes an array: its pointer, sizes and strides; false if it is not as the argument requires. */
static inline bool take_array(struct object *given, const struct argument *argument, struct launch *launch) {
  if (given->type != hologram_launch_config.array_type) return false;
  const struct array_object *array = (const struct array_object *)given;
  if (array->dtype != argument->dtype || array->rank != argument->rank) return false;
  if ((array->flags & argument->flags) != argument->flags) return false;
  int64_t elements = 1;
  for (int64_t i = 0; i < argument->rank; i++) {
    const struct axis *axis = &argument->axes[i];
    int64_t size = array->sizes[i];
    if (axis->size != ANY_SIZE && size != required_size(axis, launch)) return false;
    launch->words[axis->size_word] = size;
    elements *= size;
  }
  int64_t bytes = elements << argument->item_shift;
  launch->words[argument->word] = array->data;
  launch->ends[argument->word] = array->data + bytes;
  launch->bytes += bytes;
  return !argument->strided || take_strides(array, argument, launch, elements == 0);
}

struct number {
  enum { NOT_A_NUMBER, IS_INTEGER, IS_FLOAT, IS_BOOLEAN } kind;
  int64_t integer; /* also of booleans */
  double real;
};

static inline struct number integer_number(int64_t value) { return (struct number){IS_INTEGER, value, 0}; }
static inline struct number float_number(double value) { return (struct number){IS_FLOAT, 0, value}; }
static inline struct number boolean_number(bool value) { return (struct number){IS_BOOLEAN, value, 0}; }

static inline struct number read_numpy_number(const struct number_object *found, int64_t format) {
  switch (format) {
  case AS_F64: return float_number(found->value.f64);
  case AS_F32: return float_number(found->value.f32);
  case AS_BOOLEAN: return boolean_number(found->value.u8 != 0);
  case AS_I8: return integer_number(found->value.i8);
  case AS_I16: return integer_number(found->value.i16);
  case AS_I32: return integer_number(found->value.i32);
  case AS_I64: return integer_number(found->value.i64);
  case AS_U8: return integer_number(found->value.u8);
  case AS_U16: return integer_number(found->value.u16);
  case AS_U32: return integer_number(found->value.u32);
  case AS_U64:
    if (found->value.u64 <= INT64_MAX) return integer_number(found->value.i64);
    break;
  }
  return (struct number){NOT_A_NUMBER, 0, 0};
}

/* The value of an object that is exactly a number of Python or of numpy, and fits 64 bits. */
static __attribute__((noinline)) struct number read_number(struct object *given) {
  const struct launch_config *config = &hologram_launch_config;
  if (given->type == config->float_type) return float_number(PyFloat_AsDouble(given));
  if (given->type == config->int_type) {
    int32_t overflow;
    int64_t value = PyLong_AsLongLongAndOverflow(given, &overflow);
    return overflow ? (struct number){NOT_A_NUMBER, 0, 0} : integer_number(value);
  }
  if (given == config->true_object || given == config->false_object)
    return boolean_number(given == config->true_object);
  for (int64_t i = 0; i < config->number_type_count; i++) {
    const struct number_type *known = &config->number_types[i];
    if (known->type == given->type) return read_numpy_number((const struct number_object *)given, known->format);
  }
  return (struct number){NOT_A_NUMBER, 0, 0};
}

/* Takes a number; false if it is none that the argument's type holds. */
static inline bool take_scalar(struct object *given, const struct argument *argument, struct launch *launch) {
  int64_t *word = &launch->words[argument->word];
  struct number number = read_number(given);
  double real = number.kind == IS_INTEGER ? (double)number.integer : number.real;
  switch (argument->kind) {
  case INTEGER:
    *word = number.integer;
    return number.kind == IS_INTEGER && argument->least <= number.integer && number.integer <= argument->largest;
  case BOOLEAN: *word = number.integer; return number.kind == IS_BOOLEAN;
  case F64: *(double *)word = real; return number.kind == IS_INTEGER || number.kind == IS_FLOAT;
  case F32:
    /* Infinities have their like in 32 bits. */
    if ((real > FLT_MAX && real <= DBL_MAX) || (real < -FLT_MAX && real >= -DBL_MAX)) return false;
    *word = 0;
    *(float *)word = (float)real;
    return number.kind == IS_INTEGER || number.kind == IS_FLOAT;
  default: return false;
  }
}

#endif
