"""Batches of the array-level operations that sum products: gemm and its kin, convolutions, contractions, CSR."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from conformance.batch import Batch
from conformance.exact import Exactly, Judge, g, rounder
from conformance.functions import OPERATIONS, Function, together
from conformance.sums import draw, product
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from interpreter.running import wrap

I32, F32 = DTYPES["i32"], DTYPES["f32"]
SIZES = ((3, 5, 7), (1, 1, 1), (2, 0, 3), (0, 3, 2), (17, 33, 9))
"""Rows, products and columns: odd, one, none to sum, nothing at all, more than a vector."""


def products(t: DType, wanted: Collection[str] | None = None) -> Iterator[Batch]:
    """The batch of a type, of these operations (else of all)."""
    return together(t, ADDED, wanted)


def _scales(t: DType) -> tuple[str, tuple[Any, Any]]:
    """The attributes of alpha and beta, and what they are."""
    alpha, beta = (-0.5, 3.0) if t.is_float else (-2.0, 3.0)
    return f"alpha = {alpha} : f64, beta = {beta} : f64", (alpha, beta)


def _rows(a: Any, b: Any) -> list[list[tuple[Any, Any]]]:
    """The pairs of each element of a product of matrices, or of batches of them."""
    *lead, rows, depth = a.shape
    found: list[list[tuple[Any, Any]]] = []
    for at in np.ndindex(*lead, rows, b.shape[-1]):
        *n, i, j = at
        found.append([(a[(*n, i, p)], b[(*n, p, j)]) for p in range(depth)])
    return found


def _turned(values: Any) -> Any:
    return values.swapaxes(-1, -2)


def _gemm(f: Function) -> None:
    for size in SIZES:
        _one_gemm(f, "gemm", (), size, edge=False)
    _one_gemm(f, "gemm", (), (4, 3, 5), edge=True)
    _scaled_gemm(f, "gemm", ())


def _batched_gemm(f: Function) -> None:
    for lead, size in (((3,), (3, 5, 2)), ((2, 2), (1, 3, 4)), ((0,), (2, 2, 2)), ((2,), (2, 0, 2))):
        _one_gemm(f, "batched_gemm", lead, size, edge=False)
    _one_gemm(f, "batched_gemm", (2,), (3, 2, 3), edge=True)
    _scaled_gemm(f, "batched_gemm", (2,))


def _one_gemm(f: Function, name: str, lead: tuple[int, ...], size: tuple[int, int, int], *, edge: bool) -> None:
    rows, depth, columns = size
    a = draw(f.type, (*lead, rows, depth), f"a{size}", edge)
    b = draw(f.type, (*lead, depth, columns), f"b{size}")
    judges = [product(f.type, pairs) for pairs in _rows(a, b)]
    f.judged(f.cell(name), [f.put(a), f.put(b)], (*lead, rows, columns), judges)


def _scaled_gemm(f: Function, name: str, lead: tuple[int, ...]) -> None:
    """A product with all options: both operands transposed, the result scaled and added to."""
    text, scales = _scales(f.type)
    a, b, c = (draw(f.type, (*lead, *shape), name) for shape in ((5, 3), (7, 5), (3, 7)))
    pairs = _rows(_turned(a), _turned(b))
    judges = [product(f.type, p, v, scales) for p, v in zip(pairs, c.reshape(-1), strict=True)]
    tail = f"{{{text}, trans_a = 1 : i64, trans_b = 1 : i64}}"
    f.judged(f.cell(name, "scaled"), [f.put(v) for v in (a, b, c)], (*lead, 3, 7), judges, tail)


def _mixed_precision_gemm(f: Function) -> None:
    """Products with every other type, stored as f32 and as the other type."""
    for name in sorted(OPERATIONS["mixed_precision_gemm"].TYPES):
        other = DTYPES[name]
        for out, edge in ((F32, True), (other, False)):
            a, b = draw(f.type, (3, 5), "a", edge), draw(other, (5, 7), "b")
            judges = [product(f.type, pairs, out=out) for pairs in _rows(a, b)]
            cell = f.cell("mixed_precision_gemm", "", other, out)
            f.judged(cell, [f.put(a), f.put(b, other)], (3, 7), judges, "", out)
    text, scales = _scales(f.type)
    a, b, c = draw(f.type, (2, 5, 3), "a"), draw(f.type, (2, 5, 2), "b"), draw(F32, (2, 3, 2), "c")
    judges = [product(f.type, p, v, scales, F32) for p, v in zip(_rows(_turned(a), b), c.reshape(-1), strict=True)]
    tail = f"{{{text}, trans_a = 1 : i64}}"
    ins = [f.put(a), f.put(b), f.put(c, F32)]
    f.judged(f.cell("mixed_precision_gemm", "scaled"), ins, (2, 3, 2), judges, tail, F32)


SCALES = (0.02, 0.3, 1.7)


def _quantized_gemm(f: Function) -> None:
    for name in ("i8", "u8"):
        other = DTYPES[name]
        a, b = draw(f.type, (3, 40), "a", True), draw(other, (40, 5), "b", True)
        sums = [sum(x * y for x, y in pairs) for pairs in _rows(a, b)]
        said = f"type = #atlas.dtype<{f.type.name}>, type_b = #atlas.dtype<{name}>"
        scaled = f"{said}, a_scale = {SCALES[0]} : f64, b_scale = {SCALES[1]} : f64"
        outs = ((I32, said), (F32, scaled), (f.type, f"{scaled}, c_scale = {SCALES[2]} : f64"))
        for out, tail in outs:
            judges = [_quantized(out, total) for total in sums]
            ins = [f.put(a), f.put(b, other)]
            f.judged(f.cell("quantized_gemm", "", other, out), ins, (3, 5), judges, f"{{{tail}}}", out)


def _quantized(out: DType, total: int) -> Judge:
    """The sum as it is; times the scale; rounded half to even and saturated."""
    if out is I32:
        return Exactly(wrap(total, I32))
    a, b, c = SCALES
    once, times = rounder(F32), rounder(F32, g.mul)
    scaled = times(once(float(total)), once(a * b if out is F32 else a * b / c))
    if out is F32:
        return Exactly(scaled)
    return Exactly(max(int(out.least), min(int(out.greatest), round(scaled))))


def _tensor_contract(f: Function) -> None:
    shapes: Sequence[tuple[tuple[int, ...], tuple[int, ...], list[int], list[int]]] = (
        ((2, 3, 5), (5, 4, 3), [2, 1], [0, 2]), ((3,), (2, 2), [], []), ((4,), (4,), [0], [0]),
        ((2, 0), (0, 3), [1], [0]), ((1, 7), (3, 7), [1], [1]),
    )  # fmt: skip
    for number, (left, right, over, along) in enumerate(shapes):
        a, b = draw(f.type, left, "a", number == 4), draw(f.type, right, "b")
        free_a, free_b = ([n for n in range(v.ndim) if n not in axes] for v, axes in ((a, over), (b, along)))
        shape = [left[n] for n in free_a] + [right[n] for n in free_b]
        depth = int(np.prod([left[n] for n in over], dtype=int))
        x = a.transpose(*free_a, *over).reshape(-1, depth) if depth else np.empty((left[free_a[0]], 0), object)
        y = b.transpose(*along, *free_b).reshape(depth, -1) if depth else np.empty((0, right[free_b[0]]), object)
        judges = [product(f.type, pairs) for pairs in _rows(x, y)]
        tail = f"{{contract_a = {_list(over)}, contract_b = {_list(along)}}}"
        f.judged(f.cell("tensor_contract"), [f.put(a), f.put(b)], shape, judges, tail)


def _list(numbers: Sequence[int]) -> str:
    return "[" + ", ".join(f"{n} : i64" for n in numbers) + "]"


Sizes = tuple[int, ...]
CONVOLUTIONS: Sequence[tuple[Sizes, Sizes, tuple[int, int], Sizes, tuple[int, int], int]] = (
    # image, filters, stride, padding, dilation, groups
    ((1, 2, 5, 6), (3, 2, 3, 2), (1, 1), (0, 0), (1, 1), 1),
    ((2, 4, 5, 7), (6, 2, 2, 3), (2, 1), (1, 2, 0, 1), (1, 2), 2),
    ((1, 1, 1, 1), (1, 1, 1, 1), (1, 1), (0, 0), (1, 1), 1),
    ((0, 1, 3, 3), (1, 1, 2, 2), (1, 1), (0, 0), (1, 1), 1),
    ((1, 1, 2, 2), (1, 1, 3, 3), (1, 1), (0, 0), (1, 1), 1),
)


def _conv2d(f: Function) -> None:
    for number, (image, kernel, stride, pads, spread, groups) in enumerate(CONVOLUTIONS):
        x, w = draw(f.type, image, "x", number == 0), draw(f.type, kernel, "w")
        bias = draw(f.type, kernel[:1], "bias") if number == 1 else None
        around = (*pads, *pads)[:4]
        size = [
            max(0, (image[n + 2] + around[n] + around[n + 2] - spread[n] * (kernel[n + 2] - 1) - 1) // stride[n] + 1)
            for n in (0, 1)
        ]
        shape = (image[0], kernel[0], *size)
        judges = [
            product(f.type, _seen(x, w, at, stride, around, spread, groups), None if bias is None else bias[at[1]])
            for at in np.ndindex(*shape)
        ]
        tail = f"stride = {_list(stride)}, padding = {_list(pads)}, dilation = {_list(spread)}, groups = {groups} : i64"
        ins = [f.put(v) for v in (x, w, bias) if v is not None]
        f.judged(f.cell("conv2d", "" if bias is None else "bias"), ins, shape, judges, f"{{{tail}}}")


def _seen(
    x: Any, w: Any, at: tuple[int, ...], stride: Sequence[int], pads: Sequence[int], spread: Sequence[int], groups: int
) -> list[tuple[Any, Any]]:
    """The pairs that one element of a convolution sums."""
    n, o, i, j = at
    filters, channels = w.shape[0] // groups, w.shape[1]
    pairs: list[tuple[Any, Any]] = []
    for c, k, m in np.ndindex(*w.shape[1:]):
        row, column = i * stride[0] + k * spread[0] - pads[0], j * stride[1] + m * spread[1] - pads[1]
        inside = 0 <= row < x.shape[2] and 0 <= column < x.shape[3]
        pairs.append((x[n, o // filters * channels + c, row, column] if inside else 0, w[o, c, k, m]))
    return pairs


def _sparse_gemm(f: Function) -> None:
    """Columns of one, of a few and of more than a vector; empty rows, repeated indices, none at all; and its traps."""
    cell = f.cell("sparse_gemm")
    starts, indices = [0, 3, 3, 4, 6], [4, 0, 4, 2, 1, 1]
    rows = list(pairwise(starts))
    for columns, edge in ((5, True), (1, False), (70, False)):
        values, b = draw(f.type, (6,), "values"), draw(f.type, (5, columns), "b", edge)
        judges = [
            product(f.type, [(values[p], b[indices[p], j]) for p in range(*row)])
            for row in rows
            for j in range(columns)
        ]
        index = DTYPES["i64" if columns == 5 else "i32"]
        places = [f.put(np.array(v, object), index) for v in (indices, starts)]
        ins = [f.put(values), *places, f.put(b)]
        f.judged(cell, ins, (4, columns), judges)
        if columns == 1:
            for at, bad, reason in (
                (1, [4, 0, 4, 2, 1, 5], "out of range"), (1, [4, 0, -1, 2, 1, 1], "out of range"),
                (2, [0, 3, 2, 4, 6], "row starts"), (2, [0, 3, 3, 4, 7], "row starts"),
                (2, [-1, 3, 3, 4, 6], "row starts"),
            ):  # fmt: skip
                f.trap(cell, reason, ins[at], np.array(bad, np.int32))
    empty = [f.put(np.empty(0, object)), *(f.put(np.array(v, object), I32) for v in ([], [0, 0]))]
    f.judged(cell, [*empty, f.put(np.empty((0, 3), object))], (1, 3), [product(f.type, [])] * 3)


ADDED: dict[str, Callable[[Function], None]] = {
    "gemm": _gemm, "batched_gemm": _batched_gemm, "mixed_precision_gemm": _mixed_precision_gemm,
    "quantized_gemm": _quantized_gemm, "tensor_contract": _tensor_contract, "conv2d": _conv2d,
    "sparse_gemm": _sparse_gemm,
}  # fmt: skip
"""The functions that add an operation's cells under its types to a function of MLIR."""

__all__ = ["ADDED", "products"]
