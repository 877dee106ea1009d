"""Estimates the work of a parallel loop from its code, in units of about ten picoseconds of one core.

An arithmetic operation on one element counts 1, as it does in a loop over vectors, and a byte of memory 2. The figure
need not be good: it decides between one thread and several, which near the border are about as fast.

An amount is an int, or a formula over values that stand outside of the loop (`Formula`), made code where it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from math import prod
from typing import Any, Literal, cast

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, Region, SSAValue

from hologram.dialects.arith import constant_of
from hologram.dialects.layouts import byte_size
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.verbs import Verb, folded

UNKNOWN_TRIPS = 16
"""Taken for a loop whose number of iterations can't be told."""

MOST = 1 << 48
"""More than any launch does: loops within loops would multiply to what no integer holds."""
DEPTH = 12
"""How far definitions are followed."""

BYTE, CALL, ALLOCATION = 2, 50, 5000
_DEAR: Mapping[str, int] = {
    "arith.divf": 4, "arith.remf": 40, "math.sqrt": 6,
    "arith.divsi": 20, "arith.divui": 20, "arith.remsi": 20, "arith.remui": 20,
    "memref.alloc": ALLOCATION, "func.call": CALL,
}  # fmt: skip
_FREE = frozenset(
    "arith.constant cf.assert scf.yield scf.reduce memref.dim memref.alloca memref.dealloc memref.prefetch"
    " memref.subview memref.cast memref.collapse_shape memref.expand_shape memref.reinterpret_cast vector.splat"
    " vector.broadcast".split()
)


@dataclass(frozen=True)
class Formula:
    """`kind` (add, mul, min, max, div, sub) of two amounts; or `value`, a value of type index outside of the loop."""

    kind: Verb | Literal["value"]
    left: Amount = 0
    right: Amount = 0
    value: SSAValue | None = None
    known_hash: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "known_hash", hash((self.kind, self.left, self.right, self.value)))

    def __hash__(self) -> int:
        return self.known_hash


Amount = int | Formula


def combine(kind: Verb, left: Amount, right: Amount) -> Amount:
    """The amount of two, as far as it is known at compile time; a difference is at least 0, and all at most `MOST`."""
    if kind == "sub" and isinstance(left, int) and isinstance(right, int):
        return max(left - right, 0)
    known = folded(kind, cast("Any", left), cast("Any", right))
    if known is None:
        return Formula(kind, left, right)
    return min(known, MOST) if isinstance(known, int) else cast("Amount", known)


def emit(amount: Amount, at: OpBuilder) -> SSAValue:
    """Emits the code of an amount."""
    if isinstance(amount, int):
        return at.index(amount)
    if amount.value is not None:
        return amount.value
    left, right = (emit(part, at) for part in (amount.left, amount.right))
    return at.core.binary(cast("Verb", amount.kind), left, right)


@dataclass
class Estimate:
    """Amounts of work in the body of `loop`."""

    loop: scf.ParallelOp
    _outside: dict[SSAValue, bool] = field(default_factory=dict[SSAValue, bool])

    def iteration(self) -> Amount:
        """The work of one iteration of the loop."""
        return self._region(self.loop.body)

    # Sizes

    def is_outside(self, value: SSAValue) -> bool:
        """Return whether a value is defined outside of the loop."""
        known = self._outside.get(value)
        if known is None:
            known = self._outside[value] = not self.loop.is_ancestor(value.owner)
        return known

    def bound(self, value: SSAValue, depth: int = 0) -> Amount | None:
        """A number that an index does not exceed; None where there is none to be told."""
        number = constant_of(value)
        if number is not None:
            return number
        if self.is_outside(value):
            return Formula("value", value=value)
        if depth > DEPTH:
            return None
        if isinstance(value, BlockArgument):
            return self._bound_of_index(value, depth)
        op = cast("OpResult", value).op
        if len(op.operands) != 2:
            return None
        a, b = op.operands
        if isinstance(op, arith.SubiOp):
            return self.difference(a, b, depth + 1)
        left, right = self.bound(a, depth + 1), self.bound(b, depth + 1)
        if isinstance(op, arith.MinUIOp | arith.MinSIOp | arith.RemUIOp | arith.RemSIOp):
            return _least(left, right)
        if left is None or right is None:
            return None
        if isinstance(op, arith.AddiOp | arith.MaxUIOp | arith.MaxSIOp):
            return combine("add" if isinstance(op, arith.AddiOp) else "max", left, right)
        if isinstance(op, arith.MuliOp):
            return combine("mul", left, right)
        if isinstance(op, arith.DivUIOp | arith.DivSIOp) and isinstance(right, int) and right > 0:
            return combine("div", left, right)
        return None

    def _bound_of_index(self, value: BlockArgument, depth: int) -> Amount | None:
        parent = value.block.parent_op()
        if isinstance(parent, scf.ForOp) and value.index == 0:
            return self.bound(parent.ub, depth + 1)
        if isinstance(parent, scf.ParallelOp):
            return self.bound(parent.upperBound[value.index], depth + 1)
        return None

    def difference(self, a: SSAValue, b: SSAValue, depth: int = 0) -> Amount | None:
        """A bound on a - b, for b >= 0."""
        if a is b:
            return 0
        if depth > DEPTH:
            return None
        below = constant_of(b)
        if below is None and isinstance(a, OpResult) and not self.is_outside(a):
            op = a.op
            if isinstance(op, arith.AddiOp):
                for part, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
                    rest = self.bound(other, depth + 1)
                    if part is b:
                        return rest
            if isinstance(op, arith.MinUIOp | arith.MinSIOp):
                return _least(self.difference(op.lhs, b, depth + 1), self.difference(op.rhs, b, depth + 1))
        above = self.bound(a, depth + 1)
        if above is None or not (below is not None or self.is_outside(b)):
            return above
        taken = below if below is not None else Formula("value", value=b)
        if isinstance(taken, int) and taken <= 0:
            return above
        # An unsigned difference must not wrap: where b is the greater it is 0.
        return combine("sub", combine("max", above, taken), taken)

    def trips(self, lower: SSAValue, upper: SSAValue, step: SSAValue) -> Amount:
        """About how often a loop runs."""
        length = self.difference(upper, lower)
        if length is None:
            return UNKNOWN_TRIPS
        by = constant_of(step)
        if by is None or by <= 1:
            return length
        return combine("div", combine("add", length, by - 1), by)

    # Work

    def _region(self, region: Region) -> Amount:
        return sum_of([sum_of([self._operation(op) for op in block.ops]) for block in region.blocks])

    def _operation(self, op: Operation) -> Amount:
        if op.name in _FREE:
            return 0
        if isinstance(op, scf.ForOp):
            return combine("mul", self.trips(op.lb, op.ub, op.step), combine("add", self._region(op.body), 2))
        if isinstance(op, scf.ParallelOp):
            work = combine("add", self._region(op.body), 2)
            for lower, upper, step in zip(op.lowerBound, op.upperBound, op.step, strict=True):
                work = combine("mul", self.trips(lower, upper, step), work)
            return work
        if isinstance(op, scf.WhileOp):
            both = combine("add", self._region(op.before_region), self._region(op.after_region))
            return combine("mul", UNKNOWN_TRIPS, both)
        if isinstance(op, scf.IfOp | scf.IndexSwitchOp):
            return _greatest([self._region(region) for region in op.regions])
        if op.regions:
            return combine("add", 1, sum_of([self._region(region) for region in op.regions]))
        return _plain(op)


def sum_of(amounts: Sequence[Amount]) -> Amount:
    """The sum of amounts; equal ones are counted, so that no code is as long as the body that it estimates."""
    counts: dict[Amount, int] = {}
    for amount in amounts:
        counts[amount] = counts.get(amount, 0) + 1
    return reduce(partial(combine, "add"), [combine("mul", amount, n) for amount, n in counts.items()], 0)


def _least(a: Amount | None, b: Amount | None) -> Amount | None:
    if a is None or b is None:
        return b if a is None else a
    return combine("min", a, b)


def _greatest(amounts: Sequence[Amount]) -> Amount:
    known = [a for a in amounts if isinstance(a, int)]
    return sum_of([max(known, default=0), *(a for a in amounts if not isinstance(a, int))])


def _plain(op: Operation) -> int:
    """The work of an operation without regions."""
    if op.name == "memref.copy":
        return 2 * BYTE * _bytes(op.operands[0].type)
    if op.name.startswith(("memref.", "vector.")) and (moved := _moved(op)) is not None:
        return BYTE * _bytes(moved)
    if isinstance(op, func.CallOp):
        return CALL
    lanes = max((prod(_shape(r.type)) for r in op.results), default=1)
    return _DEAR.get(op.name, 1) * max(lanes, 1)


def _moved(op: Operation) -> Attribute | None:
    """The type of what an operation loads or stores."""
    if op.name.rpartition(".")[2] in ("load", "maskedload", "gather", "transfer_read"):
        return op.results[0].type
    if op.name.rpartition(".")[2] in ("store", "transfer_write"):
        return op.operands[0].type
    return op.operands[-1].type if op.name in ("vector.maskedstore", "vector.scatter") else None


def _shape(type: Attribute) -> Sequence[int]:
    return cast("Any", type).get_shape() if isinstance(type, VectorType) else ()


def _bytes(type: Attribute) -> int:
    if isinstance(type, MemRefType):
        memref = cast("Any", type)
        sizes = [size if size >= 0 else 64 for size in memref.get_shape()]
        return prod(sizes) * (byte_size(memref.element_type) or 1)
    return byte_size(type) or 1
