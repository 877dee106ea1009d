"""One vocabulary for emitting: the verbs of arithmetic, which each level of the IR implements by its own operations.

Rules call `x.add(a, b)` whatever `x` emits: operations of arith (`Arith` here), of llvm and spirv, scalar instructions
of atlas, or what is built of those: folded indices, limbs, rings and expressions.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Generic, Literal, TypeAlias, TypeVar, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects.arith import CmpfOp, CmpiOp, ExtSIOp, ExtUIOp, IndexCastOp, SelectOp, TruncIOp, scalar_of

Verb: TypeAlias = Literal[
    "add", "sub", "mul", "div", "rem", "min", "max", "and", "or", "xor", "shl", "shr",
    "sdiv", "srem", "smin", "smax", "ashr",
]  # fmt: skip
"""Operations of two operands. Of integers, `div rem min max shr` read no sign; those of the second line read it."""
SIGNED_FORMS: dict[str, Verb] = {"div": "sdiv", "rem": "srem", "min": "smin", "max": "smax", "shr": "ashr"}
SIGNED: frozenset[Verb] = frozenset(SIGNED_FORMS.values())
SHIFTS: frozenset[Verb] = frozenset(("shl", "shr", "ashr"))
In = TypeVar("In", contravariant=True)
Out = TypeVar("Out", covariant=True)


def read_as(verb: str, *, signed: bool) -> Verb:
    """The verb of an operation `add`, `div` and so on, on integers with a sign or without."""
    return SIGNED_FORMS.get(verb, cast("Verb", verb)) if signed else cast("Verb", verb)


class Verbs(ABC, Generic[In, Out]):
    """Emits arithmetic of numbers: takes operands of one kind and gives results of one kind, mostly values."""

    @abstractmethod
    def binary(self, verb: Verb, a: In, b: In) -> Out:
        """The operation of this level that a verb names."""

    def add(self, a: In, b: In) -> Out:
        """a + b."""
        return self.binary("add", a, b)

    def sub(self, a: In, b: In) -> Out:
        """a - b."""
        return self.binary("sub", a, b)

    def mul(self, a: In, b: In) -> Out:
        """a * b."""
        return self.binary("mul", a, b)

    def div(self, a: In, b: In) -> Out:
        """a / b; of integers without a sign, rounded down."""
        return self.binary("div", a, b)

    def rem(self, a: In, b: In) -> Out:
        """The remainder of a / b; of integers without a sign."""
        return self.binary("rem", a, b)

    def min(self, a: In, b: In) -> Out:
        """The lesser; of integers without a sign."""
        return self.binary("min", a, b)

    def max(self, a: In, b: In) -> Out:
        """The greater; of integers without a sign."""
        return self.binary("max", a, b)

    def sdiv(self, a: In, b: In) -> Out:
        """a / b of signed integers, rounded toward zero."""
        return self.binary("sdiv", a, b)

    def srem(self, a: In, b: In) -> Out:
        """The remainder of a / b of signed integers, with the sign of a."""
        return self.binary("srem", a, b)

    def smin(self, a: In, b: In) -> Out:
        """The lesser of signed integers."""
        return self.binary("smin", a, b)

    def smax(self, a: In, b: In) -> Out:
        """The greater of signed integers."""
        return self.binary("smax", a, b)


class BitVerbs(Verbs[In, Out]):
    """Emits arithmetic of numbers and of their bits."""

    def both(self, a: In, b: In) -> Out:
        """The bits that a and b have, or whether both hold."""
        return self.binary("and", a, b)

    def either(self, a: In, b: In) -> Out:
        """The bits that a or b has, or whether one holds."""
        return self.binary("or", a, b)

    def xor(self, a: In, b: In) -> Out:
        """The bits in which a and b differ."""
        return self.binary("xor", a, b)

    def shl(self, a: In, b: In) -> Out:
        """a shifted left by b bits."""
        return self.binary("shl", a, b)

    def shr(self, a: In, b: In) -> Out:
        """a shifted right by b bits; zeros come in."""
        return self.binary("shr", a, b)

    def ashr(self, a: In, b: In) -> Out:
        """a shifted right by b bits; copies of the sign come in."""
        return self.binary("ashr", a, b)


Index: TypeAlias = SSAValue | int
"""A Python int where it is known at compile time, else a value, most often of type index."""
_KNOWN: dict[Verb, Callable[[int, int], int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": lambda a, b: a // b, "rem": operator.mod,
    "min": min, "max": max, "smin": min, "smax": max, "xor": lambda a, b: a ^ b,
}  # fmt: skip
_NEUTRAL: dict[Verb, int] = {"add": 0, "sub": 0, "mul": 1, "div": 1}


def folded(verb: Verb, a: Index, b: Index) -> Index | None:
    """What is known of an operation of sizes at compile time, or None. A quotient by 0, which only a loop that never
    runs has, is 0."""
    if isinstance(b, int):
        if b == 0 and verb in ("div", "rem", "mul") or b == 1 and verb == "rem":
            return 0
        if b == _NEUTRAL.get(verb):
            return a
        if isinstance(a, int):
            return _KNOWN[verb](a, b)
    elif a == 0 and verb == "mul":
        return 0
    elif verb in ("add", "mul") and a == _NEUTRAL[verb]:
        return b
    return None


class IndexArithmetic(Verbs[Index, Index]):
    """Emits what does not fold. Sizes have no sign; what may be below 0 takes `smin` and `smax`."""

    @abstractmethod
    def emitted(self, verb: Verb, a: Index, b: Index) -> SSAValue:
        """Emits an operation of two indices."""

    def binary(self, verb: Verb, a: Index, b: Index) -> Index:
        known = folded(verb, a, b)
        return self.emitted(verb, a, b) if known is None else known

    def xor(self, a: Index, b: Index) -> Index:
        """The bits in which a and b differ."""
        return self.binary("xor", a, b)

    def ceildiv(self, a: Index, b: Index) -> Index:
        """a / b rounded up, for a >= 0 and b > 0."""
        return self.div(self.add(a, self.sub(b, 1)), b)

    def split(self, number: Index, extents: Sequence[Index]) -> list[Index]:
        """The indices of a row-major number."""
        if not extents:
            return []
        indices: list[Index] = []
        for extent in reversed(extents[1:]):
            indices.append(self.rem(number, extent))
            number = self.div(number, extent)
        return [number, *reversed(indices)]

    def product(self, sizes: Sequence[Index]) -> Index:
        """The product of sizes, 1 of none."""
        return reduce(self.mul, sizes, 1)


INTEGERS: dict[Verb, type[Operation]] = {
    "add": arith.AddiOp, "sub": arith.SubiOp, "mul": arith.MuliOp, "div": arith.DivUIOp, "rem": arith.RemUIOp,
    "min": arith.MinUIOp, "max": arith.MaxUIOp, "and": arith.AndIOp, "or": arith.OrIOp, "xor": arith.XOrIOp,
    "shl": arith.ShLIOp, "shr": arith.ShRUIOp, "sdiv": arith.DivSIOp, "srem": arith.RemSIOp, "smin": arith.MinSIOp,
    "smax": arith.MaxSIOp, "ashr": arith.ShRSIOp,
}  # fmt: skip
"""Verbs on integers and indices in arith."""
FLOATS: dict[Verb, type[Operation]] = {
    "add": arith.AddfOp, "sub": arith.SubfOp, "mul": arith.MulfOp, "div": arith.DivfOp,
    "min": arith.MinimumfOp, "max": arith.MaximumfOp,
}  # fmt: skip
"""Verbs on floats in arith."""
VERBS: dict[type[Operation], Verb] = {kind: verb for table in (INTEGERS, FLOATS) for verb, kind in table.items()}
"""The verb that an operation of arith is."""
Operand: TypeAlias = SSAValue | float
"""A value, or a number that stands for the constant of the other operand's type."""


class Level(BitVerbs[Operand, SSAValue]):
    """Emits operations of one level of the IR on scalars and vectors."""

    @abstractmethod
    def constant(self, value: float, type: Attribute) -> SSAValue:
        """A number of an integer, index or float type, or in each element of a vector."""

    @abstractmethod
    def compare(self, predicate: str, a: Operand, b: Operand) -> SSAValue:
        """Whether a predicate of arith holds: of floats `olt` and so on, of the rest `slt`."""

    @abstractmethod
    def select(self, condition: SSAValue, a: Operand, b: Operand) -> SSAValue:
        """a where the condition holds, else b."""

    def operands(self, a: Operand, b: Operand) -> tuple[SSAValue, SSAValue]:
        """Two values, one of which may be given as a number."""
        if not isinstance(a, SSAValue):
            assert isinstance(b, SSAValue)
            a = self.constant(a, b.type)
        return a, b if isinstance(b, SSAValue) else self.constant(b, a.type)


class Arith(Level):
    """Emits operations of arith by giving them to a function."""

    def __init__(self, emit: Callable[[Operation], object]):
        self.emit = emit

    def op(self, op: Operation) -> SSAValue:
        """Emits an operation with one result."""
        self.emit(op)
        return op.results[0]

    def constant(self, value: float, type: Attribute) -> SSAValue:
        return self.op(arith.ConstantOp(number(value, type)))

    def binary(self, verb: Verb, a: Operand, b: Operand) -> SSAValue:
        operands = self.operands(a, b)
        kind: Any = (FLOATS if is_float(operands[0].type) else INTEGERS)[verb]
        return self.op(kind(*operands))

    def compare(self, predicate: str, a: Operand, b: Operand) -> SSAValue:
        a, b = self.operands(a, b)
        return self.op(CmpfOp(a, b, predicate) if is_float(a.type) else CmpiOp(a, b, predicate))

    def select(self, condition: SSAValue, a: Operand, b: Operand) -> SSAValue:
        return self.op(SelectOp(condition, *self.operands(a, b)))

    def negate(self, a: SSAValue) -> SSAValue:
        """-a; integers wrap."""
        return self.op(arith.NegfOp(a)) if is_float(a.type) else self.sub(0, a)

    def complement(self, a: SSAValue) -> SSAValue:
        """All bits of an integer the other way, or whether a condition does not hold."""
        return self.xor(a, 1 if scalar_of(a.type) == IntegerType(1) else -1)

    def is_nan(self, a: SSAValue) -> SSAValue:
        """Whether a float is NaN."""
        return self.compare("uno", a, a)

    def resize(self, a: SSAValue, type: Attribute, *, signed: bool) -> SSAValue:
        """An integer, or the elements of a vector, truncated, extended by sign or zeros, or kept."""
        if a.type == type:
            return a
        target = cast("IntegerType", type)
        if width_of(scalar_of(type)) < width_of(scalar_of(a.type)):
            return self.op(TruncIOp(a, target))
        return self.op(ExtSIOp(a, target) if signed else ExtUIOp(a, target))

    def index_cast(self, a: SSAValue, type: Attribute) -> SSAValue:
        """An integer or index as another, extended by its sign."""
        return a if a.type == type else self.op(IndexCastOp(a, type))

    def bits(self, a: SSAValue, type: Attribute) -> SSAValue:
        """The same bits as another type."""
        return a if a.type == type else self.op(arith.BitcastOp(a, type))


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
