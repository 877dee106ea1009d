"""The layout of types in memory: the bytes of elements, and the strides of memrefs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IndexType,
    IntegerType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    VectorType,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap

from hologram.dialects.shapes import with_element


def memory_type(type: Attribute) -> Attribute:
    """The type an element has in memory: a byte for i1, i64 for index."""
    if (vector := as_vector(type)) is not None:
        return with_element(vector, memory_type(vector.element_type))
    if isinstance(type, IndexType):
        return i64
    return i8 if type == i1 else type


def byte_size(type: Attribute) -> int | None:
    """The bytes from one element of an array to the next, or None if `type` is not laid out in memory."""
    if (vector := as_vector(type)) is not None:
        element = byte_size(vector.element_type)
        return None if element is None else _power_of_two(element * prod(vector.get_shape()))
    if isinstance(type, IndexType):
        return 8
    if (bits := integer_width(type)) is not None:
        return _power_of_two((bits + 7) // 8)
    return getattr(type, "size", None)


def element_alignment(type: Attribute) -> int | None:
    """The bytes that elements in an array are aligned to: their size, but 8 for the limbs of wide integers."""
    size = byte_size(type)
    return 8 if size is not None and (integer_width(type) or 0) > 64 else size


def _power_of_two(size: int) -> int:
    return 1 << (size - 1).bit_length()


def as_memref(type: Attribute) -> MemRefType[Attribute] | None:
    """`type` if it is a memref type of known rank."""
    return cast("MemRefType[Attribute]", type) if isinstance(type, MemRefType) else None


@dataclass(frozen=True)
class Layout:
    """The static facts of a memref type that addresses need."""

    type: MemRefType[Attribute]
    sizes: tuple[int | None, ...]
    strides: tuple[int | None, ...]
    identity: bool

    @cached_property
    def element(self) -> Attribute:
        return memory_type(self.type.element_type)

    @cached_property
    def holds_bools(self) -> bool:
        """Return whether elements of i1 are bytes in memory."""
        return self.element != self.type.element_type and self.element == i8

    @cached_property
    def dynamic(self) -> int:
        """The number of sizes and strides that are values of their own."""
        strides = 0 if self.identity else sum(s is None for s in self.strides)
        return sum(s is None for s in self.sizes) + strides

    @cached_property
    def forward(self) -> bool:
        """Return whether no stride can be negative, so addresses only grow with the indices."""
        return self.identity or all(s is not None and s >= 0 for s in self.strides)

    @cached_property
    def contiguous(self) -> bool:
        """Return whether the elements lie in row-major order without gaps, known from the type."""
        if self.identity:
            return True
        expected: int | None = 1
        for size, stride in zip(reversed(self.sizes), reversed(self.strides), strict=True):
            if size == 1:
                continue
            if expected is None or stride != expected:
                return False
            expected = None if size is None else expected * size
        return True


@lru_cache(maxsize=4096)
def layout_of(type: MemRefType[Attribute]) -> Layout | None:
    """The layout of a memref type, or None if it is no strided one."""
    sizes = tuple(None if s == DYNAMIC_INDEX else s for s in type.get_shape())
    layout = type.layout
    plain = isinstance(layout, AffineMapAttr) and layout.data == AffineMap.identity(len(sizes))
    if plain or isinstance(layout, NoneAttr):
        return Layout(type, sizes, _row_major(sizes), True)
    strides = layout.get_strides()
    if strides is None or len(strides) != len(sizes):
        return None
    known = isinstance(layout, StridedLayoutAttr) and tuple(strides) == _row_major(sizes) and None not in strides
    return Layout(type, sizes, tuple(strides), known)


def _row_major(sizes: tuple[int | None, ...]) -> tuple[int | None, ...]:
    strides: list[int | None] = []
    step: int | None = 1
    for size in reversed(sizes):
        strides.append(step)
        step = None if step is None or size is None else step * size
    return tuple(reversed(strides))


def as_vector(type: Attribute) -> VectorType[Attribute] | None:
    """`type` if it is a vector type."""
    return cast("VectorType[Attribute]", type) if isinstance(type, VectorType) else None


def integer_width(type: Attribute) -> int | None:
    """The bits of an integer type; None for other types."""
    return cast("IntegerType", type).width.data if isinstance(type, IntegerType) else None
