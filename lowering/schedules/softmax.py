"""The CPU schedule of `atlas.softmax`: three passes over each row, m = max(x), sum of e = exp(x - m), e / sum.

Where it can, one loop does them for three rows (`softmax_rows`). The other form, which fuses with loops beside it:
a row's e waits in a buffer, whose rows fuse-parallel-loops shares, so that the out is only written, past the cache
where it is large. Where no row is its own loop's, e waits in the out, or is computed twice where that can't hold it:
floats below 32 bits are computed in f32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Block, SSAValue
from xdsl.ir.affine import AffineExpr

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.arrays import Kind, element_type
from hologram.dialects.atlas.named import SoftmaxOp
from hologram.dialects.atlas.types import STORED, DType, dtype_of, widened
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.map import elements_in_cache
from hologram.lowering.schedules.nest import Access, Nest, axis_last
from hologram.lowering.schedules.reduction import reduction
from hologram.lowering.schedules.softmax_rows import SoftmaxRows, convert, fits
from hologram.lowering.schedules.tiles import for_each_tile
from hologram.transforms.row_accesses import root_of

LEAST = (128, 64)
"""The rows and their elements from which on they are computed three at a time, where it is known how many there are."""


@dataclass(frozen=True)
class SoftmaxParameters:
    """`tile`: the neighbouring rows that are computed at once where the axis is not the innermost."""

    tile: int = 128


def schedule_softmax(b: Builder, op: SoftmaxOp, target: Target, parameters: SoftmaxParameters) -> None:
    """Rows in parallel; each is read in the order of memory."""
    nest = axis_last(b, op.axis.value.data, *(b.rw.value(v) for v in (op.ins[0], op.outs[0])))
    dtype = dtype_of(element_type(op.ins[0].type))
    assert dtype is not None
    wide = widened(dtype)
    x, y = nest.accesses
    # Floats of 8 bits are bytes from the next stage on: no vectors of them are written here.
    fit = dtype.name not in STORED and fits(x, y, nest.extents, wide, target)
    if fit and _stands_alone(op) and _is_worth_it(nest):
        past_cache = elements_in_cache(nest, target)
        SoftmaxRows(b, x, y, nest.extents, dtype, wide, target, past_cache).emit()
    else:
        _one_row_at_a_time(b, nest, dtype, wide, target, parameters)


def _one_row_at_a_time(
    b: Builder, nest: Nest, dtype: DType, wide: DType, target: Target, parameters: SoftmaxParameters
) -> None:
    x, y = nest.accesses
    last = len(nest.extents) - 1
    tile = parameters.tile if last > 0 and x.innermost == last - 1 else 1
    past_cache = elements_in_cache(nest, target)
    # The buffer's first axis is the loop's.
    waiting = _buffer(b, nest, wide) if tile == 1 and last == 1 else None
    kept = Access(waiting, _identity(2)) if waiting is not None else y if wide is dtype else None

    def rows(dims: Sequence[Index], width: Index, tile: int) -> None:
        def at(i: Index, t: Index) -> list[Index]:
            return [*dims[:-1], b.add(dims[-1], t), i] if tile > 1 else [*dims, i]

        def value(i: Index, t: Index) -> SSAValue:
            return convert(b, dtype, wide, x.load(b, at(i, t)))

        def values(r: Sequence[Index], t: Index) -> list[SSAValue]:
            return [value(r[0], t)]

        length = nest.extents[-1:]
        # A NaN that this misses makes the sum NaN, and x less either zero is a zero, whose power is 1.
        row_max = reduction(
            b, [(Kind.max_nan, wide)], length, values, tile=tile, width=width, target=target, loose=True
        ).results()

        def power(i: Index, t: Index) -> SSAValue:
            return b.op(scalar.ExpOp(wide, b.op(scalar.SubOp(wide, value(i, t), row_max(t)))))

        def power_kept(r: Sequence[Index], t: Index) -> list[SSAValue]:
            e = power(r[0], t)
            if kept is not None:
                kept.store(b, e, at(r[0], t))
            return [e]

        row_sum = reduction(
            b, [(Kind.add, wide)], length, power_kept, tile=tile, width=width, target=target, dear=True
        ).results()
        with (
            b.loop(0, nest.extents[-1], name="j", vector=tile == 1, past_cache=past_cache) as i,
            b.loop(0, width, name="t", vector=True) as t,
        ):
            e = kept.load(b, at(i, t)) if kept is not None else power(i, t)
            y.store(b, convert(b, wide, dtype, b.op(scalar.DivOp(wide, e, row_sum(t)))), at(i, t))

    for_each_tile(b, nest.extents[:-1], tile, rows)
    if waiting is not None:
        b.rw.emit(memref.DeallocOp.get(waiting))


def _stands_alone(op: SoftmaxOp) -> bool:
    """Whether rows come from and go to the function's arguments: fuse-parallel-loops has nothing to join them with."""
    roots = [root_of(v) for v in (op.ins[0], op.outs[0])]
    return all(root is not None and isinstance(root.owner, Block) for root in roots)


def _is_worth_it(nest: Nest) -> bool:
    """Whether there may be rows enough for two to be computed together."""
    pairs = zip(nest.extents, LEAST, strict=True)
    return all(not isinstance(extent, int) or extent >= least for extent, least in pairs)


def _buffer(b: Builder, nest: Nest, dtype: DType) -> SSAValue:
    """Room for an element of each of the nest's indices."""
    shape = [e if isinstance(e, int) else DYNAMIC_INDEX for e in nest.extents]
    sizes = [e for e in nest.extents if not isinstance(e, int)]
    return b.op(memref.AllocOp(sizes, [], MemRefType(dtype.ir, shape)))


def _identity(rank: int) -> tuple[AffineExpr, ...]:
    return tuple(AffineExpr.dimension(d) for d in range(rank))
