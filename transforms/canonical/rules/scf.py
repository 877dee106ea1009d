"""Loops and conditions."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerAttr, IntegerType, VectorType, i1
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

from hologram.dialects.arith import SelectOp
from hologram.dialects.scf import UnsignedForOp
from hologram.support.registry import Registry
from hologram.transforms.canonical.rules import Folds, Patterns
from hologram.transforms.canonical.rules.constants import Constant, read


def _end(block: Block) -> Operation:
    last = block.last_op
    assert last is not None
    return last


def _yields(block: Block) -> tuple[SSAValue, ...]:
    return tuple(_end(block).operands)


def drop_invariant_iter_args(op: scf.ForOp, rewriter: PatternRewriter) -> None:
    """A carried value that every iteration hands on unchanged is the value it started as"""
    block = op.body.block
    for init, arg, last, result in zip(op.iter_args, block.args[1:], _yields(block), op.results, strict=True):
        if last is not arg and last is not init:
            continue
        for value in (arg, result):
            if value.first_use is not None:
                rewriter.replace_all_uses_with(value, init)


def drop_dead_iter_args(op: scf.ForOp, rewriter: PatternRewriter) -> None:
    """A carried value that nothing but its own hand-over uses is not carried"""
    block = op.body.block
    yields = _yields(block)
    dead = [
        i
        for i, (arg, last, result) in enumerate(zip(block.args[1:], yields, op.results, strict=True))
        if result.first_use is None and (arg.first_use is None or (last is arg and arg.has_one_use()))
    ]
    if not dead:
        return
    kept = [i for i in range(len(yields)) if i not in dead]
    rewriter.replace(_end(block), scf.YieldOp(*(yields[i] for i in kept)))
    for i in reversed(dead):
        rewriter.erase_block_argument(block.args[i + 1])
    body = op.detach_region(op.body)
    new = scf.ForOp(op.lb, op.ub, op.step, [op.iter_args[i] for i in kept], body)
    new.attributes |= op.attributes
    results = iter(new.results)
    rewriter.replace(op, new, [None if i in dead else next(results) for i in range(len(yields))])


def drop_empty_range(op: scf.ForOp | UnsignedForOp, rewriter: PatternRewriter) -> None:
    """A loop from x to x does not run"""
    if op.lb is op.ub:
        rewriter.replace(op, [], op.iter_args)


def same_in_both_branches(op: scf.IfOp, rewriter: PatternRewriter) -> None:
    """A result that both branches give alike is what they give"""
    if not op.results:
        return
    for result, then, other in zip(
        op.results, _yields(op.true_region.block), _yields(op.false_region.block), strict=True
    ):
        if then is other and result.first_use is not None:
            rewriter.replace_all_uses_with(result, then)
            return


def drop_empty_else(op: scf.IfOp, rewriter: PatternRewriter) -> None:
    """An else branch that does nothing is not there"""
    if op.false_region.blocks and not op.results and op.false_region.block.first_op is op.false_region.block.last_op:
        block = op.false_region.block
        rewriter.erase(_end(block))
        op.false_region.detach_block(block)
        block.erase()


def drop_empty_if(op: scf.IfOp, rewriter: PatternRewriter) -> None:
    """A branch that does nothing is not there"""
    if not op.results and all(r.first_block is None or r.block.first_op is r.block.last_op for r in op.regions):
        rewriter.erase(op)


def unroll_known_loop(op: scf.ForOp | UnsignedForOp, rewriter: PatternRewriter) -> None:
    """A loop that does not run gives what it starts with; one that only yields what is known outside gives that"""
    count = _trip_count(op)
    if count is None:
        return
    block = op.body.block
    if count == 0:
        rewriter.replace(op, [], op.iter_args)
    elif count == 1 and not op.attributes:
        yields = _yields(block)
        rewriter.erase(_end(block))
        values = dict(zip(block.args, (op.lb, *op.iter_args), strict=True))
        rewriter.inline_block(block, InsertPoint.before(op), (op.lb, *op.iter_args))
        rewriter.replace(op, [], [values.get(y, y) if isinstance(y, BlockArgument) else y for y in yields])
    elif op.results and block.first_op is block.last_op and all(_is_outside(y, block) for y in _yields(block)):
        rewriter.replace(op, [], _yields(block))


def _trip_count(op: scf.ForOp | UnsignedForOp) -> int | None:
    """How often a loop of constants runs."""
    bounds = [read(v) for v in (op.lb, op.ub, op.step)]
    if None in bounds:
        return None
    unsigned = isinstance(op, UnsignedForOp)
    first, last, step = (cast("Constant", b).numbers(unsigned=unsigned)[0] for b in bounds)
    return max(0, -(-(last - first) // step)) if step > 0 else None


def _is_outside(value: SSAValue, block: Block) -> bool:
    return value.owner is not block and (isinstance(value.owner, Block) or value.owner.parent is not block)


def join_equal_iter_args(op: scf.ForOp, rewriter: PatternRewriter) -> None:
    """Two carried values that start and go on alike are one"""
    block = op.body.block
    seen: dict[tuple[SSAValue, SSAValue], int] = {}
    for number, key in enumerate(zip(op.iter_args, _yields(block), strict=True)):
        first = seen.setdefault(key, number)
        if first == number:
            continue
        for value, other in (
            (block.args[1 + number], block.args[1 + first]),
            (op.results[number], op.results[first]),
        ):
            if value.first_use is not None:
                rewriter.replace_all_uses_with(value, other)


def choose_without_branches(op: scf.IfOp, rewriter: PatternRewriter) -> None:
    """A result for which both branches give a number that is there before is a choice between the two"""
    if not op.results:
        return
    blocks = op.true_region.block, op.false_region.block
    for result, then, other in zip(op.results, *map(_yields, blocks), strict=True):
        outside = _is_outside(then, blocks[0]) and _is_outside(other, blocks[1])
        if outside and result.first_use is not None and isinstance(result.type, _CHOSEN):
            choice = SelectOp(op.cond, then, other) if then is not other else None
            if choice is not None:
                rewriter.insert(choice, InsertPoint.before(op))
            rewriter.replace_all_uses_with(result, then if choice is None else choice.result)


_CHOSEN = (IntegerType, IndexType, AnyFloat, VectorType)
"""What `arith.select` chooses between on all devices."""


def drop_unused_results(op: scf.IfOp, rewriter: PatternRewriter) -> None:
    """A result that nothing uses is not given"""
    kept = [n for n, result in enumerate(op.results) if result.first_use is not None]
    if len(kept) == len(op.results):
        return
    for region in op.regions:
        end = _end(region.block)
        rewriter.replace(end, scf.YieldOp(*(end.operands[n] for n in kept)))
    types = [op.results[n].type for n in kept]
    then, other = [op.detach_region(region) for region in (op.true_region, op.false_region)]
    new = scf.IfOp(op.cond, types, then, other)
    new.attributes |= op.attributes
    results = iter(new.results)
    rewriter.replace(op, new, [next(results) if n in kept else None for n in range(len(op.results))])


def know_condition_inside(op: scf.IfOp, rewriter: PatternRewriter) -> None:
    """The condition holds in the first branch, and does not in the second"""
    if op.cond.has_one_use() or isinstance(op.cond.owner, arith.ConstantOp):
        return
    branches: dict[Region, Region | None] = {region: region for region in op.regions}
    uses = [use for use in op.cond.uses if use.operation is not op]
    found = [(use, _branch_around(use.operation, branches)) for use in uses]
    for number, region in enumerate(op.regions):
        inside = [use for use, branch in found if branch is region]
        if inside:
            constant = arith.ConstantOp(IntegerAttr(1 - number, i1))
            rewriter.insert(constant, InsertPoint.before(op))
            for use in inside:
                use.operation.operands[use.index] = constant.result
                rewriter.notify_op_modified(use.operation)


def _branch_around(op: Operation, known: dict[Region, Region | None]) -> Region | None:
    """The branch that an operation is in, if any. What is known of a region is remembered."""
    way: list[Region] = []
    region = op.parent_region()
    while region is not None and region not in known:
        way.append(region)
        region = None if region.parent is None else region.parent.parent_region()
    branch = None if region is None else known[region]
    known.update(dict.fromkeys(way, branch))
    return branch


def inline_single_block(op: scf.ExecuteRegionOp, rewriter: PatternRewriter) -> None:
    """A region of one block is what stands in it"""
    if len(op.region.blocks) == 1 and isinstance(_end(op.region.block), scf.YieldOp):
        yields = _yields(op.region.block)
        rewriter.erase(_end(op.region.block))
        rewriter.inline_block(op.region.block, InsertPoint.before(op))
        rewriter.replace(op, [], yields)


FOLDS: Folds = Registry()
PATTERNS: Patterns = Registry(
    {
        scf.ForOp: (
            drop_empty_range, unroll_known_loop, drop_invariant_iter_args, join_equal_iter_args, drop_dead_iter_args,
        ),
        UnsignedForOp: (drop_empty_range, unroll_known_loop),
        scf.IfOp: (
            drop_empty_if, drop_empty_else, same_in_both_branches, choose_without_branches, drop_unused_results,
            know_condition_inside,
        ),
        scf.ExecuteRegionOp: (inline_single_block,),
    }
)  # fmt: skip
