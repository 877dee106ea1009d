"""Makes loops on vectors of the loops over lanes, where the lanes of a block do the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from xdsl.context import Context
from xdsl.dialects import arith, cf, memref, scf
from xdsl.dialects.builtin import DictionaryAttr, IndexType, IntegerAttr, ModuleOp, i1, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects import marks
from hologram.dialects.arith import IndexCastUIOp, constant_of
from hologram.dialects.op_builder import OpBuilder
from hologram.lowering.processor.lane_conditions import (
    OPPOSITE,
    PURE,
    Condition,
    Corners,
    Lanes,
    condition_of,
    is_tail,
    lane_number,
)
from hologram.lowering.processor.lane_digits import Division, Divisions, Nest, split
from hologram.lowering.processor.lane_loops import apart, path_to
from hologram.lowering.processor.vector_body import plan_of
from hologram.lowering.processor.vectorize_loops import STRAIGHT
from hologram.lowering.rewriting.convert_scf_to_cf import ANNOTATION
from hologram.lowering.rewriting.kernel_builder import AS_IT_IS
from hologram.support.splicing import append
from hologram.support.walking import operations

MOST_CONDITIONS = 12
"""Of a loop: more cost more to look at than vectors gain."""
MOST_STRAIGHT = 16
"""The operations on vectors of a loop that becomes straight code: of many blocks nothing is gained, and time lost."""
_NO_CHOICE: tuple[type[Operation], ...] = (
    arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp, arith.CeilDivSIOp, arith.CeilDivUIOp,
    arith.FloorDivSIOp,
)  # fmt: skip
"""What may not be computed where it is not asked for."""


@dataclass(frozen=True)
class VectorizeLanesPass(ModulePass):
    """Marks the loops over lanes that `convert-gpu-to-scf` leaves for `vectorize-loops`, where these can be vectors.

    Comparisons that are the same for most blocks (is the lane within the array, is an index in range) are looked at
    before the loop, at its first and its last lane. Where they all are as in the middle of an array, a loop without
    them runs, else the loop as it was. Conditional values become selects. Lanes without a barrier between them may run
    at the same time, so no dependence is in the way.

    Where lanes work by rows and columns, `lane >> 4` and `lane & 15`, loops over both stand for the one over lanes.
    What can't be on vectors becomes a loop of its own, where the rest has nothing to do with it.

    Before::

        scf.for %thread_x = %c0 to %c256 step %c1 {
          %i = arith.addi %first, %thread_x : index
          %some = arith.cmpi slt, %i, %n : index
          scf.if %some {
            %bad = arith.cmpi uge, %i, %size : index
            scf.if %bad { ... hologram_trap ... }
            cf.assert %good, "index out of range"
            ...
          }
        } {hologram.lanes}

    After::

        scf.if %all {
          scf.for %thread_x = %c0 to %c256 step %c1 {
            ...
          } {hologram.vectorize = {straight = 16}}
        } else {
          ... the loop as it was
        }
    """

    name = "vectorize-lanes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in [o for o in operations(op) if isinstance(o, scf.ForOp) and marks.LANES in o.attributes]:
            del loop.attributes[marks.LANES]
            if constant_of(loop.step) == 1:
                _replace(loop)


def _replace(loop: scf.ForOp) -> None:
    """Puts loops that can be on vectors before one, or in its place."""
    nest = split(loop) or Nest([loop])
    body = _Body(Lanes(nest.loops[0]))
    fast = body.run(nest.loops[-1].body.block.args[0])
    if fast and len(body.conditions) <= MOST_CONDITIONS:
        _choose(loop, nest, body, fast)
    else:
        body.corners.drop()
    if nest.loops[0] is not loop:
        nest.loops[0].erase()


def _choose(loop: scf.ForOp, nest: Nest, body: _Body, fast: list[Operation]) -> None:
    """Puts conditions before a loop that say which of the two runs."""
    corners = body.corners
    checks = body.checks()
    if not checks:
        Rewriter.replace_op(loop, [*nest.constants, *corners.ops, *fast], [])
        return
    all = checks[0]
    for check in checks[1:]:
        all = corners.both(all, check)
    slow = loop.clone()
    # Few blocks come here: LLVM shall not make more of it.
    slow.attributes[ANNOTATION] = AS_IT_IS
    blocks = [Block([*ops, scf.YieldOp()]) for ops in (fast, [slow])]
    for block in blocks:
        for op in block.ops:
            op.location = loop.location
    chosen = scf.IfOp(all, [], Region(blocks[0]), Region(blocks[1]))
    chosen.location = loop.location
    Rewriter.replace_op(loop, [*nest.constants, *corners.ops, chosen], [])


def _clean(loop: scf.ForOp) -> None:
    """Drops what nothing uses."""
    for op in reversed(operations(loop)):
        if isinstance(op, PURE) and not any(r.uses for r in op.results):
            Rewriter.erase_op(op)


def _mark(loop: scf.ForOp) -> bool:
    """Leaves a loop to vectorize-loops, if that takes it."""
    if plan_of(loop) is None:
        return False
    loop.attributes[marks.VECTORIZE] = DictionaryAttr({STRAIGHT: IntegerAttr(MOST_STRAIGHT, i64)})
    return True


class _Refused(Exception):
    """The loop can't be on vectors."""


@dataclass
class _Body:
    """The body of a loop without its conditions."""

    lanes: Lanes
    conditions: dict[object, Condition] = field(default_factory=dict[object, Condition])
    """Each once."""
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    truths: dict[SSAValue, bool] = field(default_factory=dict[SSAValue, bool])
    """What conditions are taken to be."""
    checked: int = 0
    """The asserts that went away."""
    choosable: dict[Operation, Operation] = field(default_factory=dict[Operation, Operation])
    """Runs of operations that may run where their values are not asked for: the last of each, by the first."""

    @cached_property
    def corners(self) -> Corners:
        """The code that is computed before the loop."""
        return Corners(self.lanes)

    @cached_property
    def divisions(self) -> Divisions:
        """The quotients among it."""
        return Divisions(self.corners)

    def run(self, index: SSAValue) -> list[Operation]:
        """The loop on what is left, whose innermost lanes have `index`: as loops of which vectorize-loops takes some;
        none if it takes none."""
        try:
            loop = self._loop(self.lanes.loop, [])
        except _Refused:
            return []
        _clean(loop)
        path = path_to(self.values[index])
        if _mark(path[-1]):
            return [loop]
        parts = apart(path)
        loop.erase()
        return [loops[0] for loops in parts] if any([_mark(loops[-1]) for loops in parts]) else []

    def checks(self) -> list[SSAValue]:
        """Code before the loop that says whether all conditions are as expected."""
        few = [self.corners.few(o) for o in self._counted()]
        return [*few, *self.divisions.checks, *(self.corners.holds(c) for c in self.conditions.values())]

    def _counted(self) -> list[scf.ForOp]:
        """The loops whose numbers of iterations are not known, and which conditions depend on."""
        strides = [*(c.strides for c in self.conditions.values()), *self.divisions.strides]
        owners: Any = [v.owner.parent_op() for s in strides for v in s]  # pyright: ignore
        loops = {o: None for o in owners if constant_of(o.ub) is None or constant_of(o.lb) is None}
        return list(loops)

    def _value(self, value: SSAValue) -> SSAValue:
        return self.values.get(value, value)

    def _truth(self, value: SSAValue) -> bool | None:
        if value in self.truths:
            return self.truths[value]
        number = constant_of(value) if value.type == i1 else None
        return None if number is None else bool(number)

    def _loop(self, op: scf.ForOp, inits: Sequence[SSAValue]) -> scf.ForOp:
        old = op.body.block
        block = Block(arg_types=[a.type for a in old.args])
        for before, after in zip(old.args, block.args, strict=True):
            self.values[before] = after
            after.name_hint = before.name_hint
        self._block(old, block)
        last: Any = old.last_op
        append(block, scf.YieldOp(*map(self._value, last.operands)), last)
        lower, upper, step = (self._value(v) for v in (op.lb, op.ub, op.step))
        loop = scf.ForOp(lower, upper, step, inits, Region(block))
        loop.location = op.location
        return loop

    def _block(self, old: Block, into: Block) -> None:
        for op in old.ops:
            if op is not old.last_op or not isinstance(op, scf.YieldOp):
                self._op(op, into)

    def _op(self, op: Operation, into: Block) -> None:
        match op:
            case arith.CmpiOp() if (condition := condition_of(self.lanes, op)) is not None and all(
                s > 0 for s in condition.strides.values()
            ):
                if is_tail(self.lanes, op, condition):
                    condition = replace(condition, predicate=OPPOSITE[condition.predicate], holds=False)
                alike = *map(self.lanes.number, (condition.value, condition.bound)), condition.predicate
                self.conditions.setdefault(alike, condition)
                self.truths[op.result] = condition.holds
                self._add_constant(op.result, condition.holds, into, op)
            case arith.OrIOp() | arith.AndIOp() | arith.XOrIOp() if op.result.type == i1 and self._known(op, into):
                pass
            case arith.SelectOp() if (truth := self._truth(op.cond)) is not None:
                self._is(op.result, op.lhs if truth else op.rhs)
            case arith.DivUIOp() | arith.DivSIOp() | arith.RemUIOp() | arith.RemSIOp() if (
                quotient := self.divisions.quotient(op)
            ) is not None:
                self._division(op, quotient, into)
            case scf.IfOp():
                self._if(op, into)
            case cf.AssertOp():
                if self._truth(op.arg) is not True:
                    raise _Refused
                self.checked += 1
            case scf.ForOp():
                loop = self._loop(op, [self._value(v) for v in op.iter_args])
                into.add_op(loop)
                self.values |= dict(zip(op.results, loop.results, strict=True))
            case arith.IndexCastOp() | arith.ExtUIOp() if (short := self._short(op, into)) is not None:
                self.values[op.results[0]] = short
            case _ if op.regions or op.name == "func.call":
                raise _Refused
            case _:
                into.add_op(op.clone(self.values))

    def _add_constant(self, old: SSAValue, truth: bool, into: Block, source: Operation) -> None:
        self.values[old] = OpBuilder(into, source).core.constant(int(truth), i1)

    def _known(self, op: Any, into: Block) -> bool:
        """Return whether truth values that are known give one that is, or one of the operands."""
        a, b = self._truth(op.lhs), self._truth(op.rhs)
        if a is None and b is None:
            return False
        if a is not None and b is not None:
            truth = {arith.OrIOp: a or b, arith.AndIOp: a and b, arith.XOrIOp: a != b}[type(op)]
        elif isinstance(op, arith.XOrIOp):
            return False
        else:
            number, other = (a, op.rhs) if a is not None else (b, op.lhs)
            if number != isinstance(op, arith.OrIOp):
                self.values[op.result] = self._value(other)
                return True
            truth = isinstance(op, arith.OrIOp)
        self.truths[op.result] = truth
        self._add_constant(op.result, truth, into, op)
        return True

    # Choices

    def _if(self, op: scf.IfOp, into: Block) -> None:
        truth = self._truth(op.cond)
        if truth is None:
            self._select(op, into)
            return
        region = op.true_region if truth else op.false_region
        if not region.blocks:
            return
        self._block(region.block, into)
        last: Any = region.block.last_op
        for result, value in zip(op.results, last.operands, strict=True):
            self._is(result, value)

    def _is(self, result: SSAValue, value: SSAValue) -> None:
        """Says which value of the loop another one is."""
        self.values[result] = self._value(value)
        self.lanes.same[result] = self.lanes.same.get(value, value)
        if (known := self._truth(value)) is not None:
            self.truths[result] = known

    def _division(self, op: Division, quotient: SSAValue, into: Block) -> None:
        """A quotient that all lanes have is computed before the loop."""
        if isinstance(op, arith.DivUIOp | arith.DivSIOp):
            self.values[op.result] = self.lanes.same[op.result] = quotient
            return
        self.divisions.remainder(op, quotient)
        core = OpBuilder(into, op).core
        self.values[op.result] = core.sub(self._value(op.lhs), core.mul(quotient, self._value(op.rhs)))

    def _select(self, op: scf.IfOp, into: Block) -> None:
        """Both values of a choice, and the one that is asked for."""
        if not op.results or not op.false_region.blocks:
            raise _Refused
        yielded: list[list[SSAValue]] = []
        for region in (op.true_region, op.false_region):
            last_before, before = into.last_op, self.checked
            self._block(region.block, into)
            self._check_choosable(into, last_before, self.checked > before)
            last: Any = region.block.last_op
            yielded.append([self._value(v) for v in last.operands])
        for result, then, otherwise in zip(op.results, *yielded, strict=True):
            self.values[result] = OpBuilder(into, op).core.select(self._value(op.cond), then, otherwise)

    def _check_choosable(self, block: Block, after: Operation | None, checked: bool) -> None:
        """Refuses what was added to a block if it may not run where its value is not asked for. What a choice within
        this one has looked at is passed over: whatever was checked there is checked here."""
        first = op = block.first_op if after is None else after.next_op
        while op is not None:
            if (last := self.choosable.get(op)) is None:
                if not all(_may_choose(o, checked) for o in operations(op)):
                    raise _Refused
                last = op
            op = last.next_op
        if first is not None and block.last_op is not None:
            self.choosable[first] = block.last_op

    # Numbers of lanes

    def _short(self, op: arith.IndexCastOp | arith.ExtUIOp, into: Block) -> SSAValue | None:
        """A lane's number without the way through 32 bits, and an index without the way through 64."""
        if (number := lane_number(op)) is not None:
            return OpBuilder(into, op).core.index_cast(self._value(number), i64)
        inner = op.input.owner
        if not isinstance(inner, arith.IndexCastOp | IndexCastUIOp) or op.input.type != i64:
            return None
        back = isinstance(op.result.type, IndexType) and isinstance(inner.input.type, IndexType)
        return self._value(inner.input) if back else None


def _may_choose(op: Operation, checked: bool) -> bool:
    """Return whether an operation may run though its value is not asked for. Loads may where it is known that they are
    in range: what is checked is so in all lanes, whatever they choose."""
    if isinstance(op, memref.LoadOp):
        owner = op.memref.owner
        return checked or isinstance(owner, memref.AllocaOp)
    plain = op.dialect_name() in ("arith", "math") or isinstance(op, memref.DimOp)
    return plain and not isinstance(op, _NO_CHOICE)
