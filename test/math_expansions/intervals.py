"""Computes the tables of `lowering/arithmetic/expansions/`: polynomials by interval, around well-rounding points.

Run it to see each table, an interval a line, with its largest error; `python test/math_expansions/intervals.py NAME...`
does some. The first number of an interval is its centre c, chosen near where the fit asks for it such that the
function's value there, the second number, is a float to 1/500 of its last place, and the slope one to an eighth. The
rest minimises the square of the error relative to the function at Chebyshev's points, one coefficient rounded after
the other.
"""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import count
from typing import Any

import numpy as np

mp: Any = import_module("mpmath").mp
BITS = 120
"""The precision of the computation, in bits."""
INTERVALS = 16
NODES = 4
"""Points that are fitted, for each coefficient."""


@dataclass(frozen=True)
class Interval:
    """One column of a table."""

    low: float
    high: float
    near: float
    """The place around which the centre is searched."""
    start: tuple[float, ...] = ()
    """The centre and the first coefficients, where they are given."""


@dataclass(frozen=True)
class TableFit:
    """One function's table."""

    exact: Callable[[Any], Any]
    """The function on numbers of mpmath."""
    value: Callable[[float], float]
    """The function in f64."""
    slope: Callable[[float], float]
    degree: int
    intervals: tuple[Interval | None, ...]
    """The intervals by column; None for a column of zeros."""


def nearly_float(value: float, part: int) -> bool:
    """Return whether the nearest f32 is within 1 / `part` of a last place."""
    rounded = np.float32(value)
    return abs(value - float(rounded)) * part < float(np.spacing(abs(rounded)))


def centre(fit: TableFit, near: float) -> float:
    """The f32 nearest `near` where value and slope are nearly floats."""
    base = int(np.float32(near).view(np.int32))
    for step in count():
        for bits in (base + step, base - step):
            c = float(np.int32(bits).view(np.float32))
            if nearly_float(fit.value(c), 500) and nearly_float(fit.slope(c), 8):
                return c
    raise AssertionError


def coefficients(fit: TableFit, interval: Interval | None) -> list[float]:
    """A column: the centre and the coefficients, the constant one first."""
    if interval is None:
        return [0.0] * (fit.degree + 2)
    found = list(interval.start)
    if not found:
        c = centre(fit, interval.near)
        found = [c, float(np.float32(fit.value(c)))]
    with mp.workprec(BITS):
        return _fitted(fit, interval, found)


def _fitted(fit: TableFit, interval: Interval, start: Sequence[float]) -> list[float]:
    """The centre and the coefficients, those at the start given."""
    c, *known = start
    points = _points(interval, NODES * (fit.degree + 1))
    values = [fit.exact(x) for x in points]
    while len(known) <= fit.degree:
        known.append(_next(points, values, c, known, fit.degree))
    return [c, *known]


def polynomial(known: Sequence[float], t: Any) -> Any:
    """The polynomial with these coefficients, the constant one first, at t."""
    result = mp.mpf(0)
    for coefficient in reversed(known):
        result = result * t + coefficient
    return result


def _points(interval: Interval, number: int) -> list[Any]:
    """Chebyshev's points."""
    middle, half = mp.mpf(interval.low + interval.high) / 2, mp.mpf(interval.high - interval.low) / 2
    return [middle + half * mp.cos(mp.pi * (2 * k + 1) / (2 * number)) for k in range(number)]


def _next(points: Sequence[Any], values: Sequence[Any], c: float, known: Sequence[float], degree: int) -> float:
    """The coefficient after the known ones, in f32, of the polynomial in x - c that is best if none is rounded."""
    n, k = degree + 1 - len(known), len(known)
    rows = [[(x - c) ** (k + j) / y for j in range(n)] for x, y in zip(points, values, strict=True)]
    right = [1 - polynomial(known, x - c) / y for x, y in zip(points, values, strict=True)]
    normal, moments = mp.matrix(n, n), mp.matrix(n, 1)
    for i in range(n):
        moments[i] = mp.fdot((row[i], r) for row, r in zip(rows, right, strict=True))
        for j in range(n):
            normal[i, j] = mp.fdot((row[i], row[j]) for row in rows)
    return float(np.float32(float(mp.lu_solve(normal, moments)[0])))


def error(fit: TableFit, interval: Interval, column: Sequence[float]) -> float:
    """The base-2 logarithm of the largest relative error, of the rounded coefficients."""
    with mp.workprec(BITS):
        c, *rest = column
        points = [mp.mpf(interval.low) + (mp.mpf(interval.high) - interval.low) * k / 300 for k in range(1, 301)]
        return float(mp.log(max(abs(polynomial(rest, x - c) / fit.exact(x) - 1) for x in points), 2))


def words(column: Sequence[float]) -> str:
    """The numbers as the sources have them."""
    return struct.pack(f">{len(column)}f", *column).hex(" ", 4)


def _step(word: int) -> float:
    """The start of an interval of tanh."""
    return float(np.uint32(word << 21).view(np.float32)) - 0.625


def _tanh_interval(column: int) -> Interval:
    """The interval for the lowest four bits of the exponent and two bits of the significand of x + 5/8."""
    first = 0x3F200000 >> 21
    word = first + (column - first) % INTERVALS
    low, high = _step(word), min(_step(word + 1), 9.02)
    if low == 0:
        return Interval(2.0**-40, high, 0.0, (0.0, 0.0, 1.0))
    return Interval(low, high, (low + high) / 2)


GELU_WIDTH = 0.375


def _gelu_interval(column: int) -> Interval | None:
    """The interval around a multiple of the width."""
    low, high = max((column - 0.5) * GELU_WIDTH, 0.0), (column + 0.5) * GELU_WIDTH
    if column == 0:
        return Interval(low, high, 0.0, (0.0, 0.5))
    return Interval(low, high, (column + 0.16) * GELU_WIDTH) if column < INTERVALS - 1 else None


ERF_WIDTH = 17 / 64


def _erf_interval(column: int) -> Interval:
    """The interval around a multiple of the width."""
    low, high = (column - 0.5) * ERF_WIDTH, min((column + 0.5) * ERF_WIDTH, 3.95)
    if column == 0:
        return Interval(2.0**-40, high, 0.0, (0.0, 0.0))
    return Interval(low, high, (low + high) / 2)


FITS: dict[str, TableFit] = {
    "tanh": TableFit(
        mp.tanh, math.tanh, lambda x: 1 - math.tanh(x) ** 2, 6, tuple(map(_tanh_interval, range(INTERVALS)))
    ),
    "gelu": TableFit(
        lambda x: mp.erfc(x / mp.sqrt(2)) / 2,
        lambda x: math.erfc(x / math.sqrt(2)) / 2,
        lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi),
        7,
        tuple(map(_gelu_interval, range(INTERVALS))),
    ),
    "erf": TableFit(
        mp.erf,
        math.erf,
        lambda x: 2 / math.sqrt(math.pi) * math.exp(-x * x),
        6,
        tuple(map(_erf_interval, range(INTERVALS))),
    ),
}
"""The tables by the name of the function."""


def main() -> None:
    """Prints the tables."""
    for name in sys.argv[1:] or FITS:
        fit, worst = FITS[name], -math.inf
        for interval in fit.intervals:
            column = coefficients(fit, interval)
            worst = max(worst, error(fit, interval, column) if interval is not None else worst)
            print(words(column))
        print(f"{name}: largest error 2**{worst:.1f}")


if __name__ == "__main__":
    main()
