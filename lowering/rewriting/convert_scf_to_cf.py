"""Structured control flow to blocks and branches: if, for, while, parallel, index_switch, execute_region."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, cf, scf
from xdsl.dialects.builtin import DenseIntElementsAttr, IndexType, VectorType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects.scf import KeptRegionOp, UnsignedForOp
from hologram.lowering.rewriting.conversion import Rewriter, Rules, RulesPass

RULES = Rules()
NO_WRAP = arith.IntegerOverflowAttr((arith.IntegerOverflowFlag.NSW,))


ANNOTATION = "llvm.loop_annotation"
"""On a loop, and on the branch back that it becomes: what LLVM shall know of it."""


def _jump(rw: Rewriter, target: Block, operands: Sequence[SSAValue] = ()) -> None:
    rw.emit(cf.BranchOp(target, *operands))


def _finish(rw: Rewriter, op: Operation, end: Block) -> None:
    """Goes on in `end`, whose arguments are the results of `op`."""
    rw.move_to(end)
    rw.define_all(op.results, end.args)


def _branch_into(rw: Rewriter, region: Region, end: Block, after: Block) -> Block:
    """Converts `region` into a new block after `after` that goes on to `end` with what the region yields."""
    start = rw.new_block(after=after)
    rw.move_to(start)
    rw.inline_region(region, (), lambda leave: _jump(rw, end, rw.all_values(leave.operands)))
    return start


@RULES.on(scf.IfOp)
def convert_if(rw: Rewriter, op: scf.IfOp) -> None:
    condition = rw.value(op.cond)
    start = rw.insertion_block
    end = rw.new_block(op.result_types)
    then = _branch_into(rw, op.true_region, end, start)
    # The new block goes just before `end`, behind all blocks of the first branch.
    last_of_then = rw.insertion_block
    has_else = op.false_region.first_block is not None
    otherwise = _branch_into(rw, op.false_region, end, last_of_then) if has_else else end
    rw.move_to(start)
    rw.emit(cf.ConditionalBranchOp(condition, then, (), otherwise, ()))
    _finish(rw, op, end)


def _loop(
    rw: Rewriter,
    bounds: tuple[SSAValue, SSAValue, SSAValue],
    carried: Sequence[SSAValue],
    body: Callable[[SSAValue, Sequence[SSAValue]], Sequence[SSAValue]],
    annotation: Attribute | None = None,
    before: str = "slt",
) -> Sequence[SSAValue]:
    """A counted loop; `body(index, carried)` emits one iteration and returns what it carries on.

    `before` is the comparison that holds of an index before the upper bound.
    """
    lower, upper, step = bounds
    header = rw.new_block([lower.type, *(c.type for c in carried)])
    _jump(rw, header, (lower, *carried))
    inside = rw.new_block(after=header)
    end = rw.new_block(after=inside)
    index, *held = header.args
    rw.move_to(header)
    more = rw.emit(arith.CmpiOp(index, upper, before))
    rw.emit(cf.ConditionalBranchOp(more.result, inside, (), end, ()))
    rw.move_to(inside)
    passed_on = body(index, held)
    # An index never comes near the end of its range; narrower types may, and wrap as they do upstream.
    flags = NO_WRAP if isinstance(index.type, IndexType) and before == "slt" else arith.IntegerOverflowAttr("none")
    following = rw.emit(arith.AddiOp(index, step, overflow=flags))
    back = rw.emit(cf.BranchOp(header, following.result, *passed_on))
    if annotation is not None:
        back.attributes[ANNOTATION] = annotation
    rw.move_to(end)
    return held


@RULES.on(scf.ForOp, UnsignedForOp)
def convert_for(rw: Rewriter, op: scf.ForOp | UnsignedForOp) -> None:
    block = op.body.block
    leave = block.last_op
    assert leave is not None

    def body(index: SSAValue, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        rw.inline(block, (index,), *((c,) for c in carried))
        return rw.all_values(leave.operands)

    bounds = (rw.value(op.lb), rw.value(op.ub), rw.value(op.step))
    before = "ult" if isinstance(op, UnsignedForOp) else "slt"
    carried = rw.all_values(op.iter_args)
    rw.define_all(op.results, _loop(rw, bounds, carried, body, op.attributes.get(ANNOTATION), before))


@RULES.on(scf.ParallelOp)
def convert_parallel(rw: Rewriter, op: scf.ParallelOp) -> None:
    """Sequential nested loops, the last dimension innermost; reductions are carried through all of them."""
    block = op.body.block
    reduce = block.last_op
    assert isinstance(reduce, scf.ReduceOp)
    bounds = [
        (rw.value(lower), rw.value(upper), rw.value(step))
        for lower, upper, step in zip(op.lowerBound, op.upperBound, op.step, strict=True)
    ]

    def nest(indices: tuple[SSAValue, ...], carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        if len(indices) < len(bounds):
            return _loop(rw, bounds[len(indices)], carried, lambda index, held: nest((*indices, index), held))
        rw.inline(block, *((i,) for i in indices))
        return [
            _combine(rw, region.block, held, rw.value(operand))
            for region, held, operand in zip(reduce.reductions, carried, reduce.args, strict=True)
        ]

    rw.define_all(op.results, nest((), rw.all_values(op.initVals)))


def _combine(rw: Rewriter, block: Block, left: SSAValue, right: SSAValue) -> SSAValue:
    rw.inline(block, (left,), (right,))
    leave = block.last_op
    assert isinstance(leave, scf.ReduceReturnOp)
    return rw.value(leave.result)


@RULES.on(scf.WhileOp)
def convert_while(rw: Rewriter, op: scf.WhileOp) -> None:
    before = rw.new_block([v.type for v in op.arguments])
    after = rw.new_block(op.result_types, after=before)
    end = rw.new_block(op.result_types, after=after)
    _jump(rw, before, rw.all_values(op.arguments))

    def test(leave: Operation) -> None:
        assert isinstance(leave, scf.ConditionOp)
        passed = rw.all_values(leave.args)
        rw.emit(cf.ConditionalBranchOp(rw.value(leave.condition), after, passed, end, passed))

    rw.move_to(before)
    rw.inline_region(op.before_region, [(a,) for a in before.args], test)
    rw.move_to(after)
    rw.inline_region(
        op.after_region, [(a,) for a in after.args], lambda leave: _jump(rw, before, rw.all_values(leave.operands))
    )
    _finish(rw, op, end)


@RULES.on(scf.IndexSwitchOp)
def convert_index_switch(rw: Rewriter, op: scf.IndexSwitchOp) -> None:
    selector = rw.value(op.arg)
    start = rw.insertion_block
    end = rw.new_block(op.result_types)
    starts: list[Block] = []
    for region in (*op.case_regions, op.default_region):
        starts.append(_branch_into(rw, region, end, rw.insertion_block))
    rw.move_to(start)
    *cases, default = starts
    if not cases:
        _jump(rw, default)
    else:
        # Upstream compares in i32, which takes 2**32 for 0.
        flag = rw.emit(arith.IndexCastOp(selector, i64)).result
        values = DenseIntElementsAttr.from_list(VectorType(i64, (len(cases),)), op.cases.get_values())
        rw.emit(cf.SwitchOp(flag, default, (), values, cases, [() for _ in cases]))
    _finish(rw, op, end)


@RULES.on(scf.ExecuteRegionOp, KeptRegionOp)
def convert_execute_region(rw: Rewriter, op: scf.ExecuteRegionOp | KeptRegionOp) -> None:
    end = rw.new_block(op.result_types)
    rw.inline_region(op.region, (), lambda leave: _jump(rw, end, rw.all_values(leave.operands)))
    _finish(rw, op, end)


@dataclass(frozen=True)
class ConvertScfToCfPass(RulesPass):
    """Turns structured control flow into blocks and branches.

    Before::

        %r = scf.if %c -> (i32) { scf.yield %a : i32 } else { scf.yield %b : i32 }

    After::

        cf.cond_br %c, ^bb1, ^bb2
      ^bb1:
        cf.br ^bb3(%a : i32)
      ^bb2:
        cf.br ^bb3(%b : i32)
      ^bb3(%r : i32):

    `scf.parallel` becomes sequential nested loops here; what runs in parallel has been taken out before.
    """

    name = "convert-scf-to-cf"
    TABLE = RULES
