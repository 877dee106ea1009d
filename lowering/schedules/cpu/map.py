"""The CPU schedule of `atlas.map`: parallel loops outside, one counted loop inside that runs on vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Region
from xdsl.ir.affine import AffineDimExpr

from hologram.dialects.atlas.arrays.general import MapOp, element_type
from hologram.dialects.atlas.instructions.instruction import ScalarOp
from hologram.dialects.layouts import byte_size
from hologram.lowering.lanes.math_rules import MATH
from hologram.lowering.rewriting.kernel_builder import Builder, Index, is_memref
from hologram.lowering.schedules.common.nest import Access, Nest
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.cpu.transpose import Block, crossing, tiled

NONE: Mapping[int, Access | Block] = {}

CHEAP_WORK = 18
"""Bodies up to so much work wait for memory, so they gain where large outs are written past the cache."""
MATH_WORK = 12
"""What a function counts for, in operations."""


@dataclass(frozen=True)
class MapParameters:
    """`chunk`: the elements that one iteration of the parallel loop of a one-dimensional map takes; `tile`: the edge of
    the square blocks in which an operand is walked that lies across the out, twice that where elements are narrow."""

    chunk: int = 8192
    tile: int = 64


def schedule_map(b: Builder, op: MapOp, target: Target, parameters: MapParameters) -> None:
    """Loops in the order of the first out's axes, dimensions that all operands walk densely merged to one."""
    order = [e.position for e in op.maps[len(op.ins)].results if isinstance(e, AffineDimExpr)]
    nest, _ = Nest.of(b, op, order).merged(b)
    ins, outs = nest.accesses[: len(op.ins)], nest.accesses[len(op.ins) :]
    depth = len(nest.extents)
    past_cache = elements_in_cache(nest, target) if work_of(op.body) <= CHEAP_WORK else None

    def body(dims: Sequence[Index], known: Mapping[int, Access | Block] = NONE) -> None:
        loaded = [known.get(n, access).load(b, dims) for n, access in enumerate(ins)]
        for access, value in zip(outs, b.region(op.body, loaded), strict=True):
            access.store(b, value, dims)

    if depth == 0:
        body([])
    elif depth == 1:
        _chunked(b, nest.extents[0], parameters.chunk, past_cache, body)
    elif (across := crossing(nest, ins)) is not None:
        narrow = any((byte_size(element_type(a.value.type)) or 1) < 4 for a in ins if is_memref(a.value))
        tiled(b, nest, ins, across, parameters.tile * (2 if narrow else 1), target, body)
    else:
        _rows(b, nest.extents, ins, past_cache, body)


Body = Callable[..., None]


def work_of(region: Region) -> int:
    """About how many operations a region of scalars takes."""
    return sum(MATH_WORK if type(op) in MATH else 1 for op in region.block.ops if isinstance(op, ScalarOp))


def elements_in_cache(nest: Nest, target: Target) -> int | None:
    """The elements of the outs up to which all arrays of their size are in the last cache together; None where no store
    goes past it."""
    if not target.cache_bytes:
        return None
    arrays = [a.value for a in nest.accesses if is_memref(a.value) and all(map(a.uses, range(len(nest.extents))))]
    return (target.cache_bytes - 1) // sum(byte_size(element_type(v.type)) or 1 for v in arrays)


def _chunked(b: Builder, extent: Index, chunk: int, past_cache: int | None, body: Body) -> None:
    with b.parallel([extent], [chunk], name="chunk") as (start,):
        # A single chunk starts at 0 and ends at the extent.
        end = extent if start == 0 else b.min(b.add(start, chunk), extent)
        with b.loop(start, end, name="i", linear=True, vector=True, past_cache=past_cache) as i:
            body([i])


def _rows(b: Builder, extents: Sequence[Index], ins: Sequence[Access], past_cache: int | None, body: Body) -> None:
    last = len(extents) - 1
    with b.parallel(extents[:-1], name="i") as outer:
        # What does not change along the row is loaded once, before it.
        fixed = {
            n: Access(access.load(b, outer), ())
            for n, access in enumerate(ins)
            if is_memref(access.value) and not access.uses(last)
        }
        with b.loop(0, extents[-1], name="j", vector=True, past_cache=past_cache) as inner:
            body([*outer, inner], fixed)
