"""Float instructions against exact rationals and high-precision arithmetic, rounded by code of the tests' own."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath as untyped_mpmath
import numpy as np
import pytest
from xdsl.dialects import test as unregistered

from conformance.exact import BOOLEANS, INTEGERS, ROUNDED, SELECTED, greatest, least, number, winning
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS, SetccOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from interpreter.running import CONDITIONS, floats, from_bits, infinity_bits, nearest, ordered, same, to_array
from math_expansions.references import FUNCTIONS

TYPES = ["f16", "bf16", "f32", "f64"]
mpmath: Any = untyped_mpmath
INF, NAN = math.inf, math.nan


def evaluate(name: str, t: DType, *columns: list[float]) -> Any:
    return INSTRUCTIONS[name].INSTRUCTION.evaluate(t, *(to_array(c, t) for c in columns))


def finite(*values: float) -> bool:
    return all(math.isfinite(v) for v in values)


def exact_or(special: Callable[..., float], exact: Callable[..., Fraction], t: DType) -> Callable[..., float]:
    """The exact result rounded, or what Python's doubles say where it is zero or an operand is not finite."""

    def call(*args: float) -> float:
        if not finite(*args):
            return special(*args)
        value = exact(*map(Fraction, args))
        return nearest(value, t) if value else special(*args)

    return call


def quotient(a: float, b: float) -> float:
    with np.errstate(all="ignore"):
        return float(np.float64(a) / np.float64(b))


@pytest.mark.parametrize("name", TYPES)
def test_arithmetic_rounds_once(name: str):
    t = DTYPES[name]
    rows = list(product(floats(t), repeat=2))
    a, b = ([r[k] for r in rows] for k in range(2))
    add = exact_or(operator.add, operator.add, t)
    sub = exact_or(operator.sub, operator.sub, t)
    mul = exact_or(operator.mul, operator.mul, t)
    assert same(evaluate("add", t, a, b), [add(*r) for r in rows])
    assert same(evaluate("sub", t, a, b), [sub(*r) for r in rows])
    assert same(evaluate("mul", t, a, b), [mul(*r) for r in rows])
    div = [nearest(Fraction(x) / Fraction(y), t) if finite(x, y) and x and y else quotient(x, y) for x, y in rows]
    assert same(evaluate("div", t, a, b), div)
    values = floats(t)
    rcp = [nearest(1 / Fraction(x), t) if finite(x) and x else quotient(1.0, x) for x in values]
    assert same(evaluate("rcp", t, values), rcp)


def exact_multiply_add(x: Fraction, y: Fraction, z: Fraction) -> Fraction:
    return x * y + z


def multiply_add(x: float, y: float, z: float) -> float:
    """a * b + c where an operand is not finite, or where it is exactly zero."""
    product = 0.0 * y if x == 0 and finite(y) else x * y
    if finite(x, y) and not finite(z):
        return z
    if finite(x, y, z):
        return (math.copysign(0.0, x) * math.copysign(1.0, y)) + z if not (x and y) else 0.0
    return product + z


@pytest.mark.parametrize("name", TYPES)
def test_fma_rounds_once_and_mad_twice(name: str):
    t = DTYPES[name]
    values = floats(t)[::3] + [NAN, -0.0, from_bits(infinity_bits(t) // 2 + 1, t)]
    rows = list(product(values, repeat=3))
    columns = [[r[k] for r in rows] for k in range(3)]
    fma = exact_or(multiply_add, exact_multiply_add, t)
    fused = [fma(*r) for r in rows]
    assert same(evaluate("fma", t, *columns), fused)
    assert same(evaluate("fms", t, *columns), [fma(x, y, -z) for x, y, z in rows])
    products = evaluate("mul", t, *columns[:2]).astype(np.float64).tolist()
    assert same(evaluate("mad", t, *columns), evaluate("add", t, products, columns[2]).astype(np.float64).tolist())
    inner = [fma(-s, x, x) for x, _, s in rows]
    assert same(evaluate("lerp", t, *columns), [fma(s, y, i) for (_, y, s), i in zip(rows, inner, strict=True)])


@pytest.mark.parametrize("name", TYPES)
def test_fma_of_nearby_values(name: str):
    """Products whose rounding error decides: a * b + c with c near -a * b, or far below it."""
    t = DTYPES[name]
    generator = np.random.default_rng(1)
    a, b = (to_array(generator.uniform(1, 2, 300).tolist(), t).astype(np.float64).tolist() for _ in range(2))
    products = to_array([-x * y for x, y in zip(a, b, strict=True)], t).astype(np.float64).tolist()
    tiny = to_array((generator.uniform(-1, 1, 300) * 2.0**-11).tolist(), t).astype(np.float64).tolist()
    for c in (products, tiny):
        expected = [nearest(Fraction(x) * Fraction(y) + Fraction(z), t) for x, y, z in zip(a, b, c, strict=True)]
        found = evaluate("fma", t, a, b, c).astype(np.float64)
        assert np.array_equal(found, np.array(expected))


@pytest.mark.parametrize("name", TYPES)
def test_remainder_is_exact(name: str):
    t = DTYPES[name]
    rows = [(x, y) for x, y in product(floats(t), repeat=2)]
    expected: list[float] = []
    for x, y in rows:
        if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
            expected.append(NAN)
        elif math.isinf(y):
            expected.append(x)
        else:
            size = abs(Fraction(x)) % abs(Fraction(y))
            expected.append(math.copysign(nearest(size, t), x))
    assert same(evaluate("rem", t, [r[0] for r in rows], [r[1] for r in rows]), expected)


@pytest.mark.parametrize("name", TYPES)
def test_minimum_and_maximum(name: str):
    t = DTYPES[name]
    rows = list(product(floats(t), repeat=2))
    for op, function in {
        "min": number(least), "max": number(greatest), "min.nan": winning(least), "max.nan": winning(greatest),
    }.items():  # fmt: skip
        found = evaluate(op, t, [r[0] for r in rows], [r[1] for r in rows])
        assert same(found, [function(*r) for r in rows]), op
    rows3 = list(product(floats(t)[::2], repeat=3))
    clamp = [number(least)(number(greatest)(x, low), high) for x, low, high in rows3]
    assert same(evaluate("clamp", t, *([r[k] for r in rows3] for k in range(3))), clamp)


@pytest.mark.parametrize("name", TYPES)
def test_signs_roundings_and_relu(name: str):
    t = DTYPES[name]
    values = [*floats(t), *(v + 0.25 for v in range(-3, 4)), *(v + 0.5 for v in range(-3, 4))]

    def rounding(function: Callable[[float], float]) -> Callable[[float], float]:
        return lambda v: math.copysign(function(v), v) if finite(v) else v

    table: dict[str, Callable[[float], float]] = {
        "abs": abs, "neg": lambda v: -v, "sign": lambda v: v if v == 0 or math.isnan(v) else math.copysign(1.0, v),
        "relu": lambda v: 0.0 if v < 0 else v,
        "floor": rounding(math.floor), "ceil": rounding(math.ceil), "round": rounding(round),
        "trunc": rounding(math.trunc),
    }  # fmt: skip
    for op, function in table.items():
        assert same(evaluate(op, t, values), [function(v) for v in values]), op


@pytest.mark.parametrize("name", TYPES)
def test_conditions_are_ordered(name: str):
    t = DTYPES[name]
    rows = list(product(floats(t), repeat=2))
    a, b = (to_array([r[k] for r in rows], t) for k in range(2))
    values = unregistered.TestOp(result_types=[t.ir, t.ir]).results
    for condition, function in CONDITIONS.items():
        assert SetccOp(condition, t, *values).evaluate(a, b).tolist() == [function(x, y) for x, y in rows]


# Real functions


def real(name: str) -> Callable[[Any], Any]:
    m = mpmath
    half = m.mpf(1) / 2
    table: dict[str, Callable[[Any], Any]] = {
        "sqrt": m.sqrt, "rsqrt": lambda x: 1 / m.sqrt(x), "exp": m.exp, "exp2": lambda x: m.power(2, x),
        "expm1": m.expm1,
        "log": m.log, "log2": lambda x: m.log(x) / m.log(2), "log10": m.log10, "log1p": m.log1p, "sin": m.sin,
        "cos": m.cos,
        "tan": m.tan, "atan": m.atan, "tanh": m.tanh, "erf": m.erf, "sigmoid": lambda x: 1 / (1 + m.exp(-x)),
        "gelu": lambda x: half * x * m.erfc(-x / m.sqrt(2)), "swish": lambda x: x / (1 + m.exp(-x)),
        "gelu.tanh": lambda x: x / (1 + m.exp(-2 * m.sqrt(2 / m.pi) * (x + m.mpf(0.044715) * x**3))),
    }  # fmt: skip
    return table[name]


ULPS = {"gelu": 4096, "gelu.tanh": 4096}
"""Doubles only: the oracle's tails there lose digits of the argument's rounding. Shorter types are within one ulp."""


def points(name: str, t: DType) -> list[float]:
    generator = np.random.default_rng(7)
    spread = (generator.uniform(-1, 1, 60) * 10.0 ** generator.uniform(-6, 1.5, 60)).tolist()
    values = to_array([*spread, 1.0, 2.0, -1.0, 0.5, 8.0, 20.0, -20.0], t).astype(np.float64).tolist()
    positive = name in ("sqrt", "rsqrt", "log", "log2", "log10")
    return [abs(v) for v in values if v] if positive else [v for v in values if v and (name != "log1p" or v > -1)]


REAL = [
    "sqrt", "rsqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "atan", "tanh",
    "erf",
    "sigmoid", "gelu", "gelu.tanh", "swish",
]  # fmt: skip


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("op", REAL)
def test_real_functions_near_the_exact_value(op: str, name: str):
    t = DTYPES[name]
    values = points(op, t)
    with mpmath.workdps(80):
        exact = [real(op)(mpmath.mpf(v)) for v in values]
        expected = [nearest(_rational(e), t) for e in exact]
    found = evaluate(op, t, values)
    distance = np.array(ordered(found, t), object) - np.array(ordered(to_array(expected, t), t), object)
    bound = 0 if op == "sqrt" else 1 if t.bits < 64 else ULPS.get(op, 4)
    assert max(abs(d) for d in distance) <= bound


def _rational(value: Any) -> Fraction:
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** int(exponent)


SPECIAL: dict[str, list[tuple[float, float]]] = {
    "sqrt": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-1.0, NAN), (-INF, NAN)],
    "rsqrt": [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-1.0, NAN)],
    "exp": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0)],
    "exp2": [(0.0, 1.0), (3.0, 8.0), (INF, INF), (-INF, 0.0)],
    "expm1": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0)],
    "log": [(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN)],
    "log2": [(0.0, -INF), (1.0, 0.0), (8.0, 3.0), (INF, INF), (-INF, NAN)],
    "log10": [(0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN)],
    "log1p": [(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (INF, INF), (-2.0, NAN)],
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN)],
    "atan": [(0.0, 0.0), (-0.0, -0.0)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0)],
    "erf": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0)],
    "sigmoid": [(0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0)],
    "gelu": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -0.0)],
    "gelu.tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -0.0)],
    "swish": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -0.0)],
}


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("op", REAL)
def test_special_values_of_real_functions(op: str, name: str):
    rows = [*SPECIAL[op], (NAN, NAN)]
    assert same(evaluate(op, DTYPES[name], [r[0] for r in rows]), [r[1] for r in rows])


POW = [
    (NAN, 0.0, 1.0), (NAN, -0.0, 1.0), (INF, 0.0, 1.0), (1.0, NAN, 1.0), (1.0, INF, 1.0), (-1.0, INF, 1.0),
    (-1.0, -INF, 1.0),
    (0.0, 3.0, 0.0), (-0.0, 3.0, -0.0), (-0.0, 2.0, 0.0), (0.0, -3.0, INF), (-0.0, -3.0, -INF), (-0.0, -2.0, INF),
    (0.0, -INF, INF), (-0.0, -INF, INF), (0.5, INF, 0.0), (0.5, -INF, INF), (2.0, INF, INF), (2.0, -INF, 0.0),
    (-2.0, 3.0, -8.0), (-2.0, 2.0, 4.0), (-2.0, 0.5, NAN), (INF, 2.0, INF), (INF, -2.0, 0.0), (-INF, 3.0, -INF),
    (-INF, 2.0, INF), (-INF, -3.0, -0.0), (-INF, -2.0, 0.0), (-INF, 0.5, INF), (NAN, 1.0, NAN), (2.0, NAN, NAN),
]  # fmt: skip
PI = math.pi
ATAN2 = [
    (0.0, 1.0, 0.0), (-0.0, 1.0, -0.0), (0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (0.0, -0.0, PI), (-0.0, -0.0, -PI),
    (0.0, -1.0, PI), (-0.0, -1.0, -PI), (1.0, 0.0, PI / 2), (-1.0, 0.0, -PI / 2), (1.0, INF, 0.0), (-1.0, INF, -0.0),
    (1.0, -INF, PI), (-1.0, -INF, -PI), (INF, 1.0, PI / 2), (-INF, 1.0, -PI / 2), (INF, INF, PI / 4),
    (-INF, INF, -PI / 4),
    (INF, -INF, 3 * PI / 4), (-INF, -INF, -3 * PI / 4), (NAN, 1.0, NAN), (1.0, NAN, NAN),
]  # fmt: skip


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize(("op", "rows"), [("pow", POW), ("atan2", ATAN2)])
def test_special_values_of_two_arguments(op: str, rows: list[tuple[float, float, float]], name: str):
    t = DTYPES[name]
    expected = to_array([r[2] for r in rows], t).astype(np.float64).tolist()
    assert same(evaluate(op, t, [r[0] for r in rows], [r[1] for r in rows]), expected)


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("op", ["pow", "atan2"])
def test_functions_of_two_arguments(op: str, name: str):
    t = DTYPES[name]
    generator = np.random.default_rng(3)
    a = to_array(generator.uniform(0.1, 9, 80).tolist(), t).astype(np.float64).tolist()
    b = to_array(generator.uniform(-4, 4, 80).tolist(), t).astype(np.float64).tolist()
    with mpmath.workdps(80):
        function = mpmath.power if op == "pow" else mpmath.atan2
        exact = [function(mpmath.mpf(x), mpmath.mpf(y)) for x, y in zip(a, b, strict=True)]
        expected = [nearest(_rational(e), t) for e in exact]
    found = evaluate(op, t, a, b)
    distance = np.array(ordered(found, t), object) - np.array(ordered(to_array(expected, t), t), object)
    assert max(abs(d) for d in distance) <= (1 if t.bits < 64 else 4)


def test_every_instruction_has_exact_results():
    assert set(INSTRUCTIONS) - {"mov", "sel", "shl", "shr"} <= {*BOOLEANS, *INTEGERS, *SELECTED, *ROUNDED, *FUNCTIONS}
