"""`inline-lane-functions`: the bodies of functions that take arrays stand where they are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects.atlas.lanes.programs import BraOp, CallOp, FuncOp, ProgramOp, RetOp
from hologram.errors.limits import check_operations
from hologram.support.splicing import move
from hologram.support.walking import operations
from hologram.transforms.lanes.flatten_control_flow import flatten

Body = ProgramOp | FuncOp


@dataclass(frozen=True)
class InlineLaneFunctionsPass(ModulePass):
    """Puts the bodies of functions that take memrefs in the place of their calls, and takes the functions away: machine
    code passes scalars and pointers alone. Programs with such calls have no structured control left. A function that
    calls itself stays, with what it is called by.

    Before::

        atlas.func @first(%p: memref<64xf32, #atlas.space<shared>>) -> (f32) {
          %i = atlas.mov_imm 0 : i64
          %v = atlas.lds f32 %p[%i : i64] : memref<64xf32, #atlas.space<shared>>
          atlas.ret %v : f32
        }
        atlas.program @k(%y: memref<?xf32>) block [64, 1, 1] {
          %p = atlas.alloca : memref<64xf32, #atlas.space<shared>>
          %r = atlas.call @first(%p) : (memref<64xf32, #atlas.space<shared>>) -> (f32)
          ...
        }

    After::

        atlas.program @k(%y: memref<?xf32>) block [64, 1, 1] {
          %p = atlas.alloca : memref<64xf32, #atlas.space<shared>>
          %i = atlas.mov_imm 0 : i64
          %v = atlas.lds f32 %p[%i : i64] : memref<64xf32, #atlas.space<shared>>
          atlas.bra ^bb1(%v : f32)
        ^bb1(%r: f32):
          ...
        }
    """

    name = "inline-lane-functions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        bodies = [body for body in op.body.block.ops if isinstance(body, Body)]
        functions = {
            body.sym_name.data: body
            for body in bodies
            if isinstance(body, FuncOp) and any(isinstance(type, MemRefType) for type in body.function_type.inputs)
        }
        if not functions:
            return
        done: set[Body] = set()
        for body in bodies:
            _inline_into(body, functions, done, ())
        called = {call.callee.root_reference.data for body in bodies for call in _calls(body)}
        for name, function in functions.items():
            if name not in called:
                Rewriter.erase_op(function)


def _calls(body: Body) -> Iterator[CallOp]:
    return (op for op in operations(body) if isinstance(op, CallOp))


def _inline_into(body: Body, functions: Mapping[str, FuncOp], done: set[Body], within: tuple[Body, ...]) -> None:
    """Inlines the calls of a body, those of the functions that it calls first. `within` are those around it."""
    if body in done or body in within:
        return
    wanted = [call for call in _calls(body) if call.callee.root_reference.data in functions]
    if wanted:
        flatten(body)
    count = len(operations(body))
    for call in wanted:
        function = functions[call.callee.root_reference.data]
        _inline_into(function, functions, done, (*within, body))
        count += len(operations(function))
        check_operations(count, body, f"@{body.sym_name.data} with the functions in place of their calls")
        # A function that is not done is one of those around this call.
        if function in done and not any(c.callee.root_reference.data in functions for c in _calls(function)):
            _inline(call, function)
    done.add(body)


def _inline(call: CallOp, function: FuncOp) -> None:
    """Puts a copy of a function's body in the place of a call."""
    block, following = call.parent, call.next_op
    assert block is not None
    assert following is not None
    after = block.split_before(following, arg_types=[result.type for result in call.res])
    for result, arg in zip(call.res, after.args, strict=True):
        arg.name_hint = result.name_hint
        result.replace_all_uses_with(arg)
    copy = function.body.clone()
    blocks = list(copy.blocks)
    copy.move_blocks_before(after)
    _join(block, blocks[0], call)
    for place in (block, *blocks[1:]):
        last = place.last_op
        if isinstance(last, RetOp):
            leave = BraOp(after, last.values)
            leave.location = last.location
            Rewriter.replace_op(last, leave)


def _join(block: Block, entry: Block, call: CallOp) -> None:
    """Moves the operations of a function's first block behind those of the block that calls it, for the call."""
    for arg, given in zip(entry.args, call.arguments, strict=True):
        arg.replace_all_uses_with(given)
    Rewriter.erase_op(call)
    move(entry.ops, block)
    region = entry.parent
    assert region is not None
    region.detach_block(entry)
    entry.erase()
