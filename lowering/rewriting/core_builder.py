"""Emits arith and math operations during a conversion: short names for what the atlas rules need."""

from __future__ import annotations

from xdsl.dialects import math
from xdsl.dialects.arith import ConstantOp, ExtFOp, TruncFOp
from xdsl.dialects.builtin import BFloat16Type, Float16Type, f16, f32, f64, i1, i16, i32, i64
from xdsl.ir import Attribute, SSAValue

from hologram.dialects.arith import scalar_of
from hologram.dialects.verbs import Arith, is_float, number, shaped, width_of
from hologram.lowering.rewriting.conversion import Rewriter

bf16 = BFloat16Type()


class Core(Arith):
    """Emits at the insertion point of a conversion; constants once a block. It rounds floats, too."""

    def __init__(self, rw: Rewriter):
        super().__init__(rw.emit)
        self.rw = rw

    def constant(self, value: float, type: Attribute) -> SSAValue:
        """A number of an integer, index or float type, once a block."""
        return self.rw.once(("constant", repr(value), type), lambda: self.op(ConstantOp(number(value, type))))

    def widen(self, a: SSAValue, type: Attribute) -> SSAValue:
        """A float in a wider type; exact."""
        return a if a.type == type else self.op(ExtFOp(a, type))  # pyright: ignore[reportArgumentType]

    def narrow(self, a: SSAValue, type: Attribute) -> SSAValue:
        """A float rounded once to nearest even in a narrower type.

        f64 goes to 16 bits by way of f32 rounded to odd: an odd last bit says that something was cut off, so the second
        rounding sees on which side of a tie the number lies. It is right since f32 has two digits and more than f16 and
        bf16, at their least exponents too.
        """
        if a.type == type:
            return a
        if scalar_of(a.type) == f64 and isinstance(scalar_of(type), Float16Type | BFloat16Type):
            a = self.odd(a)
        return self.op(TruncFOp(a, type))  # pyright: ignore[reportArgumentType]

    def odd(self, a: SSAValue) -> SSAValue:
        """An f64 rounded to odd in f32: the neighbour with the odd last bit, where it is not exact."""
        single, word = shaped(a.type, f32), shaped(a.type, i32)
        near = self.op(TruncFOp(a, single))  # pyright: ignore[reportArgumentType]
        back = self.widen(near, a.type)
        pattern = self.bits(near, word)
        one = self.constant(1, word)
        even = self.compare("eq", self.both(pattern, one), 0)
        inexact = self.compare("one", back, a)
        # Toward zero lowers the pattern whatever the sign, away from it raises it.
        magnitude = [self.op(math.AbsFOp(v)) for v in (back, a)]
        step = self.select(self.compare("ogt", *magnitude), -1, one)
        moved = self.add(pattern, step)
        return self.bits(self.select(self.both(even, inexact), moved, pattern), single)

    def odd_sum(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """a + b of f64 or f32, rounded to odd: Knuth's two-sum gives the error, whose sign says which neighbour."""
        word = shaped(a.type, i64 if scalar_of(a.type) == f64 else i32)
        total = self.add(a, b)
        partner = self.sub(total, a)
        rest = self.sub(a, self.sub(total, partner))
        error = self.add(rest, self.sub(b, partner))
        pattern = self.bits(total, word)
        one, zero = self.constant(1, word), self.constant(0.0, a.type)
        even = self.compare("eq", self.both(pattern, one), 0)
        # NaN errors (of infinities) compare false. The pattern grows with the magnitude.
        inexact = self.compare("one", error, zero)
        outward = self.compare("eq", self.compare("ogt", error, zero), self.compare("ogt", total, zero))
        moved = self.add(pattern, self.select(outward, one, -1))
        return self.bits(self.select(self.both(even, inexact), moved, pattern), a.type)


__all__ = ["Core", "bf16", "f16", "f32", "f64", "i1", "i16", "i32", "i64", "is_float", "number", "shaped", "width_of"]
