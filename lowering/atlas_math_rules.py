"""Transcendental instructions and activations as math operations; 16-bit floats in f32, rounded once."""

from __future__ import annotations

import math as numbers
from typing import Any

from xdsl.dialects import arith, math
from xdsl.ir import SSAValue

from hologram.dialects.atlas import scalar
from hologram.dialects.atlas.types import DType
from hologram.lowering.atlas_state import AtlasRewriter, scalar_rule
from hologram.lowering.conversion import Rules
from hologram.lowering.core_builder import Core, f32

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
    return core.narrow(core(MATH[type(op)](*_wide(core, t, args))), t.ir)


@scalar_rule(RULES, scalar.SigmoidOp)
def sigmoid(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """1 / (1 + e^-a)."""
    (a,) = _wide(core, t, args)
    return core.narrow(_sigmoid(core, a), t.ir)


def _sigmoid(core: Core, a: SSAValue) -> SSAValue:
    """e / (1 + e) below zero and 1 / (1 + e) above, with e = exp(-|a|), which does not overflow."""
    e = core(math.ExpOp(core.negate(core(math.AbsFOp(a)))))
    one = core.constant(1.0, a.type)
    positive = core.compare("oge", a, core.constant(0.0, a.type))
    return core(arith.DivfOp(core.select(positive, one, e), core(arith.AddfOp(one, e))))


def _gated(core: Core, a: SSAValue, gate: SSAValue) -> SSAValue:
    """a * gate; -0 at -inf, where the gate is 0."""
    end = core.compare("oeq", a, core.constant(-numbers.inf, a.type))
    return core.select(end, core.constant(-0.0, a.type), core(arith.MulfOp(a, gate)))


@scalar_rule(RULES, scalar.SwishOp)
def swish(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """a * sigmoid(a)."""
    (a,) = _wide(core, t, args)
    return core.narrow(_gated(core, a, _sigmoid(core, a)), t.ir)


@scalar_rule(RULES, scalar.GeluTanhOp)
def gelu_tanh(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """(1 + tanh(u)) / 2 is sigmoid(2 u), which keeps its digits where tanh is near -1."""
    (a,) = _wide(core, t, args)
    scale = 2 * numbers.sqrt(2 / numbers.pi)
    square = core(arith.MulfOp(a, a))
    inner = core(math.FmaOp(square, core.constant(scale * 0.044715, a.type), core.constant(scale, a.type)))
    return core.narrow(_gated(core, a, _sigmoid(core, core(arith.MulfOp(a, inner)))), t.ir)


@scalar_rule(RULES, scalar.GeluOp)
def gelu(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """a * (1 + erf(a / sqrt 2)) / 2."""
    (a,) = _wide(core, t, args)
    erf = core(math.ErfOp(core(arith.MulfOp(a, core.constant(numbers.sqrt(0.5), a.type)))))
    half = core.constant(0.5, a.type)
    return core.narrow(_gated(core, a, core(math.FmaOp(half, erf, half))), t.ir)
