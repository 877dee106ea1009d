"""Emits arith and math operations during a conversion: short names for what the atlas rules need."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import math
from xdsl.dialects.arith import (
    AddfOp,
    AddiOp,
    AndIOp,
    BitcastOp,
    ConstantOp,
    ExtFOp,
    NegfOp,
    OrIOp,
    SubfOp,
    SubiOp,
    TruncFOp,
)
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    f16,
    f32,
    f64,
    i1,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects.arith import CmpfOp, CmpiOp, ExtSIOp, ExtUIOp, IndexCastOp, SelectOp, TruncIOp, scalar_of
from hologram.lowering.conversion import Rewriter

bf16 = BFloat16Type()


class Core:
    """Emits at the insertion point of a conversion."""

    def __init__(self, rw: Rewriter):
        self.rw = rw

    def __call__(self, op: Operation) -> SSAValue:
        """Emits an operation with one result."""
        return self.rw.emit(op).results[0]

    def constant(self, value: float, type: Attribute) -> SSAValue:
        """A number of an integer, index or float type, once a block."""
        return self.rw.once(("constant", repr(value), type), lambda: self(ConstantOp(number(value, type))))

    def compare(self, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue:
        """arith.cmpf of floats (`olt`), arith.cmpi of the rest (`slt`)."""
        return self(CmpfOp(a, b, predicate) if is_float(a.type) else CmpiOp(a, b, predicate))

    def select(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        """a where the condition holds, else b."""
        return self(SelectOp(condition, a, b))

    def is_nan(self, a: SSAValue) -> SSAValue:
        """Whether a float is NaN."""
        return self.compare("uno", a, a)

    def negate(self, a: SSAValue) -> SSAValue:
        """-a; integers wrap."""
        return self(NegfOp(a) if is_float(a.type) else SubiOp(self.constant(0, a.type), a))

    def either(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """a or b, bitwise."""
        return self(OrIOp(a, b))

    def both(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """a and b, bitwise."""
        return self(AndIOp(a, b))

    def resize(self, a: SSAValue, type: Attribute, *, signed: bool) -> SSAValue:
        """An integer, or the elements of a vector, truncated, extended by sign or zeros, or kept."""
        if a.type == type:
            return a
        target = cast("IntegerType", type)
        if width_of(scalar_of(type)) < width_of(scalar_of(a.type)):
            return self(TruncIOp(a, target))
        return self(ExtSIOp(a, target) if signed else ExtUIOp(a, target))

    def index_cast(self, a: SSAValue, type: Attribute) -> SSAValue:
        """An integer or index as another, extended by its sign."""
        return a if a.type == type else self(IndexCastOp(a, type))

    def widen(self, a: SSAValue, type: Attribute) -> SSAValue:
        """A float in a wider type; exact."""
        return a if a.type == type else self(ExtFOp(a, type))  # pyright: ignore[reportArgumentType]

    def bits(self, a: SSAValue, type: Attribute) -> SSAValue:
        """The same bits as another type."""
        return a if a.type == type else self(BitcastOp(a, type))

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
        return self(TruncFOp(a, type))  # pyright: ignore[reportArgumentType]

    def odd(self, a: SSAValue) -> SSAValue:
        """An f64 rounded to odd in f32: the neighbour with the odd last bit, where it is not exact."""
        single, word = shaped(a.type, f32), shaped(a.type, i32)
        near = self(TruncFOp(a, single))  # pyright: ignore[reportArgumentType]
        back = self.widen(near, a.type)
        pattern = self.bits(near, word)
        one = self.constant(1, word)
        even = self.compare("eq", self.both(pattern, one), self.constant(0, word))
        inexact = self.compare("one", back, a)
        # Toward zero lowers the pattern whatever the sign, away from it raises it.
        magnitude = [self(math.AbsFOp(v)) for v in (back, a)]
        step = self.select(self.compare("ogt", *magnitude), self.constant(-1, word), one)
        moved = self(AddiOp(pattern, step))
        return self.bits(self.select(self.both(even, inexact), moved, pattern), single)

    def odd_sum(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """a + b of f64, rounded to odd: Knuth's two-sum gives the error, whose sign says which neighbour it is."""
        word = shaped(a.type, i64)
        total = self(AddfOp(a, b))
        partner = self(SubfOp(total, a))
        rest = self(SubfOp(a, self(SubfOp(total, partner))))
        error = self(AddfOp(rest, self(SubfOp(b, partner))))
        pattern = self.bits(total, word)
        one, zero = self.constant(1, word), self.constant(0.0, a.type)
        even = self.compare("eq", self.both(pattern, one), self.constant(0, word))
        # NaN errors (of infinities) compare false. The pattern grows with the magnitude.
        inexact = self.compare("one", error, zero)
        outward = self.compare("eq", self.compare("ogt", error, zero), self.compare("ogt", total, zero))
        moved = self(AddiOp(pattern, self.select(outward, one, self.constant(-1, word))))
        return self.bits(self.select(self.both(even, inexact), moved, pattern), a.type)


def width_of(type: Attribute) -> int:
    """The bits of an integer type, 64 of index."""
    return cast("IntegerType", type).width.data if isinstance(type, IntegerType) else 64


def is_float(type: Attribute) -> bool:
    """Whether a type, or a vector's elements, are floats."""
    return not isinstance(scalar_of(type), IntegerType | IndexType)


def shaped(type: Attribute, element: Attribute) -> Attribute:
    """`element`, as a vector of the shape of `type` if that is one."""
    return VectorType(element, type.shape, type.scalable_dims) if isinstance(type, VectorType) else element  # pyright: ignore


def number(value: float, type: Attribute) -> Any:
    """A number as an attribute, in each element of a vector."""
    if isinstance(type, VectorType):
        return DenseIntOrFPElementsAttr.from_list(type, [value])  # pyright: ignore
    if is_float(type):
        return FloatAttr(float(value), type)  # pyright: ignore[reportArgumentType, reportCallIssue]
    return IntegerAttr(int(value), type, truncate_bits=True)  # pyright: ignore[reportArgumentType, reportCallIssue]


__all__ = ["Core", "bf16", "f16", "f32", "f64", "i1", "i16", "i32", "i64", "is_float", "number", "shaped", "width_of"]
