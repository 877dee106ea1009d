"""Class memory as memrefs: the arena, and tiles of it (classes.md section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from math import prod
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import IntegerType, MemRefType, TensorType, i8
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind, Pure

from hologram.classes import ARENA_BYTES, BYTES_PER_CLASS, BYTES_PER_PAGE, CLASS_COUNT, PAGES_PER_CLASS
from hologram.dialects.atlas.instructions.types import DType, dtype_of
from hologram.dialects.classes.base import below, constants_of
from hologram.dialects.shapes import DYNAMIC, is_dense_layout, is_memref, is_tensor
from hologram.errors import VerifyError

ARENA = MemRefType(i8, [ARENA_BYTES])


@irdl_op_definition
class ArenaOp(IRDLOperation):
    """All of class memory, as bytes. Class c begins at byte 12,288 c.

    Example::

        %bytes = class.arena : memref<1179648xi8>
    """

    name = "class.arena"
    result = result_def(ARENA)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self):
        super().__init__(result_types=[ARENA])


class PlacedOp(IRDLOperation):
    """The base: an operation on a tile of class memory, from the first byte of a class, or of a page of it, on."""

    T: ClassVar = VarConstraint("T", BaseAttr(IntegerType))
    c = operand_def(T)
    page = opt_operand_def(T)

    @property
    def held(self) -> Attribute:
        """The type of the tile as a memref, or of the tensor that has its elements."""
        return next(v.type for v in (*self.results, *self.operands) if is_memref(v.type) or is_tensor(v.type))

    @property
    def type(self) -> MemRefType[Attribute]:
        """The type of the tile."""
        held = self.held
        return MemRefType(held.element_type, held.get_shape()) if is_tensor(held) else cast("Any", held)

    @property
    def dtype(self) -> DType | None:
        return dtype_of(self.type.element_type)

    @property
    def bytes(self) -> int:
        """The number of bytes that it takes."""
        dtype = self.dtype
        return prod(self.type.get_shape()) * (dtype.bytes if dtype is not None else 0)

    @property
    def class_count(self) -> int:
        """The number of classes that it reaches into."""
        return -(-self.bytes // BYTES_PER_CLASS)

    @property
    def limits(self) -> list[tuple[str, SSAValue, int]]:
        """The class and the page: name, value, and the first number that is too large for it."""
        limits = [("class", self.c, CLASS_COUNT - self.class_count + 1)]
        return limits if self.page is None else [*limits, ("page", self.page, PAGES_PER_CLASS)]

    @property
    def checked(self) -> list[tuple[str, SSAValue, int]]:
        """The limits that are not known to be kept."""
        return [(kind, value, end) for kind, value, end in self.limits if not below(value, end)]

    @property
    def place(self) -> range | None:
        """The bytes of class memory that it takes, if they are known."""
        if self.checked:
            return None
        constants = [constants_of(value) for _, value, _ in self.limits]
        steps = (BYTES_PER_CLASS, BYTES_PER_PAGE)
        if any(n is None for n in constants):
            return None
        start = sum(int(cast("Any", n)[0]) * step for n, step in zip(constants, steps, strict=False))
        return range(start, start + self.bytes)

    def verify_(self) -> None:
        type, dtype = self.type, self.dtype
        shape: Sequence[int] = type.get_shape()
        plain = is_memref(type) and is_dense_layout(type) and type.memory_space.name == "none" and DYNAMIC not in shape
        if not plain or dtype is None or dtype.bits > 64 or dtype.bits < 8 or dtype.ir != type.element_type:
            raise VerifyError(
                "class-tile-type",
                f"'{self.name}' takes static shapes, without layout or memory space, of elements of 8 to 64 bits, "
                f"found {self.held}",
            )
        most = ARENA_BYTES if self.page is None else BYTES_PER_PAGE
        if not 0 < self.bytes <= most:
            what = "class memory" if self.page is None else "a page"
            raise VerifyError(
                "class-tile-size",
                f"'{self.name}' of {self.held} takes {self.bytes} bytes, of the {most} that {what} has",
            )
        self._verify_place()

    def _verify_place(self) -> None:
        for kind, value, end in self.checked:
            known = constants_of(value)
            if known is not None:
                raise VerifyError(
                    "class-tile-place",
                    f"{kind} {known[0]} is out of the range of 0 to {end - 1} of '{self.name}' of {self.held}",
                )


class TileEffect(MemoryEffect):
    """A tile whose place may be out of range is no dead code."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        traps = isinstance(op, TileOp) and op.checked
        return frozenset({EffectInstance(MemoryEffectKind.WRITE)}) if traps else frozenset()


@irdl_op_definition
class TileOp(PlacedOp):
    """A tile of class memory as a memref of any element type of whole bytes up to 64 bits and any static shape, no
    copy: a class from its first byte, with a page a page of it. A tile of more bytes than a class goes on in the next
    ones. A class and a page for which the tile would reach past class memory trap.

    Example::

        %t = class.tile %c : i32 to memref<3072xf32>
        %p = class.tile %c, %page : i32 to memref<8x8xf32>
    """

    name = "class.tile"
    tile = result_def(MemRefType)
    traits = traits_def(TileEffect())
    assembly_format = "$c (`,` $page^)? attr-dict `:` type($c) `to` type($tile)"

    def __init__(self, c: SSAValue | Operation, tile: Attribute, page: SSAValue | Operation | None = None):
        super().__init__(operands=[c, page], result_types=[tile])


@irdl_op_definition
class LoadOp(PlacedOp):
    """The elements of a tile of class memory as a tensor, a copy; its place is as in `class.tile`.

    Example::

        %x = class.load %c : i32 to tensor<3072xf32>
    """

    name = "class.load"
    result = result_def(TensorType)
    assembly_format = "$c (`,` $page^)? attr-dict `:` type($c) `to` type($result)"


@irdl_op_definition
class StoreOp(PlacedOp):
    """Stores a tensor to a tile of class memory; its place is as in `class.tile`.

    Example::

        class.store %x, %c, %page : tensor<64xf32>, i32
    """

    name = "class.store"
    value = operand_def(TensorType)
    assembly_format = "$value `,` $c (`,` $page^)? attr-dict `:` type($value) `,` type($c)"


OPS: tuple[type[IRDLOperation], ...] = (ArenaOp, TileOp, LoadOp, StoreOp)
