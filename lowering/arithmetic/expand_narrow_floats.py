"""Does without the library calls that LLVM makes for 16-bit floats: bf16 in f32, rounded by integers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import BFloat16Type, Float16Type, FloatAttr, IntegerType, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import arith as ours
from hologram.dialects.arith import scalar_of
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.lowering.arithmetic.conversions import convert
from hologram.lowering.rewriting.conversion import Rewriter, Rule, Rules, convert_module
from hologram.lowering.rewriting.core_builder import Core, f32, f64, i16, i32, shaped, width_of
from hologram.support.walking import operations


class NarrowRules(Rules):
    """Rules for the float types that are computed in f32."""

    def __init__(self, *kinds: type[Attribute], table: Mapping[Any, Rule] | None = None):
        super().__init__(table=table)
        self.kinds = kinds

    def narrow(self, type: Attribute) -> bool:
        """Return whether values of a type, or a vector's elements, are computed in f32."""
        return isinstance(scalar_of(type), self.kinds)


RULES = NarrowRules(BFloat16Type)

_BITS_ONLY = (arith.ConstantOp, arith.SelectOp, arith.BitcastOp)
"""What moves floats without computing."""


@dataclass(frozen=True)
class ExpandNarrowFloatsPass(ModulePass):
    """Computes bf16 operations in f32 and rounds to bf16 with integers; rounds f64 to f16 by way of f32, to odd.

    LLVM has no bf16 arithmetic on most processors: it calls a library to round, or uses an instruction that flushes
    subnormals. One operation of + - * / sqrt in f32 and a second rounding give the bits of a single rounding.
    With `f16=false` f16 is computed in f32 too, so that it is only loaded, stored and reinterpreted.

    Before::

        %r = arith.addf %a, %b : bf16

    After::

        %0 = arith.extf %a : bf16 to f32
        %1 = arith.extf %b : bf16 to f32
        %2 = arith.addf %0, %1 : f32
        ... %2 as i32, half a unit less one and the last bit that stays added, shifted; NaN kept
        %r = arith.bitcast %n : i16 to bf16
    """

    name = "expand-narrow-floats"

    f16: bool = True
    """Whether the target computes with f16."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rules = RULES if self.f16 else NarrowRules(BFloat16Type, Float16Type, table=RULES.table)
        if any(_touches(rules, o) for o in operations(op)):
            convert_module(op, rules)


def _touches(rules: NarrowRules, op: Operation) -> bool:
    return any(rules.narrow(v.type) for v in (*op.operands, *op.results)) or isinstance(op, arith.TruncFOp)


def _is_bf16(type: Attribute) -> bool:
    return isinstance(scalar_of(type), BFloat16Type)


def _is_narrow(rw: Rewriter, type: Attribute) -> bool:
    return cast("NarrowRules", rw.rules).narrow(type)


def _finite(value: SSAValue) -> float | None:
    """The finite number that a scalar is known to be."""
    owner = value.owner
    attribute = owner.value if isinstance(owner, arith.ConstantOp) else None
    return attribute.value.data if isinstance(attribute, FloatAttr) and isfinite(attribute.value.data) else None


class _Rounder(Core):
    """Widens bf16 and rounds to 16 bits with integers. (LLVM moves operations to the narrow side of its own fpext.)"""

    def widen(self, a: SSAValue, type: Attribute) -> SSAValue:
        """A float in a wider type; exact. bf16 is the upper half of an f32."""
        if not _is_narrow(self.rw, a.type):
            return super().widen(a, type)
        if (number := _finite(a)) is not None:
            return self.constant(number, type)
        if not _is_bf16(a.type):
            return super().widen(self._from_half(a), type)
        word = shaped(a.type, i32)
        upper = self.op(ours.ExtUIOp(self.bits(a, shaped(a.type, i16)), word))  # pyright: ignore
        single = self.bits(self.shl(upper, 16), shaped(a.type, f32))
        return super().widen(single, type)

    def narrow(self, a: SSAValue, type: Attribute) -> SSAValue:
        """An f32 or f64 rounded once to f16 or bf16."""
        if scalar_of(a.type) == f64:
            a = self.odd(a)
        if not _is_narrow(self.rw, type):
            return super().narrow(a, type)
        if not _is_bf16(type):
            return self._to_half(a, type)
        word = shaped(a.type, i32)
        sixteen, one = self.constant(16, word), self.constant(1, word)
        pattern = self.bits(a, word)
        # Half a unit of the part that stays, less one where that part is even, carries exactly where rounding goes up.
        last = self.both(self.shr(pattern, sixteen), one)
        up = self.add(self.add(pattern, 0x7FFF), last)
        # A NaN must not carry into an infinity.
        quiet = self.either(pattern, 0x400000)
        kept = self.select(self.is_nan(a), quiet, up)
        half = self.op(ours.TruncIOp(self.shr(kept, sixteen), shaped(a.type, i16)))  # pyright: ignore
        return self.bits(half, type)

    def _from_half(self, a: SSAValue) -> SSAValue:
        """An f16 as f32, by integers."""
        word, single = shaped(a.type, i32), shaped(a.type, f32)
        pattern = self.resize(self.bits(a, shaped(a.type, i16)), word, signed=False)
        magnitude = self.both(pattern, 0x7FFF)
        shifted = self.shl(magnitude, 13)
        # Exponents are counted from 15 there and from 127 here; that of infinities and NaNs is the greatest.
        normal = self.add(shifted, 112 << 23)
        special = self.compare("uge", magnitude, 0x7C00)
        wide = self.select(special, self.either(shifted, 0x7F800000), normal)
        # What is below the normal numbers is a multiple of 2^-24, which f32 holds as a normal number.
        small = self.mul(self.op(ours.UIToFPOp(magnitude, single)), 2.0**-24)  # pyright: ignore
        tiny = self.compare("ult", magnitude, 0x400)
        widened = self.select(tiny, self.bits(small, word), wide)
        sign = self.shl(self.both(pattern, 0x8000), 16)
        return self.bits(self.either(widened, sign), single)

    def _to_half(self, a: SSAValue, type: Attribute) -> SSAValue:
        """An f32 rounded to f16, by integers."""
        word, single = shaped(a.type, i32), a.type
        pattern = self.bits(a, word)
        magnitude = self.both(pattern, 0x7FFFFFFF)
        thirteen = self.constant(13, word)
        last = self.both(self.shr(magnitude, thirteen), 1)
        based = self.add(magnitude, 0xFFF - (112 << 23))
        # Half a unit less one, and the last bit that stays: the carry may reach infinity, as it should.
        normal = self.shr(self.add(based, last), thirteen)
        normal = self.select(self.compare("uge", magnitude, 0x47800000), 0x7C00, normal)
        # A sum with 0.5 has 2^-24 as its last digit, as f16 has it below its normal numbers.
        half = self.constant(0.5, single)
        sum = self.add(self.bits(magnitude, single), half)
        small = self.sub(self.bits(sum, word), 0x3F000000)
        rounded = self.select(self.compare("ult", magnitude, 0x38800000), small, normal)
        payload = self.both(self.shr(magnitude, thirteen), 0x3FF)
        nan = self.compare("ugt", magnitude, 0x7F800000)
        rounded = self.select(nan, self.either(payload, 0x7E00), rounded)
        sign = self.both(self.shr(pattern, 16), 0x8000)
        return self.bits(self.resize(self.either(rounded, sign), shaped(type, i16), signed=False), type)


@RULES.on(arith.TruncFOp)
def truncate(rw: Rewriter, op: arith.TruncFOp) -> None:
    """Rounds to f16 and bf16."""
    target = op.result.type
    if not isinstance(scalar_of(target), BFloat16Type | Float16Type):
        rw.rebuild(op)
        return
    rw.define(op.result, _Rounder(rw).narrow(rw.value(op.input), target))


@RULES.on(arith.ExtFOp)
def extend(rw: Rewriter, op: arith.ExtFOp) -> None:
    """Widens bf16."""
    rw.define(op.result, _Rounder(rw).widen(rw.value(op.input), op.result.type))


@RULES.on(arith.SIToFPOp, arith.UIToFPOp)
def from_integer(rw: Rewriter, op: arith.SIToFPOp | arith.UIToFPOp) -> None:
    """An integer rounded once."""
    source = op.input.type
    if not _is_narrow(rw, op.result.type) or not isinstance(source, IntegerType):
        _through_f32(rw, op)
        return
    dtype = DTYPES.get(f"{'i' if isinstance(op, arith.SIToFPOp) else 'u'}{width_of(op.input.type)}", DTYPES["bool"])
    target = DTYPES["bf16" if _is_bf16(op.result.type) else "f16"]
    rw.define(op.result, convert(_Rounder(rw), dtype, target, rw.value(op.input)))


def _through_f32(rw: Rewriter, op: Operation) -> None:
    """The operation on f32 in place of a narrower type."""
    if not any(_is_narrow(rw, v.type) for v in (*op.operands, *op.results)):
        rw.rebuild(op)
        return
    core = _Rounder(rw)
    operands = [core.widen(v, shaped(v.type, f32)) if _is_narrow(rw, v.type) else v for v in map(rw.value, op.operands)]
    results = [shaped(r.type, f32) if _is_narrow(rw, r.type) else r.type for r in op.results]
    wide = rw.emit(
        type(op).create(operands=operands, result_types=results, properties=op.properties, attributes=op.attributes)
    )
    for old, new in zip(op.results, wide.results, strict=True):
        rw.define(old, core.narrow(new, old.type) if _is_narrow(rw, old.type) else new)


def _computing(ops: object) -> list[type[Operation]]:
    known = {*_BITS_ONLY, arith.TruncFOp, arith.ExtFOp, arith.SIToFPOp, arith.UIToFPOp}
    return [o for o in cast("list[type[Operation]]", ops) if not known & set(o.__mro__)]


RULES.on(*_computing([*ours.Arith.operations, *math.Math.operations]))(_through_f32)
