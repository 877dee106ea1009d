"""The distance of results from exact values, in units in the last place of the exact one.

A place of a subnormal result is the distance between subnormals. An infinity counts as the power of two that would be
next, so that rounding the greatest numbers up is an error like any other, and so do exact values beyond. NaN for NaN,
infinity for infinity, and zero of the right sign are exact; the wrong kind of value is infinitely wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
gmpy2: Any = import_module("gmpy2")
"""gmpy2's types leave out its functions."""

PRECISION = 120
"""The bits that exact values of f64 are computed with."""


def exact_context() -> Any:
    """The context (of a `with`) that exact values of f64 are computed in; its exponents reach beyond those of f64."""
    return gmpy2.context(precision=PRECISION, emin=-40000, emax=40000)


class Exact:
    """Exact values of f32 results, as f64, whose own error of 2**-29 places does not count.

    Errors up to `slack` count as none.
    """

    def __init__(self, values: Array, slack: Array | float = 0.0):
        with np.errstate(all="ignore"):
            # The exponent alone is the power of two below.
            power = (np.abs(values).view(np.int64) & (0x7FF << 52)).view(np.float64)
            self.per_place = 1 / np.maximum(power * 2.0**-23, 2.0**-149)
            self.near = np.clip(values, -(2.0**128), 2.0**128)
        self.values = values
        self.slack = slack
        self.negative = np.signbit(values)
        self.special = ~np.isfinite(values)

    def errors(self, got: Array) -> Array:
        """The error of each result."""
        with np.errstate(all="ignore"):
            wide = got.astype(np.float64)
            apart = np.abs(np.clip(wide, -(2.0**128), 2.0**128) - self.near)
            error = np.where(apart <= self.slack, 0, apart * self.per_place)
        values = self.values
        if self.special.any():
            same = (got == values) | (np.isnan(got) & np.isnan(values))
            error = np.where(self.special, np.where(same, 0, np.inf), error)
        # An exact zero has a sign; a result that underflows has that of the exact value.
        astray = (got == 0) & (np.signbit(got) != self.negative) & ~np.isnan(values)
        return np.where(np.isnan(error) | astray, np.inf, error)


def exact_values(function: Callable[..., Any], *inputs: Array) -> list[Any]:
    """The function of f64 inputs as numbers of gmpy2."""
    with exact_context():
        return [function(*map(gmpy2.mpfr, row)) for row in zip(*(x.tolist() for x in inputs), strict=True)]


def errors_f64(got: Array, exact: Sequence[Any]) -> Array:
    """The errors of f64 results against numbers of gmpy2."""
    return np.array([error_f64(a, b) for a, b in zip(got.tolist(), exact, strict=True)])


def error_f32(got: float, function: Callable[..., Any], *operands: float, slack: float = 0.0) -> float:
    """The error of one f32 result, by gmpy2; 0 up to `slack`."""
    with exact_context():
        exact = function(*map(gmpy2.mpfr, operands))
        error = error_in("f32", got, exact)
        return 0.0 if error < np.inf and abs(gmpy2.mpfr(got) - exact) <= slack else error


def error_f64(got: float, exact: Any) -> float:
    """The error of one f64 result against a value of gmpy2."""
    return error_in("f64", got, exact)


FORMATS = {"f16": (11, -24, 16), "bf16": (8, -133, 128), "f32": (24, -149, 128), "f64": (53, -1074, 1024)}
"""The digits of a format, and the exponents of the powers of two at the ends of its range."""


def error_in(format: str, got: float, exact: Any) -> float:
    """The error of one result of a format against a value of gmpy2."""
    digits, least, greatest = FORMATS[format]
    if gmpy2.is_nan(exact):
        return 0.0 if np.isnan(got) else np.inf
    if got == 0 and bool(np.signbit(got)) != bool(gmpy2.is_signed(exact)):
        return np.inf
    if gmpy2.is_infinite(exact):
        return 0.0 if got == float(exact) else np.inf
    if np.isnan(got):
        return np.inf
    if gmpy2.is_zero(exact):
        return 0.0 if got == 0 else np.inf
    with exact_context():
        exponent = max(int(gmpy2.frexp(exact)[0]) - digits, least)
        if np.isinf(got):
            value = gmpy2.exp2(gmpy2.mpfr(greatest)) * (1 if got > 0 else -1)
            if abs(exact) >= abs(value) and (exact > 0) == (got > 0):
                return 0.0
        else:
            value = gmpy2.mpfr(got)
        return float(abs(value - exact) * gmpy2.exp2(gmpy2.mpfr(-exponent)))
