"""The rows of kernels/stdlib/conv, quantized and fourier."""

# References are functions of as many arguments as their kernels have.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hologram.dialects.atlas.instructions.types import DTYPES
from kernels.stdlib.cases import FLOATS, LINES, Array, Draw, Row
from kernels.stdlib.gradient_cases import PRODUCTS
from kernels.stdlib.loss_cases import SUMS

SMALL = ("i8", "u8", "i16", "u16")
BYTES = ("i8", "u8")
# batch, channels, height, width, filters, rows, columns, then strides, paddings, dilations and groups
IMAGES = (
    (0, 1, 3, 3, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1),
    (1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1),
    (1, 2, 5, 7, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1),
    (2, 4, 9, 8, 6, 3, 2, 2, 3, 2, 0, 1, 2, 2),
    (1, 3, 12, 11, 3, 5, 1, 1, 1, 0, 2, 2, 1, 3),
    (1, 5, 10, 9, 70, 2, 3, 1, 1, 0, 0, 1, 1, 1),
    (1, 2, 3, 3, 2, 5, 5, 1, 1, 1, 1, 1, 1, 1),
)


def extent(size: int, window: int, stride: int, pad: int, step: int) -> int:
    return max((size + 2 * pad - step * (window - 1) - 1) // stride + 1, 0)


def images(
    on: Draw, n: int, c: int, h: int, w: int, o: int, kh: int, kw: int, *how: int, more: Any = None
) -> list[Any]:
    """Images, filters, what `more` has of them, the array of results, and how they meet."""
    stride_y, stride_x, pad_y, pad_x, down, right, groups = how
    out = on.blank(n, o, extent(h, kh, stride_y, pad_y, down), extent(w, kw, stride_x, pad_x, right))
    return [on.array(n, c, h, w), on.array(o, c // groups, kh, kw), *(more(on, o) if more else ()), out, *how]


def convolved(x: Array, w: Array, shape: tuple[int, ...], how: tuple[int, ...]) -> Array:
    """Each element of the filters with all that it meets."""
    stride_y, stride_x, pad_y, pad_x, down, right, groups = how
    x = np.pad(x, ((0, 0), (0, 0), (pad_y, pad_y), (pad_x, pad_x)))
    found = np.zeros(shape, x.dtype)
    part, seen = w.shape[0] // groups, w.shape[1]
    for o in range(w.shape[0]):
        first = o // part * seen
        for c, k, m in np.ndindex(w.shape[1:]):
            y, z = k * down, m * right
            rows = x[:, first + c, y : y + stride_y * shape[2] : stride_y, z : z + stride_x * shape[3] : stride_x]
            found[:, o] += w[o, c, k, m] * rows[:, : shape[2], : shape[3]]
    return found


def magnitude(x: Array, w: Array, *more: Any) -> Array:
    out = next(v for v in more if isinstance(v, np.ndarray) and v.ndim == 4)
    return convolved(np.abs(x), np.abs(w), out.shape, more[-7:]) + 10


def saturated(value: Array, zero: int, out: Array) -> Array:
    """Floats as small integers; of NaN 0."""
    info = np.iinfo(out.dtype)
    moved = np.rint(value) + np.float32(zero)
    return np.where(np.isnan(moved), 0, np.clip(moved, info.min, info.max)).astype(out.dtype)


def scaled(sums: Array, factor: float, zero: int, out: Array) -> Array:
    return saturated(sums.astype(np.int32).astype(np.float32) * np.float32(factor), zero, out)


def zero_of(dtype: str) -> int:
    return {"i8": -3, "u8": 7, "i16": 300, "u16": 30000}[dtype]


def quantizable(on: Draw, n: int) -> list[Any]:
    """Floats: numbers in range, halves, and all edges."""
    x = on.spread(n, dtype="f32")
    x[1::4] = np.round(x[1::4] * 100) * 0.0625
    return [x, on.blank(n), 0.125, zero_of(on.dtype)]


def integers(on: Draw, *shape: int) -> Array:
    t = DTYPES[on.dtype]
    return on.array(*shape, least=int(t.least), most=int(t.greatest))


def added(on: Draw, n: int) -> list[Any]:
    zero = zero_of(on.dtype)
    return [integers(on, n), integers(on, n), on.blank(n), 0.5, zero, 0.25, zero + 1, 0.5, zero - 1]


def sums_of(a: Array, b: Array, out: Array, sa: float, za: int, sb: float, zb: int, s: float, z: int) -> Array:
    x = (a.astype(np.float32) - za) * np.float32(sa) + (b.astype(np.float32) - zb) * np.float32(sb)
    return saturated(x / np.float32(s), z, out)


def factors(on: Draw, m: int, n: int, k: int) -> list[Any]:
    zero = zero_of(on.dtype)
    return [integers(on, m, k), integers(on, k, n), on.blank(m, n), zero, zero + 2, zero - 1, 0.0078125]


def qimages(on: Draw, *sizes: int) -> list[Any]:
    x, w, out, *how = images(on, *sizes)
    zero = zero_of(on.dtype)
    return [x, w, out, zero, zero + 2, zero - 1, 0.0078125, *how]


def qconvolved(x: Array, w: Array, out: Array, zx: int, zw: int, z: int, factor: float, *how: int) -> Array:
    return scaled(convolved(x.astype(np.int64) - zx, w.astype(np.int64) - zw, out.shape, how), factor, z, out)


def signal(on: Draw, batch: int, n: int) -> list[Any]:
    return [on.array(batch, n, 2), on.blank(batch, n, 2)]


def transformed(inverse: bool) -> Callable[..., Array]:
    def right(x: Array, *_: Any) -> Array:
        if not x.shape[1]:
            return x
        given = x[..., 0] + 1j * x[..., 1]
        found = np.fft.ifft(given) if inverse else np.fft.fft(given)
        return np.stack([found.real, found.imag], -1)

    return right


def sizes_of(x: Array, *_: Any) -> Any:
    return np.abs(x).sum((1, 2), keepdims=True)


def pass_right(x: Array, out: Array, span: int, factor: int, scale: float) -> Array:
    n, wide = x.shape[1], span * factor
    k = np.arange(n)
    t = k % wide
    place = k // wide * span + t % span
    given = x[..., 0] + 1j * x[..., 1]
    found = sum(given[:, place + q * (n // factor)] * np.exp(-2j * np.pi * q * t / wide) for q in range(factor)) * scale
    return np.stack([found.real, found.imag], -1)


ROWS = [
    Row("conv/conv2d", images, lambda x, w, out, *how: convolved(x, w, out.shape, how), IMAGES, FLOATS, (2,), ulps=SUMS,
        scale=magnitude),
    Row("conv/conv2d", lambda on, *s: images(on, *s, more=lambda on, o: [on.array(o)]),
        lambda x, w, bias, out, *how: convolved(x, w, out.shape, how) + bias[:, None, None], IMAGES, FLOATS, (3,),
        name="conv2d_bias", ulps=SUMS, scale=magnitude),
    Row("quantized/quantize", quantizable,
        lambda x, out, scale, zero: saturated((x / scale).astype(np.float32), zero, out), LINES, SMALL, (1,)),
    Row("quantized/dequantize", lambda on, n: [integers(on, n), on.blank(n, dtype="f32"), 0.1, zero_of(on.dtype)],
        lambda x, out, scale, zero: (x.astype(np.float32) - zero) * np.float64(np.float32(scale)), LINES, SMALL, (1,)),
    Row("quantized/qrelu", lambda on, n: [integers(on, n), on.blank(n), zero_of(on.dtype)],
        lambda x, out, zero: np.maximum(x, zero), LINES, SMALL, (1,)),
    Row("quantized/qadd", added, sums_of, LINES, SMALL, (2,)),
    Row("quantized/qmatmul", factors,
        lambda a, b, out, za, zb, z, factor: scaled(
            (a.astype(np.int64) - za) @ (b.astype(np.int64) - zb), factor, z, out),
        PRODUCTS, BYTES, (2,)),
    Row("quantized/qconv2d", qimages, qconvolved, IMAGES, BYTES, (2,)),
    *(
        Row("fourier/fft", signal, transformed(inverse),
            ((0, 4), (2, 0), (1, 1), (2, 2), (3, 12), (1, 49), (2, 97), (1, 1000), (2, 1024), (1, 1030)),
            ("f32", "f64"),
            constants={"INVERSE": int(inverse)}, label="inverse" if inverse else "", ulps=4.0,
            scale=(lambda x, *_: sizes_of(x) / max(x.shape[1], 1)) if inverse else sizes_of)
        for inverse in (False, True)
    ),
    Row("fourier/fft", lambda on, batch, n, span, factor: [*signal(on, batch, n), span, factor, 0.5], pass_right,
        ((0, 4, 1, 2), (1, 2, 1, 2), (2, 30, 2, 3), (1, 2048, 512, 4)), ("f32", "f64"), (1,), name="fft_pass", ulps=4.0,
        scale=sizes_of),
]  # fmt: skip
