"""`infer-shapes`: static sizes from symbolic ones."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects.hologram.base import TensorOp
from hologram.dialects.shapes import DYNAMIC, is_tensor
from hologram.support.walking import operations
from hologram.transforms.analysis.shape_analysis import ShapeAnalysis


@dataclass(frozen=True)
class InferShapesPass(ModulePass):
    """Gives results of tensor operations the static sizes that follow from their operands, and refuses sizes that can
    never fit. A function's result types follow, and so do its calls.

    Before::

        %c = hologram.concat %a, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<?xf32>

    After::

        %c = hologram.concat %a, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
    """

    name = "infer-shapes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        _infer(op)
        while _update_calls(op):
            _infer(op)


def _infer(module: ModuleOp) -> None:
    analysis = ShapeAnalysis()
    for op in module.walk():
        if isinstance(op, TensorOp):
            analysis.requirements(op)
            _refine(op, analysis)
        elif isinstance(op, func.ReturnOp) and isinstance(function := op.parent_op(), func.FuncOp):
            types = FunctionType.from_lists(function.function_type.inputs.data, op.operand_types)
            function.properties["function_type"] = types


def _refine(op: TensorOp, analysis: ShapeAnalysis) -> None:
    result = op.results[0]
    if not is_tensor(type := result.type):
        return
    shape = type.get_shape()
    refined = [n if s.constant is None else s.constant for n, s in zip(shape, analysis.sizes(result), strict=True)]
    if list(shape) == refined:
        return
    if op.size_operands:
        dynamic = [new for old, new in zip(shape, refined, strict=True) if old == DYNAMIC]
        kept = [v for v, new in zip(op.size_operands, dynamic, strict=True) if new == DYNAMIC]
        op.operands = [*op.tensors, *kept]
    Rewriter.replace_value_with_new_type(result, TensorType(type.element_type, refined, type.encoding))


def _update_calls(module: ModuleOp) -> bool:
    """Gives calls the result types of their functions; whether one changed."""
    functions = {f.sym_name.data: f for f in operations(module) if isinstance(f, func.FuncOp)}
    changed = False
    for call in [op for op in operations(module) if isinstance(op, func.CallOp)]:
        callee = functions.get(call.callee.string_value())
        if callee is None:
            continue
        for result, type in zip(call.results, callee.function_type.outputs, strict=True):
            if result.type != type:
                Rewriter.replace_value_with_new_type(result, type)
                changed = True
    return changed
