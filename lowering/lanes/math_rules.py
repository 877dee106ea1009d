"""Transcendental instructions as math operations, activations expanded; 16-bit floats in f32, rounded once."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import math
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue

from hologram.dialects import marks
from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.types import DType
from hologram.lowering.arithmetic.expansions.expression import F32, F64, Emitter, Expression
from hologram.lowering.lanes.state import AtlasRewriter, scalar_rule
from hologram.lowering.rewriting.conversion import Rules
from hologram.lowering.rewriting.core_builder import Core, f32, f64

RULES = Rules()

MATH: dict[Any, Any] = {
    scalar.ExpOp: math.ExpOp,
    scalar.Exp2Op: math.Exp2Op,
    scalar.Expm1Op: math.ExpM1Op,
    scalar.LogOp: math.LogOp,
    scalar.Log2Op: math.Log2Op,
    scalar.Log10Op: math.Log10Op,
    scalar.Log1pOp: math.Log1pOp,
    scalar.PowOp: math.PowFOp,
    scalar.RsqrtOp: math.RsqrtOp,
    scalar.SinOp: math.SinOp,
    scalar.CosOp: math.CosOp,
    scalar.TanOp: math.TanOp,
    scalar.AtanOp: math.AtanOp,
    scalar.Atan2Op: math.Atan2Op,
    scalar.TanhOp: math.TanhOp,
    scalar.ErfOp: math.ErfOp,
}


def _wide(core: Core, t: DType, args: list[SSAValue]) -> list[SSAValue]:
    return [core.widen(a, f32) for a in args] if t.bits < 32 else args


@scalar_rule(RULES, *MATH)
def function(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """One operation of math."""
    math_op = MATH[type(op)](*_wide(core, t, args))
    if marks.NOT_ABOVE_ZERO in op.attributes:
        math_op.attributes[marks.NOT_ABOVE_ZERO] = UnitAttr()
    return core.narrow(core.op(math_op), t.ir)


@scalar_rule(RULES, scalar.SigmoidOp, scalar.SwishOp, scalar.GeluOp, scalar.GeluTanhOp)
def activation(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """Expanded here, where compositions of math operations would lose digits."""
    from hologram.lowering.arithmetic.expansions.rows import ACTIVATIONS  # Most programs have none.

    (a,) = _wide(core, t, args)
    emitter = Emitter(F64 if a.type == f64 else F32, None, rw.fused, looks_up=rw.looks_up)
    result = ACTIVATIONS[op.INSTRUCTION.name].build(Expression(emitter, a))
    for new in emitter.ops:
        rw.emit(new)
    rw.tables += emitter.tables
    return core.narrow(result.value, t.ir)
