"""The rows of `extensions.py`: Fourier transforms, products of sparse matrices, convolutions and attention.

As `cases.py` this is imported by workers, in environments that have numpy and the library they drive.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import cases
import numpy as np
from cases import Array

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Case(cases.Case):
    """One row. `shape` is that of the first input, complex numbers as pairs on the last axis.

    Of a sparse product it is (rows, depth, columns), of attention (batch, heads, queries, size of a head).
    """

    table: ClassVar[str] = "extension_cases"
    kernel: Shape = ()
    """The weights of a convolution."""
    stride: int = 1
    density: float = 0.0
    """The share of a sparse matrix that is there."""
    asked: tuple[tuple[int, str, float], ...] = ()
    """(threads, peer or `best`, its time over ours that must be reached)."""

    @property
    def bytes(self) -> int:
        """Zero: no limit is stated for these rows."""
        return 0

    @property
    def sets(self) -> int:
        """The number of sets of buffers that take turns."""
        return 2

    @property
    def operations(self) -> int:
        """Zero: no limit is stated for these rows."""
        return 0

    @property
    def bound(self) -> str:
        """The limit `call`, the cost of a call: no other limit is stated for these rows."""
        return "call"


@dataclass(frozen=True)
class Kind:
    """The computation of a kind of row: its inputs, its result's shape, and its error in units of the allowed one."""

    draw: Callable[[Case, np.random.Generator], list[Array]]
    out: Callable[[Case], Shape]
    error: Callable[[Case, Sequence[Array], Array], float]


def normal(random: np.random.Generator, *shape: int) -> Array:
    return random.standard_normal(shape, np.float32)


def worst(found: Array, reference: Array, allowed: Array | float) -> float:
    """The largest error in units of what is allowed; NaN where NaN came out."""
    return float(np.max(np.abs(found - reference) / allowed, initial=0))


# Fourier transforms


def fft_error(case: Case, inputs: Sequence[Array], found: Array) -> float:
    """32 roundings of the greatest value, as the operation's tests allow; numpy computes in complex128."""
    x = inputs[0].astype(np.float64)
    reference = np.fft.fft(x[..., 0] + 1j * x[..., 1])
    result = found[..., 0].astype(np.float64) + 1j * found[..., 1]
    return worst(result, reference, 32 * 2.0**-24 * float(np.abs(reference).max()))


# Sparse products


def draw_sparse(case: Case, random: np.random.Generator) -> list[Array]:
    """Values, indices of columns, starts of rows, a dense matrix."""
    rows, depth, columns = case.shape
    row, column = np.nonzero(random.random((rows, depth), np.float32) < case.density)
    starts = np.searchsorted(row, np.arange(rows + 1)).astype(np.int32)
    return [normal(random, len(row)), column.astype(np.int32), starts, normal(random, depth, columns)]


def sparse_error(case: Case, inputs: Sequence[Array], found: Array) -> float:
    """A product of whole matrices in float64; allowed is a millionth of the sum of magnitudes."""
    values, column, starts, right = inputs
    left = np.zeros(case.shape[:2])
    left[np.repeat(np.arange(case.shape[0]), np.diff(starts)), column] = values
    right = right.astype(np.float64)
    return worst(found, left @ right, 1e-6 * (np.abs(left) @ np.abs(right)) + 1e-30)


# Convolutions


def conv_out(case: Case) -> Shape:
    """Half of the kernel is around the image."""
    sides = [(n + k // 2 * 2 - k) // case.stride + 1 for n, k in zip(case.shape[2:], case.kernel[2:], strict=True)]
    return (case.shape[0], case.kernel[0], *sides)


def conv_error(case: Case, inputs: Sequence[Array], found: Array) -> float:
    """The places under each weight, times the weights, in float64."""
    image, weights = (x.astype(np.float64) for x in inputs)
    high, wide = (k // 2 for k in case.kernel[2:])
    padded = np.pad(image, ((0, 0), (0, 0), (high, high), (wide, wide)))
    places = np.lib.stride_tricks.sliding_window_view(padded, case.kernel[2:], (2, 3))
    places = places[:, :, :: case.stride, :: case.stride]
    reference = np.tensordot(places, weights, ((1, 4, 5), (1, 2, 3))).transpose(0, 3, 1, 2)
    return worst(found, reference, 1e-5 * np.abs(reference) + 2e-5 * math.sqrt(math.prod(case.kernel[1:])))


# Attention


def attention_error(case: Case, inputs: Sequence[Array], found: Array) -> float:
    """Head by head in float64."""
    size = case.shape[-1]
    heads = zip(*(x.reshape(-1, *x.shape[2:]) for x in (*inputs, found)), strict=True)
    errors = [0.0]
    for q, k, v, result in heads:
        scores = q.astype(np.float64) @ k.T.astype(np.float64) / math.sqrt(size)
        if "causal" in case.kind:
            scores[np.triu_indices(len(q), 1)] = -np.inf
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        reference = e @ v.astype(np.float64) / e.sum(axis=1, keepdims=True)
        errors.append(worst(result, reference, 1e-5 * np.abs(reference) + 1e-5))
    return float(np.max(errors))


_ATTENTION = Kind(lambda c, r: [normal(r, *c.shape) for _ in range(3)], lambda c: c.shape, attention_error)
KINDS = {
    "fft": Kind(lambda c, r: [normal(r, *c.shape)], lambda c: c.shape, fft_error),
    "sparse_gemm": Kind(draw_sparse, lambda c: (c.shape[0], c.shape[2]), sparse_error),
    "conv2d": Kind(lambda c, r: [normal(r, *c.shape), normal(r, *c.kernel)], conv_out, conv_error),
    "attention": _ATTENTION,
    "attention_causal": _ATTENTION,
    "flash_attention": _ATTENTION,
}


# The rows

WITHIN_TWO = ((1, "scipy", 1 / 2),)
"""A Fourier transform takes twice scipy's time at most, on one thread."""
SPARSE = ((1, "scipy", 1 / 1.5),)
BEST = ((1, "best", 1 / 1.5), (2, "best", 1 / 1.5))


def make_cases() -> list[Case]:
    """All rows, in the order of the table."""
    lengths = {"1m": 1 << 20, "64k": 1 << 16, "1k": 1 << 10, "1000": 1000, "10007": 10007}
    transforms = [
        Case(f"fft-{name}", f"fft {n}", "fft", (n, 2), asked=WITHIN_TWO if name == "1m" else ())
        for name, n in lengths.items()
    ]
    transforms += [
        Case(f"fft-{m}x{n}", f"fft {m} x {n}", "fft", (m, n, 2)) for m, n in ((256, 1024), (1024, 128), (64, 1000))
    ]
    products = [
        Case(f"sparse-{m}x{n}x{k}", f"sparse {m}x{k} ({share:.1%}), {n} column{'s' * (n > 1)}", "sparse_gemm",
             (m, k, n), density=share, asked=SPARSE)
        for m, k, n, share in (
            (2048, 2048, 64, 0.01), (2048, 2048, 256, 0.05), (4096, 4096, 128, 0.001), (4096, 4096, 1, 0.01),
            (1000, 3000, 100, 0.02),
        )
    ]  # fmt: skip
    images = [
        convolution(64, 56, 64, 3, 1, asked=BEST), convolution(256, 14, 256, 3, 1), convolution(64, 56, 256, 1, 1),
        convolution(3, 224, 64, 7, 2), convolution(128, 56, 128, 3, 2),
    ]  # fmt: skip
    return [*transforms, *products, *images, *attentions()]


def convolution(channels: int, size: int, filters: int, kernel: int, stride: int, *, asked: Any = ()) -> Case:
    """One square image."""
    steps = f" / {stride}" if stride > 1 else ""
    title = f"conv2d 1x{channels}x{size}x{size}, {kernel}x{kernel}{steps}, {filters} out"
    name = f"conv2d-{channels}x{size}-{kernel}x{kernel}-{filters}"
    weights = (filters, channels, kernel, kernel)
    return Case(name, title, "conv2d", (1, channels, size, size), kernel=weights, stride=stride, asked=asked)


def attentions() -> list[Case]:
    """Attention in its forms."""
    rows = (
        ("attention", (1, 8, 512, 64), BEST), ("flash_attention", (1, 8, 512, 64), BEST),
        ("attention_causal", (1, 8, 512, 64), ()), ("attention", (1, 12, 128, 64), ()),
        ("flash_attention", (1, 8, 2048, 64), ()),
    )  # fmt: skip
    return [
        Case(f"{kind.replace('_', '-')}-{size}", f"{kind.replace('_', ' ')} {size}", kind, shape, asked=asked)
        for kind, shape, asked in rows
        for size in ["x".join(map(str, shape))]
    ]


def tiny(case: Case) -> Case:
    """The same row on few elements; lengths keep their kind, and images have room for their kernel."""
    match case.kind:
        case "fft":
            n = {1000: 30, 10007: 17}.get(case.shape[-2], 64)
            return replace(case, shape=(*(min(m, 3) for m in case.shape[:-2]), n, 2))
        case "sparse_gemm":
            return replace(case, shape=(9, 7, min(case.shape[2], 20)), density=0.4)
        case "conv2d":
            return replace(case, shape=(1, 2, 8, 8), kernel=(3, 2, *case.kernel[2:]))
        case _:
            return replace(case, shape=(1, 2, 5, 4))


class Data:
    """Makes the arrays of a row; each set of buffers has other numbers."""

    def inputs(self, case: Case, number: int) -> list[Array]:
        """The inputs of one set of buffers."""
        drawn = KINDS[case.kind].draw(case, np.random.default_rng([number, *case.shape]))
        made: list[Array] = []
        for i, values in enumerate(drawn):
            buffer = cases.make_buffer(values.shape, 4 * number + i).view(values.dtype)
            buffer[...] = values
            made.append(buffer)
        return made

    def output(self, case: Case, number: int) -> Array:
        """An array for the result of one set of buffers, its pages touched."""
        buffer = cases.make_buffer(KINDS[case.kind].out(case), 4 * number + 3)
        buffer.fill(np.nan)
        return buffer


def error_of(case: Case, form: str, inputs: Sequence[Array], result: Any) -> float:
    """The largest error of a result in units of what is allowed: up to 1 is right. NaN where NaN came out."""
    found, kind = np.asarray(result), KINDS[form]
    expected = kind.out(case)
    if found.dtype == np.complex64:
        found = np.ascontiguousarray(found).view(np.float32).reshape(*found.shape, 2)
    if found.size != math.prod(expected) or found.dtype != np.float32:
        return math.inf
    return kind.error(case, inputs, found.reshape(expected))
