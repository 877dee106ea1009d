"""How far results are from exact values, in units in the last place of the exact one.

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


def errors(got: Array, exact: Array) -> Array:
    """The errors of f32 results against f64 values, whose own error of 2**-29 places does not count."""
    magnitude = np.abs(exact)
    with np.errstate(all="ignore"):
        # The exponent alone is the power of two below.
        power = (magnitude.view(np.int64) & (0x7FF << 52)).view(np.float64)
        place = np.maximum(power * 2.0**-23, 2.0**-149)
        found = got.astype(np.float64)
        found = np.where(np.isinf(found) & np.isfinite(exact), np.copysign(2.0**128, found), found)
        near = np.clip(exact, -(2.0**128), 2.0**128)
        error = np.abs(found - near) / place
        error = np.where(np.isinf(exact), np.where(got == exact, 0, np.inf), error)
        error = np.where(np.isnan(exact), np.where(np.isnan(got), 0, np.inf), error)
    # An exact zero has a sign; a result that underflows has that of the exact value.
    astray = (got == 0) & (np.signbit(got) != np.signbit(exact)) & ~np.isnan(exact)
    return np.where(np.isnan(error) | astray, np.inf, error)


def exact_values(function: Callable[..., Any], *inputs: Array) -> list[Any]:
    """The function of f64 inputs as numbers of gmpy2."""
    with exact_context():
        return [function(*map(gmpy2.mpfr, row)) for row in zip(*(x.tolist() for x in inputs), strict=True)]


def errors_f64(got: Array, exact: Sequence[Any]) -> Array:
    """The errors of f64 results against numbers of gmpy2."""
    return np.array([error_f64(a, b) for a, b in zip(got.tolist(), exact, strict=True)])


def error_f64(got: float, exact: Any) -> float:
    """The error of one f64 result against a value of gmpy2."""
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
        exponent = max(int(gmpy2.frexp(exact)[0]) - 53, -1074)
        if np.isinf(got):
            value = gmpy2.exp2(gmpy2.mpfr(1024)) * (1 if got > 0 else -1)
            if abs(exact) >= abs(value) and (exact > 0) == (got > 0):
                return 0.0
        else:
            value = gmpy2.mpfr(got)
        return float(abs(value - exact) * gmpy2.exp2(gmpy2.mpfr(-exponent)))
