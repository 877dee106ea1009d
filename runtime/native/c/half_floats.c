/* Conversions of half floats that LLVM calls by name where the processor has no instruction for them.

   C compilers link them from their own support library, which a Python process need not have (__truncsfbf2 came with
   GCC 13). They round to nearest, ties to even, once: the longer way from double goes through a float rounded to odd. */

#include <stdint.h>

/* The bits of floats, and the floats of bits. */
union f32_bits {
  float number;
  uint32_t bits;
};
union f16_bits {
  _Float16 number;
  uint16_t bits;
};
union bf16_bits {
  __bf16 number;
  uint16_t bits;
};

static uint32_t bits_of(float number) { return (union f32_bits){.number = number}.bits; }
static float float_of(uint32_t bits) { return (union f32_bits){.bits = bits}.number; }

float __extendhfsf2(_Float16 x) {
  uint32_t half = (union f16_bits){.number = x}.bits;
  uint32_t shifted = (half & 0x7fff) << 13;
  /* The exponent goes from one bias to the other by a product, which is exact for subnormal numbers too. */
  uint32_t finite = bits_of(float_of(shifted) * 0x1p112f);
  uint32_t bits = (half & 0x7c00) == 0x7c00 ? shifted | 0x7f800000 : finite;
  return float_of(bits | (half & 0x8000) << 16);
}

_Float16 __truncsfhf2(float x) {
  uint32_t bits = bits_of(x), magnitude = bits & 0x7fffffff;
  uint32_t odd = magnitude >> 13 & 1;
  uint32_t normal = (magnitude - 0x37fff001 + odd) >> 13;
  /* Beside a half, whose last bit is that of the least subnormal number, the sum rounds. */
  uint32_t subnormal = bits_of(float_of(magnitude) + 0.5f) - 0x3f000000;
  uint32_t result = magnitude < 0x38800000 ? subnormal : normal;
  if (magnitude >= 0x47800000) result = 0x7c00;
  if (magnitude > 0x7f800000) result = (magnitude >> 13 & 0x3ff) | 0x7e00;
  return (union f16_bits){.bits = (uint16_t)(result | (bits >> 16 & 0x8000))}.number;
}

__bf16 __truncsfbf2(float x) {
  uint32_t bits = bits_of(x), odd = bits >> 16 & 1;
  uint32_t result = x != x ? bits >> 16 | 0x40 : (bits + 0x7fff + odd) >> 16;
  return (union bf16_bits){.bits = (uint16_t)result}.number;
}

/* A double as a float whose last bit is set where it is not exact: what is rounded from it is rounded once. */
static float round_to_odd(double x) {
  float near = (float)x;
  double back = near;
  if (back == x || x != x) return near;
  uint32_t bits = bits_of(near);
  if (__builtin_fabs(back) > __builtin_fabs(x)) bits -= 1;
  return float_of(bits | 1);
}

_Float16 __truncdfhf2(double x) { return __truncsfhf2(round_to_odd(x)); }
__bf16 __truncdfbf2(double x) { return __truncsfbf2(round_to_odd(x)); }
