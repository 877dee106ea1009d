"""One reduction as schedules for devices see it: its nest, how its operands are loaded, what becomes of results."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import Kind, ReduceOp, element_type
from hologram.dialects.atlas.instructions.types import DType, working_type
from hologram.lowering.rewriting.kernel_builder import Builder, Index, is_memref
from hologram.lowering.schedules.common.nest import Access, Nest, OuterFirst
from hologram.lowering.schedules.common.reduction_form import LANES
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.cpu import reduction as nest_reduce
from hologram.lowering.schedules.simt.block_reduction import Chunks, chunks_for
from hologram.lowering.schedules.simt.neighbours import aligned, bits_of, by_vectors, in_vectors, lanes_of, load_group

CHUNKS = 8
"""Of rows that a block of as many threads as the device likes has under way."""


@dataclass(frozen=True)
class ReduceParameters(nest_reduce.ReduceParameters):
    """`blocks`: so many blocks fill the device, about; `threads`: those of a block that reduces one of
    several rows, up to what the device has; `columns`: the neighbouring columns that a block reduces; `parts`: the
    accumulators of a chunk that a thread has where it has no vectors, a power of two."""

    blocks: int = 2048
    threads: int = 128
    columns: int = 64
    parts: int = 4


@dataclass
class Reduced(OuterFirst):
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
        return by_vectors(self.ins, dim)

    def lanes(self, dim: int) -> int:
        """The elements of a vector along a dimension."""
        bits = [bits_of(element_type(a.value.type)) for a in self.ins if is_memref(a.value)]
        if self.target.access_bytes < 16 or not self.vector_accesses(dim) or len(self.wide) > 2:
            return 1
        return lanes_of(max(bits), self.target.access_bytes)

    def shape(self) -> Chunks | None:
        """How a block shares out the chunks of rows."""
        lanes = self.lanes(self.parallel) if len(self.inner) == 1 else 1
        # A single row has enough for blocks of any size.
        wanted = self.target.threads if self.rows == 1 else self.parameters.threads
        threads = max(min(wanted, self.target.threads), LANES)
        most = CHUNKS * threads // self.target.threads
        parts = self.parameters.parts if lanes == 1 else 1
        return chunks_for(self.wide, threads, lanes, parts, self.target.shared_bytes, most)

    def ready(self, dim: int, lanes: int, *, alone: bool = False) -> SSAValue | bool:
        """On the host: whether vectors along a dimension are aligned in all rows, or in the only one."""
        if lanes == 1:
            return True
        b, vectors = self.b, self.vector_accesses(dim)
        if alone:
            return aligned(b, [a.value for a in vectors], self.target.access_bytes)
        return in_vectors(b, vectors, self.nest.extents[dim], lanes, self.target.access_bytes)

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
        return self.elements([*outer, *self.b.split(place, self.inner)], self.parallel, lanes)

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
    return [b.cvt(old, new, value) for value, (_, old), (_, new) in zip(values, source, target, strict=True)]


@dataclass(frozen=True)
class Left:
    """Memory for what the parts of a reduction leave, where it has several."""

    form: Reduced
    single: SSAValue | bool
    """Whether there is one part, which leaves nothing."""
    arrays: Sequence[SSAValue]

    def keep(self, values: Sequence[SSAValue], place: Index, finish: Callable[[], None]) -> None:
        """Leaves the values of an output at a place, or finishes it."""
        b = self.form.b

        def store() -> None:
            for array, value in zip(self.arrays, values, strict=True):
                b.store(value, array, [place])

        b.choose(self.single, finish, store)


@contextmanager
def left_by(
    form: Reduced, parts: Index, combine: Callable[[Reduced, Sequence[SSAValue], Index], None]
) -> Generator[Left]:
    """Code that reduces so many parts of each output; behind it `combine(form, arrays, parts)` makes one of them."""
    b = form.b
    single = b.at_most(parts, 1)
    arrays = [] if single is True else [b.alloc(t.ir, [b.mul(form.rows, parts)]) for _, t in form.wide]
    yield Left(form, single, arrays)
    if single is not True:
        b.choose(single, lambda: None, lambda: combine(form, arrays, parts))
        for array in arrays:
            b.rw.emit(memref.DeallocOp.get(array))
