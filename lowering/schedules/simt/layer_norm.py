"""Layer norm for devices: rows of the usual lengths are held in registers, all others as in `rows`.

A block has several teams of a thread for each accumulator of a chunk. Element i of a row is held by thread i mod 128 of
the team that i div 128 falls to, so what threads add up is what they loaded: a team goes on with the accumulators where
the one before it stopped, and the order is that of the ISA. A block may take several rows at a time, which share the
barriers. Such rows have an element for each place, so no load waits for a branch.
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
from hologram.lowering.schedules.builder import Builder
from hologram.lowering.schedules.lanes import combine
from hologram.lowering.schedules.nest import Access, Nest
from hologram.lowering.schedules.reduction_form import LANES
from hologram.lowering.schedules.simt.launches import Launch, launch
from hologram.lowering.schedules.simt.quotients import Quotients
from hologram.lowering.schedules.simt.rows import Row, RowParameters, Rows, WalkedRow, dtype_of_element

HELD = (1024, 2048, 4096)
"""The lengths of rows that are held, up to a chunk."""
FEW = 16
"""The accumulators that are left when all threads combine what there is."""
AT_ONCE = 4
"""The elements of a row for which a thread has weights and stores at a time."""
DIVIDED = 16
"""The quotients that a thread computes together."""
REGISTERS = 65536
"""Those of a multiprocessor of CUDA, which its blocks share: a thread gets them in eights."""
Units = Callable[[int, Sequence[SSAValue]], list[SSAValue]]
Scaled = Callable[..., SSAValue]


@dataclass(frozen=True)
class LayerNormParameters(RowParameters):
    """`teams`: those of a block that holds rows, up to what the device has; `rows`: how many it holds; `resident`: the
    blocks that a multiprocessor of CUDA has at a time."""

    teams: int = 2
    rows: int = 1
    resident: int = 4


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

    @property
    def teams(self) -> int:
        """Those of a block; a device that knows no other limit than `threads` has fewer."""
        most = 1024 if self.rows.target.name == "cuda" else self.rows.target.threads
        return max(min(self.parameters.teams, most // LANES), 1)

    def emit(self, number: int = 0) -> None:
        """The launches, of which one runs: for rows of length `HELD[number]`, and for all others."""
        b, length = self.rows.b, self.rows.length
        _ = self.rows.count
        if number == len(HELD) or self.rows.target.has_lanes:
            return self.rows.emit(lambda row: self.normalise(_OneRow(row)))
        this = HELD[number]
        equal = length == this if isinstance(length, int) else b.compare("eq", length, this)
        b.choose(equal, lambda: self._held(this), lambda: self.emit(number + 1))

    def _held(self, length: int) -> None:
        rows, many = self.rows, self.parameters.rows
        b, count = rows.b, rows.b.product(rows.outer)
        blocks = b.ceildiv(count, many)
        resident, threads = self.parameters.resident, self.teams * LANES
        # Values of 64 bits take twice the registers, and more than what that leaves.
        registers = REGISTERS // (resident * threads) // 8 * 8 if rows.wide.bits == 32 else 0
        with launch(b, rows.target, blocks, threads, resident=resident, registers=registers, keep_reads=True) as at:
            sums = [at.shared(rows.wide.ir, many * n) for n in (LANES, FEW)]
            with at.shares(blocks, name="rows") as block:
                # What is behind the last row is the last row once more.
                last = b.sub(count, 1)
                numbers = [b.min(b.add(b.mul(block, many), n), last) for n in range(many)]
                each = [Row(rows, at, b.split(number, rows.outer)) for number in numbers]
                held = length // LANES // self.teams
                self.normalise(_HeldRows(rows, at, each, self.teams, held, sums))

    def normalise(self, these: _OneRow | _HeldRows) -> None:
        """The code for one or several rows."""
        b, wide, count = self.rows.b, self.rows.wide, self.rows.count
        these.read()
        means = [b.op(scalar.DivOp(wide, total, count)) for total in these.sums(lambda number, x: x)]

        def less(number: int, x: SSAValue) -> SSAValue:
            return b.op(scalar.SubOp(wide, x, means[number]))

        def square(number: int, x: SSAValue) -> SSAValue:
            d = less(number, x)
            return b.op(scalar.MulOp(wide, d, d))

        eps = b.constant(self.eps, wide)
        variances = [b.op(scalar.DivOp(wide, total, count)) for total in these.sums(square)]
        deviations = [b.op(scalar.SqrtOp(wide, b.op(scalar.AddOp(wide, v, eps)))) for v in variances]

        divided = [self._by(deviation) for deviation in deviations]

        def units(number: int, values: Sequence[SSAValue]) -> list[SSAValue]:
            return divided[number]([less(number, x) for x in values])

        def scaled(unit: SSAValue, gamma: SSAValue, beta: SSAValue) -> SSAValue:
            return b.op(scalar.AddOp(wide, b.op(scalar.MulOp(wide, unit, gamma)), beta))

        these.write(units, scaled)

    def _by(self, divisor: SSAValue) -> Callable[[Sequence[SSAValue]], list[SSAValue]]:
        """What divides numbers: where that is exact, and sooner done, with the reciprocal."""
        b, wide = self.rows.b, self.rows.wide
        if self.rows.target.name == "cuda" and wide.bits == 32:
            return Quotients(b, wide, divisor).of
        return lambda values: [b.op(scalar.DivOp(wide, x, divisor)) for x in values]


@dataclass
class _OneRow:
    """A row of any length."""

    row: WalkedRow

    def read(self) -> None:
        self.row.read()

    def sums(self, element: Callable[[int, SSAValue], SSAValue]) -> list[SSAValue]:
        return [self.row.sum(lambda x: element(0, x))]

    def write(self, units: Units, scaled: Scaled) -> None:
        def compute(values: Sequence[SSAValue], *weights: Sequence[SSAValue]) -> list[SSAValue]:
            return [scaled(*given) for given in zip(units(0, values), *weights, strict=True)]

        self.row.write((2, 3), compute)


@dataclass
class _HeldRows:
    """The rows that a block holds."""

    rows: Rows
    at: Launch
    each: Sequence[Row]
    teams: int
    held: int
    """The elements of a row that a thread has."""
    arrays: Sequence[SSAValue]
    """Shared memory for each row's accumulators, and for those that are left."""
    values: list[list[SSAValue]] = field(init=False)

    def __post_init__(self) -> None:
        b = self.rows.b
        self.team, self.lane = b.div(self.at.thread, LANES), b.rem(self.at.thread, LANES)
        first = b.add(self.lane, b.mul(self.team, self.held * LANES))
        self.places = [b.add(first, n * LANES) for n in range(self.held)]

    def read(self) -> None:
        self.values = [[row.load(0, place, 1)[0] for place in self.places] for row in self.each]

    def sums(self, element: Callable[[int, SSAValue], SSAValue]) -> list[SSAValue]:
        """The sum of what becomes of the elements of each row, in the association of the ISA."""
        b, at, wide = self.rows.b, self.at, self.rows.wide
        all, _ = self.arrays
        slots = [b.add(self.lane, number * LANES) for number in range(len(self.each))]

        def go_on(values: Sequence[SSAValue]) -> None:
            # Terms are computed here, by each team for itself: all of them at once would take as many registers.
            for number, (slot, total) in enumerate(zip(slots, values, strict=True)):
                for x in self.values[number]:
                    total = combine(b, Kind.add, wide, total, element(number, x))
                b.store(total, all, [slot])

        nothing = b.constant(identity(Kind.add, wide), wide)
        for team in range(self.teams):
            with b.when(b.compare("eq", self.team, team)):
                go_on([b.load(all, [slot]) if team else nothing for slot in slots])
            at.barrier()
        return self._totals()

    def _totals(self) -> list[SSAValue]:
        """What the accumulators of each row combine to, by halving, for every thread. What was asked for before may be
        overwritten: nobody reads it behind a barrier of this one."""
        b, at, many = self.rows.b, self.at, len(self.each)
        all, few = self.arrays
        with at.only(many * FEW):
            first = b.add(b.mul(b.div(at.thread, FEW), LANES), b.rem(at.thread, FEW))
            b.store(self._halved([b.load(all, [b.add(first, n)]) for n in range(0, LANES, FEW)]), few, [at.thread])
        at.barrier()
        return [self._halved([b.load(few, [number * FEW + n]) for n in range(FEW)]) for number in range(many)]

    def _halved(self, values: Sequence[SSAValue]) -> SSAValue:
        while len(values) > 1:
            half = len(values) // 2
            pairs = zip(values[:half], values[half:], strict=True)
            values = [combine(self.rows.b, Kind.add, self.rows.wide, x, y) for x, y in pairs]
        return values[0]

    def write(self, units: Units, scaled: Scaled) -> None:
        """Stores `scaled(unit, gamma, beta)` for each of `units(row's number, elements)`."""
        for start in range(0, self.held, DIVIDED):
            made = [units(number, values[start : start + DIVIDED]) for number, values in enumerate(self.values)]
            for first in range(0, len(made[0]), AT_ONCE):
                places = self.places[start + first : start + min(first + AT_ONCE, len(made[0]))]
                gammas, betas = ([self.each[0].load(n, place, 1)[0] for place in places] for n in (2, 3))
                for row, values in zip(self.each, made, strict=True):
                    for place, *given in zip(places, values[first:], gammas, betas, strict=False):
                        row.store([scaled(*given)], place)
