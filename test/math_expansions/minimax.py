"""Computes the polynomials of `lowering/arithmetic/expansions/`: minimax fits by Remez's exchange, then rounded.

Run it to see each table of coefficients with its error; `python test/math_expansions/minimax.py NAME...` does some.
The errors shown are of the rounded coefficients.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np

mp: Any = import_module("mpmath").mp
mp.prec = 160
POINTS = 24
"""The error is looked at in so many places for each coefficient."""

Function = Callable[[Any], Any]


@dataclass(frozen=True)
class Fit:
    """A polynomial to find: the one whose `weight(x) * (p(x) - function(x))` is smallest at its largest."""

    function: Function
    weight: Function
    low: float
    high: float
    degree: int
    format: str = "f32"
    in_turn: bool = False
    """True if later coefficients correct the rounding of earlier ones."""


def solve(fit: Fit, nodes: Sequence[Any]) -> list[Any]:
    """The coefficients for which the weighted error is equal, with alternating signs, at all nodes."""
    count = len(nodes) - 1
    rows, right = mp.matrix(len(nodes), count + 1), mp.matrix(len(nodes), 1)
    for i, x in enumerate(nodes):
        for j in range(count):
            rows[i, j] = x**j
        rows[i, count] = (-1) ** i / fit.weight(x)
        right[i] = fit.function(x)
    solution = mp.lu_solve(rows, right)
    return [solution[j] for j in range(count)]


def error_at(fit: Fit, coefficients: Sequence[Any], x: Any) -> Any:
    """The weighted error."""
    return fit.weight(x) * (mp.polyval(list(reversed(coefficients)), x) - fit.function(x))


def extremes(fit: Fit, coefficients: Sequence[Any], count: int) -> list[Any]:
    """`count` places of alternating sign where the error is largest."""
    middle, half = mp.mpf(fit.low + fit.high) / 2, mp.mpf(fit.high - fit.low) / 2
    steps = POINTS * (fit.degree + 2)
    grid = [middle - half * mp.cos(mp.pi * k / steps) for k in range(steps + 1)]
    values = [error_at(fit, coefficients, x) for x in grid]
    runs: list[tuple[Any, Any]] = []
    for x, value in zip(grid, values, strict=True):
        if runs and (value > 0) == (runs[-1][1] > 0):
            runs[-1] = max(runs[-1], (x, value), key=lambda pair: abs(pair[1]))
        else:
            runs.append((x, value))
    while len(runs) > count:
        runs.pop(0 if abs(runs[0][1]) < abs(runs[-1][1]) else -1)
    return [x for x, _ in runs]


def exchange(fit: Fit) -> list[Any]:
    """The coefficients before rounding."""
    count = fit.degree + 2
    middle, half = mp.mpf(fit.low + fit.high) / 2, mp.mpf(fit.high - fit.low) / 2
    nodes = [middle - half * mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    found: list[Any] = []
    for _ in range(8):
        found = solve(fit, nodes)
        better = extremes(fit, found, count)
        if len(better) < count:
            break
        nodes = better
    return found


def coefficients(fit: Fit) -> list[float]:
    """The coefficients, the constant one first, rounded to the format of the fit."""
    found = [float(c) for c in exchange(fit)]
    rounded = [float(np.float32(c)) for c in found] if fit.format == "f32" else found
    return [rounded[0], *coefficients(_behind(fit, rounded[0]))] if fit.in_turn and fit.degree else rounded


def _behind(fit: Fit, constant: float) -> Fit:
    """The fit for the rest of a polynomial with this constant."""

    def function(x: Any) -> Any:
        return (fit.function(x) - constant) / x

    def weight(x: Any) -> Any:
        return fit.weight(x) * x

    return replace(fit, function=function, weight=weight, degree=fit.degree - 1)


def largest_error(fit: Fit, found: Sequence[float]) -> float:
    """The base-2 logarithm of the largest weighted error."""
    points = [mp.mpf(fit.low) + (mp.mpf(fit.high) - fit.low) * k / 2000 for k in range(2001)]
    exact = [mp.mpf(c) for c in found]
    return float(mp.log(max(abs(error_at(fit, exact, x)) for x in points), 2))


def _near_zero(function: Function, value: float) -> Function:
    """The function, and its limit where its formula ends."""
    return lambda x: mp.mpf(value) if abs(x) < mp.mpf(2) ** -50 else function(x)


def _log_rest(f: Any) -> Any:
    """q in log(1 + f) = f - f**2 / 2 + f**3 * q(f)."""
    return (mp.log(1 + f) - f + f * f / 2) / f**3


def _log_weight(f: Any) -> Any:
    """The weight of an error of q in places of the result; not 0 at 0."""
    return f * f * f / mp.log(1 + f) + mp.mpf(2) ** -10


def _atanh_rest(t: Any) -> Any:
    """r in log((1 + s) / (1 - s)) = 2 * s + s * r(s * s), over t."""
    s = mp.sqrt(t)
    return (2 * mp.atanh(s) / s - 2) / t


def _log2_rest(t: Any) -> Any:
    """p in log2((1 + s) / (1 - s)) = s * (c0 + c1 * t + t * t * p(t)), t = s * s, with exact c0 and c1."""
    s = mp.sqrt(t)
    return (2 * mp.atanh(s) / s - 2 - 2 * t / 3) / (t * t * mp.log(2))


def _expm1_rest(r: Any) -> Any:
    """q in exp(r) - 1 = r + r * r * q(r)."""
    return (mp.expm1(r) - r) / (r * r)


def _exp2_rest(y: Any) -> Any:
    """q in 2**y = 1 + y * log 2 + y * y * q(y)."""
    return (mp.mpf(2) ** y - 1 - y * mp.log(2)) / (y * y)


def _exp_weight(r: Any) -> Any:
    """The weight of an error of q in places of exp(r); not 0 at 0."""
    return r * r / mp.exp(r) + mp.mpf(2) ** -9


def _exp2_weight(y: Any) -> Any:
    """The same for 2**y."""
    return y * y / mp.mpf(2) ** y + mp.mpf(2) ** -8


def _in_square(function: Function) -> Function:
    """p in f(x) = x + x**3 * p(x * x), over s = x * x."""

    def rest(s: Any) -> Any:
        x = mp.sqrt(s)
        return (function(x) / x - 1) / s

    return rest


def _square_weight(function: Function) -> Function:
    """The weight of an error of that p, relative to f; not 0 at 0."""

    def weight(s: Any) -> Any:
        x = mp.sqrt(s)
        return s * x / function(x) + mp.mpf(2) ** -8

    return weight


def _odd(function: Function, high: float, degree: int, format: str) -> Fit:
    """A fit of f(x) = x + x**3 * p(x * x) up to x = sqrt(high)."""
    return Fit(_in_square(function), _square_weight(function), 2.0**-40, high, degree, format)


def _cos_rest(s: Any) -> Any:
    """c in cos(x) = 1 - s / 2 + s * s * c(s), s = x * x."""
    return (mp.cos(mp.sqrt(s)) - 1 + s / 2) / (s * s)


def _cos_weight(s: Any) -> Any:
    return s * s / mp.cos(mp.sqrt(s)) + mp.mpf(2) ** -8


def _power_rest(f: Any) -> Any:
    """q in 2**f = 1 + f * q(f)."""
    return (mp.mpf(2) ** f - 1) / f


def _erf_rest(s: Any) -> Any:
    """p in erf(x) = x + x * p(x * x)."""
    return mp.erf(mp.sqrt(s)) / mp.sqrt(s) - 1


def _erf_weight(s: Any) -> Any:
    return mp.sqrt(s) / mp.erf(mp.sqrt(s))


def _log2_erfc(x: Any) -> Any:
    return mp.log(mp.erfc(x), 2)


def _log2_erfc_weight(x: Any) -> Any:
    """The weight of an error of the logarithm in erf, near 1."""
    return mp.erfc(x) * mp.log(2)


def _gelu_rest(t: Any) -> Any:
    """q in sqrt(2 * phi(-t)) = 1 - t / 2 + t * q(t)."""
    return (mp.sqrt(mp.erfc(t / mp.sqrt(2))) - 1 + t / 2) / t


def _gelu_weight(t: Any) -> Any:
    """The weight of an error of that q in phi, greater around 1, where roundings leave least."""
    square = mp.erfc(t / mp.sqrt(2))
    return t * mp.sqrt(square) / (1 - 0.83 * mp.exp(-(((t - 1.04) / 0.42) ** 4)) + 0.2 * square)


def _mills(v: Any) -> Any:
    """g in phi(-t) = exp(-t * t / 2) * g(v) / (t + 4), v = (t - 4) / (t + 4)."""
    t = 4 * (1 + v) / (1 - v)
    return (t + 4) * mp.exp(t * t / 2) * mp.erfc(t / mp.sqrt(2)) / 2


def _mills_weight(v: Any) -> Any:
    return 1 / _mills(v)


def _inverse_erf(w: Any) -> Any:
    """g in x = erf(y), y = x * g(w), w = -log(1 - x * x)."""
    x = mp.sqrt(-mp.expm1(-w))
    return mp.erfinv(x) / x


def _inverse_erf_fit(low: float, high: float, degree: int, format: str = "f32", *, root: bool = False) -> Fit:
    """A fit of g from `low` to `high` around about their middle; `root` over the square root of w."""
    middle = round((low + high) * 512) / 1024

    def function(t: Any) -> Any:
        place = t + middle
        return _inverse_erf(place * place if root else place)

    return Fit(function, lambda t: 1 / function(t), low - middle, high - middle, degree, format)


_EIGHTH = 0.6174666218
"""The square of pi / 4, and a thousandth more."""
_LN2 = 0.34657359027997264 * 1.01
_HALF_LN2_SQUARED = float(mp.log(2) ** 2 / 2)
_LOG_2 = 0.6931471805599453
FITS: dict[str, Fit] = {
    "exp-f32": Fit(_near_zero(_expm1_rest, 0.5), _exp_weight, -_LN2, _LN2, 5),
    "exp-f64": Fit(_near_zero(_expm1_rest, 0.5), _exp_weight, -_LN2, _LN2, 9, "f64"),
    "exp2-f32": Fit(_near_zero(_exp2_rest, _HALF_LN2_SQUARED), _exp2_weight, -0.505, 0.505, 4),
    "exp2-f64": Fit(_near_zero(_exp2_rest, _HALF_LN2_SQUARED), _exp2_weight, -0.505, 0.505, 9, "f64"),
    "log-f32": Fit(_near_zero(_log_rest, 1 / 3), _near_zero(_log_weight, 2.0**-10), -1 / 3, 1 / 3, 7),
    "log-f64": Fit(_near_zero(_atanh_rest, 2 / 3), lambda t: t + 2.0**-12, 2.0**-60, 0.02944, 6, "f64"),
    "expm1-f32": Fit(_near_zero(_expm1_rest, 0.5), lambda r: abs(r) + 2.0**-7, -_LN2, _LN2, 5),
    "expm1-f64": Fit(_near_zero(_expm1_rest, 0.5), lambda r: abs(r) + 2.0**-7, -_LN2, _LN2, 10, "f64"),
    "pow-f32": Fit(_log2_rest, lambda t: t * t + 2.0**-18, 2.0**-30, 0.02944, 2),
    "pow-f64": Fit(_log2_rest, lambda t: t * t + 2.0**-22, 2.0**-30, 0.02944, 7, "f64"),
    "erf-exp2-f64": Fit(_near_zero(_power_rest, _LOG_2), lambda f: abs(f) + 2.0**-7, -0.502, 0.502, 10, "f64"),
    "erf-f64": Fit(_erf_rest, _erf_weight, 2.0**-40, 1.0, 12, "f64"),
    "erfc-f64": Fit(_log2_erfc, _log2_erfc_weight, 1.0, 6.0, 19, "f64"),
    "gelu-f32": Fit(_gelu_rest, _gelu_weight, 2.0**-20, 5.43, 11, in_turn=True),
    "gelu-f64": Fit(_mills, _mills_weight, -1.0, 35.5 / 43.5, 23, "f64"),
    "inverse-erf-f32": _inverse_erf_fit(2.0**-30, 5.0, 8),
    "inverse-erf-tail-f32": _inverse_erf_fit(2.2, 4.2, 8, root=True),
    "inverse-erf-f64": _inverse_erf_fit(2.0**-40, 6.25, 22, "f64"),
    "inverse-erf-tail-f64": _inverse_erf_fit(2.5, 4.0, 18, "f64", root=True),
    "inverse-erf-far-f64": _inverse_erf_fit(4.0, 6.1, 17, "f64", root=True),
    "sin-f32": _odd(mp.sin, _EIGHTH, 3, "f32"),
    "sin-f64": _odd(mp.sin, _EIGHTH, 6, "f64"),
    "cos-f32": Fit(_cos_rest, _cos_weight, 2.0**-40, _EIGHTH, 2),
    "cos-f64": Fit(_cos_rest, _cos_weight, 2.0**-40, _EIGHTH, 5, "f64"),
    "tan-f32": _odd(mp.tan, _EIGHTH, 6, "f32"),
    "tan-f64": _odd(mp.tan, _EIGHTH, 14, "f64"),
    "atan-f32": _odd(mp.atan, 1.0, 9, "f32"),
    "atan-f64": _odd(mp.atan, 1.0, 20, "f64"),
}
"""The polynomials of each module of `lowering/arithmetic/expansions/`, by their names there and the format."""


def main() -> None:
    """Prints the tables."""
    for name in sys.argv[1:] or FITS:
        found = coefficients(FITS[name])
        print(f"{name}: largest error 2**{largest_error(FITS[name], found):.1f}")
        print("".join(f'    float.fromhex("{float(c).hex()}"),\n' for c in found))


if __name__ == "__main__":
    main()
