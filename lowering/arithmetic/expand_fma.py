"""Computes fused multiply-adds where the processor has none, with the bits of a true one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import func, math, vector
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, ModuleOp, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import gpu
from hologram.dialects.arith import scalar_of
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module
from hologram.lowering.rewriting.core_builder import Core, f64, shaped
from hologram.support.walking import operations

RULES = Rules()
DOUBLE = "hologram_fma_f64"


@dataclass(frozen=True)
class ExpandFmaPass(ModulePass):
    """Replaces `math.fma` and `vector.fma` by operations that give the same bits, for targets without the instruction.

    The product of two f32 is exact in f64. The sum in f64 is rounded to odd (Knuth's two-sum tells the error), so that
    the rounding to f32 is the only one; vectors stay vectors. f16 and bf16 likewise. For f64 a function of integers is
    called, which the module gets a copy of. With `fused=true` the target has the instruction, and nothing is done.

    Before::

        %r = math.fma %a, %b, %c : f32

    After::

        %0 = arith.extf %a : f32 to f64
        %1 = arith.extf %b : f32 to f64
        %2 = arith.extf %c : f32 to f64
        %3 = arith.mulf %0, %1 : f64
        ... %3 + %2 rounded to odd
        %r = arith.truncf %n : f64 to f32
    """

    name = "expand-fma"
    fused: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.fused:
            return
        # A device's code has the functions in its own module.
        for module in (*(o for o in operations(op) if isinstance(o, gpu.ModuleOp)), op):
            if any(isinstance(o, math.FmaOp | vector.FMAOp) for o in operations(module)):
                convert_module(cast("Any", module), RULES)


@RULES.on(math.FmaOp, vector.FMAOp)
def fma(rw: Rewriter, op: math.FmaOp | vector.FMAOp) -> None:
    """Expand by the type of the elements."""
    core, type = Core(rw), op.results[0].type
    operands = [rw.value(v) for v in op.operands]
    element = scalar_of(type)
    if isinstance(element, Float16Type | BFloat16Type | Float32Type):
        a, b, c = (core.widen(v, shaped(type, f64)) for v in operands)
        result = core.narrow(core.odd_sum(core.mul(a, b), c), type)
    elif isinstance(element, Float64Type):
        result = _double(core, type, operands)
    else:
        raise PassError(
            op, "fma-type", f"'{op.name}' of {type} can't be expanded", hint="there is an expansion for f16 to f64"
        )
    rw.define(op.results[0], result)


def _double(core: Core, type: Attribute, operands: list[SSAValue]) -> SSAValue:
    """Calls the function; for a vector once a lane."""
    for name, function in _functions().items():
        core.rw.declare(name, lambda made=function: made.clone())
    if not isinstance(type, VectorType):
        return core.op(func.CallOp(DOUBLE, operands, [f64]))
    whole = cast("VectorType[Any]", type)
    lanes = whole.get_shape()[-1]
    if whole.get_num_dims() != 1 or whole.get_num_scalable_dims():
        raise PassError(
            core.rw.source, "fma-shape", f"a fused multiply-add of {type} can't be expanded",
            hint="vectorize-loops makes vectors of one dimension and fixed size",
        )  # fmt: skip
    result = core.constant(0.0, whole)
    for lane in range(lanes):
        parts = [core.op(vector.ExtractOp(v, [lane], f64)) for v in operands]
        result = core.op(vector.InsertOp(core.op(func.CallOp(DOUBLE, parts, [f64])), result, [lane]))
    return result


@cache
def _functions() -> dict[str, func.FuncOp]:
    from hologram.dialects import make_context
    from hologram.dialects.mlir_parser import MlirParser

    path = Path(__file__).with_name("software_fma.mlir")
    module = MlirParser(make_context(), path.read_text(), path.name).parse()
    return {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, func.FuncOp)}
