"""Each function in f64 arrays and in numbers of gmpy2, and the inputs that test it best beside random bits."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from hologram.lowering.arithmetic.expansions.rows import ACTIVATIONS, EXPANSIONS, Expansion

Array = np.ndarray[Any, Any]

g: Any = import_module("gmpy2")
"""gmpy2's types leave out its functions."""


Ranges = tuple[tuple[float, float], ...]
"""Intervals that f64 inputs are drawn from, evenly, beside random bit patterns."""

Draw = Callable[[np.random.Generator, int, str], tuple[Array, Array]]
"""Makes so many pairs of operands of a format, as f64 arrays."""


@dataclass(frozen=True)
class Function:
    """One row: how to compute it and how well it is done."""

    op: str
    """The operation as it is written, `math.exp`, or the name of an activation."""
    wide: Callable[..., Array]
    """The function over arrays of f64, to a few units in the last place of f64."""
    exact: Callable[..., Any]
    """The function of numbers of gmpy2 in the current precision."""
    ranges: Ranges
    operands: int = 1
    draws: tuple[Draw, ...] = ()
    """The inputs of functions of two operands beside random bits."""
    bounds: Mapping[str, float] = field(default_factory=dict[str, float])
    """The bound by format; where it is empty, that of the expansion."""

    def bound(self, format: str) -> float:
        """The greatest error in units in the last place."""
        if self.bounds:
            return self.bounds[format]
        return self._expansion().ulp[format]

    def slack(self, *operands: Array) -> Array | float:
        """The errors of f32 that count as none."""
        return 0.0 if self.bounds else slack_of(self._expansion(), operands[0])

    def _expansion(self) -> Expansion:
        if self.op in ACTIVATIONS:
            return ACTIVATIONS[self.op]
        return next(row for kind, row in EXPANSIONS.items() if kind.name == self.op)


def slack_of(expansion: Expansion, operand: Array) -> Array | float:
    """The errors of f32 results that count as none."""
    if not expansion.slack:
        return 0.0
    wide = np.abs(operand.astype(np.float64))
    return np.where(np.isfinite(wide), wide, 0) * expansion.slack


def _rsqrt(x: Any) -> Any:
    return 1 / np.sqrt(x)


def _exact_rsqrt(x: Any) -> Any:
    return 1 / g.sqrt(x)


def _exact_power(x: Any, y: Any) -> Any:
    return x**y


def _powers(random: np.random.Generator, count: int, format: str) -> tuple[Array, Array]:
    """Bases of all sizes with exponents for which the result is in range, or a little out of it."""
    exponents = 1074 if format == "f64" else 149
    x = np.exp2(random.uniform(-exponents, exponents, count) * random.uniform(0, 1, count) ** 4)
    return x, random.uniform(-1.02, 1.02, count) * exponents / np.log2(x)


def _powers_near_one(random: np.random.Generator, count: int, format: str) -> tuple[Array, Array]:
    """Bases so near 1 that their logarithm loses digits, with great exponents."""
    exponents, digits = (1074, 50) if format == "f64" else (149, 22)
    offset = np.exp2(-random.uniform(1, digits, count)) * random.choice([-1, 1], count)
    return 1 + offset, random.uniform(-1.02, 1.02, count) * exponents / np.log2(1 + offset)


def _whole_powers(random: np.random.Generator, count: int, format: str) -> tuple[Array, Array]:
    """Bases of both signs with small integers and halves of them."""
    return random.uniform(-20, 20, count), random.integers(-40, 40, count) / 2


def _far_apart(random: np.random.Generator, count: int, format: str) -> tuple[Array, Array]:
    """Operands of all sizes."""
    low, high = (-1074, 1023) if format == "f64" else (-149, 127)
    x, y = (np.exp2(random.uniform(low, high, count)) * random.choice([-1, 1], count) for _ in range(2))
    return x, y


def _where(x: Array, inside: Array, function: Callable[[float], float], outside: Array) -> Array:
    """A function of Python floats where `inside` holds, else the values given: it takes long."""
    result = outside.copy()
    chosen = x[inside]
    result[inside] = np.fromiter(map(function, chosen.tolist()), np.float64, chosen.size)
    return result


def _erf(x: Array) -> Array:
    near = x * (2 / math.sqrt(math.pi)) * (1 - x * x / 3)
    outside = np.where(np.abs(x) < 1, np.where(x == 0, x, near), np.sign(x))
    return _where(x, (np.abs(x) > 2.0**-12) & (np.abs(x) < 6), math.erf, outside)


def _gelu(x: Array) -> Array:
    near = x * (0.5 + x / math.sqrt(2 * math.pi))
    outside = np.where(np.abs(x) < 1, np.where(x == 0, x, near), np.where(x < 0, -0.0, x))
    inside = (np.abs(x) > 2.0**-22) & (np.abs(x) < 40)
    return _where(x, inside, lambda a: 0.5 * a * math.erfc(-a / math.sqrt(2)), outside)


def _sigmoid(x: Array) -> Array:
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1) / (1 + e)


def _gated(x: Array, gate: Array) -> Array:
    return np.where(x == -np.inf, -0.0, x * gate)


def _swish(x: Array) -> Array:
    return _gated(x, _sigmoid(x))


def _gelu_tanh(x: Array) -> Array:
    return _gated(x, _sigmoid(math.sqrt(8 / math.pi) * (x + 0.044715 * x**3)))


def _vectors(random: np.random.Generator, count: int, format: str) -> tuple[Array, Array]:
    """Points all around, of magnitudes that do not lie far apart."""
    angle, size = random.uniform(-math.pi, math.pi, count), np.exp2(random.uniform(-3, 3, count))
    return np.sin(angle), np.cos(angle) * size


def _steep_vectors(random: np.random.Generator, count: int, format: str) -> tuple[Array, Array]:
    """Points of which one coordinate is far greater."""
    return random.normal(size=count), random.normal(size=count) * np.exp2(random.uniform(-60, 60, count))


def _exact_gelu(x: Any) -> Any:
    return _exact_gated(x, g.erfc(-x / g.sqrt(2)) / 2)


def _exact_sigmoid(x: Any) -> Any:
    return 1 / (1 + g.exp(-x))


def _exact_gated(x: Any, gate: Any) -> Any:
    return g.mpfr("-0") if g.is_infinite(x) and x < 0 else x * gate


def _exact_swish(x: Any) -> Any:
    return _exact_gated(x, _exact_sigmoid(x))


def _exact_gelu_tanh(x: Any) -> Any:
    return _exact_gated(x, _exact_sigmoid(g.sqrt(8 / g.const_pi()) * (x + g.mpfr("0.044715") * x * x * x)))


_ANGLES = ((-0.8, 0.8), (-7.0, 7.0), (-1e4, 1e4), (-1e7, 1e7), (-1e10, 1e10))
_LOG = ((0.5, 2.0), (0.9, 1.1), (0.0, 100.0))

FUNCTIONS: dict[str, Function] = {
    "exp": Function("math.exp", np.exp, g.exp, ((-0.4, 0.4), (-708.0, 709.8), (-746.0, -708.0))),
    "exp2": Function("math.exp2", np.exp2, g.exp2, ((-0.6, 0.6), (-1022.0, 1024.0), (-1075.0, -1022.0))),
    "expm1": Function("math.expm1", np.expm1, g.expm1, ((-0.4, 0.4), (-40.0, 2.0), (-708.0, 709.8))),
    "log": Function("math.log", np.log, g.log, _LOG),
    "log2": Function("math.log2", np.log2, g.log2, _LOG),
    "log10": Function("math.log10", np.log10, g.log10, _LOG),
    "log1p": Function("math.log1p", np.log1p, g.log1p, ((-0.5, 0.5), (-1.0, 2.0), (0.0, 1e6))),
    "pow": Function("math.powf", np.power, _exact_power, (), 2, (_powers, _powers_near_one, _whole_powers)),
    "rem": Function("arith.remf", np.fmod, g.fmod, (), 2, (_powers, _whole_powers, _far_apart)),
    "atan": Function("math.atan", np.arctan, g.atan, ((-1.1, 1.1), (-10.0, 10.0))),
    "atan2": Function("math.atan2", np.arctan2, g.atan2, (), 2, (_vectors, _steep_vectors)),
    "cos": Function("math.cos", np.cos, g.cos, _ANGLES),
    "erf": Function("math.erf", _erf, g.erf, ((-1.0, 1.0), (-6.5, 6.5), (0.9, 1.1))),
    "gelu": Function("gelu", _gelu, _exact_gelu, ((-1.0, 1.0), (-8.0, 8.0), (-39.6, 0.0))),
    "gelu.tanh": Function("gelu.tanh", _gelu_tanh, _exact_gelu_tanh, ((-1.0, 1.0), (-6.0, 6.0), (-22.6, 0.0))),
    "rsqrt": Function("math.rsqrt", _rsqrt, _exact_rsqrt, ((0.5, 4.0),)),
    "sigmoid": Function("sigmoid", _sigmoid, _exact_sigmoid, ((-1.0, 1.0), (-40.0, 40.0), (-746.0, -700.0))),
    "swish": Function("swish", _swish, _exact_swish, ((-1.0, 1.0), (-40.0, 40.0), (-760.0, -700.0))),
    "sin": Function("math.sin", np.sin, g.sin, _ANGLES),
    "tan": Function("math.tan", np.tan, g.tan, _ANGLES),
    "tanh": Function("math.tanh", np.tanh, g.tanh, ((-1.0, 1.0), (-20.0, 20.0), (0.7, 0.9))),
}
"""The functions by name. A row suffices for a function to be checked: in test_dense.py and by `make ulp`."""
