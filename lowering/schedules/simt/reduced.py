"""One reduction as schedules for devices see it: its nest, how its operands are loaded, what becomes of results."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import ReduceOp, element_type
from hologram.lowering.rewriting.kernel_builder import Builder, Index, is_memref
from hologram.lowering.schedules.common.nest import Access
from hologram.lowering.schedules.common.reduction_form import LANES, ReductionNest
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


class Reduced(ReductionNest):
    """One reduction on a device."""

    def __init__(self, b: Builder, op: ReduceOp, target: Target, parameters: ReduceParameters):
        super().__init__(b, op)
        self.target, self.parameters = target, parameters

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
        """The shares of a block's threads in the chunks of rows."""
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
        """The values that the region makes of the elements at steps along a dimension, for each combiner."""
        b = self.b
        loaded = [load_group(b, access, dims, dim, lanes) for access in self.ins]
        results = [self.element([values[n] for values in loaded]) for n in range(lanes)]
        return [list(values) for values in zip(*results, strict=True)]

    def row_elements(self, outer: Sequence[Index], place: Index, lanes: int) -> list[list[SSAValue]]:
        """The elements of a row from a linear place on."""
        return self.elements([*outer, *self.b.split(place, self.inner)], self.parallel, lanes)


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

        b.choose(self.single, finish, lambda: b.store_all(values, self.arrays, [place]))


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
        b.free(*arrays)
