"""The schedule of `atlas.reduce` for devices: rows by the threads of a block, columns by the threads along them.

Short rows share a block, a chunk each. A long row is cut into parts, a block each, where there are too few rows to fill
the device; the parts are a power of two of groups of chunks, so that what they leave combines pairwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays import Kind, ReduceOp, element_type
from hologram.dialects.atlas.scalar import CvtOp
from hologram.dialects.atlas.types import DType, working_type
from hologram.lowering.schedules import Target
from hologram.lowering.schedules import reduce as nest_reduce
from hologram.lowering.schedules.builder import Builder, Index, is_memref
from hologram.lowering.schedules.nest import Access, Nest
from hologram.lowering.schedules.reduction_form import CHUNK, LANES
from hologram.lowering.schedules.simt.block_reduction import (
    BlockReduction,
    Chunks,
    Counter,
    Leaves,
    Values,
    add_chunk,
    chunks_for,
    fits,
)
from hologram.lowering.schedules.simt.launches import Launch, launch
from hologram.lowering.schedules.simt.map import split
from hologram.lowering.schedules.simt.neighbours import (
    aligned,
    bits_of,
    has_vectors,
    is_neighbourly,
    lanes_of,
    load_group,
)

EACH = 8
"""The parts of a row that a thread of the last launch combines."""


@dataclass(frozen=True)
class ReduceParameters(nest_reduce.ReduceParameters):
    """`blocks`: so many blocks fill the device, about; `threads_across`: the threads along neighbouring columns."""

    blocks: int = 2048
    threads_across: int = 32


def schedule_reduce(b: Builder, op: ReduceOp, target: Target, parameters: ReduceParameters) -> None:
    """The parallel dimensions first, then the reduced ones; each set merged where all operands walk it densely."""
    from hologram.lowering.schedules.simt.columns import reduce_columns

    form = Reduced.of(b, op, target, parameters)
    shape = form.shape() if fits(form.wide) else None
    if shape is None:
        nest_reduce.schedule_reduce(b, op, target, parameters)
    elif form.nest.extents[: form.parallel] and nest_reduce.along_outputs(form.nest, form.ins, form.parallel):
        reduce_columns(form)
    elif isinstance(form.count, int) and form.count <= CHUNK:
        _short_rows(form, shape)
    elif all(extent == 1 for extent in form.outer):
        _long_rows(form, shape)
    else:
        short = b.at_most(form.count, CHUNK)
        b.choose(short, lambda: _short_rows(form, shape), lambda: _long_rows(form, shape))


@dataclass
class Reduced:
    """One reduction, as a nest with the outputs' dimensions before the reduced ones."""

    b: Builder
    op: ReduceOp
    target: Target
    parameters: ReduceParameters
    nest: Nest
    parallel: int
    wide: Sequence[tuple[Kind, DType]] = field(init=False)
    """The combiners with the types that they work in."""

    def __post_init__(self) -> None:
        self.wide = [(kind, working_type(kind.value, dtype)) for kind, dtype in self.op.combiners]

    @staticmethod
    def of(b: Builder, op: ReduceOp, target: Target, parameters: ReduceParameters) -> Reduced:
        """The merged nest of an operation."""
        parallel = len(op.parallel_dims)
        order = [*op.parallel_dims, *op.reduction_dims]
        nest, group_of = Nest.of(b, op, order).merged(b, barriers=[parallel])
        return Reduced(b, op, target, parameters, nest, len({g for g in group_of[:parallel]}))

    @property
    def ins(self) -> Sequence[Access]:
        return self.nest.accesses[: len(self.op.ins)]

    @property
    def outer(self) -> Sequence[Index]:
        return self.nest.extents[: self.parallel]

    @property
    def inner(self) -> Sequence[Index]:
        return self.nest.extents[self.parallel :]

    @property
    def count(self) -> Index:
        """The elements that an output is made of."""
        return self.b.product(self.inner)

    @property
    def rows(self) -> Index:
        """The outputs."""
        return self.b.product(self.outer)

    # Loads

    def vector_accesses(self, dim: int) -> list[Access]:
        """The operands that can be loaded by vectors along a dimension."""
        return [a for a in self.ins if is_neighbourly(a, dim) and has_vectors(element_type(a.value.type))]

    def lanes(self, dim: int) -> int:
        """The elements of a vector along a dimension."""
        bits = [bits_of(element_type(a.value.type)) for a in self.ins if is_memref(a.value)]
        if self.target.vector_bytes < 16 or not self.vector_accesses(dim) or len(self.wide) > 2:
            return 1
        return lanes_of(max(bits), self.target.vector_bytes)

    def shape(self) -> Chunks | None:
        """How a block shares out the chunks of rows."""
        lanes = self.lanes(self.parallel) if len(self.inner) == 1 else 1
        return chunks_for(self.wide, self.target.threads, lanes, self.target.shared_bytes)

    def ready(self, dim: int, lanes: int, *, alone: bool = False) -> SSAValue | bool:
        """On the host: whether vectors along a dimension are aligned in all rows, or in the only one."""
        if lanes == 1:
            return True
        b, extent = self.b, self.nest.extents[dim]
        begins = aligned(b, [a.value for a in self.vector_accesses(dim)], self.target.vector_bytes)
        if alone:
            return begins
        rest = extent % lanes == 0 if isinstance(extent, int) else b.compare("eq", b.rem(extent, lanes), 0)
        return b.all_of(begins, rest)

    def elements(self, dims: Sequence[Index], dim: int, lanes: int) -> list[list[SSAValue]]:
        """What the region makes of the elements at steps along a dimension, for each combiner."""
        b = self.b
        loaded = [load_group(b, access, dims, dim, lanes) for access in self.ins]
        made = [
            convert(b, b.region(self.op.body, [values[n] for values in loaded]), self.op.combiners, self.wide)
            for n in range(lanes)
        ]
        return [list(values) for values in zip(*made, strict=True)]

    def row_elements(self, outer: Sequence[Index], place: Index, lanes: int) -> list[list[SSAValue]]:
        """The elements of a row from a linear place on."""
        return self.elements([*outer, *split(self.b, place, self.inner)], self.parallel, lanes)

    # Results

    def finish(self, values: Sequence[SSAValue], outer: Sequence[Index]) -> None:
        """Stores the results of one output."""
        b, op = self.b, self.op
        finish_ins = self.nest.accesses[len(op.ins) : len(op.ins) + len(op.finish_ins)]
        outs = self.nest.accesses[len(op.ins) + len(op.finish_ins) :]
        values = convert(b, values, self.wide, op.combiners)
        if op.finish.blocks:
            values = b.region(op.finish, [*values, *(a.load(b, outer) for a in finish_ins)])
        for access, value in zip(outs, values, strict=True):
            access.store(b, value, outer)


def convert(
    b: Builder, values: Sequence[SSAValue], source: Sequence[tuple[Kind, DType]], target: Sequence[tuple[Kind, DType]]
) -> list[SSAValue]:
    """The values from the source's types to the target's."""
    return [
        value if old == new else b.op(CvtOp(old, new, value))
        for value, (_, old), (_, new) in zip(values, source, target, strict=True)
    ]


def _short_rows(form: Reduced, shape: Chunks) -> None:
    """Rows of a chunk at most, several a block."""
    b, rows, count = form.b, form.rows, form.count
    tiles = b.ceildiv(rows, shape.count)
    ready = form.ready(form.parallel, shape.lanes)
    with launch(b, form.target, tiles, shape.threads) as at:
        reduction = BlockReduction(b, form.wide, count)
        leaves = Leaves(at, reduction, shape.count)
        with at.shares(tiles, name="rows") as tile:
            team = b.div(at.thread, shape.team)
            for turn in range(shape.rounds):
                number = b.add(team, turn * shape.at_once)
                row = b.add(b.mul(tile, shape.count), number)
                # Rows behind the last one have no elements.
                inside = b.compare("ult", row, rows)
                end = b.select(inside, count, 0)
                outer = split(b, b.select(inside, row, 0), form.outer)
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
                    values = reduction.not_empty(leaves.load(b.mul(number, LANES)))
                    form.finish(values, split(b, row, form.outer))
            at.barrier()


def _keep(at: Launch, leaves: Leaves, shape: Chunks, number: Index, sums: Sequence[Values]) -> None:
    b = leaves.reduction.b
    place = b.add(b.mul(number, LANES), b.mul(b.rem(at.thread, shape.team), shape.lanes))
    leaves.store_lanes(sums, place)


def _long_rows(form: Reduced, shape: Chunks) -> None:
    """Parts of rows, a block each; then a launch that combines the parts, where there are several."""
    b, rows, count, threads = form.b, form.rows, form.count, shape.threads
    groups = b.ceildiv(count, CHUNK * shape.count)
    most = b.max(b.min(b.div(form.parameters.blocks, b.max(rows, 1)), threads * EACH), 1)
    run = _power_of_two(b, b.max(b.div(b.sub(b.add(groups, most), 1), most), 1))
    parts = b.max(b.div(b.sub(b.add(groups, run), 1), run), 1)
    single = parts == 1 if isinstance(parts, int) else b.compare("eq", parts, 1)
    scratch = [] if single is True else [b.alloc(t.ir, [b.mul(rows, parts)]) for _, t in form.wide]
    ready = form.ready(form.parallel, shape.lanes, alone=rows == 1)
    blocks = b.mul(rows, parts)
    with launch(b, form.target, blocks, threads) as at:
        reduction = BlockReduction(b, form.wide, count)
        leaves, counter = Leaves(at, reduction, shape.count), Counter.of(reduction, at)
        with at.shares(blocks, name="part") as number:
            row, part = (number, 0) if single is True else (b.div(number, parts), b.rem(number, parts))
            outer = split(b, row, form.outer)
            first = b.mul(part, run)
            last = b.min(b.add(first, run), groups)
            with b.loop(first, last, name="group") as group:
                _group(form, shape, at, leaves, outer, group, ready)
                with at.only(1):
                    counter.push(b.sub(group, first), leaves.load(0))
                at.barrier()
            with at.only(1):
                total = counter.total(b.sub(last, first))

                def store_part() -> None:
                    for array, value in zip(scratch, total, strict=True):
                        b.store(value, array, [number])

                b.choose(single, lambda: form.finish(reduction.not_empty(total), outer), store_part)
    if single is not True:
        b.choose(single, lambda: None, lambda: _combine_parts(form, scratch, parts))
        for array in scratch:
            b.rw.emit(memref.DeallocOp.get(array))


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


def _power_of_two(b: Builder, count: Index) -> Index:
    """The least power of two that is `count` (1 at least) at least."""
    if isinstance(count, int):
        return 1 << (count - 1).bit_length()
    return b.carried_while(
        [b.index(1)],
        lambda values: b.compare("ult", values[0], count),
        lambda values: [b.index(b.mul(values[0], 2))],
    )[0]


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

                def there(place: Index = place) -> Values:
                    return [b.load(array, [b.add(base, place)]) for array in scratch]

                loaded.append(b.chosen(b.compare("ult", place, parts), there, reduction.identities))
            for array, value in zip(arrays, reduction.neighbours_joined(loaded), strict=True):
                b.store(value, array, [at.thread])
            step = 1
            while step < threads:
                at.barrier()
                with at.each(threads // (2 * step), name="pair") as number:
                    place = b.mul(number, 2 * step)
                    x, y = ([b.load(a, [p]) for a in arrays] for p in (place, b.add(place, step)))
                    for array, value in zip(arrays, reduction.join(x, y), strict=True):
                        b.store(value, array, [place])
                step *= 2
            at.barrier()
            with at.only(1):
                values = reduction.not_empty([b.load(a, [0]) for a in arrays])
                form.finish(values, split(b, row, form.outer))
            at.barrier()
