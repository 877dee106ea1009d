"""`inline-tensor-functions`: the bodies of functions over tensors stand where they are called."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects.shapes import is_tensor
from hologram.errors import PassError, where_of
from hologram.errors.limits import limit, refuse_operations
from hologram.lowering.rewriting.inline_calls import calls_in, inline_calls
from hologram.support.walking import operations

COPIES = 64
"""About as many operations of the core dialects come of one on tensors that is dear. What calls that repeat add to a
program counts so often: calls of two functions by each other double it at each step."""


@dataclass(frozen=True)
class InlineTensorFunctionsPass(ModulePass):
    """Puts the bodies of functions that take or give tensors in the place of their calls, and takes away private
    functions that nothing calls then: only so are their loops fused with those of their callers. A function that calls
    itself is refused, and so is what grows past the limit of operations.

    Before::

        func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {
          %r = hologram.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
          func.return %r : tensor<4xf32>
        }
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %r = func.call @square(%x) : (tensor<4xf32>) -> tensor<4xf32>
          func.return %r : tensor<4xf32>
        }

    After::

        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %r = hologram.mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
          func.return %r : tensor<4xf32>
        }
    """

    name = "inline-tensor-functions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {
            f.sym_name.data: f
            for f in op.body.block.ops
            if isinstance(f, func.FuncOp) and f.body.blocks and _is_over_tensors(f)
        }
        called = _called(op) & functions.keys()
        if not called:
            return
        done: set[str] = set()
        size = len(operations(op))
        for function in [o for o in op.body.block.ops if isinstance(o, func.FuncOp) and o.body.blocks]:
            _inline_into(function, functions, size, done, ())
        for name in called - _called(op):
            visibility = functions[name].sym_visibility
            if visibility is not None and visibility.data == "private":
                Rewriter.erase_op(functions[name])


def _is_over_tensors(function: func.FuncOp) -> bool:
    return any(map(is_tensor, (*function.function_type.inputs, *function.function_type.outputs)))


def _called(module: ModuleOp) -> set[str]:
    """The names of the functions that a module calls."""
    return {call.callee.string_value() for call in calls_in(module)}


def _inline_into(
    function: func.FuncOp, functions: dict[str, func.FuncOp], size: int, done: set[str], within: tuple[str, ...]
) -> None:
    """Inlines the calls of a function, those of what it calls first. `within` are the functions around it, `size` is
    the number of operations of the module before."""
    name = function.sym_name.data
    if name in done:
        return
    wanted = [(call, functions[n]) for call in calls_in(function) if (n := call.callee.string_value()) in functions]
    for call, callee in wanted:
        if callee.sym_name.data in (*within, name):
            raise PassError(
                call,
                "tensor-function-recursion",
                f"'{callee.sym_name.data}' calls itself, and a function over tensors has no stack",
                hint="write it as a loop: scf.while over tensors",
            )
        _inline_into(callee, functions, size, done, (*within, name))
        if len(callee.body.blocks) != 1:
            raise PassError(
                call,
                "tensor-function-blocks",
                f"'{callee.sym_name.data}' has branches between blocks, so that no body takes the place of this call",
                hint="write its control flow with scf.if, scf.for and scf.while",
            )
    sizes = {callee: len(operations(callee)) for _, callee in wanted}
    count = len(operations(function)) + sum(sizes[callee] for _, callee in wanted)
    repeated = (count - size) * COPIES
    if repeated > limit("operations"):
        what = f"'{name}', for the functions that it calls again and again,"
        refuse_operations(f"about {repeated} operations", where_of(function), what)
    inline_calls(function, wanted)
    done.add(name)
