"""The schedule of `atlas.reduce` for devices: rows by the threads of a block, columns by the threads along them.

Short rows share a block, a chunk each. A long row is cut into parts, a block each, where there are too few rows to fill
the device; the parts are a power of two of groups of chunks, so that what they leave combines pairwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import ReduceOp
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.reduction_form import CHUNK
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.cpu import reduction as nest_reduce
from hologram.lowering.schedules.simt.block_reduction import (
    BlockReduction,
    Chunks,
    Leaves,
    Values,
    add_chunk,
    block_counter,
    fits,
)
from hologram.lowering.schedules.simt.columns import reduce_columns
from hologram.lowering.schedules.simt.lane_columns import reduce_rows, whole_rows
from hologram.lowering.schedules.simt.launches import Launch, launch
from hologram.lowering.schedules.simt.reduced import Reduced, ReduceParameters, left_by

EACH = 8
"""The parts of a row that a thread of the last launch combines."""


def schedule_reduce(b: Builder, op: ReduceOp, target: Target, parameters: ReduceParameters) -> None:
    """The parallel dimensions first, then the reduced ones; each set merged where all operands walk it densely."""
    form = Reduced(b, op, target, parameters)
    shape = form.shape() if fits(form.wide) else None
    if shape is None:
        nest_reduce.schedule_reduce(b, op, target, replace(parameters, tile=1))
    elif form.outer and form.is_along_outputs:
        reduce_columns(form)
    elif target.has_lanes and len(form.inner) == 1 and form.lanes(form.parallel) > 1:
        ready = b.both(form.ready(form.parallel, form.lanes(form.parallel)), whole_rows(b, form.count))
        b.choose(ready, lambda: _by_lanes(form), lambda: _rows(form, shape))
    else:
        _rows(form, shape)


def _rows(form: Reduced, shape: Chunks) -> None:
    if isinstance(form.count, int) and form.count <= CHUNK:
        _short_rows(form, shape)
    elif all(extent == 1 for extent in form.outer):
        _long_rows(form, shape)
    else:
        short = form.b.at_most(form.count, CHUNK)
        form.b.choose(short, lambda: _short_rows(form, shape), lambda: _long_rows(form, shape))


def _short_rows(form: Reduced, shape: Chunks) -> None:
    """Rows of a chunk at most, several a block."""
    b, rows, count = form.b, form.rows, form.count
    tiles = b.ceildiv(rows, shape.count)
    ready = form.ready(form.parallel, shape.lanes)
    with launch(b, form.target, tiles, shape.threads) as at:
        reduction = BlockReduction(b, form.wide, count)
        leaves = Leaves(at, reduction, shape.count, shape.width)
        with at.shares(tiles, name="rows") as tile:
            team = b.div(at.thread, shape.team)
            for turn in range(shape.rounds):
                number = b.add(team, turn * shape.at_once)
                row = b.add(b.mul(tile, shape.count), number)
                # Rows behind the last one have no elements.
                inside = b.compare("ult", row, rows)
                end = b.select(inside, count, 0)
                outer = b.split(b.select(inside, row, 0), form.outer)
                sums = add_chunk(
                    reduction, at, shape, 0, end, ready,
                    lambda place, lanes, outer=outer: form.row_elements(outer, place, lanes),
                )  # fmt: skip
                _keep(at, leaves, shape, number, sums)
            leaves.halve()
            at.barrier()
            with at.each(shape.count) as number:
                row = b.add(b.mul(tile, shape.count), number)
                with b.when(b.compare("ult", row, rows)):
                    values = reduction.not_empty(leaves.load(b.mul(number, shape.width)))
                    form.finish(values, b.split(row, form.outer))
            at.barrier()


def _keep(at: Launch, leaves: Leaves, shape: Chunks, number: Index, sums: Sequence[Values]) -> None:
    b = leaves.reduction.b
    place = b.add(b.mul(number, shape.width), b.mul(b.rem(at.thread, shape.team), shape.lanes))
    leaves.store_lanes(sums, place)


def _long_rows(form: Reduced, shape: Chunks) -> None:
    """Parts of rows, a block each; then a launch that combines the parts, where there are several."""
    b, rows, count, threads = form.b, form.rows, form.count, shape.threads
    groups = b.ceildiv(count, CHUNK * shape.count)
    run, parts = _shared_out(form, groups)
    ready = form.ready(form.parallel, shape.lanes, alone=rows == 1)
    blocks = b.mul(rows, parts)
    with left_by(form, parts, _combine_parts) as left, launch(b, form.target, blocks, threads) as at:
        reduction = BlockReduction(b, form.wide, count)
        leaves = Leaves(at, reduction, shape.count, shape.width)
        counter = block_counter(reduction, at)
        with at.shares(blocks, name="part") as number:
            row, part = (number, 0) if left.single is True else (b.div(number, parts), b.rem(number, parts))
            outer = b.split(row, form.outer)
            first = b.mul(part, run)
            last = b.min(b.add(first, run), groups)
            alone = b.compare("eq", b.sub(last, first), 1)
            with b.loop(first, last, name="group") as group:
                _group(form, shape, at, leaves, outer, group, ready)
                with at.only(1), b.when(b.core.complement(alone)):
                    counter.push(b.sub(group, first), leaves.load(0))
                at.barrier()
            with at.only(1):
                total = b.chosen(alone, lambda: leaves.load(0), lambda: counter.total(b.sub(last, first)))
                left.keep(total, number, lambda: form.finish(reduction.not_empty(total), outer))


def _group(
    form: Reduced, shape: Chunks, at: Launch, leaves: Leaves, outer: Sequence[Index], group: Index,
    ready: SSAValue | bool,
) -> None:  # fmt: skip
    """Leaves the combined chunks of a group in the first leaf."""
    b, count = form.b, form.count
    for turn in range(shape.rounds):
        number = b.add(b.div(at.thread, shape.team), turn * shape.at_once)
        start = b.mul(b.add(b.mul(group, shape.count), number), CHUNK)
        sums = add_chunk(
            leaves.reduction, at, shape, start, count, ready,
            lambda place, lanes: form.row_elements(outer, place, lanes),
        )  # fmt: skip
        _keep(at, leaves, shape, number, sums)
    leaves.halve()
    leaves.pair()
    at.barrier()


def _by_lanes(form: Reduced) -> None:
    """Parts of rows, a thread each, of rows that have whole steps of accumulators."""
    run, parts = _shared_out(form, form.b.ceildiv(form.count, CHUNK))
    with left_by(form, parts, _combine_parts) as left:

        def keep(values: Values, number: Index, outer: Sequence[Index]) -> None:
            left.keep(values, number, lambda: form.finish(values, outer))

        reduce_rows(form, run, parts, keep)


def _shared_out(form: Reduced, groups: Index) -> tuple[Index, Index]:
    """The groups that are one part, a power of two, and the parts of a row: together they fill the device."""
    b = form.b
    most = b.max(b.min(b.div(form.parameters.blocks, b.max(form.rows, 1)), form.target.threads * EACH), 1)
    run = b.least_power_of_two(b.max(b.div(b.sub(b.add(groups, most), 1), most), 1))
    return run, b.max(b.div(b.sub(b.add(groups, run), 1), run), 1)


def _combine_parts(form: Reduced, scratch: Sequence[SSAValue], parts: Index) -> None:
    """A block a row: EACH parts a thread, then the threads' results pairwise."""
    b, rows, threads = form.b, form.rows, form.target.threads
    with launch(b, form.target, rows, threads) as at:
        reduction = BlockReduction(b, form.wide, form.count)
        arrays = [at.shared(t.ir, threads) for _, t in form.wide]
        with at.shares(rows, name="row") as row:
            base = b.mul(row, parts)
            loaded: list[Values] = []
            for n in range(EACH):
                place = b.add(b.mul(at.thread, EACH), n)
                inside = b.compare("ult", place, parts)
                # An address inside in any case: no branch stands between the loads.
                partials = b.load_all(scratch, [b.add(base, b.min(place, b.sub(parts, 1)))])
                nothing = reduction.identities()
                loaded.append([b.core.select(inside, v, none) for v, none in zip(partials, nothing, strict=True)])
            b.store_all(reduction.neighbours_joined(loaded), arrays, [at.thread])
            step = 1
            while step < threads:
                at.barrier()
                with at.each(threads // (2 * step), name="pair") as number:
                    place = b.mul(number, 2 * step)
                    x, y = (b.load_all(arrays, [p]) for p in (place, b.add(place, step)))
                    b.store_all(reduction.join(x, y), arrays, [place])
                step *= 2
            at.barrier()
            with at.only(1):
                values = reduction.not_empty(b.load_all(arrays, [0]))
                form.finish(values, b.split(row, form.outer))
            at.barrier()
