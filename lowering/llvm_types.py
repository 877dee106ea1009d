"""How types reach llvm: index is i64, a memref is its pointer, dynamic sizes and dynamic strides (never a descriptor).

A memref of `memref<?x4xf32, strided<[?, 1]>>` becomes `(ptr, i64, i64)`: its pointer, already at the element with all
indices zero, its dynamic sizes and its dynamic strides, each in axis order. Static ones are constants, and those of
an identity layout follow from the sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    UnitAttr,
    VectorType,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from hologram.dialects.llvm import LLVMPointerType
from hologram.errors import PassError
from hologram.lowering import llvm_build as ll
from hologram.lowering.conversion import Rewriter, TypeConversion

Size: TypeAlias = "int | SSAValue"
"""A size, stride or offset: known while compiling, or an i64 value."""

ADDRESS_SPACES: Mapping[str, Mapping[str, int]] = {
    "none": {},
    "nvptx": {"global": 1, "workgroup": 3, "private": 0, "constant": 4},
    "amdgpu": {"global": 1, "workgroup": 3, "private": 5, "constant": 4},
    "spirv": {"global": 1, "workgroup": 3, "private": 0, "constant": 2},
}
"""What `#gpu.address_space<...>` is on each family of targets; `none` strips memory spaces."""


def memory_type(type: Attribute) -> Attribute:
    """The type an element has in memory: a byte for i1, i64 for index."""
    if (vector := ll.as_vector(type)) is not None:
        return ll.with_element(vector, memory_type(vector.element_type))
    if isinstance(type, IndexType):
        return i64
    return i8 if type == i1 else type


def byte_size(type: Attribute) -> int | None:
    """The bytes from one element of an array to the next, or None if `type` is not laid out in memory."""
    if (vector := ll.as_vector(type)) is not None:
        element = byte_size(vector.element_type)
        return None if element is None else _power_of_two(element * prod(vector.get_shape()))
    if isinstance(type, IndexType):
        return 8
    if (bits := ll.integer_width(type)) is not None:
        return _power_of_two((bits + 7) // 8)
    return getattr(type, "size", None)


def element_alignment(type: Attribute) -> int | None:
    """The bytes that elements in an array are aligned to: their size, but 8 for the limbs of wide integers."""
    size = byte_size(type)
    return 8 if size is not None and (ll.integer_width(type) or 0) > 64 else size


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
        """Whether elements of i1 are bytes in memory."""
        return self.element != self.type.element_type and self.element == i8

    @cached_property
    def dynamic(self) -> int:
        """How many sizes and strides are values of their own."""
        strides = 0 if self.identity else sum(s is None for s in self.strides)
        return sum(s is None for s in self.sizes) + strides

    @cached_property
    def forward(self) -> bool:
        """Whether no stride can be negative, so addresses only grow with the indices."""
        return self.identity or all(s is not None and s >= 0 for s in self.strides)

    @cached_property
    def contiguous(self) -> bool:
        """Whether the elements lie in row-major order without gaps, known from the type."""
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


# Conversions


def convert_index(type: Attribute) -> Sequence[Attribute] | None:
    """index is i64, also inside vectors; a vector without dimensions is a vector of one."""
    if isinstance(type, IndexType):
        return (i64,)
    if (vector := ll.as_vector(type)) is not None:
        element = i64 if isinstance(vector.element_type, IndexType) else vector.element_type
        if not vector.shape.data:
            return (VectorType(element, (1,)),)
        return (ll.with_element(vector, element),)
    return None


def convert_memref(spaces: str = "none") -> TypeConversion:
    """The conversion of memrefs for a family of targets (a key of ADDRESS_SPACES)."""
    numbers = ADDRESS_SPACES[spaces]

    def convert(type: Attribute) -> Sequence[Attribute] | None:
        memref = as_memref(type)
        layout = layout_of(memref) if memref is not None else None
        if memref is None or layout is None:
            return None
        return (ll.pointer(_space(memref.memory_space, numbers)), *[i64] * layout.dynamic)

    return convert


def _space(space: Attribute, numbers: Mapping[str, int]) -> int:
    if not numbers or isinstance(space, NoneAttr):
        return 0
    if isinstance(space, IntegerAttr):
        return space.value.data
    # Any attribute that names a gpu address space, whoever defines its class.
    name = str(space).rpartition("<")[2].rstrip(">")
    return numbers.get(name, 0)


def llvm_types(spaces: str = "none") -> list[TypeConversion]:
    """The type conversions that all conversions to llvm share."""
    return [convert_index, convert_memref(spaces)]


LLVM_TYPES = llvm_types()


# Arithmetic over sizes: folded where both sides are known


def size_value(rw: Rewriter, size: Size) -> SSAValue:
    return ll.constant_i64(rw, size) if isinstance(size, int) else size


def add(rw: Rewriter, left: Size, right: Size, flags: Mapping[str, Attribute] = ll.NSW) -> Size:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if left == 0:
        return right
    if right == 0:
        return left
    return _once(rw, "add", left, right, flags)


def multiply(rw: Rewriter, left: Size, right: Size, flags: Mapping[str, Attribute] = ll.NSW) -> Size:
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    if left == 0 or right == 0:
        return 0
    if left == 1:
        return right
    if right == 1:
        return left
    return _once(rw, "mul", left, right, flags)


def _once(rw: Rewriter, name: str, left: Size, right: Size, flags: Mapping[str, Attribute]) -> SSAValue:
    """The value of an operation, made once for a block: accesses to a row of an array share most of their addresses."""
    make = lambda: ll.emit(rw, name, (size_value(rw, left), size_value(rw, right)), i64, flags)  # noqa: E731
    return rw.once((name, left, right, id(flags)), make)


def product(rw: Rewriter, sizes: Sequence[Size]) -> Size:
    total: Size = 1
    for size in sizes:
        total = multiply(rw, total, size, ll.NSW_NUW)
    return total


def index_value(rw: Rewriter, old: SSAValue) -> Size:
    """The converted form of an index, or its number where the source says it."""
    owner = old.owner
    if isinstance(owner, Operation) and owner.name in _CONSTANTS:
        value = owner.properties["value"]
        if isinstance(value, IntegerAttr):
            return value.value.data
    return rw.value(old)


_CONSTANTS = {"arith.constant", "index.constant"}


# Values


@dataclass
class View:
    """A converted memref value: where it starts, and its sizes and strides."""

    layout: Layout
    pointer: SSAValue
    sizes: list[Size]
    given_strides: list[Size] | None
    """None for an identity layout, where the strides follow from the sizes."""

    def strides(self, rw: Rewriter) -> list[Size]:
        if self.given_strides is not None:
            return self.given_strides
        return rw.once(("strides", self.pointer, *self.sizes), lambda: self._row_major(rw))

    def _row_major(self, rw: Rewriter) -> list[Size]:
        strides: list[Size] = []
        step: Size = 1
        for size in reversed(self.sizes):
            strides.append(step)
            if len(strides) < len(self.sizes):
                step = multiply(rw, step, size, ll.NSW_NUW)
        return strides[::-1]

    def offset(self, rw: Rewriter, indices: Sequence[Size], *, exists: bool = True) -> Size:
        """The linear index of an element, in elements; of one that must exist, unless `exists` is false."""
        flags = ll.WRAP if not exists else ll.NSW_NUW if self.layout.forward else ll.NSW
        total: Size = 0
        for at, stride in zip(indices, self.strides(rw), strict=True):
            total = add(rw, total, multiply(rw, at, stride, flags), flags)
        return total

    def address(self, rw: Rewriter, indices: Sequence[Size]) -> SSAValue:
        """The address of an element that must exist."""
        flags = ll.GEP_INBOUNDS_NUW if self.layout.forward else ll.GEP_INBOUNDS
        return ll.gep(rw, self.pointer, self.layout.element, self.offset(rw, indices), flags)

    def place(self, rw: Rewriter, indices: Sequence[Size]) -> SSAValue:
        """The address where an element would be, if it existed."""
        offset = self.offset(rw, indices, exists=False)
        return ll.gep(rw, self.pointer, self.layout.element, offset, ll.GEP_NONE)

    def load_raw(self, rw: Rewriter, indices: Sequence[Size], nontemporal: bool = False) -> SSAValue:
        """What memory holds at an element: a byte where the element is i1."""
        return ll.emit(rw, "load", (self.address(rw, indices),), self.layout.element, self._access(nontemporal))

    def store_raw(self, rw: Rewriter, indices: Sequence[Size], value: SSAValue, nontemporal: bool = False) -> None:
        ll.emit_effect(rw, "store", (value, self.address(rw, indices)), self._access(nontemporal))

    def _access(self, nontemporal: bool) -> Mapping[str, Attribute]:
        properties = {**ll.NOT_ATOMIC, "nontemporal": UnitAttr()} if nontemporal else ll.NOT_ATOMIC
        # Where nothing is said, LLVM takes an alignment for granted: of 16 bytes for integers of several limbs.
        alignment, size = element_alignment(self.layout.element), byte_size(self.layout.element)
        return properties if alignment == size else {**properties, "alignment": ll.alignment(alignment or 1)}

    def load(self, rw: Rewriter, indices: Sequence[Size], nontemporal: bool = False) -> SSAValue:
        """The element at `indices`."""
        raw = self.load_raw(rw, indices, nontemporal)
        return ll.byte_to_bool(rw, raw) if self.layout.holds_bools else raw

    def store(self, rw: Rewriter, indices: Sequence[Size], value: SSAValue, nontemporal: bool = False) -> None:
        """Puts `value` at `indices`."""
        raw = ll.bool_to_byte(rw, value) if self.layout.holds_bools else value
        self.store_raw(rw, indices, raw, nontemporal)

    def count(self, rw: Rewriter) -> Size:
        """How many elements it has."""
        return product(rw, self.sizes)


def layout_or_error(rw: Rewriter, type: Attribute) -> Layout:
    """The layout of a memref type; an error at the operation being converted if it has none."""
    return rw.of_type("layout", type, lambda type: _find_layout(rw, type))


def _find_layout(rw: Rewriter, type: Attribute) -> Layout:
    memref = as_memref(type)
    if memref is None:
        raise PassError(
            rw.source,
            "memref-unranked",
            f"{type} has no lowering to llvm: its rank must be known",
            hint="use a memref with dynamic sizes",
        )
    found = layout_of(memref)
    if found is None:
        raise PassError(
            rw.source,
            "memref-layout-unsupported",
            f"{type} has a layout that is not strided, and has no lowering to llvm",
            hint="use the default layout or strided<[...]>",
        )
    return found


def view(rw: Rewriter, old: SSAValue) -> View:
    """The converted form of the memref `old`, taken apart."""
    layout = layout_or_error(rw, old.type)
    pointer, *rest = rw.values(old)
    return view_of(layout, pointer, rest)


def view_of(layout: Layout, pointer: SSAValue, rest: Sequence[SSAValue]) -> View:
    """A view from a pointer and the dynamic sizes and strides of `layout`, in order."""
    values = iter(rest)
    sizes: list[Size] = [next(values) if s is None else s for s in layout.sizes]
    if layout.identity:
        return View(layout, pointer, sizes, None)
    return View(layout, pointer, sizes, [next(values) if s is None else s for s in layout.strides])


def define_view(
    rw: Rewriter, old: SSAValue, pointer: SSAValue, sizes: Sequence[Size], strides: Callable[[], Sequence[Size]]
) -> None:
    """Says what the memref `old` became; only what its type leaves open is passed on."""
    layout = layout_or_error(rw, old.type)
    parts: list[Any] = [size_value(rw, s) for s, known in zip(sizes, layout.sizes, strict=True) if known is None]
    if not layout.identity and None in layout.strides:
        given = zip(strides(), layout.strides, strict=True)
        parts += [size_value(rw, s) for s, known in given if known is None]
    rw.define(old, pointer, *parts)


def pointer_type(rw: Rewriter, type: Attribute) -> LLVMPointerType:
    """The pointer type of a memref type."""
    layout_or_error(rw, type)
    found = rw.types(type)[0]
    assert isinstance(found, LLVMPointerType)
    return found
