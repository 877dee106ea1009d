"""`structure-control-flow`: branches between blocks become structured control, calls the code that they call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects.atlas.lanes.pools import PoolAllocOp
from hologram.dialects.atlas.lanes.programs import AllocaOp, BarSyncOp, CallOp, ExitOp, FuncOp, ProgramOp, RetOp
from hologram.errors import PassError
from hologram.support.walking import operations
from hologram.transforms.analysis.call_graph import CallGraph, count_depth, inline
from hologram.transforms.lanes.control_emission import emit_body
from hologram.transforms.lanes.control_graph import region_tree
from hologram.transforms.lanes.control_tree import Flag


@dataclass(frozen=True)
class StructureControlFlowPass(ModulePass):
    """Turns `atlas.bra` into `atlas.if` and `atlas.repeat`, and puts functions in place of their calls.

    Any graph of blocks is structured: a cycle that is entered in several places gets one entry that sends lanes on by a
    number. Functions that call themselves stay, with the depth of calls as a value that is checked before each call.
    Others stay only where copies of them would make a large program of a small one.

    Before::

        atlas.program @log2(%x: memref<1xi32>) {
          %zero = atlas.mov_imm 0 : i64
          %one = atlas.mov_imm 1 : i32
          %v = atlas.ldg i32 %x[%zero : i64] : memref<1xi32>
          atlas.bra ^head(%v : i32)
        ^head(%w: i32):
          %h = atlas.shr u32 %w, %one
          %more = atlas.setcc gtu i32 %h, %one
          atlas.bra %more, ^head(%h : i32), ^done
        ^done:
          atlas.stg i32 %h, %x[%zero : i64] : memref<1xi32>
        }

    After::

        atlas.program @log2(%x: memref<1xi32>) {
          %zero = atlas.mov_imm 0 : i64
          %one = atlas.mov_imm 1 : i32
          %v = atlas.ldg i32 %x[%zero : i64] : memref<1xi32>
          %r = atlas.repeat iter(%v : i32) -> (i32) {
          ^bb0(%w: i32):
            %h = atlas.shr u32 %w, %one
            %more = atlas.setcc gtu i32 %h, %one
            atlas.yield %more, %h, %h : i1, i32, i32
          }
          atlas.stg i32 %r, %x[%zero : i64] : memref<1xi32>
        }
    """

    name = "structure-control-flow"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        graph = CallGraph(op)
        if not any(isinstance(b, FuncOp) or len(b.body.blocks) > 1 for b in graph.bodies):
            return
        count_depth(graph)
        kept = graph.kept()
        for body in graph.callees_first():
            _structure(body)
            for call in graph.calls[body]:
                if (function := graph.callee(call)) not in kept:
                    inline(call, function, body.body.block, only_call=graph.count(function) == 1)
        for function in graph.functions.values():
            if function not in kept:
                Rewriter.erase_op(function)
            elif graph.is_recursive(function):
                _refuse_barrier(function)


def _structure(body: FuncOp | ProgramOp) -> None:
    """One block in place of several."""
    if len(body.body.blocks) == 1:
        return
    entry = body.body.blocks[0]
    for alloca in [op for op in operations(body) if isinstance(op, AllocaOp | PoolAllocOp) and op.parent is not entry]:
        alloca.detach()
        Rewriter.insert_op(alloca, InsertPoint.at_start(entry))
    is_function = isinstance(body, FuncOp)
    returned = [Flag(t) for t in body.function_type.outputs]
    stays = is_function or any(isinstance(o, BarSyncOp | CallOp) for o in operations(body))

    def end(values: list[SSAValue]) -> Any:
        return RetOp(*values) if is_function else ExitOp()

    emit_body(body.body, region_tree(body.body, returned, exits_leave=stays), returned, end, body)


def _refuse_barrier(function: FuncOp) -> None:
    for op in operations(function):
        if isinstance(op, BarSyncOp):
            raise PassError(
                op,
                "structure-recursive-barrier",
                f"there is a barrier in @{function.sym_name.data}, which calls itself",
                hint="put the barrier into the program, or write the recursion as a loop",
            )
