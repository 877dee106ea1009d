"""Makes nests of loops over lanes, by the rows and columns that bits of a lane's number stand for.

It also computes quotients of lanes' numbers before a loop whose lanes all have the same: they are in one row of an
array.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from hologram.dialects.arith import IndexCastOp, IndexCastUIOp, constant_of
from hologram.lowering.processor.lane_conditions import MOST, Corners, Strides, is_wide
from hologram.support.walking import operations

_CASTS = (arith.IndexCastOp, IndexCastUIOp, arith.ExtUIOp, arith.ExtSIOp)

Sum = dict[SSAValue | None, int]
"""What loops' indices are multiplied with in a sum; None has what is added to them."""


@dataclass
class Nest:
    """A loop over lanes as loops over the digits of their numbers."""

    loops: list[scf.ForOp]
    """The outermost first."""
    constants: list[Operation] = field(default_factory=list[Operation])
    """What goes before it."""


@dataclass(frozen=True)
class _Taken:
    """The part that an operation takes of a sum with a lane's number in it: the bits from one on, or those below it."""

    of: Sum
    cut: int
    """What that bit counts."""
    above: bool


def split(loop: scf.ForOp) -> Nest | None:
    """A nest of loops over the digits that the body takes of a lane's number, if it takes any.

    Where the body has `lane >> 4` and `lane & 15`, an outer loop counts what the first gives and an inner one the
    second: so each grows evenly from lane to lane, or stays.
    """
    count = constant_of(loop.ub)
    if constant_of(loop.lb) != 0 or count is None or count > MOST:
        return None
    if not any(_taken(op, loop.body.block.args[0], count) for op in operations(loop)):
        return None
    return _Splitter(loop.clone(), count).run()


def _taken(op: Operation, lane: SSAValue, count: int) -> _Taken | None:
    if not isinstance(op, arith.AndIOp | arith.ShRSIOp | arith.ShRUIOp):
        return None
    above = not isinstance(op, arith.AndIOp)
    number = constant_of(op.rhs)
    if number is None or not 0 <= number < (MOST.bit_length() if above else MOST):
        return None
    cut = 1 << number if above else number + 1
    if cut & (cut - 1) or not 1 < cut < count or count % cut:
        return None
    of = _sum(op.lhs)
    fits = of is not None and of.pop(lane, 0) == 1 and all(f % cut == 0 for f in of.values())
    return _Taken(of, cut, above) if of is not None and fits else None


def _sum(value: SSAValue) -> Sum | None:
    """A value as a sum of numbers and multiples of loops' indices, none of which is negative or goes around."""
    if (number := constant_of(value)) is not None:
        return {None: number} if 0 <= number < MOST else None
    if isinstance(value, BlockArgument):
        return {value: 1} if _counts(value) else None
    op = value.owner
    if isinstance(op, _CASTS):
        of = _sum(op.operands[0])
        return of if of is not None and (is_wide(value) or _is_small(of, value.type)) else None
    if not isinstance(op, arith.AddiOp | arith.MuliOp) or not is_wide(value):
        return None
    a, b = _sum(op.lhs), _sum(op.rhs)
    if a is None or b is None:
        return None
    if isinstance(op, arith.AddiOp):
        return _within({v: a.get(v, 0) + b.get(v, 0) for v in {**a, **b}})
    if set(a) == {None}:
        a, b = b, a
    return _within({v: f * b[None] for v, f in a.items()}) if set(b) == {None} else None


def _within(of: Sum) -> Sum | None:
    return of if all(f < MOST for f in of.values()) else None


def _counts(index: BlockArgument) -> bool:
    """Return whether it is the index of a loop that counts from a number on."""
    loop = index.owner.parent_op()
    if not isinstance(loop, scf.ForOp) or index is not loop.body.block.args[0] or constant_of(loop.step) != 1:
        return False
    lower = constant_of(loop.lb)
    return lower is not None and lower >= 0


def _is_small(of: Sum, type: Attribute) -> bool:
    """Return whether it is the index of a loop of so few that an integer of 32 bits holds it."""
    (index, *others) = of
    owner = None if index is None or others else index.owner
    loop = owner.parent_op() if isinstance(owner, Block) else None
    upper = constant_of(loop.ub) if isinstance(loop, scf.ForOp) and of[index] == 1 else None
    return upper is not None and upper <= MOST and isinstance(type, IntegerType) and type.bitwidth >= 32


@dataclass
class _Splitter:
    """Makes the nest of a copy of the loop, whose body it takes."""

    loop: scf.ForOp
    count: int
    nest: Nest = field(default_factory=lambda: Nest([]))
    digits: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """By what each counts, the greatest first."""
    numbers: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])

    def run(self) -> Nest:
        body = self.loop.body.block
        lane = body.args[0]
        taken = [(op, t) for op in operations(self.loop) if (t := _taken(op, lane, self.count)) is not None]
        self._loops(sorted({1, *(t.cut for _, t in taken)}), lane.name_hint)
        for op, of in taken:
            self._replace(op, of)
        inner = self.nest.loops[-1].body.block
        first: list[Operation] = []
        number = self._number(first, self.digits, IndexType())
        for op in operations(self.loop):
            if isinstance(op, arith.ExtUIOp) and is_wide(op.result) and _sum(op.result) == {lane: 1}:
                Rewriter.replace_op(op, self._at(IndexCastOp(number, op.result.type)))
        lane.replace_all_uses_with(number)
        ops = list(body.ops)
        for op in ops:
            op.detach()
        inner.add_ops([*first, *ops])
        self.loop.erase()
        return self.nest

    def _loops(self, weights: list[int], name: str | None) -> None:
        ends = [*weights[1:], self.count]
        for weight, end in reversed([*zip(weights, ends, strict=True)]):
            block = Block(arg_types=[IndexType()])
            block.args[0].name_hint = name
            self.digits[weight] = block.args[0]
            loop = scf.ForOp(self._constant(0), self._constant(end // weight), self._constant(1), [], Region(block))
            if self.nest.loops:
                self.nest.loops[-1].body.block.add_ops([self._at(loop), self._at(scf.YieldOp())])
            self.nest.loops.append(loop)
        self._at(self.nest.loops[0])

    def _at(self, op: Operation) -> Operation:
        op.location = self.loop.location
        return op

    def _constant(self, value: int) -> SSAValue:
        """A constant before the nest."""
        if value not in self.numbers:
            op = self._at(arith.ConstantOp(IntegerAttr(value, IndexType())))
            self.nest.constants.append(op)
            self.numbers[value] = op.results[0]
        return self.numbers[value]

    def _replace(self, op: Operation, taken: _Taken) -> None:
        """Says what an operation gives by digits."""
        ops: list[Operation] = []
        cut = taken.cut
        if taken.above:
            factors = {w // cut: d for w, d in self.digits.items() if w >= cut}
            others = {v: f // cut for v, f in taken.of.items()}
        else:
            factors = {w: d for w, d in self.digits.items() if w < cut}
            others = {}
        value = self._number(ops, factors, op.results[0].type, others)
        Rewriter.replace_op(op, ops, [value])

    def _number(
        self, ops: list[Operation], digits: Mapping[int, SSAValue], type: Attribute, others: Sum | None = None
    ) -> SSAValue:
        """A number from its digits, plus others times their factors; appends the operations to `ops`."""
        total: SSAValue | None = None
        for value, factor in [*((d, w) for w, d in digits.items()), *(others or {}).items()]:
            part = self._product(ops, value, factor)
            total = part if total is None else self._add(ops, arith.AddiOp(total, part))
        assert total is not None
        return total if total.type == type else self._add(ops, IndexCastOp(total, type))

    def _product(self, ops: list[Operation], value: SSAValue | None, factor: int) -> SSAValue:
        if value is None or factor == 1:
            return self._constant(factor) if value is None else value
        return self._add(ops, arith.MuliOp(value, self._constant(factor)))

    def _add(self, ops: list[Operation], op: Operation) -> SSAValue:
        ops.append(self._at(op))
        return op.results[0]


Division: TypeAlias = arith.DivUIOp | arith.DivSIOp | arith.RemUIOp | arith.RemSIOp


@dataclass
class Divisions:
    """The quotients that are computed before a loop."""

    corners: Corners
    checks: list[SSAValue] = field(default_factory=list[SSAValue])
    """What must hold, so that they are those of all lanes."""
    strides: list[Strides] = field(default_factory=list[Strides])
    """What dividends grow by."""
    quotients: dict[tuple[SSAValue, SSAValue, bool], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, SSAValue, bool], SSAValue]
    )

    def quotient(self, op: Division) -> SSAValue | None:
        """Return the quotient at the first lane, for a divisor that all lanes share, if it can be told before the loop.

        Numbers that grow by even steps are in one row from the first lane to the last if these two are.
        """
        lanes = self.corners.lanes
        number = op.lhs.owner.input if isinstance(op.lhs.owner, arith.TruncIOp) else op.lhs
        strides = lanes.strides(number)
        if strides is None or any(s < 0 for s in strides.values()) or lanes.strides(op.rhs) != {}:
            return None
        signed = isinstance(op, arith.DivSIOp | arith.RemSIOp)
        key = op.lhs, op.rhs, signed
        if key not in self.quotients:
            self.strides.append(strides)
            self._check_steps(number, op.lhs)
            self.quotients[key] = self._made(op, signed, bool(strides))
        return self.quotients[key]

    def _check_steps(self, number: SSAValue, dividend: SSAValue) -> None:
        """Numbers that are cut to fewer bits go around once at most from the first to the last."""
        if number is dividend:
            return
        c = self.corners
        span = c.sub(c.at(number, True), c.at(number, False))
        self.checks.append(c.compare("ult", span, 1 << 31))

    def _made(self, op: Division, signed: bool, varies: bool) -> SSAValue:
        c = self.corners
        low, high, divisor = c.at(op.lhs, False), c.at(op.lhs, varies), c.at(op.rhs, False)
        zero = c.constant(0, divisor.type)
        if (constant_of(divisor) or 0) <= 0:
            some = c.compare("sgt" if signed else "ne", divisor, zero)
            self.checks.append(some)
            divisor = c.select(some, divisor, 1)
        if signed:
            self.checks += [c.compare("sge", v, zero) for v in {low: None, high: None}]
        first = c.div(low, divisor)
        if varies:
            last = c.div(high, divisor)
            self.checks += [c.compare("ule", low, high), c.compare("eq", first, last)]
        return first

    def remainder(self, op: Division, quotient: SSAValue) -> None:
        """Says what a remainder is before the loop."""
        c = self.corners
        whole = c.mul(quotient, c.at(op.rhs, False))
        c.lanes.known[op.result] = c.lanes.strides(op.lhs)
        for last in (False, True):
            c.made[op.result, last] = c.sub(c.at(op.lhs, last), whole)
