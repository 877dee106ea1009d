"""`atlas.if` and `atlas.loop` as scf, where lanes may exit on the way.

An op in which a lane may exit yields whether the lane is still there. What follows runs only in lanes that are: as one
scf.if, or, where a barrier follows, operation by operation around the barrier, which exited lanes reach too (the ISA
counts them as arrived).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import IndexType, MemRefType, i1, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator, is_side_effect_free

from hologram.dialects import gpu
from hologram.dialects.arith import IndexCastUIOp, constant_of
from hologram.dialects.atlas.lanes import programs
from hologram.errors import PassError
from hologram.lowering.lanes.state import AtlasRewriter, Held
from hologram.lowering.rewriting.conversion import Rules
from hologram.lowering.rewriting.core_builder import Core
from hologram.lowering.rewriting.kernel_builder import LINEAR
from hologram.support.walking import operations

RULES = Rules()
Outcome = tuple[list[SSAValue], SSAValue | None]
"""What a block yields, and whether the lane goes on (None: it surely does)."""


def _holds(rw: AtlasRewriter, op: Operation, *kinds: type[Operation]) -> bool:
    """Return whether an operation is one of these kinds, or holds one."""
    return not _held(rw.held, op).isdisjoint(kinds)


def _held(known: Held, op: Operation) -> frozenset[type[Operation]]:
    """The kinds of operations that an operation is and holds. Each level of a nest asks."""
    if op not in known:
        if not op.regions:
            return frozenset((type(op),))
        inner = (_held(known, o) for region in op.regions for block in region.blocks for o in block.ops)
        known[op] = frozenset((type(op),)).union(*inner)
    return known[op]


Control = programs.IfOp | programs.LoopOp | programs.RepeatOp | programs.CallOp


def _leaving(rw: AtlasRewriter, op: Operation) -> Control | None:
    """The operation, if lanes may exit in it."""
    return op if isinstance(op, Control) and _holds(rw, op, programs.ExitOp, programs.CallOp) else None


def lane_block(rw: AtlasRewriter, block: Block) -> Outcome:
    """Converts a block of a lane program at the insertion point."""
    return _rest(rw, list(block.ops), None)


def _rest(rw: AtlasRewriter, ops: Sequence[Operation], alive: SSAValue | None) -> Outcome:
    """Converts operations, the last a terminator. `alive` says which lanes still run, if some may have exited."""
    for number, op in enumerate(ops):
        if op.has_trait(IsTerminator):
            return _leave(rw, op, alive)
        if alive is not None and not _runs_anyway(op):
            if not _decides_barriers(rw, op) and not any(_holds(rw, o, programs.BarSyncOp) for o in ops[number:]):
                return _under(rw, ops[number:], alive)
            alive = _one_by_one(rw, op, alive)
        elif (control := _leaving(rw, op)) is not None:
            alive = _control(rw, control)
        else:
            rw.convert(op)
    raise AssertionError("a block ends in a terminator")


def _decides_barriers(rw: AtlasRewriter, op: Operation) -> bool:
    """Return whether its block computes if a loop with barriers goes on, which lanes that exited must know too."""
    parent = op.parent_op()
    return isinstance(parent, programs.RepeatOp) and _holds(rw, parent, programs.BarSyncOp)


def _runs_anyway(op: Operation) -> bool:
    """Return whether it does no harm in lanes that exited: it computes, or is a barrier."""
    return isinstance(op, programs.BarSyncOp | programs.AllocaOp) or (not op.regions and is_side_effect_free(op))


def _leave(rw: AtlasRewriter, op: Operation, alive: SSAValue | None) -> Outcome:
    core = Core(rw)
    if isinstance(op, programs.ExitOp):
        parent = op.parent_op()
        if isinstance(parent, programs.ProgramOp) or parent is None:
            return [], alive
        is_function = isinstance(parent, programs.FuncOp)
        types = parent.function_type.outputs.data if is_function else parent.result_types
        return [default(rw, op, t) for t in rw.all_types(types)], core.constant(0, i1)
    return rw.all_values(op.operands), alive


def default(rw: AtlasRewriter, op: Operation, type: Attribute) -> SSAValue:
    """A value for lanes that exited, which nobody sees."""
    if isinstance(type, MemRefType):
        raise PassError(
            op,
            "core-exit-memref",
            f"a lane exits where a value of type {type} is due, for which there is no stand-in",
            hint="exit outside of the region that yields it",
        )
    return Core(rw).constant(0, type)


def _if(
    rw: AtlasRewriter,
    source: Operation,
    condition: SSAValue,
    types: Sequence[Attribute],
    then: Callable[[], Sequence[SSAValue]],
    otherwise: Callable[[], Sequence[SSAValue]],
) -> scf.IfOp:
    """An scf.if whose branches are emitted by functions that give what they yield."""
    outer, regions = rw.insertion_block, list[Region]()
    for branch in (then, otherwise):
        block = Block()
        rw.move_to(block)
        yielded = branch()
        if block.is_empty and not types and regions:
            continue
        rw.emit(scf.YieldOp(*yielded))
        regions.append(Region(block))
    rw.move_to(outer)
    new = rw.emit(scf.IfOp(condition, types, regions[0], regions[1] if len(regions) > 1 else None))
    new.location = source.location
    return new


def _outcome(rw: AtlasRewriter, outcome: Outcome) -> list[SSAValue]:
    """The values of an outcome, and as the last one whether the lane goes on."""
    values, alive = outcome
    return [*values, Core(rw).constant(1, i1) if alive is None else alive]


def _if_alive(
    rw: AtlasRewriter, op: Operation, alive: SSAValue, types: Sequence[Attribute], run: Callable[[], Outcome]
) -> Sequence[SSAValue]:
    """Emit what the lanes that are still there run, before which `op` stands; return its values, and who is left."""

    def skip() -> list[SSAValue]:
        return [*(default(rw, op, t) for t in types), Core(rw).constant(0, i1)]

    return _if(rw, op, alive, [*types, i1], lambda: _outcome(rw, run()), skip).results


def _under(rw: AtlasRewriter, ops: Sequence[Operation], alive: SSAValue) -> Outcome:
    """Convert the rest of a block, in the lanes that are still there."""
    types = rw.all_types(_yielded(ops[-1]))

    def run() -> Outcome:
        values, still = _rest(rw, ops, None)
        return values[: len(types)], still

    *values, left = _if_alive(rw, ops[0], alive, types, run)
    return values, left


def _yielded(last: Operation) -> Sequence[Attribute]:
    """The types of what a block gives that ends in this operation."""
    if not isinstance(last, programs.ExitOp):
        return [v.type for v in last.operands]
    parent = last.parent_op()
    if isinstance(parent, programs.FuncOp):
        return parent.function_type.outputs.data
    return [] if parent is None else list(parent.result_types)


def _one_by_one(rw: AtlasRewriter, op: Operation, alive: SSAValue) -> SSAValue:
    """One operation with effects, in lanes that are still there; around a barrier, in all lanes. Gives who is left."""
    if _holds(rw, op, programs.BarSyncOp):
        assert isinstance(op, Control)
        return _control(rw, op, alive)

    def run() -> Outcome:
        still = None
        if (control := _leaving(rw, op)) is not None:
            still = _control(rw, control)
        else:
            rw.convert(op)
        return rw.all_values(op.results), still

    *values, left = _if_alive(rw, op, alive, rw.all_types(op.result_types), run)
    rw.define_all(op.results, values)
    return left


def _control(rw: AtlasRewriter, op: Control, alive: SSAValue | None = None) -> SSAValue:
    """An operation in which lanes exit, or which some have exited before. Gives who is left."""
    match op:
        case programs.IfOp():
            return _branches(rw, op, alive)
        case programs.LoopOp():
            return _loop_alive(rw, op, alive)
        case programs.RepeatOp():
            return _repeat_alive(rw, op, alive)
        case programs.CallOp():
            return call_function(rw, op)


def _branches(rw: AtlasRewriter, op: programs.IfOp, alive: SSAValue | None) -> SSAValue:

    def branch(region: Region) -> list[SSAValue]:
        return _outcome(rw, _rest(rw, list(region.block.ops), alive) if region.blocks else ([], alive))

    types = [*rw.all_types(op.result_types), i1]
    done = _if(rw, op, rw.value(op.condition), types, lambda: branch(op.then_region), lambda: branch(op.else_region))
    rw.define_all(op.results, done.results[:-1])
    return done.results[-1]


def _loop_alive(rw: AtlasRewriter, op: programs.LoopOp, alive: SSAValue | None) -> SSAValue:
    core = Core(rw)
    start = core.constant(1, i1) if alive is None else alive
    around_barrier = _holds(rw, op, programs.BarSyncOp)

    def body(carried: Sequence[SSAValue]) -> list[SSAValue]:
        *values, here = carried
        ops = list(op.body.block.ops)
        if around_barrier:
            results, still = _rest(rw, ops, here)
            return [*results, here if still is None else still]

        def run() -> list[SSAValue]:
            return _outcome(rw, _rest(rw, ops, None))

        return list(_if(rw, op, here, [v.type for v in carried], run, lambda: [*values, core.constant(0, i1)]).results)

    results = _loop(rw, op, [*rw.all_values(op.iter_args), start], body)
    rw.define_all(op.results, results[:-1])
    return results[-1]


def _loop(
    rw: AtlasRewriter,
    op: programs.LoopOp,
    carried: Sequence[SSAValue],
    body: Callable[[Sequence[SSAValue]], Sequence[SSAValue]],
) -> Sequence[SSAValue]:
    """An scf.for of as many iterations as the count, read as unsigned, says."""
    core, index = Core(rw), IndexType()
    count = rw.value(op.count)
    number = constant_of(count)
    count = core.constant(number, index) if number is not None and number >= 0 else core.op(IndexCastUIOp(count, index))
    zero, one = core.constant(0, index), core.constant(1, index)
    block = Block(arg_types=[index, *(v.type for v in carried)])
    outer = rw.insertion_block
    rw.move_to(block)
    number, *values = op.body.block.args
    rw.define(number, core.index_cast(block.args[0], number.type))
    rw.define_all(values, block.args[1:])
    rw.emit(scf.YieldOp(*body(block.args[1:])))
    rw.move_to(outer)
    loop = rw.emit(scf.ForOp(zero, count, one, carried, block))
    loop.location = op.location
    return loop.results


def _repeat_alive(rw: AtlasRewriter, op: programs.RepeatOp, alive: SSAValue | None) -> SSAValue:
    core = Core(rw)
    barrier = _holds(rw, op, programs.BarSyncOp)
    start = core.constant(1, i1) if alive is None else alive

    def body(carried: Sequence[SSAValue]) -> tuple[SSAValue, list[SSAValue]]:
        here = carried[-1]
        (again, *values), still = _rest(rw, list(op.body.block.ops), here if barrier else None)
        still = (here if barrier else core.constant(1, i1)) if still is None else still
        if loses_lanes(op, rw.held):
            return _agreed(rw, op, again, still), [*values, still]
        return again if barrier else core.both(again, still), [*values, still]

    results = _repeat(rw, op, [*rw.all_values(op.iter_args), start], body)
    rw.define_all(op.results, results[:-1])
    return results[-1]


def loses_lanes(op: Operation, held: Held) -> bool:
    """Return whether it is a loop of unknown length with a barrier that lanes may exit in: those that are left say, by
    shared memory, whether it goes on."""
    if not isinstance(op, programs.RepeatOp):
        return False
    kinds = _held(held, op)
    return programs.BarSyncOp in kinds and not kinds.isdisjoint((programs.ExitOp, programs.CallOp))


VOTES = MemRefType(i32, [2], memory_space=gpu.WORKGROUP)
"""Whether a lane that is left goes on, and whether one leaves the loop."""


def _agreed(rw: AtlasRewriter, op: programs.RepeatOp, again: SSAValue, alive: SSAValue) -> SSAValue:
    """Return whether the lanes that are left go on. They must agree: those that do reach the barrier again, the others
    not."""
    core, votes = Core(rw), rw.votes[op]
    places = [core.constant(n, IndexType()) for n in range(2)]
    none, some = core.constant(0, i32), core.constant(1, i32)
    rw.emit(gpu.BarrierOp())
    for place in places:
        rw.emit(memref.StoreOp.get(none, votes, [place]))
    rw.emit(gpu.BarrierOp())

    def vote() -> list[SSAValue]:
        rw.emit(memref.StoreOp.get(some, votes, [core.select(again, places[0], places[1])]))
        return []

    _if(rw, op, alive, [], vote, list)
    rw.emit(gpu.BarrierOp())
    go, leave = (core.compare("ne", core.op(memref.LoadOp.get(votes, [place])), none) for place in places)
    text = f"{op.name}: lanes of a block leave a loop with a barrier that others stay in"
    rw.trap_if(op, core.both(go, leave), text, lambda: [core.constant(0, i64)])
    return go


def _repeat(
    rw: AtlasRewriter,
    op: programs.RepeatOp,
    carried: Sequence[SSAValue],
    body: Callable[[Sequence[SSAValue]], tuple[SSAValue, list[SSAValue]]],
) -> Sequence[SSAValue]:
    """An scf.while that does its work before the condition. `carried` may have values behind the operation's own, which
    come last in what the body gives. Gives the results, and these values.
    """
    own = len(rw.all_types([v.type for v in op.iter_args]))
    more = len(carried) - own
    before = Block(arg_types=[v.type for v in carried])
    outer = rw.insertion_block
    rw.move_to(before)
    rw.define_all(op.body.block.args, before.args)
    again, values = body(before.args)
    rw.emit(scf.ConditionOp(again, *values))
    types = [v.type for v in values]
    after = Block(arg_types=types)
    rw.move_to(after)
    rw.emit(scf.YieldOp(*after.args[:own], *after.args[len(types) - more :]))
    rw.move_to(outer)
    loop = rw.emit(scf.WhileOp(carried, types, Region(before), Region(after)))
    loop.location = op.location
    return loop.results[own:]


@RULES.on(programs.RepeatOp)
def convert_repeat(rw: AtlasRewriter, op: programs.RepeatOp) -> None:
    """Without exits inside."""
    _refuse_exit(rw, op)

    def body(carried: Sequence[SSAValue]) -> tuple[SSAValue, list[SSAValue]]:
        again, *values = _rest(rw, list(op.body.block.ops), None)[0]
        return again, values

    rw.define_all(op.results, _repeat(rw, op, rw.all_values(op.iter_args), body))


def call_function(rw: AtlasRewriter, op: programs.CallOp) -> SSAValue:
    """A real call. Its first result says whether the lane came back, which it does not after an exit or a trap."""
    came_back, *results = _call(rw, op, [i1, *rw.all_types(op.result_types)])
    rw.define_all(op.results, results)
    return came_back


@RULES.on(programs.CallOp)
def call_returning(rw: AtlasRewriter, op: programs.CallOp) -> None:
    """The call of a function from which every lane comes back."""
    rw.define_all(op.results, _call(rw, op, rw.all_types(op.result_types)))


def _call(rw: AtlasRewriter, op: programs.CallOp, types: Sequence[Attribute]) -> Sequence[SSAValue]:
    name = op.callee.root_reference.data
    kept = [rw.state[kind] for kind in rw.function_state[name]]
    return rw.emit(func.CallOp(name, [*rw.all_values(op.arguments), *kept], types)).results


def refuse_branches(op: Operation, body: Region) -> None:
    """A body of several blocks is structured first."""
    if body.first_block is not body.last_block:
        raise PassError(
            op,
            "core-branches",
            f"'{op.name}' has branches between blocks",
            hint="run structure-control-flow before",
        )


@RULES.on(scf.ForOp)
def without_mark(rw: AtlasRewriter, op: scf.ForOp) -> None:
    """The mark that schedules leave for traps goes away."""
    rw.rebuild(op)
    loop = rw.insertion_block.last_op
    assert loop is not None
    loop.attributes.pop(LINEAR, None)


@RULES.on(programs.IfOp)
def convert_if(rw: AtlasRewriter, op: programs.IfOp) -> None:
    """Without exits inside."""
    _refuse_exit(rw, op)
    types = rw.all_types(op.result_types)

    def branch(region: Region) -> list[SSAValue]:
        return _rest(rw, list(region.block.ops), None)[0] if region.blocks else []

    done = _if(rw, op, rw.value(op.condition), types, lambda: branch(op.then_region), lambda: branch(op.else_region))
    rw.define_all(op.results, done.results)


@RULES.on(programs.LoopOp)
def convert_loop(rw: AtlasRewriter, op: programs.LoopOp) -> None:
    """Without exits inside."""
    _refuse_exit(rw, op)
    results = _loop(rw, op, rw.all_values(op.iter_args), lambda carried: _rest(rw, list(op.body.block.ops), None)[0])
    rw.define_all(op.results, results)


def _refuse_exit(rw: AtlasRewriter, op: Operation) -> None:
    """A lane program's ifs and loops with exits never come here; one in a function, or inside an scf op, does."""
    for nested in operations(op) if _holds(rw, op, programs.ExitOp) else ():
        if isinstance(nested, programs.ExitOp):
            raise PassError(
                nested,
                "core-exit-place",
                "'atlas.exit' ends a lane, so it stands in an atlas.program, in atlas.if and atlas.loop only",
                hint="write the control flow around it with atlas.if and atlas.loop",
            )
