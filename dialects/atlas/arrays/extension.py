"""The base of the array-level extensions: the sizes that must agree, stated once for the verifier, the guards and the
interpreter, and checks of ranks, axes and element types."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, IntegerType

from hologram.dialects.atlas.arrays.named import NamedOp
from hologram.dialects.atlas.instructions.types import DType, DTypeAttr, dtype_of
from hologram.dialects.shapes import DYNAMIC, element_type, shape_of
from hologram.errors import VerifyError

Place = tuple[int, int]
"""An operand and an axis of it."""


class ExtensionOp(NamedOp):
    """The base: `check` verifies ranks and types, `equalities` lists the sizes that must be equal."""

    @abstractmethod
    def check(self) -> None:
        """Verify what must hold beside the sizes; ranks first, for `equalities` relies on them."""

    @abstractmethod
    def equalities(self) -> Iterator[tuple[Place, Place]]:
        """Pairs of sizes that the op's meaning needs equal."""

    def verify_(self) -> None:
        self.verify_arity()
        self.check()
        for (number, axis), (other, along) in self.equalities():
            actual, expected = shape_of(self.operands[number].type)[axis], shape_of(self.operands[other].type)[along]
            if DYNAMIC not in (actual, expected) and actual != expected:
                raise VerifyError(
                    "atlas-sizes",
                    f"axis {axis} of {self.operand_name(number)} of '{self.name}' has size {actual}, "
                    f"but axis {along} of {self.operand_name(other)} has size {expected}",
                )

    def operand_name(self, number: int) -> str:
        """`in 1`, `out 0`."""
        first = len(self.operands) - len(self.outs)
        return f"out {number - first}" if number >= first else f"in {number}"

    @property
    def out(self) -> int:
        """The number of the (first) out among the operands."""
        return len(self.operands) - len(self.outs)

    def rank(self, number: int) -> int:
        """The rank of an operand."""
        return len(shape_of(self.operands[number].type))

    def verify_rank(self, number: int, *ranks: int) -> None:
        """The operand has one of these ranks."""
        if self.rank(number) not in ranks:
            wanted = " or ".join(map(str, ranks))
            raise VerifyError(
                "atlas-rank",
                f"{self.operand_name(number)} of '{self.name}' has rank {wanted}, found {self.operands[number].type}",
            )

    def verify_axis(self, axis: IntegerAttr, rank: int) -> int:
        """The axis, which is one of so many."""
        number = axis.value.data
        if not 0 <= number < rank:
            raise VerifyError("atlas-axis", f"axis {number} of '{self.name}' is out of range for rank {rank}")
        return number

    def verify_types(self, number: int, names: AbstractSet[str]) -> DType:
        """The operand's elements are of one of these ISA types (signless: the signed name)."""
        dtype = dtype_of(element_type(self.operands[number].type))
        if dtype is None or dtype.name not in names:
            raise VerifyError(
                "atlas-extension-type",
                f"{self.operand_name(number)} of '{self.name}' holds one of {' '.join(sorted(names))}, "
                f"found {self.operands[number].type}",
            )
        return dtype

    def verify_declared(self, declared: DTypeAttr, number: int) -> None:
        """A type that is written beside the operands is that of an operand."""
        if declared.dtype.ir != element_type(self.operands[number].type):
            raise VerifyError(
                "atlas-extension-said",
                f"'{self.name}' under {declared.dtype.name} does not fit {self.operands[number].type}",
            )

    def verify_indices(self, number: int) -> None:
        """The operand holds i32 or i64."""
        index = element_type(self.operands[number].type)
        if not isinstance(index, IntegerType) or index.bitwidth not in (32, 64):
            raise VerifyError(
                "atlas-extension-index", f"{self.operand_name(number)} of '{self.name}' is i32 or i64, found {index}"
            )

    def same(self, number: int, other: int) -> Iterator[tuple[Place, Place]]:
        """All sizes of two operands of one rank."""
        yield from (((number, axis), (other, axis)) for axis in range(self.rank(other)))


def integers_of(attr: ArrayAttr[IntegerAttr]) -> list[int]:
    """The numbers of an array attribute."""
    return [a.value.data for a in attr]


def flag(attr: IntegerAttr | None) -> bool:
    """A flag that is off where it is absent."""
    return attr is not None and bool(attr.value.data)


def without(axes: Sequence[int], rank: int) -> list[int]:
    """The axes of a rank that are not among these."""
    return [axis for axis in range(rank) if axis not in axes]
