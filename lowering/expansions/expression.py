"""Expressions over float scalars and vectors, as Python operators that emit arith and math operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
    f32,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue


@dataclass(frozen=True)
class Format:
    """A binary floating-point format that expansions compute in, and the integers of its width."""

    name: str
    float: AnyFloat
    integer: IntegerType
    mantissa: int
    """The bits of the significand that are stored."""
    bias: int


F32 = Format("f32", f32, i32, 23, 127)
F64 = Format("f64", f64, i64, 52, 1023)


def format_of(element: Attribute) -> Format | None:
    """The format of a float type that expansions compute in, or None."""
    match element:
        case Float32Type():
            return F32
        case Float64Type():
            return F64
        case _:
            return None


class Emitter:
    """Collects the operations of one expansion, and makes each constant once."""

    def __init__(self, format: Format, shape: Sequence[int] | None):
        self.format = format
        self.shape = shape
        self.ops: list[Operation] = []
        self._constants: dict[Attribute, SSAValue] = {}

    def emit(self, op: Operation) -> Expression:
        """Adds `op`; its result is the expression."""
        self.ops.append(op)
        return Expression(self, op.results[0])

    def shaped(self, element: AnyFloat | IntegerType) -> Attribute:
        """`element`, or a vector of it where the operation is on vectors."""
        return element if self.shape is None else VectorType(element, self.shape)

    def number(self, value: float) -> Expression:
        """A float constant."""
        return self._constant(FloatAttr(value, self.format.float), self.format.float, value)

    def bits(self, value: int) -> Expression:
        """An integer constant of the format's width."""
        integer = self.format.integer
        return self._constant(IntegerAttr(value, integer), integer, value)

    def _constant(self, attr: FloatAttr | IntegerAttr, element: AnyFloat | IntegerType, value: float) -> Expression:
        if attr not in self._constants:
            shaped: FloatAttr | IntegerAttr | DenseIntOrFPElementsAttr = attr
            if self.shape is not None:
                vector = cast(VectorType[AnyFloat], VectorType(element, self.shape))
                shaped = DenseIntOrFPElementsAttr.from_list(vector, [value])
            self._constants[attr] = self.emit(arith.ConstantOp(shaped, self.shaped(element))).value
        return Expression(self, self._constants[attr])


@dataclass(frozen=True)
class Expression:
    """A value in an emitter. Operators on floats are arith's float operations; methods say what else there is."""

    emitter: Emitter
    value: SSAValue

    @property
    def format(self) -> Format:
        """The format the expansion computes in."""
        return self.emitter.format

    def number(self, value: float) -> Expression:
        """A float constant of the same shape."""
        return self.emitter.number(value)

    def __add__(self, other: Expression) -> Expression:
        return self.emitter.emit(arith.AddfOp(self.value, other.value))

    def __sub__(self, other: Expression) -> Expression:
        return self.emitter.emit(arith.SubfOp(self.value, other.value))

    def __mul__(self, other: Expression) -> Expression:
        return self.emitter.emit(arith.MulfOp(self.value, other.value))

    def __truediv__(self, other: Expression) -> Expression:
        return self.emitter.emit(arith.DivfOp(self.value, other.value))

    def fma(self, factor: Expression, addend: Expression) -> Expression:
        """self * factor + addend, rounded once."""
        return self.emitter.emit(math.FmaOp(self.value, factor.value, addend.value))

    def clamp(self, low: float, high: float) -> Expression:
        """The nearest number from `low` to `high`; NaN stays."""
        above = self.emitter.emit(arith.MaximumfOp(self.value, self.number(low).value))
        return self.emitter.emit(arith.MinimumfOp(above.value, self.number(high).value))

    def sqrt(self) -> Expression:
        """The correctly rounded square root."""
        return self.emitter.emit(math.SqrtOp(self.value))

    def horner(self, coefficients: Sequence[float]) -> Expression:
        """The polynomial with `coefficients`, the constant one first, at self."""
        *rest, last = coefficients
        result = self.number(last)
        for coefficient in reversed(rest):
            result = result.fma(self, self.number(coefficient))
        return result

    # The bits of a float, as a signed integer

    def to_bits(self) -> Expression:
        """The bits of a float as an integer."""
        return self.emitter.emit(arith.BitcastOp(self.value, self.emitter.shaped(self.format.integer)))

    def from_bits(self) -> Expression:
        """The float with the bits of an integer."""
        return self.emitter.emit(arith.BitcastOp(self.value, self.emitter.shaped(self.format.float)))

    def int_add(self, other: Expression | int) -> Expression:
        """The sum of integers."""
        return self.emitter.emit(arith.AddiOp(self.value, self._bits(other).value))

    def int_sub(self, other: Expression | int) -> Expression:
        """The difference of integers."""
        return self.emitter.emit(arith.SubiOp(self.value, self._bits(other).value))

    def shift_left(self, amount: int) -> Expression:
        """An integer shifted left."""
        return self.emitter.emit(arith.ShLIOp(self.value, self._bits(amount).value))

    def shift_right(self, amount: int) -> Expression:
        """A signed integer shifted right."""
        return self.emitter.emit(arith.ShRSIOp(self.value, self._bits(amount).value))

    def _bits(self, value: Expression | int) -> Expression:
        return self.emitter.bits(value) if isinstance(value, int) else value
