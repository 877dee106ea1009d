"""The rows of kernels/stdlib/matrix."""

# References are functions of as many arguments as their kernels have.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hologram.dialects.atlas.instructions.types import DTYPES
from kernels.stdlib.cases import INTEGERS, NUMBERS, Array, Draw, Row, Sizes

PRODUCTS: tuple[Sizes, ...] = ((0, 3, 2), (3, 0, 2), (1, 1, 1), (3, 5, 0), (17, 19, 23), (1, 257, 65), (130, 66, 70))
"""Rows, columns, and the depth of a product."""
TABLES: tuple[Sizes, ...] = ((0, 3), (3, 0), (1, 1), (3, 257), (67, 37), (130, 33))
HALVES = ("f16", "bf16")
SINGLES = ("f32", "f64", *INTEGERS)
_HALF = 2.0**-12
"""The rounding error of f32 as a part of that of 16 bits, or more."""


def filled(on: Draw, *shape: int) -> Array:
    """An array that is read and written."""
    return on.array(*shape)


def split(row: Callable[..., Row], wide: Callable[..., Any]) -> list[Row]:
    """A row for the wide types and one for those of 16 bits, whose last rounding is their own."""
    return [
        row(SINGLES, 2.0, "", wide),
        row(HALVES, 0.51, "half", lambda *a: np.abs(_right(row)(*a)) + _HALF * wide(*a)),
    ]


def _right(row: Callable[..., Row]) -> Callable[..., Any]:
    return row((), 0, "", None).right


def steps(depth: int) -> float:
    """The largest sum of the roundings of `depth` products and sums, in units of the last place."""
    return depth**0.5 + 3


# Products


def turned(x: Array, flag: int) -> Array:
    """A matrix, or its transpose."""
    return np.swapaxes(x, -1, -2) if flag else x


def gemm(transposes: Mapping[str, int], batch: bool, beta: float) -> list[Row]:
    """A product with its transposes; `beta` 0 may not read c, which holds no numbers then."""
    a_turned, b_turned = (transposes.get(f"TRANSPOSE_{name}", 0) for name in "AB")
    name = "batched_gemm" if batch else "gemm"
    front = (3,) if batch else ()

    def arguments(on: Draw, m: int, n: int, depth: int) -> list[Any]:
        a, b = on.array(*front, m, depth), on.array(*front, depth, n)
        c = on.array(*front, m, n) if beta else on.blank(*front, m, n)
        factors = [2, int(beta * 2)] if not DTYPES[on.dtype].is_float else [1.5, beta]
        return [np.ascontiguousarray(turned(a, a_turned)), np.ascontiguousarray(turned(b, b_turned)), c, *factors]

    def right(a: Array, b: Array, c: Array, alpha: float, scale: float) -> Array:
        found = alpha * (turned(a, a_turned) @ turned(b, b_turned))
        return (found + scale * c if scale else found).astype(a.dtype)

    def error(a: Array, b: Array, c: Array, alpha: float, scale: float) -> Array:
        return right(np.abs(a), np.abs(b), np.abs(c), alpha, scale) * steps(a.shape[-2 if a_turned else -1])

    def row(types: tuple[str, ...], ulps: float, label: str, measure: Any) -> Row:
        words = [label, "ta" * a_turned, "tb" * b_turned, "beta" * bool(beta)]
        return Row(f"matrix/{name}", arguments, right, PRODUCTS, types, (2,), ulps=ulps, scale=measure,
                   constants=transposes, label="-".join(w for w in words if w))  # fmt: skip

    return split(row, error)


def plain(file: str, arguments: Callable[..., list[Any]], right: Callable[..., Array], sizes: tuple[Sizes, ...],
          depth: Callable[..., int]) -> list[Row]:  # fmt: skip
    """A product of all but the last argument."""

    def error(*given: Array) -> Array:
        return right(*(np.abs(g) if g.dtype.kind == "f" else g for g in given)) * steps(depth(*given))

    def row(types: tuple[str, ...], ulps: float, label: str, measure: Any) -> Row:
        return Row(file, arguments, right, sizes, types, ulps=ulps, scale=measure, label=label)

    return split(row, error)


def sparse(on: Draw, m: int, n: int, depth: int) -> list[Any]:
    """A matrix of which a third is there, in CSR, and a dense one."""
    there = on.random.random((m, depth)) < 0.3
    pointers = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int32)
    indices = np.argwhere(there)[:, 1].astype(np.int32)
    return [on.array(len(indices)), indices, pointers, on.array(depth, n), on.blank(m, n)]


def sparse_right(values: Array, indices: Array, pointers: Array, b: Array, c: Array) -> Array:
    """The product of the matrix that the three arrays are."""
    a = np.zeros((len(pointers) - 1, b.shape[0]), values.dtype)
    for row in range(len(a)):
        places = slice(pointers[row], pointers[row + 1])
        a[row, indices[places]] = values[places]
    return a @ b


# Quantized


def bytes_of(scales: tuple[float, ...], dtype: str) -> Callable[..., list[Any]]:
    """Matrices of 8 bits, room, and scales that are powers of two, so that theirs is exact."""

    def arguments(on: Draw, m: int, n: int, depth: int) -> list[Any]:
        draws = (on.array(*shape, least=-128, most=255) for shape in ((m, depth), (depth, n)))
        return [*draws, on.blank(m, n, dtype=dtype or on.dtype), *scales]

    return arguments


def whole(a: Array, b: Array) -> Array:
    return a.astype(np.int64) @ b.astype(np.int64)


def narrowed(a: Array, b: Array, c: Array, sa: float, sb: float, sc: float) -> Array:
    info = np.iinfo(a.dtype)
    return np.clip(np.rint(whole(a, b) * (sa * sb / sc)), info.min, info.max)


def quantized(name: str, dtype: str, scales: tuple[float, ...], right: Callable[..., Array]) -> Row:
    return Row("matrix/quantized_gemm", bytes_of(scales, dtype), right, PRODUCTS, ("i8", "u8"), (2,), name=name)


def mixed(other: str, types: tuple[str, ...] = HALVES) -> Row:
    """Factors of 8 and 16 bits; the second one's type is `other`."""

    def arguments(on: Draw, m: int, n: int, depth: int) -> list[Any]:
        return [on.array(m, depth), on.array(depth, n, dtype=other), on.blank(m, n, dtype="f32")]

    return Row("matrix/mixed_precision_gemm", arguments, lambda a, b, c: a @ b, PRODUCTS, types, ulps=2, label=other,
               scale=lambda a, b, c: np.abs(a) @ np.abs(b) * steps(a.shape[1]))  # fmt: skip


ROWS = [
    *gemm({}, False, 0.5),
    *gemm({"TRANSPOSE_A": 1}, False, 0.0),
    *gemm({"TRANSPOSE_B": 1}, False, 0.0),
    *gemm({"TRANSPOSE_A": 1, "TRANSPOSE_B": 1}, False, 0.5),
    *gemm({}, True, 0.5),
    *gemm({"TRANSPOSE_A": 1, "TRANSPOSE_B": 1}, True, 0.0),
    *plain("matrix/tensor_contract", lambda on, m, n, k: [on.array(3, m, k), on.array(k, n), on.blank(3, m, n)],
           lambda a, b, c: a @ b, PRODUCTS, lambda a, b, c: a.shape[2]),
    *plain("matrix/matvec", lambda on, m, n: [on.array(m, n), on.array(n), on.blank(m)],
           lambda a, x, y: a @ x, TABLES, lambda a, x, y: a.shape[1]),
    *plain("matrix/sparse_gemm", sparse, sparse_right, PRODUCTS, lambda *given: given[3].shape[0]),
    Row("matrix/transpose", lambda on, m, n: [on.spread(m * n).reshape(m, n), on.blank(n, m)],
        lambda x, y: x.T, TABLES, NUMBERS),
    quantized("quantized_gemm", "", (0.5, 0.25, 64.0), narrowed),
    quantized("quantized_gemm_f32", "f32", (0.5, 0.25), lambda a, b, c, sa, sb: whole(a, b) * (sa * sb)),
    quantized("quantized_gemm_i32", "i32", (), lambda a, b, c: whole(a, b)),
    mixed("f16"),
    mixed("bf16", ("bf16", "f8E4M3FN")),
    mixed("f8E4M3FN", ("f8E4M3FN", "f8E5M2")),
    mixed("f8E5M2", ("f8E4M3FN", "f16")),
]  # fmt: skip
