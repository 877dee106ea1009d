"""Rows for devices that a block holds in registers: those of the usual lengths, which have an element for each place,
so that no load waits for a branch.

Where threads load vectors, the row lies in shared memory as well while it is added up: a thread for each accumulator of
a chunk walks down its elements, in the order of the ISA. Elsewhere a thread holds just those elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import Kind, identity
from hologram.lowering.rewriting.kernel_builder import Index
from hologram.lowering.schedules.common.lanes import combine, halved
from hologram.lowering.schedules.common.reduction_form import LANES
from hologram.lowering.schedules.simt.launches import launch
from hologram.lowering.schedules.simt.neighbours import aligned, store_many
from hologram.lowering.schedules.simt.rows import Row, RowParameters, Rows

HELD = (1024, 2048, 4096)
"""The lengths of rows that are held, up to a chunk."""
FEW = 16
"""The values that are left when all threads combine what there is."""
AT_ONCE = 4
"""The elements of a row for which a thread has other operands and stores at a time, at least a vector."""
REGISTERS = 65536
"""Those of a multiprocessor of CUDA, which its blocks share: a thread gets them in eights."""
Values = list[SSAValue]
Scale = Callable[[Sequence[SSAValue]], Values]


@dataclass(frozen=True)
class HeldRowParameters(RowParameters):
    """`threads`: those of a block that holds a row too, a power of two; `resident`: how many such blocks a
    multiprocessor of CUDA has at a time; `quotients`: those that a thread computes together."""

    resident: int = 5
    quotients: int = 8


def held_rows(
    rows: Rows, parameters: HeldRowParameters, code: Callable[[HeldRow], None], otherwise: Callable[[], None]
) -> None:
    """The launches, of which one runs: for rows of each length that is held, and `otherwise` for all others."""
    b, size = rows.b, rows.wide.bits // 8
    if rows.target.has_lanes:
        return otherwise()
    kept = rows.lanes > 1
    ready = aligned(b, [a.value for a in rows.nest.accesses], rows.target.access_bytes) if kept else True
    held = [n for n in HELD if (n * kept + parameters.threads + FEW) * size <= rows.target.shared_bytes]

    def by_length(number: int) -> None:
        if number == len(held):
            return otherwise()
        this, length = held[number], rows.length
        equal = length == this if isinstance(length, int) else b.compare("eq", length, this)
        b.choose(b.both(equal, ready), lambda: _launch(rows, parameters, this, code), lambda: by_length(number + 1))

    by_length(0)


def _launch(rows: Rows, parameters: HeldRowParameters, length: int, code: Callable[[HeldRow], None]) -> None:
    b, count, resident = rows.b, rows.b.product(rows.outer), parameters.resident
    threads = _threads(rows, parameters, length)
    # Values of 64 bits take twice the registers, and more than what that leaves.
    narrow = rows.wide.bits == 32 and rows.lanes > 1
    registers = REGISTERS // (resident * threads) // 8 * 8 if narrow else 0
    with launch(
        b, rows.target, count, threads, resident=resident if narrow else 0, registers=registers, keep_reads=True
    ) as at:
        row = at.shared(rows.wide.ir, length) if rows.lanes > 1 else None
        slots, few = (at.shared(rows.wide.ir, n) for n in (threads, FEW))
        with at.shares(count, name="row") as number:
            code(HeldRow(rows, at, b.split(number, rows.outer), length, parameters.quotients, row, slots, few))


def _threads(rows: Rows, parameters: HeldRowParameters, length: int) -> int:
    """The threads of a block that holds a row: one for each accumulator at least, no more than there are vectors; where
    there are no vectors, as many as there are accumulators."""
    if rows.lanes == 1:
        return LANES
    most = rows.target.most_threads or rows.target.threads
    wanted = min(parameters.threads, most, length // rows.lanes)
    return max(1 << wanted.bit_length() - 1, LANES)


@dataclass
class HeldRow(Row):
    """A row whose vectors the threads of a block hold."""

    elements: int
    quotients: int
    """Those that a thread computes together, at least a vector."""
    row: SSAValue | None
    """Shared memory for the row; where there is none a thread has the elements of an accumulator."""
    slots: SSAValue
    """Shared memory for a value of each thread."""
    few: SSAValue
    """Shared memory for what is left of them."""
    places: list[Index] = field(init=False)
    vectors: list[Values] = field(init=False)
    """What the thread holds, and where it is."""

    def read(self) -> None:
        """Loads the row."""
        b, at, lanes = self.b, self.at, self.rows.lanes
        first = b.mul(at.thread, lanes)
        self.places = [b.add(first, n) for n in range(0, self.elements, at.threads * lanes)]
        self.vectors = [self.load(0, place, lanes) for place in self.places]

    def replace(self, element: Callable[[SSAValue], SSAValue]) -> None:
        """Puts what becomes of each element in its place."""
        self.vectors = [[element(x) for x in values] for values in self.vectors]

    def share(self) -> None:
        """Puts the elements where those find them who add them up."""
        if self.row is not None:
            for place, values in zip(self.places, self.vectors, strict=True):
                store_many(self.b, values, self.row, [place])
            self.at.barrier()

    def sum(self, element: Callable[[SSAValue], SSAValue]) -> SSAValue:
        """The sum of what becomes of the elements that were shared, in the association of the ISA."""
        b, at, wide = self.b, self.at, self.wide
        with at.only(LANES):
            total = b.constant(identity(Kind.add, wide), wide)
            for n in range(0, self.elements, LANES):
                (x,) = self.vectors[n // LANES] if self.row is None else [b.load(self.row, [b.add(at.thread, n)])]
                total = combine(b, Kind.add, wide, total, element(x))
            b.store(total, self.slots, [at.thread])
        return self._combined(Kind.add, LANES)

    def greatest(self) -> SSAValue:
        """The greatest element, where a NaN may be missed."""
        mine = self._halved(Kind.max_nan, [x for values in self.vectors for x in values])
        self.b.store(mine, self.slots, [self.at.thread])
        return self._combined(Kind.max_nan, self.at.threads)

    def _combined(self, kind: Kind, count: int) -> SSAValue:
        """Combine the values of the first threads, by halving, for every thread. What was asked for before may
        be overwritten: nobody reads it behind a barrier of this one."""
        b, at = self.b, self.at
        at.barrier()
        with at.only(FEW):
            values = [b.load(self.slots, [b.add(at.thread, n)]) for n in range(0, count, FEW)]
            b.store(self._halved(kind, values), self.few, [at.thread])
        at.barrier()
        return self._halved(kind, [b.load(self.few, [n]) for n in range(FEW)])

    def _halved(self, kind: Kind, values: Sequence[SSAValue]) -> SSAValue:
        return halved(self.b, kind, self.wide, values, loose=kind is Kind.max_nan)

    def write(self, operands: Sequence[int], scale: Scale, scaled: Callable[..., SSAValue]) -> None:
        """Stores `scaled(value, that of an operand, ...)` for what `scale` makes of all elements, several at a time."""
        lanes = self.rows.lanes
        together, stored = (max(n // lanes, 1) for n in (self.quotients, AT_ONCE))
        for start in range(0, len(self.places), together):
            places = self.places[start : start + together]
            made = scale([x for values in self.vectors[start : start + together] for x in values])
            vectors = [made[n : n + lanes] for n in range(0, len(made), lanes)]
            for first in range(0, len(places), stored):
                these = slice(first, first + stored)
                # Other operands are loaded before any of these is stored.
                others = [[self.load(n, place, lanes) for n in operands] for place in places[these]]
                for place, vector, given in zip(places[these], vectors[these], others, strict=True):
                    self.store([scaled(*values) for values in zip(vector, *given, strict=True)], place)
