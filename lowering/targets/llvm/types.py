"""The types of values in llvm: index is i64, a memref its pointer, dynamic sizes and dynamic strides (no descriptor).

A memref of `memref<?x4xf32, strided<[?, 1]>>` becomes `(ptr, i64, i64)`: its pointer, already at the element with all
indices zero, its dynamic sizes and its dynamic strides, each in axis order. Static ones are constants, and those of
an identity layout follow from the sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
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
from hologram.dialects.verbs import Index, IndexArithmetic, Verb
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
"""The number of each `#gpu.address_space<...>` on each family of targets; `none` strips memory spaces."""


# Conversions


def convert_index(type: Attribute) -> Sequence[Attribute] | None:
    """Convert index to i64, also inside vectors, and a vector without dimensions to a vector of one."""
    if isinstance(type, IndexType):
        return (i64,)
    if (vector := as_vector(type)) is not None:
        element = i64 if isinstance(vector.element_type, IndexType) else vector.element_type
        if not vector.shape.data:
            return (VectorType(element, (1,)),)
        return (ll.with_element(vector, element),)
    return None


def convert_memref(spaces: str = "none") -> TypeConversion:
    """Return the conversion of memrefs for a family of targets (a key of ADDRESS_SPACES)."""
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
    """Return the type conversions that all conversions to llvm share."""
    return [convert_index, convert_memref(spaces)]


LLVM_TYPES = llvm_types()


# Arithmetic over sizes


def size_value(rw: Rewriter, size: Size) -> SSAValue:
    """Return a size as a value."""
    return ll.constant_i64(rw, size) if isinstance(size, int) else size


class Sizes(IndexArithmetic):
    """Emits arithmetic of sizes, once for each block: accesses to a row of an array share most of their addresses."""

    def __init__(self, rw: Rewriter, flags: Mapping[str, Attribute] = ll.NSW_NUW):
        self.rw = rw
        self.flags = flags
        """What sums and products promise of overflow."""

    def emitted(self, verb: Verb, a: Size, b: Size) -> SSAValue:
        def make() -> SSAValue:
            return ll.emit(self.rw, verb, (size_value(self.rw, a), size_value(self.rw, b)), i64, self.flags)

        return self.rw.once((verb, a, b, id(self.flags)), make)


def index_value(rw: Rewriter, old: SSAValue) -> Size:
    """Return the converted form of an index, or its number where the source says it."""
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
        """Return the strides, in elements."""
        if self.given_strides is not None:
            return self.given_strides
        return rw.once(("strides", self.pointer, *self.sizes), lambda: self._row_major(rw))

    def _row_major(self, rw: Rewriter) -> list[Size]:
        inner = accumulate(reversed(self.sizes[1:]), Sizes(rw).mul, initial=1)
        return list(inner)[::-1] if self.sizes else []

    def offset(self, rw: Rewriter, indices: Sequence[Size], *, exists: bool = True) -> Size:
        """Return the linear index of an element, in elements; of one that must exist, unless `exists` is false."""
        sizes = Sizes(rw, ll.WRAP if not exists else ll.NSW_NUW if self.layout.forward else ll.NSW)
        total: Size = 0
        for at, stride in zip(indices, self.strides(rw), strict=True):
            total = sizes.add(total, sizes.mul(at, stride))
        return total

    def address(self, rw: Rewriter, indices: Sequence[Size]) -> SSAValue:
        """Emit the address of an element that must exist."""
        flags = ll.GEP_INBOUNDS_NUW if self.layout.forward else ll.GEP_INBOUNDS
        return ll.gep(rw, self.pointer, self.layout.element, self.offset(rw, indices), flags)

    def place(self, rw: Rewriter, indices: Sequence[Size]) -> SSAValue:
        """Emit the address where an element would be, if it existed."""
        offset = self.offset(rw, indices, exists=False)
        return ll.gep(rw, self.pointer, self.layout.element, offset, ll.GEP_NONE)

    def load_raw(self, rw: Rewriter, indices: Sequence[Size], nontemporal: bool = False) -> SSAValue:
        """Emit the load of what memory holds of an element: a byte where the element is i1."""
        return ll.load(rw, self.address(rw, indices), self.layout.element, self._access(nontemporal))

    def store_raw(self, rw: Rewriter, indices: Sequence[Size], value: SSAValue, nontemporal: bool = False) -> None:
        """Emit the store of what memory holds of an element."""
        ll.store(rw, self.address(rw, indices), value, self._access(nontemporal))

    def from_memory(self, rw: Rewriter, value: SSAValue) -> SSAValue:
        """Emit elements out of what memory holds of them."""
        return ll.byte_to_bool(rw, value) if self.layout.holds_bools else value

    def to_memory(self, rw: Rewriter, value: SSAValue) -> SSAValue:
        """Emit what memory holds of elements."""
        return ll.bool_to_byte(rw, value) if self.layout.holds_bools else value

    def _access(self, nontemporal: bool) -> Mapping[str, Attribute]:
        properties = {**ll.NOT_ATOMIC, "nontemporal": UnitAttr()} if nontemporal else ll.NOT_ATOMIC
        # Where nothing is said, LLVM takes an alignment for granted: of 16 bytes for integers of several limbs.
        alignment, size = element_alignment(self.layout.element), byte_size(self.layout.element)
        return properties if alignment == size else {**properties, "alignment": ll.number(alignment or 1)}

    def load(self, rw: Rewriter, indices: Sequence[Size], nontemporal: bool = False) -> SSAValue:
        """Emit the load of the element at `indices`."""
        return self.from_memory(rw, self.load_raw(rw, indices, nontemporal))

    def store(self, rw: Rewriter, indices: Sequence[Size], value: SSAValue, nontemporal: bool = False) -> None:
        """Emit the store of `value` at `indices`."""
        self.store_raw(rw, indices, self.to_memory(rw, value), nontemporal)

    def count(self, rw: Rewriter) -> Size:
        """Return the number of its elements."""
        return Sizes(rw).product(self.sizes)


def layout_or_error(rw: Rewriter, type: Attribute) -> Layout:
    """Return the layout of a memref type; raise an error at the operation being converted if it has none."""
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
    layout = layout_of(memref)
    if layout is None:
        raise PassError(
            rw.source,
            "memref-layout-unsupported",
            f"{type} has a layout that is not strided, and has no lowering to llvm",
            hint="use the default layout or strided<[...]>",
        )
    return layout


def view(rw: Rewriter, old: SSAValue) -> View:
    """Return the converted form of the memref `old`, taken apart."""
    layout = layout_or_error(rw, old.type)
    pointer, *rest = rw.values(old)
    return view_of(layout, pointer, rest)


def view_of(layout: Layout, pointer: SSAValue, rest: Sequence[SSAValue]) -> View:
    """Return a view, given its pointer and the dynamic sizes and strides of `layout`, in order."""
    values = iter(rest)
    sizes: list[Size] = [next(values) if s is None else s for s in layout.sizes]
    if layout.identity:
        return View(layout, pointer, sizes, None)
    return View(layout, pointer, sizes, [next(values) if s is None else s for s in layout.strides])


def define_view(
    rw: Rewriter, old: SSAValue, pointer: SSAValue, sizes: Sequence[Size], strides: Callable[[], Sequence[Size]]
) -> None:
    """Define what the memref `old` became; only what its type leaves open is passed on."""
    layout = layout_or_error(rw, old.type)
    parts: list[Any] = [size_value(rw, s) for s, known in zip(sizes, layout.sizes, strict=True) if known is None]
    if not layout.identity and None in layout.strides:
        given = zip(strides(), layout.strides, strict=True)
        parts += [size_value(rw, s) for s, known in given if known is None]
    rw.define(old, pointer, *parts)


def pointer_type(rw: Rewriter, type: Attribute) -> LLVMPointerType:
    """Return the pointer type of a memref type."""
    layout_or_error(rw, type)
    pointer = rw.types(type)[0]
    assert isinstance(pointer, LLVMPointerType)
    return pointer
