"""Expressions over float scalars and vectors, as Python operators that emit arith and math operations.

Unevaluated sums of two floats: about twice the digits, from rounding errors that are caught exactly.

The functions here promise the same in the fused and in the fma-free form. Sources: T. J. Dekker, "A floating-point
technique for extending the available precision", Numer. Math. 18 (1971); D. E. Knuth, The Art of Computer Programming,
volume 2, 4.2.2, theorem B.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.dialects import arith, math, memref, scf, vector
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    Float32Type,
    Float64Type,
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

from hologram.dialects.arith import NO_FASTMATH, IndexCastUIOp, SIToFPOp, scalar_of
from hologram.dialects.llvm import CallIntrinsicOp
from hologram.dialects.vector import GatherOp
from hologram.dialects.verbs import Arith, Verb, number
from hologram.lowering.arithmetic.expansions.tables import INTERVALS, Table, Use
from hologram.lowering.rewriting.vector_pieces import cut, joined

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


class Emitter(Arith):
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
        super().__init__(lambda op: self.ops.append(op))
        self.ops: list[Operation] = []
        self.tables: list[Use] = []
        """The operations that want a global; whoever places them calls `tables.declare`."""
        self._constants: dict[tuple[Attribute, Attribute], SSAValue] = {}

    def nested(self) -> Emitter:
        """An emitter for the block of a region."""
        return Emitter(self.format, self.shape, self.fused, self.scales, self.looks_up)

    def expression(self, op: Operation) -> Expression:
        """Emits an operation, whose result is the expression."""
        return Expression(self, self.op(op))

    def shaped(self, element: AnyFloat | IntegerType) -> Any:
        """`element`, or a vector of it where the operation is on vectors."""
        return element if self.shape is None else VectorType(element, self.shape)

    def number(self, value: float) -> Expression:
        """A float constant."""
        return Expression(self, self.constant(value, self.shaped(self.format.float)))

    def integer(self, value: int) -> Expression:
        """An integer constant of the format's width."""
        return Expression(self, self.constant(value, self.shaped(self.format.integer)))

    def constant(self, value: float, type: Attribute) -> SSAValue:
        key = number(value, scalar_of(type)), type
        if key not in self._constants:
            self._constants[key] = super().constant(value, type)
        return self._constants[key]

    def lookup(self, table: Table, interval: Expression) -> list[Expression]:
        """The coefficients of each lane's interval; only the lowest bits of its number count."""
        where = interval.both(INTERVALS - 1)
        memory = memref.GetGlobalOp(table.name, table.type)
        self.tables.append((memory, table))
        base = self.op(memory)
        if self.shape is None:
            column = self.op(IndexCastUIOp(where.value, IndexType()))
            return [self.expression(memref.LoadOp.get(base, (self._index(k), column))) for k in range(len(table.rows))]
        everywhere = DenseIntOrFPElementsAttr.from_list(VectorType(i1, self.shape), [True])
        mask, none = self.op(arith.ConstantOp(everywhere)), self.number(0.0).value
        first = self._index(0)
        rows = [(self._index(k), first) for k in range(len(table.rows))]
        return [self.expression(GatherOp(base, row, where.value, mask, none)) for row in rows]

    def branch(
        self, condition: Expression, compute: Callable[[], Sequence[Expression]], otherwise: Sequence[Expression]
    ) -> list[Expression]:
        """Return what `compute` gives where `condition` is true, else `otherwise`; skip it where no element needs it.

        Vectors of other ranks than one have no reduction to one truth value: for them it is always computed.
        """
        if self.shape is not None and len(self.shape) != 1:
            return [condition.select(a, b) for a, b in zip(compute(), otherwise, strict=True)]
        some = condition.any()
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
        return self.constant(value, IndexType())


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
        """Return whether the expansion may use fused multiply-adds."""
        return self.emitter.fused

    def number(self, value: float) -> Expression:
        """A float constant of the same shape."""
        return self.emitter.number(value)

    def _binary(self, verb: Verb, other: Operand) -> Expression:
        return Expression(self.emitter, self.emitter.binary(verb, self.value, _value(other)))

    def __add__(self, other: Operand) -> Expression:
        return self._binary("add", other)

    def __sub__(self, other: Operand) -> Expression:
        return self._binary("sub", other)

    def __rsub__(self, other: float) -> Expression:
        return Expression(self.emitter, self.emitter.sub(other, self.value))

    def __mul__(self, other: Operand) -> Expression:
        return self._binary("mul", other)

    def __truediv__(self, other: Operand) -> Expression:
        return self._binary("div", other)

    def __rtruediv__(self, other: float) -> Expression:
        return Expression(self.emitter, self.emitter.div(other, self.value))

    def __neg__(self) -> Expression:
        return Expression(self.emitter, self.emitter.negate(self.value))

    def __abs__(self) -> Expression:
        return self.emitter.expression(math.AbsFOp(self.value))

    def fma(self, factor: Operand, addend: Operand) -> Expression:
        """self * factor + addend, rounded once; in the fma-free form the product is rounded too.

        Where the product must be exact in both forms, `pairs.two_product` makes it.
        """
        if not self.fused:
            return self * factor + addend
        b, c = (self.emitter.operands(self.value, _value(x))[1] for x in (factor, addend))
        return self.emitter.expression(math.FmaOp(self.value, b, c))

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
            self.emitter.op(arith.ConstantOp(IntegerAttr(value, type)))
            for value, type in ((-1, IntegerType(lanes)), (AS_IT_IS, i32))
        )

        add = self.emitter.op

        def piece(x: SSAValue, p: SSAValue) -> SSAValue:
            return add(CallIntrinsicOp(f"llvm.x86.avx512.mask.scalef.{name}.512", (x, p, x, every, rounding), kind))

        pieces = zip(cut(add, self.value, lanes), cut(add, power.value, lanes), strict=True)
        return Expression(self.emitter, joined(add, [piece(x, p) for x, p in pieces]))

    def sqrt(self) -> Expression:
        """The correctly rounded square root."""
        return self.emitter.expression(math.SqrtOp(self.value))

    def floor(self) -> Expression:
        """The greatest integer not above."""
        return self.emitter.expression(math.FloorOp(self.value))

    def trunc(self) -> Expression:
        """The integer towards zero."""
        return self.emitter.expression(math.TruncOp(self.value))

    def round_even(self) -> Expression:
        """The nearest integer, of two the even one."""
        return self.emitter.expression(math.RoundEvenOp(self.value))

    def copysign(self, sign: Expression) -> Expression:
        """The magnitude of self with the sign of `sign`."""
        return self.emitter.expression(math.CopySignOp(self.value, sign.value))

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
        return self.compare("olt", other)

    def le(self, other: Operand) -> Expression:
        """self <= other."""
        return self.compare("ole", other)

    def gt(self, other: Operand) -> Expression:
        """self > other."""
        return self.compare("ogt", other)

    def ge(self, other: Operand) -> Expression:
        """self >= other."""
        return self.compare("oge", other)

    def eq(self, other: Operand) -> Expression:
        """self == other."""
        return self.compare("oeq", other)

    def ne(self, other: Operand) -> Expression:
        """self != other; true where one is NaN."""
        return self.compare("une", other)

    def is_nan(self) -> Expression:
        """Return whether self is NaN."""
        return self.compare("uno", self)

    def any(self) -> Expression:
        """Return whether one element is true."""
        if self.emitter.shape is None:
            return self
        # The constructor of xDSL 0.74 gives the result the type of the vector.
        kind = vector.CombiningKindAttr(vector.CombiningKindFlag.OR)
        properties: dict[str, Attribute] = {"kind": kind, "fastmath": NO_FASTMATH}
        return self.emitter.expression(
            vector.ReductionOp.create(operands=[self.value], result_types=[i1], properties=properties)
        )

    def select(self, yes: Operand, no: Operand) -> Expression:
        """`yes` where self is true, else `no`; two integers or two floats."""
        if not isinstance(yes, Expression) and not isinstance(no, Expression):
            yes = self.number(yes)
        return Expression(self.emitter, self.emitter.select(self.value, _value(yes), _value(no)))

    # Integers of the format's width, signed but where said otherwise

    def to_bits(self) -> Expression:
        """The bits of a float as an integer."""
        return Expression(self.emitter, self.emitter.bits(self.value, self.emitter.shaped(self.format.integer)))

    def from_bits(self) -> Expression:
        """The float with the bits of an integer."""
        return Expression(self.emitter, self.emitter.bits(self.value, self.emitter.shaped(self.format.float)))

    def to_float(self) -> Expression:
        """The float nearest an integer."""
        return self.emitter.expression(SIToFPOp(self.value, self.emitter.shaped(self.format.float)))

    def small_to_float(self) -> Expression:
        """The float equal to an integer of at most half as many bits as the significand has."""
        # Not every processor converts vectors of i64.
        magic = 1.5 * 2.0**self.format.mantissa
        bits = ((self.format.mantissa + self.format.bias) << self.format.mantissa) | (1 << (self.format.mantissa - 1))
        return (self + bits).from_bits() - magic if self.format is F64 else self.to_float()

    def integer(self, value: int) -> Expression:
        """An integer constant of the same shape."""
        return self.emitter.integer(value)

    def mul_high(self, other: Operand) -> Expression:
        """The upper half of the product of unsigned integers, of twice their width."""
        op = arith.MulUIExtendedOp(*self.emitter.operands(self.value, _value(other)))
        self.emitter.op(op)
        return Expression(self.emitter, op.high)

    def min_unsigned(self, other: Operand) -> Expression:
        """The lesser of unsigned integers."""
        return self._binary("min", other)

    def both(self, other: Operand) -> Expression:
        """Return whether both are true; of integers, the common bits."""
        return self._binary("and", other)

    def either(self, other: Operand) -> Expression:
        """Return whether one is true; of integers, the bits of one or the other."""
        return self._binary("or", other)

    def xor(self, other: Operand) -> Expression:
        """Return whether exactly one is true; of integers, the bits that differ."""
        return self._binary("xor", other)

    def shl(self, amount: Operand) -> Expression:
        """An integer shifted left, by less than its width."""
        return self._binary("shl", amount)

    def shr(self, amount: Operand) -> Expression:
        """An unsigned integer shifted right, by less than its width."""
        return self._binary("shr", amount)

    def ashr(self, amount: Operand) -> Expression:
        """A signed integer shifted right, by less than its width."""
        return self._binary("ashr", amount)

    def compare(self, predicate: str, other: Operand) -> Expression:
        """A comparison by arith's predicate: of integers `eq`, `ne`, `slt`, `ult` and so on, of floats `olt`."""
        return Expression(self.emitter, self.emitter.compare(predicate, self.value, _value(other)))


def _value(operand: Operand) -> SSAValue | float:
    return operand.value if isinstance(operand, Expression) else operand


@dataclass(frozen=True)
class Pair:
    """high + low, where low is at most half a unit in the last place of high after `fast_two_sum` or `two_sum`."""

    high: Expression
    low: Expression

    def sum(self) -> Expression:
        """The pair rounded to one float."""
        return self.high + self.low


def two_sum(a: Expression, b: Expression) -> Pair:
    """a + b exactly, in six operations (Knuth)."""
    high = a + b
    from_b = high - a
    from_a = high - from_b
    return Pair(high, (a - from_a) + (b - from_b))


def fast_two_sum(a: Expression, b: Expression) -> Pair:
    """a + b exactly where a is 0 or its exponent is not below that of b, in three operations (Dekker)."""
    high = a + b
    return Pair(high, b - (high - a))


def two_product(a: Expression, b: Expression) -> Pair:
    """a * b exactly: where it neither overflows nor loses its last digits to underflow.

    Without fma, in f64, the very last of the 106 bits is rounded.
    """
    high = a * b
    if a.fused:
        return Pair(high, a.fma(b, -high))
    x, y = split(a), split(b)
    low = x.high * y.high - high
    low = low + x.high * y.low
    low = low + x.low * y.high
    return Pair(high, low + x.low * y.low)


def minus_product(near: Expression, a: Expression, b: Expression) -> Expression:
    """near - a * b, where that is a number of the format."""
    if near.fused:
        return (-a).fma(b, near)
    product = two_product(a, b)
    return (near - product.high) - product.low


def split(a: Expression) -> Pair:
    """a as its upper bits, cut off, and the rest. Products of parts are exact."""
    # Masking the bits, unlike Veltkamp's products, does not overflow.
    dropped = (a.format.mantissa + 2) // 2
    high = a.to_bits().both(-1 << dropped).from_bits()
    return Pair(high, a - high)


def pair_product(a: Pair, b: Pair) -> Pair:
    """a * b to about twice the digits of the format, less some bits. The lower part may be some last places large."""
    product = two_product(a.high, b.high)
    return Pair(product.high, a.low.fma(b.high, a.high.fma(b.low, product.low)))


def pair_scaled(a: Pair, b: Expression) -> Pair:
    """a * b for one float b."""
    product = two_product(a.high, b)
    return fast_two_sum(product.high, a.low.fma(b, product.low))
