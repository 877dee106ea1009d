"""`raise-loops`: loops that repeat by a counter become loops of a number of iterations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects.atlas.arrays.base import YieldOp
from hologram.dialects.atlas.instructions.scalar import AddOp, Condition, CvtOp, MovImmOp, SelOp, SetccOp, SubOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType, dtype_of
from hologram.dialects.atlas.instructions.verbs import InstructionBuilder, number_of
from hologram.dialects.atlas.lanes.programs import IfOp, LoopOp, RepeatOp
from hologram.support.splicing import move, replace_results
from hologram.support.walking import is_within


@dataclass(frozen=True)
class RaiseLoopsPass(ModulePass):
    """Turns `atlas.repeat` into `atlas.loop` where a counter says how often: one that counts down to zero behind a
    guard (the machine's `loop`), or one that counts up from zero and is tested first. Loops that run as often for all
    lanes are vectorised over the lanes.

    Before::

        %some = atlas.cvt u32 to bool %n
        %r = atlas.if %some -> (f32) {
          %s = atlas.repeat iter(%n, %x : i32, f32) -> (f32) {
          ^bb0(%c: i32, %v: f32):
            %w = atlas.mul f32 %v, %k
            %less = atlas.sub u32 %c, %one
            %more = atlas.setcc ne u32 %less, %zero
            atlas.yield %more, %less, %w, %w : i1, i32, f32, f32
          }
          atlas.yield %s : f32
        } else {
          atlas.yield %x : f32
        }

    After::

        %r = atlas.loop %n : i32 iter(%x : f32) {
        ^bb0(%i: i32, %v: f32):
          %w = atlas.mul f32 %v, %k
          atlas.yield %w : f32
        }
    """

    name = "raise-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Inner loops first, so that what holds them is known when it is looked at.
        for repeat in [o for o in op.walk(region_first=True) if isinstance(o, RepeatOp)]:
            loop = _down(repeat) or _up(repeat)
            if loop is not None:
                _drop_guard(loop)


def _owner(value: Any) -> Any:
    """The operation that makes a value, if one does. What it is decides which operands it has, so that it is Any."""
    return value.owner if isinstance(value.owner, Operation) else None


def _condition(op: Any, *wanted: Condition) -> Any:
    return op if isinstance(op, SetccOp) and op.condition.data in wanted else None


class _Parts:
    """The values that a repeat takes and yields."""

    def __init__(self, repeat: RepeatOp):
        self.repeat = repeat
        self.body = repeat.body.block
        last = self.body.last_op
        values = list(last.values) if isinstance(last, YieldOp) else []
        self.ends = bool(values)
        self.again: Any = values[0] if values else None
        carried = len(repeat.iter_args)
        self.next = [self._taken(v) for v in values[1 : carried + 1]]
        self.results = values[carried + 1 :]

    def _taken(self, value: Any) -> Any:
        """A next value where there is a next iteration."""
        owner = _owner(value)
        return owner.a if isinstance(owner, SelOp) and owner.p is self.again else value


# Counting down to zero, tested last


def _down(repeat: RepeatOp) -> LoopOp | None:
    parts = _Parts(repeat)
    test = _condition(_owner(parts.again), Condition.ne) if parts.ends else None
    less: Any = _owner(test.a) if test is not None and number_of(test.b) == 0 else None
    if not isinstance(less, SubOp) or number_of(less.operands[1]) != 1:
        return None
    counter: Any = less.operands[0]
    if counter.owner is not parts.body or parts.next[counter.index] is not less.result or less.dtype.bits > 64:
        return None
    count = cast("Any", repeat.iter_args[counter.index])
    if not _is_positive(count, repeat):
        return None
    carried = [n for n in range(len(parts.next)) if n != counter.index]
    extra = [r for r in dict.fromkeys(parts.results) if r not in [parts.next[n] for n in carried]]
    extra = [r for r in extra if r not in (less.result, counter) and is_within(r, repeat)]
    dtypes = [dtype_of(r.type) for r in extra]
    if any(t is None for t in dtypes):
        return None
    at = InstructionBuilder(repeat)
    starts = [at.constant(0, t) for t in dtypes if t is not None]
    dtype = DTYPES[f"u{less.dtype.bits}"]
    body = Block(arg_types=[count.type, *(parts.body.args[n].type for n in carried), *(r.type for r in extra)])
    counted = SubOp(dtype, count, body.args[0])
    body.add_op(counted)
    move(list(parts.body.ops)[:-1], body)
    args: dict[Any, Any] = {counter: counted.result}
    args |= {parts.body.args[n]: arg for n, arg in zip(carried, body.args[1:], strict=False)}
    for before, arg in args.items():
        before.replace_all_uses_with(arg)
    end = YieldOp(*(args.get(v, v) for v in [*(parts.next[n] for n in carried), *extra]))
    body.add_op(end)
    loop = LoopOp(count, [*(repeat.iter_args[n] for n in carried), *starts], Region(body))
    for op in (counted, end):
        op.location = repeat.location
    at.emit(loop)
    names: dict[Any, Any] = dict(zip([*(parts.next[n] for n in carried), *extra], loop.results, strict=True))
    for result, number in ((less.result, 0), (counter, 1)):
        if result in parts.results:
            names[result] = at.constant(number, dtype)
    replace_results(repeat, [names.get(r, r) for r in parts.results])
    _clean(body)
    return loop


def _is_positive(count: SSAValue, repeat: RepeatOp) -> bool:
    """Return whether there is at least one iteration: by the number, or by the guard around."""
    if (number := number_of(count)) is not None:
        return number != 0
    region = repeat.parent_region()
    guard = repeat.parent_op()
    if not isinstance(guard, IfOp) or region is not guard.regions[0]:
        return False
    return _tests(guard.condition, count)


def _tests(condition: Any, count: SSAValue) -> bool:
    """Return whether a condition says that a count is not zero."""
    test: Any = _owner(condition)
    if isinstance(test, CvtOp):
        return test.a is count
    return _condition(test, Condition.ne) is not None and test.a is count and number_of(test.b) == 0


# Counting up from zero, tested first


def _up(repeat: RepeatOp) -> LoopOp | None:
    parts = _Parts(repeat)
    test = _condition(_owner(parts.again), Condition.lt, Condition.ltu) if parts.ends else None
    counter: Any = test.a if test is not None else None
    if test is None or counter.owner is not parts.body or is_within(limit := test.b, repeat):
        return None
    branch: Any = next((op for op in parts.body.ops if isinstance(op, IfOp)), None)
    rest = [o for o in parts.body.ops if o not in (branch, test, parts.body.last_op) and not isinstance(o, MovImmOp)]
    if (
        branch is None
        or rest
        or branch.condition is not parts.again
        or number_of(cast("SSAValue", repeat.iter_args[counter.index])) != 0
    ):
        return None
    ends: list[Any] = [region.block.last_op if region.blocks else None for region in branch.regions]
    if not isinstance(ends[0], YieldOp) or (branch.results and not isinstance(ends[1], YieldOp)):
        return None
    if ends[1] is not None and len(list(branch.regions[1].block.ops)) > 1:
        return None
    then = list(ends[0].values)
    other = list(cast("Any", ends[1]).values) if branch.results else []

    def onward(value: Any, values: list[Any]) -> Any:
        return values[value.index] if value.owner is branch else value

    step: Any = _owner(onward(parts.next[counter.index], then))
    if not isinstance(step, AddOp) or step.operands[0] is not counter or number_of(step.operands[1]) != 1:
        return None
    last = [onward(r, other) for r in parts.results]
    if any(v not in parts.body.args and is_within(v, repeat) for v in last):
        return None
    dtype: DType = test.dtype
    is_signed = dtype.kind == "signed" and test.condition.data is Condition.lt
    count = InstructionBuilder(repeat).of(dtype).max(limit, 0) if is_signed else limit
    return _counted(repeat, parts, counter, count, branch, [onward(v, then) for v in parts.next], last)


def _counted(
    repeat: RepeatOp, parts: _Parts, counter: Any, count: SSAValue, branch: Any, following: list[Any], last: list[Any]
) -> LoopOp:
    """The loop of a repeat that tests first: the branch's first way, then what the next iteration takes."""
    carried = [n for n in range(len(following)) if n != counter.index]
    old = list(parts.body.args)
    body = Block(arg_types=[count.type, *(old[n].type for n in carried)])
    args: dict[Any, Any] = {counter: body.args[0]} | {
        old[n]: arg for n, arg in zip(carried, body.args[1:], strict=True)
    }
    move([o for o in parts.body.ops if isinstance(o, MovImmOp)], body)
    inner = branch.regions[0].block
    move(list(inner.ops)[:-1], body)
    yielded = [args.get(following[n], following[n]) for n in carried]
    loop = LoopOp(count, [repeat.iter_args[n] for n in carried], Region(body))
    for before, arg in args.items():
        before.replace_all_uses_with(arg)
    end = YieldOp(*yielded)
    body.add_op(end)
    end.location = repeat.location
    InstructionBuilder(repeat).emit(loop)
    results: dict[Any, Any] = {old[n]: r for n, r in zip(carried, loop.results, strict=True)} | {counter: count}
    replace_results(repeat, [results.get(v, v) for v in last])
    _clean(body)
    return loop


def _clean(body: Block) -> None:
    """Removes what nothing reads any more: counters and their tests."""
    for op in reversed(list(body.ops)):
        passive = isinstance(op, SubOp | AddOp | SetccOp | SelOp | MovImmOp)
        if passive and not any(r.uses for r in op.results):
            Rewriter.erase_op(op)


def _drop_guard(loop: LoopOp) -> None:
    """A loop of no iterations gives what it began with: a guard that says the same is not needed."""
    guard: Any = loop.parent_op()
    if not isinstance(guard, IfOp) or loop.parent is not guard.regions[0].block:
        return
    if not _tests(guard.condition, loop.count):
        return
    inside = list(guard.regions[0].block.ops)
    end, others = inside[-1], [o for o in inside[:-1] if o is not loop]
    if not isinstance(end, YieldOp) or not all(isinstance(o, MovImmOp) for o in others):
        return
    other = guard.regions[1].block.last_op if guard.regions[1].blocks else None
    if other is not None and (not isinstance(other, YieldOp) or other.prev_op is not None):
        return
    skipped = list(other.values) if isinstance(other, YieldOp) else []
    starts = dict(zip(loop.results, loop.iter_args, strict=True))
    if any(starts.get(cast("Any", a), a) is not b for a, b in zip(end.values, skipped, strict=True)):
        return
    for op in [*others, loop]:
        op.detach()
        Rewriter.insert_op(op, InsertPoint.before(guard))
    for result, value in zip(guard.results, list(end.values), strict=True):
        result.replace_all_uses_with(value)
    guard.detach()
    guard.drop_all_references()
