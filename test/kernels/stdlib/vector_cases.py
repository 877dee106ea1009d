"""The rows of kernels/stdlib/vector and activation, but for softmax."""

# References are functions of as many arguments as their kernels have.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from conformance.exact import BOOLEANS, ROUNDED, SELECTED, divide, integer, rounder
from hologram.dialects.atlas.instructions.instruction import Instruction
from hologram.dialects.atlas.instructions.table import INSTRUCTIONS
from hologram.dialects.atlas.instructions.types import DTYPES
from kernels.stdlib.cases import FLOATS, INTEGERS, NUMBERS, Array, Draw, Row, Sizes
from math_expansions.accuracy import exact_context
from math_expansions.references import FUNCTIONS

# Arguments


def one(on: Draw, n: int) -> list[Any]:
    """A vector, and one for the result."""
    return [on.spread(n), on.blank(n)]


def pair(on: Draw, n: int) -> list[Any]:
    """Two vectors, and one for the result."""
    return [on.spread(n), on.spread(n, turn=5), on.blank(n)]


def of_kinds(kinds: Sequence[str], on: Draw, n: int) -> list[Any]:
    """A vector for each operand of an instruction, and one for the result, by their kinds."""
    turns = (1, 5) if len(kinds) < 4 else (1, 3, 7, 9, 11, 13, 15)
    others = {"bool": lambda: on.random.random(n) < 0.5, "u32": lambda: shifted(on, n)[1]}
    drawn = [
        others[kind]() if kind in others else on.spread(n, turn=turn)
        for kind, turn in zip(kinds[:-1], turns, strict=False)
    ]
    return [*drawn, on.blank(n) if kinds[-1] == "T" else on.blank(n, dtype=kinds[-1])]


def divisible(on: Draw, n: int) -> list[Any]:
    """The arguments of `pair`, but without integer divisors that are zero."""
    a, b, c = pair(on, n)
    if not DTYPES[on.dtype].is_float:
        b[b == 0] = 3
    return [a, b, c]


def three(on: Draw, n: int) -> list[Any]:
    """Three vectors, and one for the result."""
    return [on.spread(n), on.spread(n, turn=3), on.spread(n, turn=7), on.blank(n)]


def moderate(on: Draw, n: int, most: int = 100) -> list[Any]:
    """Three vectors whose products and sums float64 holds exactly, and one for the result. With `most` up to 15 the
    type holds the products."""
    if not DTYPES[on.dtype].is_float:
        return three(on, n)
    eighths = (on.array(n, dtype="i8", least=-most, most=most).astype(on.blank().dtype) / 8 for _ in range(3))
    return [*eighths, on.blank(n)]


def shifted(on: Draw, n: int) -> list[Any]:
    """A vector, amounts up to past the width of any type, and a vector for the result."""
    return [on.spread(n), on.array(n, dtype="u32", least=0, most=140), on.blank(n)]


# References


def by_integers(function: Callable[..., int], place: int = 0) -> Callable[..., Array]:
    """A function of Python's integers, element by element; the result wraps in the type of the operand of a place."""

    def right(*given: Array) -> Array:
        first = given[place]
        bits = 8 * first.dtype.itemsize
        found = [function(*row) % (1 << bits) for row in zip(*(g.tolist() for g in given[:-1]), strict=True)]
        return np.array(found, f"uint{bits}").view(first.dtype)

    return right


def either(floats: Callable[..., Any], integers: Callable[..., Any]) -> Callable[..., Any]:
    """A function of float64, and one of integers."""
    whole = by_integers(integers)
    return lambda *given: floats(*given[:-1]) if given[0].dtype.kind == "f" else whole(*given)


def mpfr(name: str) -> Callable[..., Array]:
    """A function by MPFR, element by element."""
    function = FUNCTIONS[name].exact

    def right(*given: Array) -> Array:
        from importlib import import_module

        number: Any = import_module("gmpy2").mpfr
        with exact_context():
            found = [float(function(*map(number, row))) for row in zip(*(g.tolist() for g in given[:-1]), strict=True)]
        return np.array(found, np.float64)

    return right


def clamped(x: Array, low: float, high: float) -> Array:
    """Between two bounds; NaN becomes the lower one."""
    return np.where(np.isnan(x), low, np.minimum(np.maximum(x, low), high))


# Rows


def units(name: str) -> dict[str, float]:
    """The bounds of a function; those of 16 bits are computed in f32."""
    row = FUNCTIONS[name]
    return {"f32": row.bound("f32"), "f64": row.bound("f64"), "f16": 0.51, "bf16": 0.51}


def arithmetic(
    name: str, floats: Callable[..., Any], integers: Callable[..., int], arguments: Callable[..., list[Any]] = pair
) -> Row:
    """Arithmetic of all numbers."""
    return Row(f"vector/vector_{name}", arguments, either(floats, integers), types=NUMBERS)


def by_floats(function: Callable[..., float]) -> Callable[..., Array]:
    """A function of Python's floats, element by element."""

    def right(*given: Array) -> Array:
        return np.array([function(*row) for row in zip(*(g.tolist() for g in given), strict=True)], np.float64)

    return right


def declared(instruction: Instruction) -> Row:
    """The kernel that an instruction's declaration makes, by what is known of its exact results."""
    name, types = instruction.name, [t for t in NUMBERS if t in instruction.types]
    arguments = partial(of_kinds, (*instruction.operands.values(), instruction.result))
    if name in FUNCTIONS and name not in SELECTED | ROUNDED:
        return Row(instruction.kernel, arguments, mpfr(name), types=FLOATS, ulps=units(name))
    floats = SELECTED.get(name) or (rounder(DTYPES["f64"], ROUNDED[name]) if name in ROUNDED else None)
    place = [*instruction.operands.values()].index("T")

    def right(*given: Array) -> Array:
        type = given[place].dtype
        if floats is not None and type.kind not in "iub":
            found = by_floats(floats)(*given[:-1])
        else:
            function: Any = BOOLEANS.get(name) if type.kind == "b" else integer(name, 8 * type.itemsize) or floats
            assert function is not None, f"no exact value of '{name}' is known to test/conformance/exact.py"
            found = by_integers(function, place)(*given)
        return found.astype(bool) if given[-1].dtype.kind == "b" else found

    return Row(instruction.kernel, arguments, right, types=tuple(types) or ("bool",))


def shift(name: str, function: Callable[[Any, Any], Any]) -> Row:
    """A shift, whose amounts count modulo the width."""

    def right(a: Array, amounts: Array, c: Array) -> Array:
        return function(a, (amounts % (8 * a.dtype.itemsize)).astype(a.dtype))

    return Row(f"vector/vector_{name}", shifted, right, types=INTEGERS)


def compared(name: str, right: Callable[[Array, Array], Any]) -> Row:
    """A comparison: half of the pairs are equal."""

    def arguments(on: Draw, n: int) -> list[Any]:
        a, b, _ = pair(on, n)
        return [a, np.where(on.random.random(n) < 0.5, a, b), on.blank(n, dtype="bool")]

    return Row("vector/vector_compare", arguments, lambda a, b, c: right(a, b), types=NUMBERS, name=f"vector_{name}")


def cast(to: str, types: tuple[str, ...] = ("f32", "f64", "bf16", "i64", "u32", "i8")) -> Row:
    """A cast to a type, from others."""
    target = DTYPES[to]

    def right(x: Array, y: Array) -> Array:
        if to == "bool":
            return x != 0
        if target.is_float or x.dtype.kind != "f":
            return x.astype(np.float64 if target.is_float else target.numpy)
        low, high = int(target.least), int(target.greatest)
        clean = (0 if v != v else low if v <= low else high if v >= high else int(v) for v in x.tolist())
        return np.array([*clean], target.numpy)

    return Row("vector/vector_cast", lambda on, n: [on.spread(n), on.blank(n, dtype=to)], right,
               types=types, label=to)  # fmt: skip


TABLES: tuple[Sizes, ...] = ((0, 3, 2), (3, 0, 2), (1, 1, 1), (5, 3, 9), (300, 7, 130), (65, 70, 20))
"""The number of rows that are moved, their length, and the number of all rows."""


def gathered(on: Draw, k: int, n: int, m: int) -> list[Any]:
    """A matrix, numbers of rows, and room."""
    indices = on.random.integers(0, m, k).astype(np.int32 if k % 2 else np.int64)
    return [on.spread(m * n).reshape(m, n), indices, on.blank(k, n)]


def winners(on: Draw, k: int, n: int, m: int) -> list[Any]:
    """Numbers of rows, and nobody who won one."""
    return [on.array(k, least=0, most=m - 1), np.full(m, -1, np.int32)]


def last_of(indices: Array, won: Array) -> Array:
    """The last place of each number."""
    found = won.copy()
    found[indices] = np.arange(len(indices))
    return found


def scattered(on: Draw, k: int, n: int, m: int) -> list[Any]:
    """Rows, their numbers, who wins, and a matrix."""
    indices = on.random.integers(0, m, k)
    won = last_of(indices, np.full(m, -1, np.int32))
    return [on.spread(k * n).reshape(k, n), indices, won, on.array(m, n)]


def scatter_right(x: Array, indices: Array, won: Array, y: Array) -> Array:
    """The matrix with the rows in it, one after the other."""
    found = y.copy()
    for row, index in zip(x, indices, strict=True):
        found[index] = row
    return found


_LOW, _HIGH = 2, 5
LERP = 0.25

_BY_HAND = [
    arithmetic("div", lambda a, b: a / b, divide, divisible),
    arithmetic("rem", np.fmod, lambda a, b: a - divide(a, b) * b, divisible),
    arithmetic("fma", lambda a, b, c: a * b + c, lambda a, b, c: a * b + c, moderate),
    arithmetic("fms", lambda a, b, c: a * b - c, lambda a, b, c: a * b - c, moderate),
    arithmetic("mad", lambda a, b, c: a * b + c, lambda a, b, c: a * b + c, partial(moderate, most=15)),
    Row("vector/vector_lerp", lambda on, n: [on.array(n), on.array(n), LERP, on.blank(n)],
        lambda a, b, t, c: a + (b - a) * t, types=FLOATS, ulps=2, scale=lambda a, b, t, c: np.abs(a) + np.abs(b)),
    Row("vector/vector_clamp", lambda on, n: [on.spread(n), _LOW, _HIGH, on.blank(n)],
        lambda x, low, high, y: clamped(x, low, high), types=NUMBERS),
    shift("shl", np.left_shift),
    shift("shr", np.right_shift),
    *(compared(*row) for row in (
        ("equal", np.equal), ("not_equal", np.not_equal), ("less", np.less), ("less_equal", np.less_equal),
        ("greater", np.greater), ("greater_equal", np.greater_equal),
    )),
    Row("vector/vector_select", lambda on, n: [on.random.random(n) < 0.5, *pair(on, n)],
        lambda p, a, b, c: np.where(p, a, b), types=NUMBERS),
    *map(cast, ("f32", "f16", "i64", "u8", "bool")),
    *(cast(to, ("f32", "f16", "f8E5M2")) for to in ("f8E4M3FN", "f8E5M2")),
    Row("vector/gather", gathered, lambda x, i, y: x[i], TABLES, NUMBERS),
    Row("vector/scatter", winners, last_of, TABLES, ("i64", "i32"), name="scatter_winners"),
    Row("vector/scatter", scattered, scatter_right, TABLES, NUMBERS),
    Row("vector/copy", one, lambda x, y: x, types=NUMBERS),
    Row("vector/fill", lambda on, n: [7, on.blank(n)], lambda value, y: np.full(y.shape, 7), types=NUMBERS),
    Row("activation/gelu", one, mpfr("gelu"), types=("f64", "f16", "bf16"), ulps=units("gelu")),
    # Of f32 an error of 2**-25 |x| counts as none.
    Row("activation/gelu", one, mpfr("gelu"), ulps=units("gelu"), label="single",
        scale=lambda x, y: np.abs(mpfr("gelu")(x, y)) + np.where(np.isfinite(x), np.abs(x) / 8, 0)),
]  # fmt: skip
_FILES = {row.file for row in _BY_HAND}
ROWS = [*(declared(i) for i in INSTRUCTIONS.values() if i.kernel and i.kernel not in _FILES), *_BY_HAND]
