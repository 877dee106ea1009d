"""The table of expansions: one row a math operation, a function that builds it from arith and `math.fma`.

Every expansion but the remainder's is branch-free and works on scalars and vectors. Rows say which formats an expansion
is written for and the greatest error there, in units in the last place of the result; `float16` and `bfloat16` go
through `f32` and are rounded once. The same functions make the form without fused multiply-adds, where `Expression.fma`
is a product and a sum: where that is too coarse, they use exact products (`pairs`), or ask which form is wanted
(`Expression.fused`).

Square roots. `math.sqrt` stays: every device has it, correctly rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.dialects import math
from xdsl.ir import Operation

from hologram.dialects.arith import RemFOp
from hologram.lowering.arithmetic.expansions import (
    error_function,
    exponential,
    hyperbolic,
    logarithm,
    power,
    remainder,
    trigonometric,
)
from hologram.lowering.arithmetic.expansions import trigonometric as arcs
from hologram.lowering.arithmetic.expansions.expression import Expression


def rsqrt(x: Expression) -> Expression:
    """1 / sqrt(x): the root and the quotient are each rounded. +inf at +0, -inf at -0, NaN below."""
    return x.number(1.0) / x.sqrt()


@dataclass(frozen=True)
class Expansion:
    """An operation's expansion and its promise."""

    build: Callable[..., Expression]
    """Takes an expression for each operand."""
    ulp: Mapping[str, float]
    """The bound on the error by format (`f32`, `f64`), over all inputs, with and without fused multiply-adds."""
    slack: float = 0.0
    """In f32 an error up to this times the magnitude of the operand counts as none."""
    rank: int = 99
    """The most dimensions that vectors may have; those that have more stay."""
    below: Callable[..., Expression] | None = None
    """Builds it without tables, and of no number above 0, in fewer steps to the same bits."""


EXPANSIONS: Mapping[type[Operation], Expansion] = {
    RemFOp: Expansion(remainder.remainder, {"f32": 0.0, "f64": 0.0}, rank=1),
    math.ExpOp: Expansion(exponential.exp, {"f32": 1.0, "f64": 1.25}, below=exponential.exp_below),
    math.Exp2Op: Expansion(exponential.exp2, {"f32": 1.25, "f64": 1.5}),
    math.ExpM1Op: Expansion(exponential.expm1, {"f32": 2.0, "f64": 2.0}),
    math.LogOp: Expansion(logarithm.log, {"f32": 1.0, "f64": 1.0}),
    math.Log2Op: Expansion(logarithm.log2, {"f32": 2.0, "f64": 2.5}),
    math.Log10Op: Expansion(logarithm.log10, {"f32": 2.0, "f64": 2.5}),
    math.Log1pOp: Expansion(logarithm.log1p, {"f32": 2.0, "f64": 2.0}),
    math.PowFOp: Expansion(power.power, {"f32": 1.5, "f64": 2.0}),
    math.AtanOp: Expansion(arcs.atan, {"f32": 2.0, "f64": 4.0}),
    math.Atan2Op: Expansion(arcs.atan2, {"f32": 2.0, "f64": 4.0}),
    math.CosOp: Expansion(trigonometric.cos, {"f32": 2.0, "f64": 2.0}),
    math.ErfOp: Expansion(error_function.erf, {"f32": 2.0, "f64": 2.0}),
    math.RsqrtOp: Expansion(rsqrt, {"f32": 1.5, "f64": 1.5}),
    math.SinOp: Expansion(trigonometric.sin, {"f32": 2.0, "f64": 2.0}),
    math.TanOp: Expansion(trigonometric.tan, {"f32": 2.0, "f64": 4.0}),
    math.TanhOp: Expansion(hyperbolic.tanh, {"f32": 1.0, "f64": 2.0}),
}
"""What `expand-math` replaces, and how."""

ACTIVATIONS: Mapping[str, Expansion] = {
    "gelu": Expansion(error_function.gelu, {"f32": 2.0, "f64": 4.0}, slack=2.0**-25),
    "gelu.tanh": Expansion(hyperbolic.gelu_tanh, {"f32": 2.0, "f64": 4.0}),
    "sigmoid": Expansion(hyperbolic.sigmoid, {"f32": 1.0, "f64": 4.0}),
    "swish": Expansion(hyperbolic.swish, {"f32": 2.0, "f64": 4.0}),
}
"""Instructions of `atlas` that `math` has no operation for: `convert-atlas-to-core` expands them.

gelu of f32 is within 2 units from -2 up and 3.5 units from -5.43 up, and its error is below 2**-25 |x| elsewhere.
Without tables (`Emitter.looks_up`) it is within 2 units or 2**-25 |x| everywhere.
"""
