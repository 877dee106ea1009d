"""Layer norm for devices: rows of the usual lengths are held in registers, all others as in `rows`.

Threads load vectors, wherever they lie, and hold them for the quotients at the end. In between the row lies in shared
memory as well, where a thread for each accumulator of a chunk walks down its elements, in the order of the ISA. Such
rows have a vector for each place, so no load waits for a branch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.arrays import Kind, identity
from hologram.dialects.atlas.norms import LayerNormOp
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.lanes import combine
from hologram.lowering.schedules.nest import Access, Nest
from hologram.lowering.schedules.reduction_form import LANES
from hologram.lowering.schedules.simt.launches import launch
from hologram.lowering.schedules.simt.neighbours import aligned, store_many
from hologram.lowering.schedules.simt.quotients import Quotients
from hologram.lowering.schedules.simt.rows import Row, RowParameters, Rows, WalkedRow, dtype_of_element

HELD = (1024, 2048, 4096)
"""The lengths of rows that are held, up to a chunk."""
FEW = 16
"""The accumulators that are left when all threads combine what there is."""
AT_ONCE = 4
"""The elements of a row for which a thread has weights and stores at a time, at least a vector."""
REGISTERS = 65536
"""Those of a multiprocessor of CUDA, which its blocks share: a thread gets them in eights."""
Units = Callable[[Sequence[SSAValue]], list[SSAValue]]
Scaled = Callable[[SSAValue, SSAValue, SSAValue], SSAValue]


@dataclass(frozen=True)
class LayerNormParameters(RowParameters):
    """`threads`: those of a block that holds a row too, a power of two; `resident`: how many such blocks a
    multiprocessor of CUDA has at a time; `quotients`: those that a thread computes together."""

    resident: int = 4
    quotients: int = 16


def schedule_layer_norm(b: Builder, op: LayerNormOp, target: Target, parameters: LayerNormParameters) -> None:
    """((x - mu) / sqrt(v + eps)) * gamma + beta."""
    values = [b.rw.value(v) for v in (op.ins[0], *op.outs, *op.ins[1:3])]
    rank, outer = op.rank(0), op.rank(0) - op.rank(1)
    dims = [AffineExpr.dimension(d) for d in range(rank)]
    sizes = [[b.size(v, d) for v in values[:2]] for d in range(rank)]
    extents = [next((s for s in known if isinstance(s, int)), known[0]) for known in sizes]
    accesses = [Access(v, tuple(dims if n < 2 else dims[outer:])) for n, v in enumerate(values)]
    nest, group_of = Nest(extents, accesses).merged(b, barriers=[outer])
    parallel = len({g for g in group_of[:outer]})
    rows = Rows(b, target, parameters, nest, parallel, dtype_of_element(op.ins[0]))
    _LayerNorm(rows, parameters, op.eps.value.data).emit()


@dataclass
class _LayerNorm:
    """All rows."""

    rows: Rows
    parameters: LayerNormParameters
    eps: float

    def emit(self) -> None:
        """The launches, of which one runs: for rows of each length that is held, and for all others."""
        rows, size = self.rows, self.rows.wide.bits // 8
        _ = rows.count
        if rows.target.has_lanes:
            return self._others()
        ready: SSAValue | bool = rows.lanes == 1
        if not ready:
            ready = aligned(rows.b, [a.value for a in rows.nest.accesses], rows.target.access_bytes)
        self._by_length([n for n in HELD if (n + LANES + FEW) * size <= rows.target.shared_bytes], ready)

    def _by_length(self, held: Sequence[int], ready: SSAValue | bool) -> None:
        """`ready` says whether rows begin with vectors."""
        if not held:
            return self._others()
        b, length, (this, *longer) = self.rows.b, self.rows.length, held
        equal = length == this if isinstance(length, int) else b.compare("eq", length, this)
        b.choose(b.all_of(equal, ready), lambda: self._held(this), lambda: self._by_length(longer, ready))

    def _others(self) -> None:
        def code(row: WalkedRow) -> None:
            units, scaled = self._normal(row, self.rows.count)

            def compute(values: Sequence[SSAValue], *weights: Sequence[SSAValue]) -> list[SSAValue]:
                return [scaled(*given) for given in zip(units(values), *weights, strict=True)]

            row.write((2, 3), compute)

        self.rows.emit(code)

    def _threads(self, length: int) -> int:
        """Those of a block that holds a row: one for each accumulator at least, and no more than there are vectors."""
        rows = self.rows
        # A device that knows no other limit than `threads` has fewer.
        most = 1024 if rows.target.name == "cuda" else rows.target.threads
        wanted = min(self.parameters.threads, most, length // rows.lanes)
        return max(1 << wanted.bit_length() - 1, LANES)

    def _held(self, length: int) -> None:
        rows, threads, resident = self.rows, self._threads(length), self.parameters.resident
        b, count = rows.b, rows.b.product(rows.outer)
        # Values of 64 bits take twice the registers, and more than what that leaves.
        registers = REGISTERS // (resident * threads) // 8 * 8 if rows.wide.bits == 32 else 0
        with launch(b, rows.target, count, threads, resident=resident, registers=registers, keep_reads=True) as at:
            arrays = [at.shared(rows.wide.ir, n) for n in (length, LANES, FEW)]
            with at.shares(count, name="row") as number:
                row = _HeldRow(rows, at, b.split(number, rows.outer), length, self.parameters.quotients, arrays)
                row.write(*self._normal(row, b.constant(float(length), rows.wide)))

    def _normal(self, row: WalkedRow | _HeldRow, count: SSAValue) -> tuple[Units, Scaled]:
        """What makes units of elements, and results of these and their weights; `count` is how many elements there
        are."""
        b, wide = self.rows.b, self.rows.wide
        row.read()
        mean = b.op(scalar.DivOp(wide, row.sum(lambda x: x), count))

        def less(x: SSAValue) -> SSAValue:
            return b.op(scalar.SubOp(wide, x, mean))

        def square(x: SSAValue) -> SSAValue:
            d = less(x)
            return b.op(scalar.MulOp(wide, d, d))

        eps = b.constant(self.eps, wide)
        variance = b.op(scalar.DivOp(wide, row.sum(square), count))
        divided = self._by(b.op(scalar.SqrtOp(wide, b.op(scalar.AddOp(wide, variance, eps)))))

        def units(values: Sequence[SSAValue]) -> list[SSAValue]:
            return divided([less(x) for x in values])

        def scaled(unit: SSAValue, gamma: SSAValue, beta: SSAValue) -> SSAValue:
            return b.op(scalar.AddOp(wide, b.op(scalar.MulOp(wide, unit, gamma)), beta))

        return units, scaled

    def _by(self, divisor: SSAValue) -> Callable[[Sequence[SSAValue]], list[SSAValue]]:
        """What divides numbers: where that is exact, and sooner done, with the reciprocal."""
        b, wide = self.rows.b, self.rows.wide
        if self.rows.target.name == "cuda" and wide.bits == 32:
            return Quotients(b, wide, divisor).of
        return lambda values: [b.op(scalar.DivOp(wide, x, divisor)) for x in values]


@dataclass
class _HeldRow(Row):
    """A row whose vectors the threads of a block hold."""

    elements: int
    quotients: int
    """Those that a thread computes together, at least a vector."""
    arrays: Sequence[SSAValue]
    """Shared memory for the row, its accumulators, and those that are left."""
    places: list[Index] = field(init=False)
    values: list[list[SSAValue]] = field(init=False)
    """The thread's vectors, and where they are."""

    def read(self) -> None:
        b, at, lanes = self.b, self.at, self.rows.lanes
        first = b.mul(at.thread, lanes)
        self.places = [b.add(first, n) for n in range(0, self.elements, at.threads * lanes)]
        self.values = [self.load(0, place, lanes) for place in self.places]
        for place, values in zip(self.places, self.values, strict=True):
            store_many(b, values, self.arrays[0], [place])
        at.barrier()

    def sum(self, element: Callable[[SSAValue], SSAValue]) -> SSAValue:
        """The sum of what becomes of the elements, in the association of the ISA."""
        b, at, wide = self.b, self.at, self.wide
        kept, all, _ = self.arrays
        with at.only(LANES):
            total = b.constant(identity(Kind.add, wide), wide)
            for n in range(0, self.elements, LANES):
                total = combine(b, Kind.add, wide, total, element(b.load(kept, [b.add(at.thread, n)])))
            b.store(total, all, [at.thread])
        at.barrier()
        return self._total()

    def _total(self) -> SSAValue:
        """What the accumulators combine to, by halving, for every thread. What was asked for before may be overwritten:
        nobody reads it behind a barrier of this one."""
        b, at = self.b, self.at
        _, all, few = self.arrays
        with at.only(FEW):
            b.store(self._halved([b.load(all, [b.add(at.thread, n)]) for n in range(0, LANES, FEW)]), few, [at.thread])
        at.barrier()
        return self._halved([b.load(few, [n]) for n in range(FEW)])

    def _halved(self, values: Sequence[SSAValue]) -> SSAValue:
        while len(values) > 1:
            half = len(values) // 2
            pairs = zip(values[:half], values[half:], strict=True)
            values = [combine(self.b, Kind.add, self.wide, x, y) for x, y in pairs]
        return values[0]

    def write(self, units: Units, scaled: Scaled) -> None:
        """Stores what becomes of all elements."""
        lanes = self.rows.lanes
        together = max(self.quotients // lanes, 1)
        for start in range(0, len(self.places), together):
            made = units([x for values in self.values[start : start + together] for x in values])
            for first in range(0, len(made), max(AT_ONCE, lanes)):
                self._write(self.places[start + first // lanes :], made[first : first + max(AT_ONCE, lanes)], scaled)

    def _write(self, places: Sequence[Index], made: Sequence[SSAValue], scaled: Scaled) -> None:
        """Stores results of so many units at places: their weights are loaded first."""
        lanes = self.rows.lanes
        vectors = [made[n : n + lanes] for n in range(0, len(made), lanes)]
        weights = [[self.load(n, place, lanes) for n in (2, 3)] for place, _ in zip(places, vectors, strict=False)]
        for place, vector, given in zip(places, vectors, weights, strict=False):
            self.store([scaled(*values) for values in zip(vector, *given, strict=True)], place)
