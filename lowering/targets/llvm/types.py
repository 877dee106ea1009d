"""How types reach llvm: index is i64, a memref is its pointer, dynamic sizes and dynamic strides (never a descriptor).

A memref of `memref<?x4xf32, strided<[?, 1]>>` becomes `(ptr, i64, i64)`: its pointer, already at the element with all
indices zero, its dynamic sizes and its dynamic strides, each in axis order. Static ones are constants, and those of
an identity layout follow from the sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    NoneAttr,
    UnitAttr,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects.layouts import Layout, as_memref, as_vector, byte_size, element_alignment, layout_of
from hologram.dialects.llvm import LLVMPointerType
from hologram.dialects.verbs import Index, Verb, folded
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, TypeConversion
from hologram.lowering.targets.llvm import build as ll

Size = Index
"""A size, stride or offset: known while compiling, or an i64 value."""

ADDRESS_SPACES: Mapping[str, Mapping[str, int]] = {
    "none": {},
    "nvptx": {"global": 1, "workgroup": 3, "private": 0, "constant": 4},
    "amdgpu": {"global": 1, "workgroup": 3, "private": 5, "constant": 4},
    "spirv": {"global": 1, "workgroup": 3, "private": 0, "constant": 2},
}
"""What `#gpu.address_space<...>` is on each family of targets; `none` strips memory spaces."""


# Conversions


def convert_index(type: Attribute) -> Sequence[Attribute] | None:
    """index is i64, also inside vectors; a vector without dimensions is a vector of one."""
    if isinstance(type, IndexType):
        return (i64,)
    if (vector := as_vector(type)) is not None:
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
    return _folded(rw, "add", left, right, flags)


def multiply(rw: Rewriter, left: Size, right: Size, flags: Mapping[str, Attribute] = ll.NSW) -> Size:
    return _folded(rw, "mul", left, right, flags)


def _folded(rw: Rewriter, verb: Verb, left: Size, right: Size, flags: Mapping[str, Attribute]) -> Size:
    """An operation, made once for a block: accesses to a row of an array share most of their addresses."""
    if (known := folded(verb, left, right)) is not None:
        return known
    make = lambda: ll.emit(rw, verb, (size_value(rw, left), size_value(rw, right)), i64, flags)  # noqa: E731
    return rw.once((verb, left, right, id(flags)), make)


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
