"""The base of the operations over classes: integers of any shape, checked ranges, folds by reference functions.

Classes, pages, bytes and addresses are signless integers, read as unsigned: i8, i16, i32 or i64 alone, in vectors of
one dimension, or in tensors. Every operand has a range; a value outside of it traps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    ContainerType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
)
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import result_def, traits_def
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import ConstantLike, EffectInstance, MemoryEffect, MemoryEffectKind

from hologram.classes import ARENA_BYTES, BYTES_PER_PAGE, CLASS_COUNT, PAGES_PER_CLASS, PHASE_MODULUS
from hologram.dialects.atlas.instructions.storage import Trap
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.hologram.base import Sizes, SizesOf, TensorOp, same_sizes
from hologram.dialects.hologram.folding import FOLD_LIMIT
from hologram.dialects.lazy import np
from hologram.dialects.shapes import dense, is_dense, is_tensor, with_element
from hologram.dialects.sizes import Requirement
from hologram.errors import VerifyError

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from hologram.dialects.atlas.instructions.types import Array

ENDS = {
    "class": CLASS_COUNT,
    "page": PAGES_PER_CLASS,
    "byte": BYTES_PER_PAGE,
    "address": ARENA_BYTES,
    "position": PHASE_MODULUS,
}
"""The kinds of numbers that have a range: it is 0 to one less."""
FREE = ("power", "number")
"""The kinds that have none: the power of a transform, signed, and the number of a neighbour."""
WIDTHS = (8, 16, 32, 64)


@dataclass(frozen=True)
class Definition:
    """The function that an operation computes for one element."""

    name: str
    operands: dict[str, str]
    """The kind of each operand by its name: one of ENDS or FREE."""
    result: str
    """The kind of the result, `bool` for i1."""
    meaning: str
    reference: str
    """The name of the function of reference.py."""


def reason(kind: str) -> str:
    """The reason why an operation traps on a number of this kind."""
    return f"{kind} out of the range of 0 to {ENDS[kind] - 1}"


def element_of(type: Attribute) -> Attribute:
    """The element type of a tensor or vector; a scalar's own type."""
    return cast("ContainerType[Attribute]", type).get_element_type() if isinstance(type, ContainerType) else type


def vector_shape(type: Attribute) -> tuple[int, ...]:
    """The sizes of a vector; none of anything else."""
    return cast("VectorType[Attribute]", type).get_shape() if isinstance(type, VectorType) else ()


def proves(value: SSAValue, kind: str) -> bool:
    """Return whether a value is known to lie in the range of a kind."""
    return below(value, ENDS[kind])


def below(value: SSAValue, end: int) -> bool:
    """Return whether a value is known to lie in 0 to `end` - 1: by its type, as a constant, or by its operation, which
    may be of this dialect, a remainder or bits by a constant, or an extension."""
    element = element_of(value.type)
    if isinstance(element, IntegerType) and 1 << element.bitwidth <= end:
        return True
    owner = value.owner
    if isinstance(owner, ClassOp):
        return ENDS.get(owner.result_kind, end + 1) <= end
    match owner:
        case arith.RemUIOp():
            return _constant_in(owner.rhs, 1, end + 1)
        case arith.AndIOp():
            return any(_constant_in(v, 0, end) for v in owner.operands)
        case arith.ExtUIOp():
            return below(owner.input, end)
        case _:
            return _constant_in(value, 0, end)


def _constant_in(value: SSAValue, start: int, end: int) -> bool:
    """Return whether a value is a constant of numbers from `start` to `end` - 1."""
    numbers = constants_of(value)
    return numbers is not None and bool(((numbers >= start) & (numbers < end)).all())


def constants_of(value: SSAValue) -> Array | None:
    """The numbers of a constant, read as unsigned; of a splat one; None if it is none or holds too many."""
    attr = ConstantLike.get_constant_value(value)
    element = element_of(value.type)
    if not isinstance(element, IntegerType):
        return None
    if isinstance(attr, IntegerAttr):
        numbers: list[Any] = [attr.value.data]
    elif is_dense(attr) and len(attr) and (attr.is_splat() or len(attr) <= FOLD_LIMIT):
        numbers = [attr.get_values()[0]] if attr.is_splat() else list(attr.get_values())
    else:
        return None
    mask = (1 << element.bitwidth) - 1
    return np.array([int(n) & mask for n in numbers], np.uint64).astype(np.int64)


def signed(number: int, like: SSAValue) -> int:
    """A number that was read as unsigned, read as signed in the width of a value's elements."""
    bits = cast("IntegerType", element_of(like.type)).bitwidth
    return number - (1 << bits) if number >> (bits - 1) & 1 else number


class RangeEffect(MemoryEffect):
    """An effect of what may trap, which is no dead code."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        traps = isinstance(op, ClassOp) and op.may_trap
        return frozenset({EffectInstance(MemoryEffectKind.WRITE)}) if traps else frozenset()


class ClassOp(TensorOp, HasFolderInterface):
    """The base: `class.NAME %operand, ... : TYPE`, element by element; TYPE stands for all operands and the result."""

    DEFINITION: ClassVar[Definition]
    result = result_def()
    traits = traits_def(RangeEffect())

    @property
    def operand_kinds(self) -> Sequence[str]:
        return tuple(self.DEFINITION.operands.values())

    @property
    def result_kind(self) -> str:
        return self.DEFINITION.result

    @property
    def checked(self) -> list[tuple[SSAValue, str]]:
        """The operands, with their kinds, that may be out of range."""
        pairs = zip(self.operands, self.operand_kinds, strict=True)
        return [(value, kind) for value, kind in pairs if kind in ENDS and not proves(value, kind)]

    @property
    def may_trap(self) -> bool:
        return bool(self.checked)

    def compute(self, *lanes: Array) -> Array:
        """The results of numbers in range."""
        from hologram.dialects.classes import reference

        return cast("Callable[..., Array]", getattr(reference, self.DEFINITION.reference))(*lanes)

    def evaluate(self, *lanes: Array) -> Array:
        """The results of arrays in storage form, in storage form. Raises Trap where a number is out of range."""
        bits = cast("IntegerType", element_of(self.operands[0].type)).bitwidth
        read: list[Array] = []
        for array, kind in zip(lanes, self.operand_kinds, strict=True):
            number = np.asarray(array).astype(DTYPES[f"i{bits}"].numpy).astype(np.int64)
            if kind in ENDS and bits < 64:
                number &= (1 << bits) - 1
            if kind in ENDS and (outside := (number < 0) | (number >= ENDS[kind])).any():
                raise Trap(reason(kind), outside)
            read.append(number)
        computed = self.compute(*read)
        return computed if self.result_kind == "bool" else computed.astype(DTYPES[f"i{bits}"].numpy)

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        known = [constants_of(v) for v in self.operands]
        lanes = [array for array in known if array is not None]
        if len(lanes) != len(known):
            return None
        try:
            computed = self.evaluate(*lanes)
        except Trap:
            return None
        type = self.results[0].type
        numbers = [int(n) for n in computed.ravel()]
        if isinstance(type, IntegerType):
            return (IntegerAttr(numbers[0], cast("Any", type), truncate_bits=True),)
        if is_tensor(type) and not type.has_static_shape():
            return None
        return (dense(type, numbers),)

    # Shapes

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        return same_sizes(self.operands, sizes)[0] if is_tensor(self.results[0].type) else []

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        return same_sizes(self.operands, sizes)[1] if is_tensor(self.results[0].type) else []

    @classmethod
    def spread(cls, type: Attribute, count: int) -> tuple[list[Attribute], Attribute]:
        return [type] * count, with_element(type, i1) if cls.DEFINITION.result == "bool" else type

    def verify_elements(self) -> None:
        """The first operand's elements are integers that instructions work on."""
        first = self.operands[0].type
        element = element_of(first)
        if not isinstance(element, IntegerType) or element.bitwidth not in WIDTHS:
            raise VerifyError(
                "class-type",
                f"'{self.name}' works on integers of 8 to 64 bits, found {first}",
                hint="it takes i8, i16, i32 or i64, and vectors and tensors of them",
            )

    def verify_(self) -> None:
        self.verify_elements()
        first = self.operands[0].type
        element = cast("IntegerType", element_of(first))
        if len(vector_shape(first)) > 1:
            raise VerifyError("class-vector", f"'{self.name}' takes vectors of one dimension, found {first}")
        if "address" in (*self.operand_kinds, self.result_kind) and element.bitwidth < 32:
            raise VerifyError(
                "class-address-type", f"'{self.name}' needs i32 or i64, which hold addresses, found {first}"
            )
        wanted = i1 if self.result_kind == "bool" else element
        types = [*((v.type, element) for v in self.operands), (self.results[0].type, wanted)]
        for type, expected in types:
            self._verify_like(first, type, expected)

    def _verify_like(self, first: Attribute, type: Attribute, expected: Attribute) -> None:
        if is_tensor(first) and is_tensor(type) and element_of(type) == expected:
            self.verify_shape(type.get_shape(), first.get_shape())
        elif type != with_element(first, expected):
            raise VerifyError(
                "class-same-type",
                f"'{self.name}' of {first} has operands of that type and a result of elements of {expected}, "
                f"found {type}",
            )

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from hologram.dialects.classes.canonicalization import patterns_of

        return patterns_of(cls)


def make(op: type[Any], *operands: SSAValue, **properties: Attribute) -> Any:
    """An operation of the dialect, with the result type that its operands imply."""
    _, result = op.spread(operands[0].type, len(operands))
    return op.create(operands=list(operands), result_types=[result], properties=properties)
