"""`inline-tensor-functions`: the bodies of functions over tensors stand where they are called."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects.shapes import is_tensor
from hologram.errors import PassError
from hologram.lowering.rewriting.inline_calls import calls_in, inline_calls


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
        called = [call for call in calls_in(op) if call.callee.string_value() in functions]
        if not called:
            return
        done: set[str] = set()
        for function in [o for o in op.body.block.ops if isinstance(o, func.FuncOp) and o.body.blocks]:
            _inline_into(function, functions, done, ())
        names = {call.callee.string_value() for call in called}
        for name in names:
            visibility = functions[name].sym_visibility
            if visibility is not None and visibility.data == "private" and not _is_named(op, name):
                Rewriter.erase_op(functions[name])


def _is_over_tensors(function: func.FuncOp) -> bool:
    return any(map(is_tensor, (*function.function_type.inputs, *function.function_type.outputs)))


def _is_named(module: ModuleOp, name: str) -> bool:
    """Return whether an operation of a module still refers to a function."""
    return any(call.callee.string_value() == name for call in calls_in(module))


def _inline_into(
    function: func.FuncOp, functions: dict[str, func.FuncOp], done: set[str], within: tuple[str, ...]
) -> None:
    """Inlines the calls of a function, those of what it calls first. `within` are the functions around it."""
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
        _inline_into(callee, functions, done, (*within, name))
        if len(callee.body.blocks) != 1:
            raise PassError(
                call,
                "tensor-function-blocks",
                f"'{callee.sym_name.data}' has branches between blocks, so that no body takes the place of this call",
                hint="write its control flow with scf.if, scf.for and scf.while",
            )
    inline_calls(function, wanted)
    done.add(name)
