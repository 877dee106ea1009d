"""The exact results of every instruction, by Python's integers and by MPFR, without any code of the project.

The tables name instructions, not meanings of a second ISA: one that is declared and stands in none of them is reported
as not run.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np

from conformance import bounds
from conformance.bounds import FLOATS_OF_BYTES
from hologram.dialects.atlas.instructions.types import DTYPES, LARGEST, DType
from interpreter.running import CONDITIONS, wrap
from math_expansions.accuracy import FORMATS, error_in, exact_context
from math_expansions.references import FUNCTIONS

g: Any = import_module("gmpy2")
"""gmpy2's types leave out its functions."""
NAN = math.nan

Judge = Callable[[Any], str | None]
"""Says what is wrong with a result, or nothing."""


# Integers


def divide(a: int, b: int) -> int:
    """The quotient, truncated toward zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def sign(a: int) -> int:
    """-1, 0 or 1."""
    return (a > 0) - (a < 0)


_UNARY: dict[str, Callable[[int], int]] = {
    "abs": abs, "neg": lambda a: -a, "not": lambda a: ~a, "sign": sign, "relu": lambda a: max(a, 0),
}  # fmt: skip
_BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "div": divide, "rem": lambda a, b: a - divide(a, b) * b,
    "min": min, "max": max, "min.nan": min, "max.nan": max,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
}  # fmt: skip
_TERNARY: dict[str, Callable[[int, int, int], int]] = {
    "mad": lambda a, b, c: a * b + c, "fma": lambda a, b, c: a * b + c, "fms": lambda a, b, c: a * b - c,
    "clamp": lambda x, low, high: min(max(x, low), high),
}  # fmt: skip
INTEGERS: dict[str, Callable[..., int]] = {**_UNARY, **_BINARY, **_TERNARY}
"""The functions of integers by name; the results wrap."""

_LOGIC: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b, "or": lambda a, b: a or b, "xor": lambda a, b: a != b,
}  # fmt: skip
BOOLEANS: dict[str, Callable[..., bool]] = {**_LOGIC, "not": operator.not_}


OF_WIDTH: dict[str, Callable[[int, int, int], int]] = {
    "shl": lambda bits, a, amount: a << amount % bits, "shr": lambda bits, a, amount: a >> amount % bits,
}  # fmt: skip
"""The functions of integers that the width changes, which comes before the operands."""


def integer(name: str, bits: int) -> Callable[..., int] | None:
    """The function of integers of a width; None where no table has it."""
    return partial(OF_WIDTH[name], bits) if name in OF_WIDTH else INTEGERS.get(name)


# Floats


@cache
def context(name: str) -> Any:
    """MPFR's context in which every operation rounds once to a float type."""
    digits, least, greatest = FORMATS.get(name) or FLOATS_OF_BYTES[name]
    return g.context(precision=digits, emin=least + 1, emax=greatest, subnormalize=True)


def least(a: float, b: float) -> float:
    """The lesser of two numbers, -0 below +0."""
    return min((a, b), key=lambda v: (v, math.copysign(1.0, v)))


def greatest(a: float, b: float) -> float:
    """The greater of two numbers."""
    return max((a, b), key=lambda v: (v, math.copysign(1.0, v)))


def number(choose: Callable[[float, float], float]) -> Callable[[float, float], float]:
    """A choice that returns the number where one operand is NaN."""
    return lambda a, b: b if math.isnan(a) else a if math.isnan(b) else choose(a, b)


def winning(choose: Callable[[float, float], float]) -> Callable[[float, float], float]:
    """A choice that returns NaN where an operand is NaN."""
    return lambda a, b: NAN if math.isnan(a) or math.isnan(b) else choose(a, b)


def rounding(function: Callable[[float], float]) -> Callable[[float], float]:
    """A rounding to integers, which keeps the sign of what becomes zero."""
    return lambda v: math.copysign(function(v), v) if math.isfinite(v) else v


def clamp(x: float, low: float, high: float) -> float:
    """min(max(x, low), high)."""
    return number(least)(number(greatest)(x, low), high)


_CUT: dict[str, Callable[[float], float]] = {
    "abs": abs, "neg": lambda v: -v, "sign": lambda v: v if v == 0 or math.isnan(v) else math.copysign(1.0, v),
    "relu": lambda v: 0.0 if v < 0 else v,
    "floor": rounding(math.floor), "ceil": rounding(math.ceil), "round": rounding(round),
    "trunc": rounding(math.trunc),
}  # fmt: skip
SELECTED: dict[str, Callable[..., float]] = {
    "min": number(least), "max": number(greatest), "min.nan": winning(least), "max.nan": winning(greatest),
    "clamp": clamp, **_CUT,
}  # fmt: skip
"""The functions that select or truncate floats."""


def _mad(a: Any, b: Any, c: Any) -> Any:
    return a * b + c


def _lerp(a: Any, b: Any, t: Any) -> Any:
    return g.fma(t, b, g.fma(-t, a, a))


def _divide(a: Any, b: Any) -> Any:
    return a / b


def _reciprocal(a: Any) -> Any:
    return 1 / a


ROUNDED: dict[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": _divide, "mad": _mad,
    "rem": g.fmod, "sqrt": g.sqrt, "rcp": _reciprocal, "fma": g.fma, "fms": g.fms, "lerp": _lerp,
}  # fmt: skip
"""The operations that round once, on MPFR's numbers in the context of the type."""


_FUSED = {"fma": 1.0, "fms": -1.0, "mad": 1.0}
"""The instructions that add to a product, with the sign of the addend."""


def _possible(name: str, t: DType, row: tuple[float, ...]) -> bounds.Values:
    """All that a computation may give on a device that promises bounds."""
    steps = {n: rounder(t, f) for n, f in (("fma", g.fma), ("mul", operator.mul), ("add", operator.add))}
    if name in _FUSED:
        a, b, c = row
        return bounds.sums(t, steps, [a], [b], [_FUSED[name] * c])
    if name == "lerp":
        a, b, fraction = row
        rest = bounds.sums(t, steps, [-fraction], [a], [a])
        return bounds.sums(t, steps, [fraction], [b], rest)
    if name in SELECTED:
        return bounds.results(t, lambda *v: float(SELECTED[name](*v)), *([v] for v in row))
    return bounds.results(t, rounder(t, ROUNDED[name]), *([v] for v in row))


def bound_of(name: str, t: DType) -> float:
    """The stated error bound of a function, in units in the last place; 16-bit floats round the f32 result once."""
    found = FUNCTIONS[name].bound("f64" if t.name == "f64" else "f32")
    return found if t.bits >= 32 else 0.5 + found * 2.0 ** (FORMATS[t.name][0] - FORMATS["f32"][0])


def _same(found: float, expected: float) -> bool:
    if math.isnan(expected):
        return math.isnan(found)
    return found == expected and math.copysign(1.0, found) == math.copysign(1.0, expected)


@dataclass(frozen=True)
class Exactly:
    """Wants one value; of floats any NaN for a NaN."""

    value: Any

    def __call__(self, found: Any) -> str | None:
        same = _same(found, self.value) if isinstance(self.value, float) else found == self.value
        return None if same else f"{found}, not {self.value}"


@dataclass(frozen=True)
class Computed:
    """Wants one value; of a device that promises bounds any that fits."""

    value: Any
    fits: Callable[[Any], bool]

    def __call__(self, found: Any) -> str | None:
        if (problem := Exactly(self.value)(found)) is None or (bounds.are_promised() and self.fits(found)):
            return None
        return problem


def one_of(value: Any, others: Callable[[], Iterable[Any]]) -> Judge:
    """Wants one value; of a device that promises bounds also one of some others."""
    return Computed(value, lambda found: any(Exactly(v)(found) is None for v in others()))


@dataclass(frozen=True)
class Within:
    """Wants what is no farther from an exact value than a bound."""

    name: str
    type: DType
    row: tuple[float, ...]

    def __call__(self, found: Any) -> str | None:
        problem = self._problem(found, self.row)
        return None if problem is None or (bounds.are_promised() and self._fits(found)) else problem

    def _fits(self, found: float) -> bool:
        """Return whether a result is right where subnormals may be zeros."""
        t = self.type
        return any(
            self._problem(found, row) is None or bounds.vanishes(t, found, exact_of(self.name, row))
            for row in bounds.operands(t, self.row)
        )

    def _problem(self, found: float, row: tuple[float, ...]) -> str | None:
        bound, exact = bound_of(self.name, self.type), exact_of(self.name, row)
        error = error_in(self.type.name, found, exact)
        if error <= bound:
            return None
        if math.isfinite(found) and self.type.name != "f64" and abs(found - float(exact)) <= self._slack(found, row):
            return None
        return f"{found}, not {float(exact)}: {error:.3g} units in the last place, the bound is {bound:.3g}"

    def _slack(self, found: float, row: tuple[float, ...]) -> float:
        """The absolute error that counts as none where the bound states one, and of 16 bits one rounding more."""
        slack = float(np.max(FUNCTIONS[self.name].slack(np.array(row[:1]))))
        return slack + (abs(found) * 2.0 ** -FORMATS[self.type.name][0] if slack and self.type.bits == 16 else 0.0)


def exact_of(name: str, row: tuple[float, ...]) -> Any:
    """A function's value to many digits."""
    return _exact(name, tuple(v.hex() for v in row))


@cache
def _exact(name: str, digits: tuple[str, ...]) -> Any:
    """The same of hexadecimal digits, which tell zeros apart."""
    with exact_context():
        return FUNCTIONS[name].exact(*(g.mpfr(float.fromhex(d)) for d in digits))


def unknown(name: str) -> Judge:
    """Finds every result wrong."""

    def judge(found: Any) -> str:
        return f"{found}: no exact value of '{name}' is known to test/conformance/exact.py"

    return judge


def scalar(name: str, t: DType, row: tuple[Any, ...]) -> Judge | None:
    """The judge of a scalar instruction's result for operands; None where no table has it."""
    if name == "mov":
        return Exactly(row[0])
    if name == "sel":
        return Exactly(row[1] if row[0] else row[2])
    if name.startswith("set"):
        return one_of(holds(name[3:], t, *row), lambda: [holds(name[3:], t, *r) for r in bounds.operands(t, row)])
    if t.kind == "bool":
        return Exactly(BOOLEANS[name](*row)) if name in BOOLEANS else None
    if t.is_integer:
        function = integer(name, t.bits)
        return Exactly(wrap(function(*row), t)) if function else None
    return _float(name, t, row)


def _float(name: str, t: DType, row: tuple[float, ...]) -> Judge | None:
    if name in SELECTED:
        return one_of(float(SELECTED[name](*row)), lambda: _possible(name, t, row))
    if name in ("div", "rcp"):
        fraction = row if name == "div" else (1.0, *row)
        return Computed(rounder(t, ROUNDED[name])(*row), lambda found: bounds.quotient_fits(t, found, fraction))
    if name in ROUNDED:
        return one_of(rounder(t, ROUNDED[name])(*row), lambda: _possible(name, t, row))
    return Within(name, t, row) if name in FUNCTIONS else None


def holds(condition: str, t: DType, a: Any, b: Any) -> bool:
    """Return whether a condition of `setcc` holds; the `u` forms read integers as unsigned."""
    if condition.endswith("u"):
        a, b = (wrap(v, DTYPES[f"u{t.bits}"]) for v in (a, b))
        condition = condition[:-1]
    return CONDITIONS[condition](a, b)


def converted(source: DType, target: DType, value: Any, *, finite: bool = False) -> Any:
    """The result of `cvt`, or with `finite` that of `cvt.satfinite`."""
    if target.kind == "bool":
        return value != 0
    if finite:
        most = LARGEST[target.name]
        value = most if value > most else -most if value < -most else value
    if target.is_float:
        with context(target.name):
            found = float(g.mpfr(value))
        return NAN if target.name == "f8E4M3FN" and abs(found) > LARGEST[target.name] else found
    if not source.is_float:
        return wrap(int(value), target)
    if math.isnan(value):
        return 0
    low, high = int(target.least), int(target.greatest)
    return low if value < low else high if value > high else math.trunc(value)


def rounder(t: DType, function: Callable[..., Any] = g.mpfr) -> Callable[..., float]:
    """A function of MPFR's numbers (else the identity), rounded once to a float type."""

    def call(*operands: float) -> float:
        with context(t.name):
            return float(function(*map(g.mpfr, operands)))

    return call
