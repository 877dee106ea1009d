"""Conversions of half floats that LLVM calls by name where the processor has no instruction for them.

C compilers link them from their own support library, which a Python process need not have (`__truncsfbf2` came with
GCC 13). They round to nearest, ties to even, once: the longer way from double goes through a float rounded to odd.
"""

from __future__ import annotations

LIBRARY = "hologram-builtins"
SYMBOLS = ("__extendhfsf2", "__truncsfhf2", "__truncsfbf2", "__truncdfhf2", "__truncdfbf2")

_EXTEND_HALF = """
define float @__extendhfsf2(half %x) {
  %h = bitcast half %x to i16
  %w = zext i16 %h to i32
  %magnitude = and i32 %w, 32767
  %shifted = shl i32 %magnitude, 13
  %small = bitcast i32 %shifted to float
  %scaled = fmul float %small, 0x46F0000000000000
  %finite = bitcast float %scaled to i32
  %special = or i32 %shifted, 2139095040
  %exponent = and i32 %w, 31744
  %is_special = icmp eq i32 %exponent, 31744
  %bits = select i1 %is_special, i32 %special, i32 %finite
  %signed = and i32 %w, 32768
  %sign = shl i32 %signed, 16
  %all = or i32 %bits, %sign
  %r = bitcast i32 %all to float
  ret float %r
}
"""

_FLOAT_TO_HALF = """
define half @__truncsfhf2(float %x) {
  %f = bitcast float %x to i32
  %a = and i32 %f, 2147483647
  %odd_shift = lshr i32 %a, 13
  %odd = and i32 %odd_shift, 1
  %biased = add i32 %a, -939520001
  %even = add i32 %biased, %odd
  %normal = lshr i32 %even, 13
  %af = bitcast i32 %a to float
  %pushed = fadd float %af, 5.000000e-01
  %pushed_bits = bitcast float %pushed to i32
  %subnormal = add i32 %pushed_bits, -1056964608
  %is_small = icmp ult i32 %a, 947912704
  %finite = select i1 %is_small, i32 %subnormal, i32 %normal
  %is_large = icmp uge i32 %a, 1199570944
  %ranged = select i1 %is_large, i32 31744, i32 %finite
  %payload = and i32 %odd_shift, 1023
  %quiet = or i32 %payload, 32256
  %is_nan = icmp ugt i32 %a, 2139095040
  %bits = select i1 %is_nan, i32 %quiet, i32 %ranged
  %sign_shift = lshr i32 %f, 16
  %sign = and i32 %sign_shift, 32768
  %all = or i32 %bits, %sign
  %h = trunc i32 %all to i16
  %r = bitcast i16 %h to half
  ret half %r
}
"""

_FLOAT_TO_BFLOAT = """
define bfloat @__truncsfbf2(float %x) {
  %f = bitcast float %x to i32
  %odd_shift = lshr i32 %f, 16
  %odd = and i32 %odd_shift, 1
  %biased = add i32 %f, 32767
  %even = add i32 %biased, %odd
  %rounded = lshr i32 %even, 16
  %quiet = or i32 %odd_shift, 64
  %is_nan = fcmp uno float %x, %x
  %bits = select i1 %is_nan, i32 %quiet, i32 %rounded
  %h = trunc i32 %bits to i16
  %r = bitcast i16 %h to bfloat
  ret bfloat %r
}
"""

_ROUND_TO_ODD = """
define internal float @round_to_odd(double %x) {
  %near = fptrunc double %x to float
  %back = fpext float %near to double
  %bits = bitcast float %near to i32
  %xa = call double @llvm.fabs.f64(double %x)
  %ba = call double @llvm.fabs.f64(double %back)
  %away = fcmp ogt double %ba, %xa
  %step = sext i1 %away to i32
  %down = add i32 %bits, %step
  %odd = or i32 %down, 1
  %inexact = fcmp one double %back, %x
  %chosen = select i1 %inexact, i32 %odd, i32 %bits
  %r = bitcast i32 %chosen to float
  ret float %r
}
declare double @llvm.fabs.f64(double)
define half @__truncdfhf2(double %x) {
  %f = call float @round_to_odd(double %x)
  %r = call half @__truncsfhf2(float %f)
  ret half %r
}
define bfloat @__truncdfbf2(double %x) {
  %f = call float @round_to_odd(double %x)
  %r = call bfloat @__truncsfbf2(float %f)
  ret bfloat %r
}
"""

IR = _EXTEND_HALF + _FLOAT_TO_HALF + _FLOAT_TO_BFLOAT + _ROUND_TO_ODD
