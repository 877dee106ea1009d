"""`flatten-control-flow`: structured control of lanes becomes branches between blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects.atlas.arrays.base import YieldOp
from hologram.dialects.atlas.instructions.scalar import AddOp, MovImmOp, SetccOp
from hologram.dialects.atlas.instructions.types import dtype_of
from hologram.dialects.atlas.lanes.programs import BraOp, FuncOp, IfOp, LoopOp, ProgramOp, RepeatOp
from hologram.support.splicing import append, move


@dataclass(frozen=True)
class FlattenControlFlowPass(ModulePass):
    """Turns `atlas.if`, `atlas.loop` and `atlas.repeat` into `atlas.bra`: the inverse of structure-control-flow.

    Before::

        %r = atlas.if %p -> (f32) {
          atlas.yield %a : f32
        } else {
          atlas.yield %b : f32
        }
        atlas.exit

    After::

          atlas.bra %p, ^bb1, ^bb2
        ^bb1:
          atlas.bra ^bb3(%a : f32)
        ^bb2:
          atlas.bra ^bb3(%b : f32)
        ^bb3(%r: f32):
          atlas.exit
    """

    name = "flatten-control-flow"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for body in op.body.block.ops:
            if isinstance(body, ProgramOp | FuncOp):
                flatten(body)


def flatten(body: ProgramOp | FuncOp) -> None:
    """Takes the structured operations of a program or function apart."""
    waiting = list(body.body.blocks)
    while waiting:
        block = waiting.pop()
        structured = next((op for op in block.ops if isinstance(op, IfOp | LoopOp | RepeatOp)), None)
        if structured is not None:
            waiting += _take_apart(block, structured)


def _take_apart(block: Block, op: IfOp | LoopOp | RepeatOp) -> list[Block]:
    """Replaces an operation by blocks, which may hold others like it."""
    region = block.parent
    assert region is not None
    tail = Block(arg_types=op.result_types)
    ops = list(block.ops)
    move(ops[ops.index(op) + 1 :], tail)
    for result, arg in zip(op.results, tail.args, strict=True):
        arg.name_hint = result.name_hint
        result.replace_all_uses_with(arg)
    op.detach()
    match op:
        case IfOp():
            blocks = _if(block, op, tail)
        case LoopOp():
            blocks = _loop(block, op, tail)
        case RepeatOp():
            blocks = _repeat(block, op, tail)
    region.insert_block_after([*blocks, tail], block)
    op.drop_all_references()
    return [*blocks, tail]


def _inside(op: Operation, number: int) -> tuple[Block, Sequence[SSAValue] | None]:
    """A region's block, and what it yields, if it does not exit."""
    block = op.regions[number].block
    op.regions[number].detach_block(block)
    last = block.last_op
    if not isinstance(last, YieldOp):
        return block, None
    values = list(last.values)
    last.detach()
    last.drop_all_references()
    return block, values


def _if(block: Block, op: IfOp, tail: Block) -> list[Block]:
    blocks: list[Block] = []
    for number, region in enumerate(op.regions):
        if region.blocks:
            inner, values = _inside(op, number)
            if values is not None:
                append(inner, BraOp(tail, values), op)
            blocks.append(inner)
    append(block, BraOp(blocks[0], condition=op.condition, otherwise=blocks[1] if len(blocks) > 1 else tail), op)
    return blocks


def _loop(block: Block, op: LoopOp, tail: Block) -> list[Block]:
    dtype = dtype_of(op.count.type, unsigned=True)
    assert dtype is not None
    zero, one = (append(block, MovImmOp.of(n, dtype), op).result for n in (0, 1))
    body, values = _inside(op, 0)
    head = Block(arg_types=[a.type for a in body.args])
    append(block, BraOp(head, [zero, *op.iter_args]), op)
    more = append(head, SetccOp("lt", dtype, head.args[0], op.count), op).result
    append(head, BraOp(body, head.args, condition=more, otherwise=tail, else_arguments=head.args[1:]), op)
    if values is not None:
        onward = append(body, AddOp(dtype, body.args[0], one), op).result
        append(body, BraOp(head, [onward, *values]), op)
    return [head, body]


def _repeat(block: Block, op: RepeatOp, tail: Block) -> list[Block]:
    body, values = _inside(op, 0)
    append(block, BraOp(body, list(op.iter_args)), op)
    if values is not None:
        again, carried = values[0], 1 + len(op.iter_args)
        ways = {"otherwise": tail, "else_arguments": values[carried:]}
        append(body, BraOp(body, values[1:carried], condition=again, **ways), op)  # pyright: ignore[reportArgumentType]
    return [body]
