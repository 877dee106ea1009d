"""Neighbours in memory that a thread loads and stores at once, and unrolled code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects import vector as xdsl_vector
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    MemRefType,
    VectorType,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr

from hologram.dialects.atlas.arrays.general import element_type
from hologram.dialects.layouts import byte_size
from hologram.dialects.vector import FromElementsOp, LoadOp, StoreOp
from hologram.lowering.rewriting.kernel_builder import Builder, Index, is_dense, is_memref
from hologram.lowering.schedules.common.nest import Access

LANE_BITS = 32
"""The bits that an element of a vector has at least, so that every device's languages have a type for it."""


def unrolled(count: int, *steps: Callable[[int, Any], Any]) -> None:
    """Runs each step for all of `count` before the next one: loads first, so that all of them are under way."""
    values: list[Any] = [None] * count
    for step in steps:
        values = [step(n, value) for n, value in enumerate(values)]


def lanes_of(bits: int, vector_bytes: int) -> int:
    """The elements of so many bits that a thread loads at once."""
    return max(vector_bytes * 8 // max(bits, LANE_BITS), 1)


def load_many(b: Builder, source: SSAValue, indices: Sequence[Index], lanes: int) -> list[SSAValue]:
    """Neighbours along the last axis whose address is a multiple of their size."""
    if lanes == 1:
        return [b.load(source, indices)]
    element = cast("MemRefType[Attribute]", source.type).element_type
    if not has_vectors(element):
        return [b.load(source, [*indices[:-1], b.add(indices[-1], n)]) for n in range(lanes)]
    kind: VectorType[Any] = VectorType(element, [lanes])
    places = [b.index(i) for i in indices]
    loaded = b.op(LoadOp(source, places, kind, alignment=lanes * bits_of(element) // 8))
    return [b.op(xdsl_vector.ExtractOp(loaded, [n], element)) for n in range(lanes)]


def store_many(b: Builder, values: Sequence[SSAValue], target: SSAValue, indices: Sequence[Index]) -> None:
    """Stores neighbours along the last axis whose address is a multiple of their size."""
    if len(values) == 1:
        return b.store(values[0], target, indices)
    element = cast("MemRefType[Attribute]", target.type).element_type
    if not has_vectors(element):
        for n, value in enumerate(values):
            b.store(value, target, [*indices[:-1], b.add(indices[-1], n)])
        return
    kind: VectorType[Any] = VectorType(element, [len(values)])
    places = [b.index(i) for i in indices]
    vector = b.op(FromElementsOp(values, kind))
    b.rw.emit(StoreOp(vector, target, places, alignment=len(values) * bits_of(element) // 8))


def bits_of(element: Attribute) -> int:
    """The bits of an element in memory."""
    return 8 * (byte_size(element) or 1)


def has_vectors(element: Attribute) -> bool:
    """Whether vectors of a type are loaded and stored as such: bools and floats of 8 bits are not."""
    if isinstance(element, IntegerType):
        return element in (i8, i16, i32, i64)
    return isinstance(element, Float16Type | BFloat16Type | Float32Type | Float64Type)


def aligned(b: Builder, values: Sequence[SSAValue], bytes: int) -> SSAValue | bool:
    """On the host: whether memrefs begin at multiples of so many bytes."""
    places = [b.address(v) for v in dict.fromkeys(values)]
    if not places or bytes <= 1:
        return True
    total = places[0]
    for place in places[1:]:
        total = b.core.either(total, place)
    return b.compare("eq", b.core.both(total, b.index(bytes - 1)), 0)


def is_neighbourly(access: Access, dim: int) -> bool:
    """Whether steps of a dimension are steps from neighbour to neighbour in memory."""
    *outer, inner = access.exprs or [None]
    plain = inner == AffineDimExpr(dim) and not any(e is not None and dim in e.used_dims() for e in outer)
    return plain and is_memref(access.value) and is_dense(access.value)


def by_vectors(accesses: Sequence[Access], dim: int) -> list[Access]:
    """Those that a thread can load or store several neighbours of along a dimension."""
    return [a for a in accesses if is_neighbourly(a, dim) and has_vectors(element_type(a.value.type))]


def in_vectors(b: Builder, accesses: Sequence[Access], extent: Index, lanes: int, vector_bytes: int) -> SSAValue | bool:
    """On the host: whether arrays begin at multiples of vectors and rows of so many elements are whole ones."""
    begins = aligned(b, [a.value for a in accesses], vector_bytes)
    return b.both(begins, b.is_multiple(extent, lanes))


def load_group(b: Builder, access: Access, dims: Sequence[Index], dim: int, lanes: int) -> list[SSAValue]:
    """The elements of an operand at so many steps of a dimension; a single one for all where they are the same."""
    if not dims or not access.uses(dim):
        return [access.load(b, dims)] * lanes
    if is_neighbourly(access, dim):
        return load_many(b, access.value, [b.affine(e, dims) for e in access.exprs], lanes)
    return [access.load(b, _stepped(b, dims, dim, n)) for n in range(lanes)]


def store_group(b: Builder, access: Access, values: Sequence[SSAValue], dims: Sequence[Index], dim: int) -> None:
    """Stores elements at so many steps of a dimension."""
    if dims and is_neighbourly(access, dim):
        return store_many(b, values, access.value, [b.affine(e, dims) for e in access.exprs])
    for n, value in enumerate(values):
        access.store(b, value, _stepped(b, dims, dim, n))


def _stepped(b: Builder, dims: Sequence[Index], dim: int, steps: int) -> Sequence[Index]:
    return dims if steps == 0 else [b.add(i, steps) if d == dim else i for d, i in enumerate(dims)]
