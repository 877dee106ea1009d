"""`atlas.cvt` for every pair of types (isa.md section 2): saturating, NaN to 0, rounded once."""

from __future__ import annotations

import math

from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, Float16Type
from xdsl.dialects.math import CountLeadingZerosOp
from xdsl.ir import SSAValue

from hologram.dialects.atlas.scalar import CvtBitsOp, CvtOp, CvtSatfiniteOp
from hologram.dialects.atlas.types import DTYPES, LARGEST, STORED, DType
from hologram.lowering import float8
from hologram.lowering.conversion import Rewriter, Rules
from hologram.lowering.core_builder import Core, f32, f64, i64

RULES = Rules()


@RULES.on(CvtOp, CvtSatfiniteOp)
def cvt(rw: Rewriter, op: CvtOp | CvtSatfiniteOp) -> None:
    """By the kinds of source and target."""
    source, target = op.source_type.dtype, op.type.dtype
    finite = isinstance(op, CvtSatfiniteOp)
    rw.define(op.result, convert(Core(rw), source, target, rw.value(op.a), finite=finite))


@RULES.on(CvtBitsOp)
def bits(rw: Rewriter, op: CvtBitsOp) -> None:
    """A bitcast."""
    rw.define(op.result, Core(rw).bits(rw.value(op.a), rw.type(op.result.type)))


def convert(core: Core, source: DType, target: DType, a: SSAValue, *, finite: bool = False) -> SSAValue:
    """The converted value of `a`, read as `source`; `finite` as of `cvt.satfinite`."""
    if source.name == target.name and not finite:
        return a
    if source.name in STORED:
        source, a = DTYPES["f32"], float8.widened(core, source, a)
        return a if target is source and not finite else convert(core, source, target, a, finite=finite)
    if finite:
        source, a = _finite(core, source, target, a)
    if target.name in STORED:
        return float8.narrowed(core, target, _single(core, source, a))
    if target.kind == "bool":
        return core.compare("une" if source.is_float else "ne", a, core.constant(0, a.type))
    if source.is_float and target.is_float:
        return a if source is target else _float_to_float(core, target, a)
    if source.is_float:
        a = core.widen(a, f32) if source.bits < 32 else a
        return (_to_wide_integer if target.bits > 64 else _to_integer)(core, target, a)
    if target.is_float:
        return (_from_wide_integer if source.bits > 64 else _from_integer)(core, source, target, a)
    return core.resize(a, target.ir, signed=source.kind == "signed")


def _finite(core: Core, source: DType, target: DType, a: SSAValue) -> tuple[DType, SSAValue]:
    """The number, at most the target's greatest finite one in magnitude, in a type that holds that."""
    limit = LARGEST[target.name]
    if not source.is_float:
        if source.kind == "bool" or int(source.greatest) <= limit:
            return source, a
        high = core.constant(int(limit), a.type)
        if source.is_unsigned:
            return source, core(arith.MinUIOp(a, high))
        return source, core(arith.MaxSIOp(core(arith.MinSIOp(a, high)), core.constant(-int(limit), a.type)))
    if source.bits < 32:
        source, a = DTYPES["f32"], core.widen(a, f32)
    if target.name == "f64":
        source, a = target, core.widen(a, f64)
    high, low = core.constant(limit, a.type), core.constant(-limit, a.type)
    a = core.select(core.compare("ogt", a, high), high, a)
    return source, core.select(core.compare("olt", a, low), low, a)


def _single(core: Core, source: DType, a: SSAValue) -> SSAValue:
    """An f32 that rounds to a float of 8 bits as the number does: exact, to odd, or too great for one."""
    if source.is_float:
        return core.odd(a) if source.bits == 64 else core.widen(a, f32)
    if source.bits > 16:
        a = _clamp(core, source, a)
    if source.bits > 64:
        source, a = DTYPES["i64"], core.resize(a, i64, signed=True)
    return _from_integer(core, source, DTYPES["f32"], a)


def _float_to_float(core: Core, target: DType, a: SSAValue) -> SSAValue:
    if isinstance(a.type, Float16Type | BFloat16Type):
        a = core.widen(a, f32)
    return core.widen(a, f64) if target.name == "f64" else core.narrow(a, target.ir)


def _to_integer(core: Core, target: DType, a: SSAValue) -> SSAValue:
    """Truncates what is in range; the bounds are powers of two, so exact in every float type. NaN is replaced by 0."""
    least, end = float(target.least), float(int(target.greatest) + 1)
    low = core.compare("olt", a, core.constant(least, a.type))
    high = core.compare("oge", a, core.constant(end, a.type))
    inside = core.both(
        core.compare("oge", a, core.constant(least, a.type)), core.compare("olt", a, core.constant(end, a.type))
    )
    safe = core.select(inside, a, core.constant(0.0, a.type))
    cast = arith.FPToUIOp if target.is_unsigned else arith.FPToSIOp
    result = core(cast(safe, target.ir))  # pyright: ignore[reportArgumentType]
    result = core.select(high, core.constant(int(target.greatest), target.ir), result)
    return core.select(low, core.constant(int(target.least), target.ir), result)


def _to_wide_integer(core: Core, target: DType, a: SSAValue) -> SSAValue:
    """The same beyond 64 bits, where bounds may lie beyond the float's: digits and exponent of the magnitude as f64."""
    a = core.widen(a, f64)
    least, end = (core.constant(_power(n), f64) for n in (int(target.least), int(target.greatest) + 1))
    low, high = core.compare("ole", a, least), core.compare("oge", a, end)
    inside = core.both(core.compare("ogt", a, least), core.compare("olt", a, end))
    safe = core.bits(core.select(inside, a, core.constant(0.0, f64)), i64)
    field = core.both(core(arith.ShRUIOp(safe, core.constant(52, i64))), core.constant(0x7FF, i64))
    exponent = core(arith.SubiOp(field, core.constant(1075, i64)))
    hidden = core.constant(1 << 52, i64)
    digits = core.either(core.both(safe, core.constant((1 << 52) - 1, i64)), hidden)
    zero = core.constant(0, i64)
    right = core(arith.MinSIOp(core(arith.MaxSIOp(core.negate(exponent), zero)), core.constant(63, i64)))
    left = core(arith.MaxSIOp(exponent, zero))
    whole = core.resize(core(arith.ShRUIOp(digits, right)), target.ir, signed=False)
    result = core(arith.ShLIOp(whole, core.resize(left, target.ir, signed=False)))
    result = core.select(core.compare("olt", a, core.constant(0.0, f64)), core.negate(result), result)
    result = core.select(high, core.constant(int(target.greatest), target.ir), result)
    return core.select(low, core.constant(int(target.least), target.ir), result)


def _power(value: int) -> float:
    """A power of two or its negative, infinite beyond f64."""
    return float(value) if value.bit_length() <= 1024 else math.inf if value > 0 else -math.inf


def _from_wide_integer(core: Core, source: DType, target: DType, a: SSAValue) -> SSAValue:
    """The highest 64 digits, the last odd where any below is set, rounded once, times a power of two."""
    if target.name == "f16":
        return _from_integer(core, DTYPES["i64"], target, core.resize(_clamp(core, source, a), i64, signed=True))
    zero = core.constant(0, a.type)
    negative = None if source.is_unsigned else core.compare("slt", a, zero)
    magnitude = a if negative is None else core.select(negative, core.negate(a), a)
    size = core(arith.SubiOp(core.constant(source.bits, a.type), core(CountLeadingZerosOp(magnitude))))
    more = core(arith.SubiOp(size, core.constant(64, a.type)))
    shift = core(arith.MaxSIOp(more, zero))
    top = core(arith.ShRUIOp(magnitude, shift))
    lost = core.compare("ne", core(arith.ShLIOp(top, shift)), magnitude)
    digits = core.either(core.resize(top, i64, signed=False), core.resize(lost, i64, signed=False))
    rounded = core.widen(_from_integer(core, DTYPES["u64"], target, digits), f64)
    # 2^63 times 2^1023 is infinite already.
    exponent = core.resize(core(arith.MinUIOp(shift, core.constant(1023, a.type))), i64, signed=False)
    field = core(arith.AddiOp(exponent, core.constant(1023, i64)))
    scale = core.bits(core(arith.ShLIOp(field, core.constant(52, i64))), f64)
    result = core.narrow(core(arith.MulfOp(rounded, scale)), target.ir)
    return result if negative is None else core.select(negative, core.negate(result), result)


def _from_integer(core: Core, source: DType, target: DType, a: SSAValue) -> SSAValue:
    if source.kind == "bool":
        return core.select(a, core.constant(1.0, target.ir), core.constant(0.0, target.ir))
    cast = arith.SIToFPOp if source.kind == "signed" else arith.UIToFPOp
    if target.bits >= 32:
        return core(cast(a, target.ir))  # pyright: ignore[reportArgumentType]
    if source.bits <= 16:
        return core.narrow(core(cast(a, f32)), target.ir)
    if target.name == "f16":
        return core.narrow(core(cast(_clamp(core, source, a), f32)), target.ir)
    if source.bits == 64:
        a = _odd_integer(core, source, a)
    return core.narrow(core(cast(a, f64)), target.ir)


def _clamp(core: Core, source: DType, a: SSAValue) -> SSAValue:
    """Brings what overflows f16 to +-2^17, which does too and is exact in f32 like all between."""
    high = core.constant(1 << 17, a.type)
    if source.is_unsigned:
        return core(arith.MinUIOp(a, high))
    return core(arith.MaxSIOp(core(arith.MinSIOp(a, high)), core.constant(-(1 << 17), a.type)))


def _odd_integer(core: Core, source: DType, a: SSAValue) -> SSAValue:
    """Rounds a 64-bit integer of 2^32 or more in magnitude to a multiple of 2^16 with an odd quotient where inexact.

    That leaves 48 digits, exact in f64, and far below the 8 of bf16: its rounding still sees which side of a tie the
    number lies on. Lesser integers are exact in f64 as they are.
    """
    low = core.constant(0xFFFF, a.type)
    sticky = core.compare("ne", core.both(a, low), core.constant(0, a.type))
    cut = core.both(a, core.constant(~0xFFFF, a.type))
    odd = core.either(cut, core.select(sticky, core.constant(1 << 16, a.type), core.constant(0, a.type)))
    if source.is_unsigned:
        big = core.compare("uge", a, core.constant(1 << 32, a.type))
    else:
        shifted = core(arith.AddiOp(a, core.constant(1 << 32, a.type)))
        big = core.compare("ugt", shifted, core.constant(1 << 33, a.type))
    return core.select(big, odd, a)
