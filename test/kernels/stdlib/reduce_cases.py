"""The rows of kernels/stdlib/reduce."""

# References are functions of as many arguments as their kernels have.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np

from hologram.dialects.atlas.instructions.types import DTYPES
from kernels.stdlib.cases import FLOATS, INTEGERS, LINES, NUMBERS, Array, Draw, Row, Sizes

TABLES: tuple[Sizes, ...] = ((0, 3), (3, 0), (1, 1), (3, 257), (37, 5), (130, 33), (2, 8200))
TALL: tuple[Sizes, ...] = ((0, 3), (3, 0), (1, 1), (257, 3), (5, 37), (33, 130), (8200, 2))
FULL = tuple(s for s in TABLES if s[-1])
HALVES = ("f16", "bf16")

Shape = Literal["", "rows", "columns"]
SIZES: dict[str, tuple[Sizes, ...]] = {"": LINES, "rows": TABLES, "columns": TALL}
AXIS: dict[str, int] = {"": 0, "rows": 1, "columns": 0}


def result(shape: str, *sizes: int) -> tuple[int, ...]:
    """The shape of what is left."""
    return (1,) if not shape else (sizes[0],) if shape == "rows" else (sizes[1],)


def plain(shape: str, on: Draw, *sizes: int) -> list[Any]:
    """Numbers of no special kind, and room for what is left of them."""
    return [on.array(*sizes), on.blank(*result(shape, *sizes))]


def special(shape: str, on: Draw, *sizes: int, dtype: str = "") -> list[Any]:
    """Numbers with the edge values among them, and room."""
    return [on.spread(int(np.prod(sizes))).reshape(sizes), on.blank(*result(shape, *sizes), dtype=dtype)]


def factors(shape: str, on: Draw, *sizes: int) -> list[Any]:
    """Numbers whose products stay in range, and room."""
    of_floats = DTYPES[on.dtype].is_float
    x = on.uniform(0.97, 1.03, *sizes) if of_floats else on.array(*sizes, least=-3, most=3)
    return [x, on.blank(*result(shape, *sizes))]


def kept(found: Any) -> Array:
    """The result as an array, even if it is one number."""
    return np.atleast_1d(found)


def total(shape: str, x: Array, out: Array) -> Array:
    """The sum; those of integers wrap."""
    return kept(np.sum(x, axis=AXIS[shape], dtype=x.dtype))


def product(shape: str, x: Array, out: Array) -> Array:
    return kept(np.prod(x, axis=AXIS[shape], dtype=x.dtype))


def mean(shape: str, x: Array, out: Array) -> Array:
    return kept(np.sum(x, axis=AXIS[shape]) / np.float64(x.shape[AXIS[shape]]))


def magnitude(right: Callable[..., Array], *given: Array) -> Array:
    """The unit of the error of a sum: the sum of magnitudes."""
    return right(np.abs(given[0]), *given[1:])


def roundings(shape: str, right: Callable[..., Array], *given: Array) -> Array:
    """A product is off by half a unit for each factor, and one more."""
    return np.abs(right(*given)) * float(given[0].shape[AXIS[shape]] + 1)


def half_magnitude(right: Callable[..., Array], *given: Array) -> Array:
    """The last rounding is to 16 bits, the others are those of f32."""
    return np.abs(right(*given)) + 2.0**-12 * magnitude(right, *given)


def extreme(least: bool, shape: str, x: Array, out: Array) -> Array:
    """The least or the greatest without NaN; of nothing the other end. -0 is below +0."""
    axis = AXIS[shape]
    if x.dtype.kind != "f":
        info = np.iinfo(x.dtype)
        function, end = (np.min, info.max) if least else (np.max, info.min)
        return kept(function(x, axis=axis, initial=end))
    end = np.inf if least else -np.inf
    clean = np.where(np.isnan(x), end, x)
    found = np.min(clean, axis=axis, initial=end) if least else np.max(clean, axis=axis, initial=end)
    signed = np.any((x == 0) & (np.signbit(x) == least), axis=axis)
    return kept(np.where(found == 0, np.where(signed == least, -0.0, 0.0), found))


def place(least: bool, shape: str, x: Array, out: Array) -> Array:
    """The first place of the least or the greatest; NaN counts only where there is nothing else."""
    rows = x if shape else x[None]
    found: list[int] = []
    for row in rows:
        numbers = [n for n in range(len(row)) if row[n] == row[n]]
        key = (
            (lambda n, row=row: (row[n], n))
            if least
            else (lambda n, row=row: (-int(row[n]) if row.dtype.kind in "iu" else -row[n], n))
        )
        found.append(min(numbers, key=key) if numbers else 0)
    return np.array(found, np.int64)


def scanned(kind: str, exclusive: int, x: Array, y: Array) -> Array:
    """Running sums, products, least and greatest elements."""
    is_float = x.dtype.kind == "f"
    function: Any = {"sum": np.add, "product": np.multiply, "min": np.fmin, "max": np.fmax}[kind]
    ends = (np.inf, -np.inf) if is_float else (np.iinfo(x.dtype).max, np.iinfo(x.dtype).min)
    first = {"sum": 0, "product": 1, "min": ends[0], "max": ends[1]}[kind]
    padded = np.concatenate([np.full((x.shape[0], 1), first, x.dtype), x], axis=1)
    found = function.accumulate(padded, axis=1, dtype=x.dtype)
    return found[:, :-1] if exclusive else found[:, 1:]


def sums(name: str, shape: Shape, right: Callable[..., Array], types: tuple[str, ...] = NUMBERS) -> list[Row]:
    """Sums or means: floats within the rounding of their steps, 16 bits within that and their own."""
    wide = tuple(t for t in types if t not in HALVES)
    file, kernel = f"reduce/{name}", f"{name}_{shape}".rstrip("_")
    of = partial(right, shape)
    arguments = partial(plain, shape)
    return [
        Row(file, arguments, of, SIZES[shape], wide, name=kernel, ulps=16, scale=partial(magnitude, of)),
        Row(file, arguments, of, SIZES[shape], HALVES, name=kernel, ulps=0.51, scale=partial(half_magnitude, of),
            label="half"),
    ]  # fmt: skip


def products(shape: Shape) -> list[Row]:
    """Products."""
    kernel = f"reduce_product_{shape}".rstrip("_")
    of, arguments = partial(product, shape), partial(factors, shape)
    wide = ("f32", "f64", *INTEGERS)
    return [
        Row(
            "reduce/reduce_product",
            arguments,
            of,
            SIZES[shape],
            wide,
            name=kernel,
            ulps=0.5,
            scale=partial(roundings, shape, of),
        ),
        Row("reduce/reduce_product", arguments, of, SIZES[shape], HALVES, name=kernel, ulps=0.6, label="half"),
    ]


def extremes(least: bool, shape: Shape) -> Row:
    """Least or greatest elements."""
    name = f"reduce_{'min' if least else 'max'}"
    return Row(f"reduce/{name}", partial(special, shape), partial(extreme, least, shape), SIZES[shape], NUMBERS,
               name=f"{name}_{shape}".rstrip("_"))  # fmt: skip


def places(least: bool, shape: Shape) -> Row:
    """The row of a kernel that finds the position of the least or the greatest element."""
    name = f"arg{'min' if least else 'max'}"
    sizes = tuple(s for s in SIZES[shape] if s[-1])
    return Row(f"reduce/{name}", partial(special, shape, dtype="i64"), partial(place, least, shape), sizes, NUMBERS,
               name=f"{name}_{shape}".rstrip("_"))  # fmt: skip


def running(kind: str, exclusive: int) -> Row:
    """A scan."""
    several = {"sum": ("f32", "f64", "i32"), "product": ("f32", "i64"), "min": ("f32", "bf16", "u32"),
               "max": ("f32", "i8")}[kind]  # fmt: skip

    def arguments(on: Draw, m: int, n: int) -> list[Any]:
        if kind == "product":
            return [factors("", on, m, n)[0], on.blank(m, n)]
        x = on.array(m, n) if kind == "sum" else on.spread(m * n).reshape(m, n)
        # Of zeros of both signs either may come first: a scan promises a tolerance.
        return [np.where(x == 0, np.ones_like(x), x), on.blank(m, n)]

    right = partial(scanned, kind, exclusive)
    units = {"sum": 16, "product": 0.5}.get(kind, 0.0)
    scale = {"sum": partial(magnitude, right), "product": partial(roundings, "rows", right)}.get(kind)
    return Row(f"reduce/scan_{kind}", arguments, right, TABLES, several, constants={"EXCLUSIVE": exclusive},
               ulps=units, scale=scale, label="exclusive" if exclusive else "")  # fmt: skip


def dots() -> list[Row]:
    """Dot products."""

    def right(a: Array, b: Array, out: Array) -> Array:
        return kept(np.sum(a * b, dtype=a.dtype))

    def size(a: Array, b: Array, out: Array) -> Array:
        return right(np.abs(a), np.abs(b), out)

    def half(a: Array, b: Array, out: Array) -> Array:
        return np.abs(right(a, b, out)) + 2.0**-12 * size(a, b, out)

    def arguments(on: Draw, n: int) -> list[Any]:
        return [on.array(n), on.array(n), on.blank(1)]

    return [
        Row("reduce/dot", arguments, right, LINES, ("f32", "f64", *INTEGERS), ulps=17, scale=size),
        Row("reduce/dot", arguments, right, LINES, HALVES, ulps=0.51, scale=half, label="half"),
    ]


def softmax(x: Array, y: Array) -> Array:
    """e ** (x - m) / sum(e ** (x - m)) of rows."""
    powers = np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf))
    return powers / powers.sum(axis=1, keepdims=True)


def rows_with_infinities(on: Draw, m: int, n: int) -> list[Any]:
    """Rows, some with NaN, infinities, or nothing but -inf."""
    x = on.array(m, n)
    if x.size:
        x[::3, 0] = -np.inf
        x[4::7, -1] = np.nan
        x[5::7, -1] = np.inf
        x[6::7] = -np.inf
    return [x, on.blank(m, n)]


SHAPES: tuple[Shape, ...] = ("", "rows", "columns")
ROWS = [
    *(row for shape in SHAPES for row in sums("reduce_sum", shape, total)),
    *(row for shape in SHAPES for row in sums("reduce_mean", shape, mean, FLOATS)),
    *dots(),
    Row("activation/softmax", rows_with_infinities, softmax, TABLES, ("f32", "f64"), ulps=12),
    Row("activation/softmax", rows_with_infinities, softmax, TABLES, HALVES, ulps=0.51, label="half"),
    *products(""),
    *products("rows"),
    *(extremes(least, shape) for least in (True, False) for shape in SHAPES),
    *(places(least, shape) for least in (True, False) for shape in ("", "rows")),
    *(running(kind, exclusive) for kind in ("sum", "product", "min", "max") for exclusive in (0, 1)),
]
