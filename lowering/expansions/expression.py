"""Expressions over float scalars and vectors, as Python operators that emit arith and math operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, math, memref, scf, vector
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    f32,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects.arith import CmpfOp, CmpiOp, IndexCastUIOp, SelectOp, SIToFPOp
from hologram.dialects.llvm import CallIntrinsicOp
from hologram.dialects.vector import GatherOp
from hologram.lowering.expansions.tables import INTERVALS, Table, Use
from hologram.lowering.vector_pieces import cut, joined

AS_IT_IS = 4
"""The rounding of an instruction of AVX-512: what the control register says."""


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

    def __init__(
        self,
        format: Format,
        shape: Sequence[int] | None,
        fused: bool = True,
        scales: bool = False,
        looks_up: bool = True,
    ):
        self.format = format
        self.shape = shape
        self.fused = fused
        """Whether there is a fused multiply-add; without one, `Expression.fma` rounds twice."""
        whole = shape is not None and len(shape) == 1 and shape[0] % (512 // format.integer.width.data) == 0
        self.scales = scales and whole
        """Whether to take AVX-512's instruction that scales by a power of two: for whole registers."""
        self.looks_up = looks_up
        """Whether to take tables where there is a form without."""
        self.ops: list[Operation] = []
        self.tables: list[Use] = []
        """The operations that want a global; whoever places them calls `tables.declare`."""
        self._constants: dict[Attribute, SSAValue] = {}

    def nested(self) -> Emitter:
        """An emitter for the block of a region."""
        return Emitter(self.format, self.shape, self.fused, self.scales, self.looks_up)

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

    def lookup(self, table: Table, interval: Expression) -> list[Expression]:
        """The coefficients of each lane's interval; only the lowest bits of its number count."""
        where = interval.bit_and(INTERVALS - 1)
        memory = memref.GetGlobalOp(table.name, table.type)
        self.tables.append((memory, table))
        base = self.emit(memory).value
        if self.shape is None:
            column = self.emit(IndexCastUIOp(where.value, IndexType())).value
            return [self.emit(memref.LoadOp.get(base, (self._index(k), column))) for k in range(len(table.rows))]
        everywhere = DenseIntOrFPElementsAttr.from_list(VectorType(i1, self.shape), [True])
        mask, none = self.emit(arith.ConstantOp(everywhere)).value, self.number(0.0).value
        first = self._index(0)
        rows = [(self._index(k), first) for k in range(len(table.rows))]
        return [self.emit(GatherOp(base, row, where.value, mask, none)) for row in rows]

    def branch(
        self, condition: Expression, compute: Callable[[], Sequence[Expression]], otherwise: Sequence[Expression]
    ) -> list[Expression]:
        """What `compute` gives where `condition` is true, else `otherwise`; it is skipped where no lane needs it.

        Vectors of other ranks than one have no reduction to one truth value: for them it is always computed.
        """
        if self.shape is not None and len(self.shape) != 1:
            return [condition.select(a, b) for a, b in zip(compute(), otherwise, strict=True)]
        some = condition
        if self.shape is not None:
            kind = vector.CombiningKindAttr(vector.CombiningKindFlag.OR)
            flags = arith.FastMathFlagsAttr("none")
            # The constructor of xDSL 0.74 gives the result the type of the vector.
            some = self.emit(
                vector.ReductionOp.create(
                    operands=[condition.value], result_types=[i1], properties={"kind": kind, "fastmath": flags}
                )
            )
        # Constants made inside are not seen outside.
        outer, constants = self.ops, dict(self._constants)
        self.ops = []
        chosen = [condition.select(a, b).value for a, b in zip(compute(), otherwise, strict=True)]
        self.ops.append(scf.YieldOp(*chosen))
        inner, self.ops, self._constants = self.ops, outer, constants
        kept: list[Operation] = [scf.YieldOp(*(value.value for value in otherwise))]
        either = scf.IfOp(some.value, [value.type for value in chosen], inner, kept)
        self.ops.append(either)
        return [Expression(self, result) for result in either.results]

    def _index(self, value: int) -> SSAValue:
        attr = IntegerAttr(value, IndexType())
        if attr not in self._constants:
            self._constants[attr] = self.emit(arith.ConstantOp(attr)).value
        return self._constants[attr]

    def _constant(self, attr: FloatAttr | IntegerAttr, element: AnyFloat | IntegerType, value: float) -> Expression:
        if attr not in self._constants:
            shaped: FloatAttr | IntegerAttr | DenseIntOrFPElementsAttr = attr
            if self.shape is not None:
                vector = cast(VectorType[AnyFloat], VectorType(element, self.shape))
                shaped = DenseIntOrFPElementsAttr.from_list(vector, [value])
            self._constants[attr] = self.emit(arith.ConstantOp(shaped, self.shaped(element))).value
        return Expression(self, self._constants[attr])


Operand: TypeAlias = "Expression | float"
"""A number among operands stands for the constant."""


@dataclass(frozen=True)
class Expression:
    """A value in an emitter. Operators on floats are arith's float operations; methods say what else there is."""

    emitter: Emitter
    value: SSAValue

    @property
    def format(self) -> Format:
        """The format the expansion computes in."""
        return self.emitter.format

    @property
    def fused(self) -> bool:
        """Whether the expansion may use fused multiply-adds."""
        return self.emitter.fused

    def number(self, value: float) -> Expression:
        """A float constant of the same shape."""
        return self.emitter.number(value)

    def __add__(self, other: Operand) -> Expression:
        return self.emitter.emit(arith.AddfOp(self.value, self._float(other)))

    def __sub__(self, other: Operand) -> Expression:
        return self.emitter.emit(arith.SubfOp(self.value, self._float(other)))

    def __rsub__(self, other: float) -> Expression:
        return self.number(other) - self

    def __mul__(self, other: Operand) -> Expression:
        return self.emitter.emit(arith.MulfOp(self.value, self._float(other)))

    def __truediv__(self, other: Operand) -> Expression:
        return self.emitter.emit(arith.DivfOp(self.value, self._float(other)))

    def __rtruediv__(self, other: float) -> Expression:
        return self.number(other) / self

    def __neg__(self) -> Expression:
        return self.emitter.emit(arith.NegfOp(self.value))

    def __abs__(self) -> Expression:
        return self.emitter.emit(math.AbsFOp(self.value))

    def fma(self, factor: Operand, addend: Operand) -> Expression:
        """self * factor + addend, rounded once; in the fma-free form the product is rounded too.

        Where the product must be exact in both forms, `pairs.two_product` makes it.
        """
        if not self.fused:
            return self * factor + addend
        return self.emitter.emit(math.FmaOp(self.value, self._float(factor), self._float(addend)))

    def clamp(self, low: float, high: float) -> Expression:
        """The nearest number from `low` to `high`; NaN stays."""
        # One instruction each on x86, whose min and max give the second operand where one is NaN.
        above = self.lt(low).select(low, self)
        return above.gt(high).select(high, above)

    def scaled(self, power: Expression) -> Expression:
        """self * 2**floor(power), rounded once; only where `Emitter.scales`."""
        # MLIR's own operation takes one power for all lanes, and LLVM's an integer that it makes a float again.
        name, lanes = ("ps", 16) if self.format is F32 else ("pd", 8)
        kind: VectorType[Any] = VectorType(self.format.float, (lanes,))
        every, rounding = (
            self.emitter.emit(arith.ConstantOp(IntegerAttr(value, type))).value
            for value, type in ((-1, IntegerType(lanes)), (AS_IT_IS, i32))
        )

        def add(op: Operation) -> SSAValue:
            return self.emitter.emit(op).value

        def piece(x: SSAValue, p: SSAValue) -> SSAValue:
            return add(CallIntrinsicOp(f"llvm.x86.avx512.mask.scalef.{name}.512", (x, p, x, every, rounding), kind))

        pieces = zip(cut(add, self.value, lanes), cut(add, power.value, lanes), strict=True)
        return Expression(self.emitter, joined(add, [piece(x, p) for x, p in pieces]))

    def sqrt(self) -> Expression:
        """The correctly rounded square root."""
        return self.emitter.emit(math.SqrtOp(self.value))

    def floor(self) -> Expression:
        """The greatest integer not above."""
        return self.emitter.emit(math.FloorOp(self.value))

    def trunc(self) -> Expression:
        """The integer towards zero."""
        return self.emitter.emit(math.TruncOp(self.value))

    def round_even(self) -> Expression:
        """The nearest integer, of two the even one."""
        return self.emitter.emit(math.RoundEvenOp(self.value))

    def copysign(self, sign: Expression) -> Expression:
        """The magnitude of self with the sign of `sign`."""
        return self.emitter.emit(math.CopySignOp(self.value, sign.value))

    def horner(self, coefficients: Sequence[Operand]) -> Expression:
        """The polynomial with `coefficients`, the constant one first, at self."""
        *rest, last = coefficients
        result = last if isinstance(last, Expression) else self.number(last)
        for coefficient in reversed(rest):
            result = result.fma(self, coefficient)
        return result

    # Comparisons of floats; false where one is NaN, but for `ne`

    def lt(self, other: Operand) -> Expression:
        """self < other."""
        return self._compare("olt", other)

    def le(self, other: Operand) -> Expression:
        """self <= other."""
        return self._compare("ole", other)

    def gt(self, other: Operand) -> Expression:
        """self > other."""
        return self._compare("ogt", other)

    def ge(self, other: Operand) -> Expression:
        """self >= other."""
        return self._compare("oge", other)

    def eq(self, other: Operand) -> Expression:
        """self == other."""
        return self._compare("oeq", other)

    def ne(self, other: Operand) -> Expression:
        """self != other; true where one is NaN."""
        return self._compare("une", other)

    def is_nan(self) -> Expression:
        """Whether self is NaN."""
        return self._compare("uno", self)

    # Truth values

    def select(self, yes: Operand, no: Operand) -> Expression:
        """`yes` where self is true, else `no`; two integers or two floats."""
        return self.emitter.emit(SelectOp(self.value, self._float(yes), self._float(no)))

    def both(self, other: Expression) -> Expression:
        """Whether both are true; of integers, the common bits."""
        return self.emitter.emit(arith.AndIOp(self.value, other.value))

    def either(self, other: Expression) -> Expression:
        """Whether one is true; of integers, the bits of one or the other."""
        return self.emitter.emit(arith.OrIOp(self.value, other.value))

    def differs(self, other: Expression) -> Expression:
        """Whether exactly one is true; of integers, the bits that differ."""
        return self.emitter.emit(arith.XOrIOp(self.value, other.value))

    # Integers of the format's width, signed but where said otherwise

    def to_bits(self) -> Expression:
        """The bits of a float as an integer."""
        return self.emitter.emit(arith.BitcastOp(self.value, self.emitter.shaped(self.format.integer)))

    def from_bits(self) -> Expression:
        """The float with the bits of an integer."""
        return self.emitter.emit(arith.BitcastOp(self.value, self.emitter.shaped(self.format.float)))

    def to_float(self) -> Expression:
        """The float nearest an integer."""
        return self.emitter.emit(SIToFPOp(self.value, self._shaped(self.format.float)))

    def small_to_float(self) -> Expression:
        """The float equal to an integer of at most half as many bits as the significand has."""
        # Not every processor converts vectors of i64.
        magic = 1.5 * 2.0**self.format.mantissa
        bits = ((self.format.mantissa + self.format.bias) << self.format.mantissa) | (1 << (self.format.mantissa - 1))
        return self.int_add(bits).from_bits() - magic if self.format is F64 else self.to_float()

    def integer(self, value: int) -> Expression:
        """An integer constant of the same shape."""
        return self.emitter.bits(value)

    def int_add(self, other: Expression | int) -> Expression:
        """The sum of integers; it wraps."""
        return self.emitter.emit(arith.AddiOp(self.value, self._int(other)))

    def int_sub(self, other: Expression | int) -> Expression:
        """The difference of integers; it wraps."""
        return self.emitter.emit(arith.SubiOp(self.value, self._int(other)))

    def int_mul(self, other: Expression | int) -> Expression:
        """The product of integers; it wraps."""
        return self.emitter.emit(arith.MuliOp(self.value, self._int(other)))

    def int_mul_high(self, other: Expression | int) -> Expression:
        """The upper half of the product of unsigned integers, of twice their width."""
        op = arith.MulUIExtendedOp(self.value, self._int(other))
        self.emitter.emit(op)
        return Expression(self.emitter, op.high)

    def int_min_unsigned(self, other: Expression | int) -> Expression:
        """The lesser of unsigned integers."""
        return self.emitter.emit(arith.MinUIOp(self.value, self._int(other)))

    def bit_and(self, other: Expression | int) -> Expression:
        """The common bits of integers."""
        return self.emitter.emit(arith.AndIOp(self.value, self._int(other)))

    def bit_or(self, other: Expression | int) -> Expression:
        """The bits of one integer or the other."""
        return self.emitter.emit(arith.OrIOp(self.value, self._int(other)))

    def bit_xor(self, other: Expression | int) -> Expression:
        """The bits that differ."""
        return self.emitter.emit(arith.XOrIOp(self.value, self._int(other)))

    def shift_left(self, amount: Expression | int) -> Expression:
        """An integer shifted left, by less than its width."""
        return self.emitter.emit(arith.ShLIOp(self.value, self._int(amount)))

    def shift_right(self, amount: Expression | int) -> Expression:
        """A signed integer shifted right, by less than its width."""
        return self.emitter.emit(arith.ShRSIOp(self.value, self._int(amount)))

    def shift_right_unsigned(self, amount: Expression | int) -> Expression:
        """An unsigned integer shifted right, by less than its width."""
        return self.emitter.emit(arith.ShRUIOp(self.value, self._int(amount)))

    def int_compare(self, predicate: str, other: Expression | int) -> Expression:
        """A comparison of integers by arith's predicate: `eq`, `ne`, `slt`, `ult` and so on."""
        return self.emitter.emit(CmpiOp(self.value, self._int(other), predicate))

    def _compare(self, predicate: str, other: Operand) -> Expression:
        return self.emitter.emit(CmpfOp(self.value, self._float(other), predicate))

    def _float(self, value: Operand) -> SSAValue:
        return value.value if isinstance(value, Expression) else self.number(value).value

    def _int(self, value: Expression | int) -> SSAValue:
        return value.value if isinstance(value, Expression) else self.emitter.bits(value).value

    def _shaped(self, element: AnyFloat | IntegerType) -> Any:
        return self.emitter.shaped(element)
