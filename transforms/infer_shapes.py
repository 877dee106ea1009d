"""`infer-shapes`: static sizes from symbolic ones."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, FunctionType, ModuleOp, TensorType
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects.hologram.base import TensorOp
from hologram.transforms.shape_analysis import ShapeAnalysis


@dataclass(frozen=True)
class InferShapesPass(ModulePass):
    """Gives results of tensor operations the static sizes that follow from their operands, and refuses sizes that can
    never fit. A function's result types follow.

    Before::

        %c = hologram.concat %a, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<?xf32>

    After::

        %c = hologram.concat %a, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
    """

    name = "infer-shapes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        analysis = ShapeAnalysis()
        for inner in op.walk():
            if isinstance(inner, TensorOp):
                analysis.requirements(inner)
                self._refine(inner, analysis)
            elif isinstance(inner, func.ReturnOp) and isinstance(function := inner.parent_op(), func.FuncOp):
                outputs = ArrayAttr([v.type for v in inner.arguments])
                function.properties["function_type"] = FunctionType(function.function_type.inputs, outputs)

    def _refine(self, op: TensorOp, analysis: ShapeAnalysis) -> None:
        result = op.results[0]
        if not isinstance(result.type, TensorType):
            return
        shape: tuple[int, ...] = result.type.get_shape()  # pyright: ignore
        constants = [s.constant for s in analysis.sizes(result)]
        refined = [n if c is None else c for n, c in zip(shape, constants, strict=True)]
        if list(shape) == refined:
            return
        if op.size_operands:
            dynamic = [new for old, new in zip(shape, refined, strict=True) if old == DYNAMIC_INDEX]
            kept = [v for v, new in zip(op.size_operands, dynamic, strict=True) if new == DYNAMIC_INDEX]
            op.operands = [*op.tensors, *kept]
        new_type: Attribute = TensorType(result.type.element_type, refined, result.type.encoding)  # pyright: ignore
        Rewriter.replace_value_with_new_type(result, new_type)
