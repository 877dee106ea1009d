"""Finds conditions in loops over lanes: they compare numbers that grow evenly from lane to lane with bounds that
stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects import arith, cf, memref, scf
from xdsl.dialects.builtin import IndexType, i1, i32, i64
from xdsl.ir import Block, Operation, OpResult, SSAValue

from hologram.dialects.arith import IndexCastUIOp, constant_of
from hologram.dialects.verbs import Arith
from hologram.support.registry import Registry
from hologram.support.walking import is_within
from hologram.transforms.analysis.dataflow import Analysis, Transfer

Strides = Mapping[SSAValue, int]
"""What a number grows by from one iteration of a loop to the next, by the loop's index; of other loops nothing."""
MOST = 1 << 24
"""The greatest stride that is looked at: so no loop of this machine's time goes around a number's range."""

_SUMS = {arith.AddiOp: 1, arith.SubiOp: -1}
PURE: tuple[type[Operation], ...] = (
    arith.ConstantOp, arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.IndexCastOp, IndexCastUIOp, arith.ExtUIOp,
    arith.ExtSIOp, arith.TruncIOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.ShLIOp, arith.ShRUIOp,
    arith.ShRSIOp, arith.MinSIOp, arith.MaxSIOp, arith.MinUIOp, arith.MaxUIOp, arith.SelectOp, arith.CmpiOp,
    memref.DimOp,
)  # fmt: skip
"""What may be computed before a loop that computes it: it neither traps nor reads memory."""


def is_wide(value: SSAValue) -> bool:
    """Return whether it is an index, or an integer as wide as one."""
    return isinstance(value.type, IndexType) or value.type == i64


@dataclass
class Lanes(Analysis["Strides | None"]):
    """A loop over lanes, with what is known of the numbers in it: the strides of each."""

    transfers = Registry[Transfer]()
    loop: scf.ForOp
    known: dict[SSAValue, Strides | None] = field(default_factory=dict[SSAValue, "Strides | None"])
    same: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """What results of choices are, where the choice is known."""
    numbers: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    alike: dict[object, int] = field(default_factory=dict[object, int])

    def is_inside(self, value: SSAValue) -> bool:
        """Return whether a value is made in the loop."""
        return is_within(value, self.loop)

    def number(self, value: SSAValue) -> int:
        """The same for values that are computed alike."""
        value = self.same.get(value, value)
        if value not in self.numbers:
            op = value.owner
            key: object = value
            if isinstance(op, PURE):
                parts = tuple(self.number(v) for v in op.operands)
                key = op.name, parts, tuple(sorted((k, str(v)) for k, v in op.properties.items())), value.type
            self.numbers[value] = self.alike.setdefault(key, len(self.alike))
        return self.numbers[value]

    def strides(self, value: SSAValue) -> Strides | None:
        """Return what a number grows by; None where it does not grow evenly, or can't be told before the loop."""
        return self.of(self.same.get(value, value))

    def start(self, value: SSAValue) -> Strides | None:
        if not self.is_inside(value):
            return {}
        return None if isinstance(value, OpResult) else self._index(value)

    def follows(self, value: SSAValue) -> Transfer | None:
        return super().follows(value) if self.is_inside(value) else None

    def _index(self, value: SSAValue) -> Strides | None:
        """A loop's index counts, if its bounds are known before."""
        op = value.owner.parent_op() if isinstance(value.owner, Block) else None
        if not isinstance(op, scf.ForOp) or value is not op.body.block.args[0] or constant_of(op.step) != 1:
            return None
        bounds = [self.strides(v) for v in (op.lb, op.ub)]
        return {value: 1} if bounds == [{}, {}] else None


@Lanes.transfers.on(*PURE)
def _strides(lanes: Lanes, op: Operation, result: SSAValue) -> Strides | None:
    if (number := lane_number(op)) is not None:
        return lanes.strides(number)
    parts: list[Any] = [lanes.strides(v) for v in op.operands]
    if None in parts or not any(parts):
        return None if None in parts else {}
    return _combined(op, parts) if is_wide(op.results[0]) else None


def _combined(op: Operation, parts: list[dict[SSAValue, int]]) -> Strides | None:
    match op:
        case arith.AddiOp() | arith.SubiOp():
            sign = _SUMS[type(op)]
            return _within({v: parts[0].get(v, 0) + sign * parts[1].get(v, 0) for v in {**parts[0], **parts[1]}})
        case arith.MuliOp():
            varying, factor = (parts[0], op.rhs) if parts[0] else (parts[1], op.lhs)
            number = constant_of(factor)
            return None if number is None else _within({v: s * number for v, s in varying.items()})
        case arith.IndexCastOp() if is_wide(op.input):
            return parts[0]
        case _:
            return None


def lane_number(op: Operation) -> SSAValue | None:
    """The index that an i64 is, by way of 32 bits, which hold it: so are numbers of lanes."""
    if not isinstance(op, arith.ExtUIOp) or op.result.type != i64 or op.input.type != i32:
        return None
    inner = op.input.owner
    if not isinstance(inner, arith.IndexCastOp | IndexCastUIOp):
        return None
    loop: Any = None if isinstance(inner.input, OpResult) else cast("Block", inner.input.owner).parent_op()
    if not isinstance(loop, scf.ForOp):
        return None
    lower, upper = constant_of(loop.lb), constant_of(loop.ub)
    small = lower is not None and upper is not None and 0 <= lower and upper <= 1 << 31
    return inner.input if small else None


def is_tail(lanes: Lanes, op: arith.CmpiOp, condition: Condition) -> bool:
    """Return whether it asks which lanes have one element more than the others: a lane's number against one that is
    computed. It chooses a value, and mostly no lane has."""
    index = lanes.loop.body.block.args[0]
    if condition.predicate not in UPPER or not condition.holds or condition.strides != {index: 1}:
        return False
    if _without_casts(condition.value) is not index:
        return False
    bound = _without_casts(condition.bound)
    computed = isinstance(bound, OpResult) and not isinstance(bound.op, memref.DimOp | arith.ConstantOp)
    users = [use.operation for use in op.result.uses]
    return computed and all(isinstance(o, scf.IfOp) and o.results and o.results[0].type != i1 for o in users)


def _without_casts(value: SSAValue) -> SSAValue:
    while isinstance(value, OpResult) and isinstance(value.op, arith.IndexCastOp | arith.ExtUIOp | IndexCastUIOp):
        value = value.op.operands[0]
    return value


def _within(strides: dict[SSAValue, int]) -> Strides | None:
    nonzero = {v: s for v, s in strides.items() if s}
    return nonzero if all(abs(s) < MOST for s in nonzero.values()) else None


UPPER, LOWER = ("slt", "sle", "ult", "ule"), ("sge", "sgt", "uge", "ugt")
_SWAPPED = {a + b: a + c for a in "su" for b, c in (("lt", "gt"), ("le", "ge"), ("gt", "lt"), ("ge", "le"))}
OPPOSITE = {a + b: a + c for a in "su" for b, c in (("lt", "ge"), ("le", "gt"), ("gt", "le"), ("ge", "lt"))}
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


@dataclass(frozen=True)
class Condition:
    """A comparison that is expected to be the same for all lanes."""

    value: SSAValue
    """What varies, if anything does."""
    bound: SSAValue
    predicate: str
    """What `value` is to `bound` where it is as expected."""
    strides: Strides
    holds: bool
    """What the comparison is expected to give."""


def condition_of(lanes: Lanes, op: arith.CmpiOp) -> Condition | None:
    """Return the expected outcome of a comparison of a number that grows with one that stays.

    A number below a bound is expected, and one above a constant: beyond the end are the last lanes alone, and before
    the first few elements the first ones. None is expected to be negative, nor a divisor to be 0 or -1.
    """
    predicate = PREDICATES[op.predicate.value.data]
    if predicate == "eq" and lanes.strides(op.lhs) == {} and _is_no_divisor(op):
        return Condition(op.lhs, op.rhs, "ne", {}, False)
    if predicate not in _SWAPPED or not is_wide(op.lhs):
        return None
    left, right = lanes.strides(op.lhs), lanes.strides(op.rhs)
    if left is None or right is None or (left and right):
        return None
    value, bound, strides = op.lhs, op.rhs, left
    if right:
        value, bound, strides, predicate = op.rhs, op.lhs, right, _SWAPPED[predicate]
    number = constant_of(bound)
    if (predicate in UPPER and not (predicate == "slt" and number == 0)) or (predicate in LOWER and number is not None):
        return Condition(value, bound, predicate, strides, True)
    return Condition(value, bound, OPPOSITE[predicate], strides, False)


def _is_no_divisor(op: arith.CmpiOp) -> bool:
    """Return whether it asks for what divisions are not made by: for -1 (the least number has no quotient), or for 0,
    of which a trap comes."""
    number = constant_of(op.rhs)
    if number != 0:
        return number == -1
    users = [use.operation for use in op.result.uses]
    opposites = [o for o in users if isinstance(o, arith.XOrIOp)]
    return any(isinstance(use.operation, cf.AssertOp) for o in opposites for use in o.result.uses)


class Corners(Arith):
    """Code before a loop that computes what numbers of it are at the first and at the last lane."""

    def __init__(self, lanes: Lanes):
        self.lanes = lanes
        self.ops: list[Operation] = []
        super().__init__(self.ops.append)
        self.made: dict[tuple[SSAValue, bool], SSAValue] = {}

    def drop(self) -> None:
        """Takes the code back."""
        for op in self.ops:
            op.drop_all_references()

    def holds(self, condition: Condition) -> SSAValue:
        """Return whether a condition is as expected in all lanes."""
        c = condition
        bound = self.at(c.bound, False)
        falling = [v for v, s in c.strides.items() if s < 0]
        assert not falling, "conditions of numbers that fall are not asked for"
        low = self.at(c.value, False)
        if not c.strides:
            return self.compare(c.predicate, low, bound)
        high = self.at(c.value, True)
        least = c.predicate in LOWER
        inside = self.compare(c.predicate, low if least else high, bound)
        order = self.compare("ule" if c.predicate[0] == "u" else "sle", low, high)
        return self.both(inside, order)

    def few(self, loop: scf.ForOp) -> SSAValue:
        """Return whether a loop has so few iterations that no number of it goes around."""
        count = self.sub(self.at(loop.ub, False), self.at(loop.lb, False))
        most = self.constant(1 << 31, IndexType())
        return self.compare("ult", count, most)

    def op(self, op: Operation) -> SSAValue:
        op.location = self.lanes.loop.location
        return super().op(op)

    def at(self, value: SSAValue, last: bool) -> SSAValue:
        """A number where all loops are at their first iterations, or at their last ones."""
        value = self.lanes.same.get(value, value)
        if not self.lanes.is_inside(value):
            return value
        # A lane's number in 32 bits has no strides, and grows all the same.
        if self.lanes.strides(value) == {}:
            last = False
        if (value, last) not in self.made:
            self.made[value, last] = self._made(value, last)
        return self.made[value, last]

    def _made(self, value: SSAValue, last: bool) -> SSAValue:
        if isinstance(value, OpResult):
            op = value.op.clone({v: self.at(v, last) for v in value.op.operands})
            return self.op(op)
        loop: Any = value.owner.parent_op()
        if not last:
            return self.at(loop.lb, False)
        return self.sub(self.at(loop.ub, False), 1)
