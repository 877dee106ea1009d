"""scf to spirv: structured selections and loops. What leaves a region goes through variables of the function."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

from hologram.dialects import gpu, spirv
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.targets.spirv import build as sb
from hologram.support.walking import operations

RULES = Rules()


def _variables(rw: Rewriter, values: Sequence[SSAValue]) -> list[SSAValue]:
    return [sb.variable(rw, rw.type(v.type)) for v in values]


def _assign(rw: Rewriter, places: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
    """Store all values, which were all computed before."""
    new = [rw.value(v) for v in values]
    for place, value in zip(places, new, strict=True):
        sb.store(rw, place, value)


def _results(rw: Rewriter, op: Operation, places: Sequence[SSAValue]) -> None:
    for result, place in zip(op.results, places, strict=True):
        rw.define(result, sb.load(rw, place))


def _operands(block: Block) -> Sequence[SSAValue]:
    last = block.last_op
    return () if last is None else last.operands


@RULES.on(scf.IfOp)
def convert_if(rw: Rewriter, op: scf.IfOp) -> None:
    condition, places = rw.value(op.cond), _variables(rw, op.results)
    header, merge, outer = Block(), Block(), rw.insertion_block
    cases = [_case(rw, region, places, merge) for region in (op.true_region, op.false_region)]
    header.add_op(spirv.BranchConditionalOp(condition, cases[0] or merge, cases[1] or merge))
    merge.add_op(spirv.MergeOp())
    rw.move_to(outer)
    if any(cases):
        rw.emit(spirv.SelectionOp(Region([header, *[case for case in cases if case], merge])))
    _results(rw, op, places)


def _case(rw: Rewriter, region: Region, places: Sequence[SSAValue], merge: Block) -> Block | None:
    """The block of a case; None where there is nothing to do in it."""
    if not region.blocks or (region.block.first_op is region.block.last_op and not places):
        return None
    case = Block()
    rw.move_to(case)
    rw.inline(region.block)
    _assign(rw, places, _operands(region.block))
    rw.emit(spirv.BranchOp(merge))
    return case


@RULES.on(scf.ForOp)
def convert_for(rw: Rewriter, op: scf.ForOp) -> None:
    """Counts up; what the body yields goes to the header by variables, since the body may end in another block."""
    low, high, step = (rw.value(v) for v in (op.lb, op.ub, op.step))
    places = _variables(rw, op.results)
    _assign(rw, places, op.iter_args)
    loop = sb.Loop(rw, [low])
    counter = loop.header.args[0]
    rw.move_to(loop.header)
    inside = sb.Spirv(rw).compare("slt", counter, high)
    rw.emit(spirv.BranchConditionalOp(inside, loop.body, loop.merge))
    rw.move_to(loop.body)
    rw.inline(op.body.block, (counter,), *[(sb.load(rw, place),) for place in places])
    _assign(rw, places, _operands(op.body.block))
    rw.emit(spirv.BranchOp(loop.back))
    rw.move_to(loop.back)
    rw.emit(spirv.BranchOp(loop.header, [sb.Spirv(rw).add(counter, step)]))
    loop.emit(rw)
    _results(rw, op, places)


@RULES.on(scf.WhileOp)
def convert_while(rw: Rewriter, op: scf.WhileOp) -> None:
    """The condition is computed in the loop's body, which leaves the loop by a branch to the merge block."""
    before, after = op.before_region.block, op.after_region.block
    carried, passed = _variables(rw, before.args), _variables(rw, op.results)
    _assign(rw, carried, op.arguments)
    loop, then = sb.Loop(rw, []), Block()
    loop.header.add_op(spirv.BranchOp(loop.body))
    rw.move_to(loop.body)
    rw.inline(before, *[(sb.load(rw, place),) for place in carried])
    condition = before.last_op
    assert isinstance(condition, scf.ConditionOp)
    _assign(rw, passed, condition.args)
    goes_on = _still_runs(rw, op, rw.value(condition.condition))
    rw.emit(spirv.BranchConditionalOp(goes_on, then, loop.merge))
    rw.move_to(then)
    rw.inline(after, *[(sb.load(rw, place),) for place in passed])
    _assign(rw, carried, _operands(after))
    rw.emit(spirv.BranchOp(loop.back))
    loop.back.add_op(spirv.BranchOp(loop.header))
    loop.emit(rw, then)
    _results(rw, op, passed)


def _still_runs(rw: Rewriter, op: Operation, condition: SSAValue) -> SSAValue:
    """A lane that has trapped and can't leave ends its loops, unless lanes wait for each other in them."""
    alive = sb.kernel_of(rw).alive
    if alive is None or any(isinstance(o, gpu.BarrierOp) for o in operations(op)):
        return condition
    return sb.Spirv(rw).both(condition, sb.load(rw, alive))
