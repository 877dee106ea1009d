"""`atlas.cvt` for every pair of types up to 64 bits (isa.md section 2): saturating, NaN to 0, rounded once."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, Float16Type
from xdsl.ir import SSAValue

from hologram.dialects.atlas.scalar import CvtOp
from hologram.dialects.atlas.types import DType
from hologram.lowering.atlas_state import refuse_wide
from hologram.lowering.conversion import Rewriter, Rules
from hologram.lowering.core_builder import Core, f32, f64

RULES = Rules()


@RULES.on(CvtOp)
def cvt(rw: Rewriter, op: CvtOp) -> None:
    """By the kinds of source and target."""
    source, target = op.source_type.dtype, op.type.dtype
    for dtype in (source, target):
        refuse_wide(op, dtype)
    rw.define(op.result, convert(Core(rw), source, target, rw.value(op.a)))


def convert(core: Core, source: DType, target: DType, a: SSAValue) -> SSAValue:
    """The converted value of `a`, read as `source`."""
    if source.name == target.name:
        return a
    if target.kind == "bool":
        return core.compare("une" if source.is_float else "ne", a, core.constant(0, a.type))
    if source.is_float and target.is_float:
        return _float_to_float(core, target, a)
    if source.is_float:
        return _to_integer(core, target, core.widen(a, f32) if source.bits < 32 else a)
    if target.is_float:
        return _from_integer(core, source, target, a)
    return core.resize(a, target.ir, signed=source.kind == "signed")


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
