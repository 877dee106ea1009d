"""`atlas.cvt` for every pair of types (isa.md section 2): saturating, NaN to 0, rounded once."""

from __future__ import annotations

import math

from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, Float16Type, IntegerType
from xdsl.dialects.math import CountLeadingZerosOp
from xdsl.ir import Attribute, SSAValue

from hologram.dialects.atlas.instructions.scalar import CvtBitsOp, CvtOp, CvtSatfiniteOp
from hologram.dialects.atlas.instructions.types import DTYPES, LARGEST, STORED, DType
from hologram.lowering.arithmetic import float8
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.rewriting.core_builder import Core, f32, f64, i32, i64

RULES = Rules()


@RULES.on(CvtOp, CvtSatfiniteOp)
def cvt(rw: Rewriter, op: CvtOp | CvtSatfiniteOp) -> None:
    """Convert by the kinds of source and target."""
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
        return core.compare("une" if source.is_float else "ne", a, 0)
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
            return source, core.min(a, high)
        return source, core.smax(core.smin(a, high), -int(limit))
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
    low = core.compare("olt", a, least)
    high = core.compare("oge", a, end)
    inside = core.both(core.compare("oge", a, least), core.compare("olt", a, end))
    safe = core.select(inside, a, 0.0)
    cast = arith.FPToUIOp if target.is_unsigned else arith.FPToSIOp
    result = core.op(cast(safe, target.ir))  # pyright: ignore[reportArgumentType]
    result = core.select(high, int(target.greatest), result)
    return core.select(low, int(target.least), result)


def _to_wide_integer(core: Core, target: DType, a: SSAValue) -> SSAValue:
    """The same beyond 64 bits, where bounds may lie beyond the float's: digits and exponent of the magnitude."""
    word, digits_below, bias, infinite = _PARTS[a.type]
    bounds = (_power(n, infinite) for n in (int(target.least), int(target.greatest) + 1))
    least, end = (core.constant(n, a.type) for n in bounds)
    low, high = core.compare("ole", a, least), core.compare("oge", a, end)
    inside = core.both(core.compare("ogt", a, least), core.compare("olt", a, end))
    safe = core.bits(core.select(inside, a, 0.0), word)
    field = core.both(core.shr(safe, digits_below), 2 * bias + 1)
    exponent = core.sub(field, bias + digits_below)
    hidden = core.constant(1 << digits_below, word)
    digits = core.either(core.both(safe, (1 << digits_below) - 1), hidden)
    zero = core.constant(0, word)
    right = core.smin(core.smax(core.negate(exponent), zero), word.bitwidth - 1)
    left = core.smax(exponent, zero)
    whole = core.resize(core.shr(digits, right), target.ir, signed=False)
    result = core.shl(whole, core.resize(left, target.ir, signed=False))
    result = core.select(core.compare("olt", a, 0.0), core.negate(result), result)
    result = core.select(high, int(target.greatest), result)
    return core.select(low, int(target.least), result)


_PARTS: dict[Attribute, tuple[IntegerType, int, int, int]] = {f32: (i32, 23, 127, 128), f64: (i64, 52, 1023, 1024)}
"""The integer of a float's bits, the digits below its first one, the bias of its exponent, the first infinite power."""


def _power(value: int, infinite: int) -> float:
    """A power of two or its negative; infinite from a power on."""
    return float(value) if abs(value) < 1 << infinite else math.inf if value > 0 else -math.inf


def _from_wide_integer(core: Core, source: DType, target: DType, a: SSAValue) -> SSAValue:
    """The highest 64 digits, the last odd where any below is set, rounded once, times a power of two."""
    if target.name == "f16":
        return _from_integer(core, DTYPES["i64"], target, core.resize(_clamp(core, source, a), i64, signed=True))
    zero = core.constant(0, a.type)
    negative = None if source.is_unsigned else core.compare("slt", a, zero)
    magnitude = a if negative is None else core.select(negative, core.negate(a), a)
    size = core.sub(core.constant(source.bits, a.type), core.op(CountLeadingZerosOp(magnitude)))
    more = core.sub(size, 64)
    shift = core.smax(more, zero)
    top = core.shr(magnitude, shift)
    lost = core.compare("ne", core.shl(top, shift), magnitude)
    digits = core.either(core.resize(top, i64, signed=False), core.resize(lost, i64, signed=False))
    wide = f64 if target.bits == 64 else f32
    word, digits_below, bias, _ = _PARTS[wide]
    rounded = core.widen(_from_integer(core, DTYPES["u64"], target, digits), wide)
    # 2^63 times the greatest power of two is infinite already.
    exponent = core.resize(core.min(shift, bias), word, signed=False)
    field = core.add(exponent, bias)
    scale = core.bits(core.shl(field, digits_below), wide)
    result = core.narrow(core.mul(rounded, scale), target.ir)
    return result if negative is None else core.select(negative, core.negate(result), result)


def _from_integer(core: Core, source: DType, target: DType, a: SSAValue) -> SSAValue:
    if source.kind == "bool":
        return core.select(a, core.constant(1.0, target.ir), core.constant(0.0, target.ir))
    cast = arith.SIToFPOp if source.kind == "signed" else arith.UIToFPOp
    if target.bits >= 32:
        return core.op(cast(a, target.ir))  # pyright: ignore[reportArgumentType]
    if source.bits <= 16:
        return core.narrow(core.op(cast(a, f32)), target.ir)
    if target.name == "f16":
        return core.narrow(core.op(cast(_clamp(core, source, a), f32)), target.ir)
    return core.narrow(_odd_single(core, source, a), target.ir)


def _clamp(core: Core, source: DType, a: SSAValue) -> SSAValue:
    """Brings what overflows f16 to +-2^17, which does too and is exact in f32 like all between."""
    high = core.constant(1 << 17, a.type)
    if source.is_unsigned:
        return core.min(a, high)
    return core.smax(core.smin(a, high), -(1 << 17))


def _odd_single(core: Core, source: DType, a: SSAValue) -> SSAValue:
    """An integer of 32 or 64 bits as an f32, rounded to odd: a second rounding, to bf16, is then the only one."""
    if source.bits == 64:
        negative = None if source.is_unsigned else core.compare("slt", a, 0)
        size = a if negative is None else core.select(negative, core.negate(a), a)
        words = [core.resize(v, i32, signed=False) for v in (core.shr(size, 32), size)]
        high, low = (_odd_single(core, DTYPES["u32"], word) for word in words)
        result = core.odd_sum(core.mul(high, 2.0**32), low)
        return result if negative is None else core.select(negative, core.negate(result), result)
    shift, cast = (core.shr, arith.UIToFPOp) if source.is_unsigned else (core.ashr, arith.SIToFPOp)
    high, low = (core.op(cast(v, f32)) for v in (shift(a, 16), core.both(a, 0xFFFF)))
    return core.odd_sum(core.mul(high, 2.0**16), low)
