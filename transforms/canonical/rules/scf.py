"""Loops and conditions."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from hologram.support.registry import Registry
from hologram.transforms.canonical.rules import Folds, Patterns


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


def drop_empty_range(op: scf.ForOp, rewriter: PatternRewriter) -> None:
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


FOLDS: Folds = Registry()
PATTERNS: Patterns = Registry(
    {
        scf.ForOp: (drop_empty_range, drop_invariant_iter_args, drop_dead_iter_args),
        scf.IfOp: (drop_empty_if, drop_empty_else, same_in_both_branches),
    }
)
