"""The twelve example kernels that every device runs: their programs, arguments of any sizes, and what is right.

The tests hold every device against the interpreter on the edge sizes, the benchmarks against numpy's float64 on large
ones. A kernel is `exact` if its bits are those of the interpreter, `same` if cpu, cuda and opencl agree to the bit (the
functions in it are polynomials that need not agree with the interpreter's), and `bounded` if only a tolerance holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Sizes = tuple[int, ...]

EPSILON = 1e-5
"""The number that layer norm adds to the variance."""
F32, F16 = np.finfo(np.float32), np.finfo(np.float16)


@dataclass(frozen=True)
class DeviceKernel:
    """One kernel."""

    title: str
    text: str
    """A function on tensors, in MLIR."""
    shapes: Callable[[Sizes], list[Sizes]]
    """The shapes of the inputs for sizes; a scalar has none."""
    out: Callable[[Sizes], Sizes]
    """The shape of the result."""
    reference: Callable[..., Array]
    """The result in float64 of inputs in float64."""
    edges: tuple[Sizes, ...]
    """Sizes that tests run: none, one, odd ones, more than a block has."""
    large: Sizes
    """The size that benchmarks take."""
    bits: Literal["exact", "same", "bounded"]
    relative: float = 4e-7
    """The allowed difference of the result from `reference`, as a part of `scale`."""
    scale: Callable[..., Array] | None = None
    """The unit of errors, computed from the inputs in float64; else the magnitude of the reference."""
    tiny: float = 4e-38
    """The difference that is always allowed: devices may flush subnormal numbers."""
    dtype: str = "float32"

    def arguments(self, sizes: Sizes, seed: int = 0) -> list[Any]:
        """Inputs of these sizes: arrays of normal numbers, and for a scalar a number."""
        random = np.random.default_rng([seed, *sizes])
        found: list[Any] = []
        for shape in self.shapes(sizes):
            values = random.standard_normal(shape, np.float32).astype(self.dtype)
            found.append(values if shape else float(values))
        return found

    def result(self, sizes: Sizes) -> Array:
        """An array for the result, full of NaN."""
        return np.full(self.out(sizes), np.nan, self.dtype)

    def expected(self, arguments: Sequence[Any]) -> Array:
        """The result in float64."""
        with np.errstate(all="ignore"):
            return np.asarray(self.reference(*(np.asarray(a, np.float64) for a in arguments)))

    def allowed(self, arguments: Sequence[Any]) -> Array:
        """The allowed error of each element."""
        given = [np.asarray(a, np.float64) for a in arguments]
        with np.errstate(all="ignore"):
            scale = np.abs(self.reference(*given)) if self.scale is None else self.scale(*given)
        return np.asarray(self.relative * scale + self.tiny)

    def error(self, arguments: Sequence[Any], found: Any) -> float:
        """The largest error in units of what is allowed: up to 1 is right; infinity for other shapes, types and NaN."""
        values, expected = np.asarray(found), self.expected(arguments)
        if values.shape != expected.shape or values.dtype != self.dtype:
            return float("inf")
        if not values.size:
            return 0.0
        errors = np.abs(values.astype(np.float64) - expected) / self.allowed(arguments)
        return float("inf") if np.isnan(errors).any() else float(errors.max())


# Programs


def _tensor(rank: int, element: str = "f32") -> str:
    return f"tensor<{'?x' * rank}{element}>"


V, M, S = _tensor(1), _tensor(2), _tensor(0)

SAXPY = f"""
func.func @saxpy(%alpha: f32, %x: {V}, %y: {V}) -> {V} {{
  %n = hologram.dim %x {{axis = 0 : i64}} : {V} to index
  %alphas = hologram.fill %alpha sizes(%n) : f32 to {V}
  %ax = hologram.mul %alphas, %x : {V}
  %r = hologram.add %ax, %y : {V}
  func.return %r : {V}
}}
"""

CHAIN = f"""
func.func @fused_chain(%a: {V}, %b: {V}, %c: {V}) -> {V} {{
  %ab = hologram.mul %a, %b : {V}
  %s = hologram.add %ab, %c : {V}
  %q = hologram.mul %s, %s : {V}
  %m = hologram.neg %q : {V}
  %r = hologram.exp %m : {V}
  func.return %r : {V}
}}
"""

GELU = f"""
func.func @gelu(%x: {V}) -> {V} {{
  %r = hologram.gelu %x : {V}
  func.return %r : {V}
}}
"""

SUM = f"""
func.func @sum(%x: {V}) -> {S} {{
  %r = hologram.reduce sum %x {{axes = [0 : i64]}} : {V} to {S}
  func.return %r : {S}
}}
"""


def _axis_sum(name: str, axis: int) -> str:
    return f"""
func.func @{name}(%x: {M}) -> {V} {{
  %r = hologram.reduce sum %x {{axes = [{axis} : i64]}} : {M} to {V}
  func.return %r : {V}
}}
"""


SOFTMAX = f"""
func.func @softmax(%x: {M}) -> {M} {{
  %r = hologram.softmax %x {{axis = 1 : i64}} : {M}
  func.return %r : {M}
}}
"""

LAYER_NORM = f"""
func.func @layer_norm(%x: {M}, %gamma: {V}, %beta: {V}) -> {M} {{
  %m = hologram.dim %x {{axis = 0 : i64}} : {M} to index
  %n = hologram.dim %x {{axis = 1 : i64}} : {M} to index
  %to = tensor.empty(%m, %n) : {M}
  %r = atlas.layer_norm ins(%x, %gamma, %beta : {M}, {V}, {V}) outs(%to : {M}) {{eps = {EPSILON:.1e} : f64}}
  func.return %r : {M}
}}
"""

TRANSPOSE = f"""
func.func @transpose(%x: {M}) -> {M} {{
  %r = hologram.transpose %x {{permutation = [1 : i64, 0 : i64]}} : {M} to {M}
  func.return %r : {M}
}}
"""


def _matmul(element: str) -> str:
    m = _tensor(2, element)
    return f"""
func.func @matmul_{element}(%a: {m}, %b: {m}) -> {m} {{
  %r = hologram.matmul %a, %b : {m}
  func.return %r : {m}
}}
"""


IMAGE, WEIGHTS = _tensor(4), "tensor<?x?x3x3xf32>"
CONVOLUTION = f"""
func.func @convolution(%x: {IMAGE}, %w: {WEIGHTS}) -> {IMAGE} {{
  %n = hologram.dim %x {{axis = 0 : i64}} : {IMAGE} to index
  %o = hologram.dim %w {{axis = 0 : i64}} : {WEIGHTS} to index
  %h = hologram.dim %x {{axis = 2 : i64}} : {IMAGE} to index
  %v = hologram.dim %x {{axis = 3 : i64}} : {IMAGE} to index
  %to = tensor.empty(%n, %o, %h, %v) : {IMAGE}
  %r = atlas.conv2d ins(%x, %w : {IMAGE}, {WEIGHTS}) outs(%to : {IMAGE}) {{padding = [1 : i64, 1 : i64]}}
  func.return %r : {IMAGE}
}}
"""


# References in float64


def _erf(x: Array) -> Array:
    from math import erf

    return np.array([erf(v / 2**0.5) for v in x.reshape(-1).tolist()]).reshape(x.shape)


def _saxpy(alpha: Array, x: Array, y: Array) -> Array:
    return alpha * x + y


def _saxpy_scale(alpha: Array, x: Array, y: Array) -> Array:
    return np.abs(alpha * x) + np.abs(y)


def _chain(a: Array, b: Array, c: Array) -> Array:
    return np.exp(-((a * b + c) ** 2))


def _chain_scale(a: Array, b: Array, c: Array) -> Array:
    return (1 + 4 * (np.abs(a * b) + np.abs(c)) ** 2) * _chain(a, b, c)


def _sum(x: Array) -> Array:
    return np.sum(x)


def _row_sum(x: Array) -> Array:
    return np.sum(x, axis=1)


def _column_sum(x: Array) -> Array:
    return np.sum(x, axis=0)


def _gelu(x: Array) -> Array:
    return 0.5 * x * (1 + _erf(x))


def _softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf))
    return powers / powers.sum(axis=1, keepdims=True)


def _layer_norm(x: Array, gamma: Array, beta: Array) -> Array:
    count = x.shape[1]
    d = x - x.sum(axis=1, keepdims=True) / count
    variance = (d * d).sum(axis=1, keepdims=True) / count
    return d / np.sqrt(variance + EPSILON) * gamma + beta


def _layer_norm_scale(x: Array, gamma: Array, beta: Array) -> Array:
    """The mean is off by a part of the magnitudes, and the deviation by a part of itself."""
    spread = np.abs(x).max(axis=1, keepdims=True, initial=0)
    deviation = np.sqrt(x.var(axis=1, keepdims=True) + EPSILON) if x.shape[1] else 1
    return 4 * spread / deviation * np.abs(gamma) + np.abs(beta)


def _convolution(x: Array, w: Array) -> Array:
    height, width = x.shape[2:]
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    found = np.zeros((x.shape[0], w.shape[0], height, width))
    for i in range(3):
        for j in range(3):
            found += np.einsum("nchw,oc->nohw", padded[:, :, i : i + height, j : j + width], w[:, :, i, j])
    return found


def _magnitude(reference: Callable[..., Array]) -> Callable[..., Array]:
    """The sum of magnitudes."""

    def scale(x: Array) -> Array:
        return reference(np.abs(x))

    return scale


def _magnitudes(reference: Callable[..., Array], terms: Callable[[Sizes], int]) -> Callable[..., Array]:
    """The reference of the magnitudes, which bounds a sum's error, times what rounding each step may add."""

    def scale(*given: Array) -> Array:
        return reference(*map(np.abs, given)) * (terms(given[0].shape) ** 0.5 + 3)

    return scale


def _half_scale(a: Array, b: Array) -> Array:
    """The last rounding is to f16, the others are those of f32."""
    return np.abs(np.matmul(a, b)) + 2.0**-10 * _product_scale(a, b)


def _vectors(count: int) -> Callable[[Sizes], list[Sizes]]:
    return lambda sizes: [sizes] * count


def _products(sizes: Sizes) -> list[Sizes]:
    m, n, k = sizes
    return [(m, k), (k, n)]


LINES: tuple[Sizes, ...] = ((0,), (1,), (2,), (127,), (257,), (4097,), (100_003,))
TABLES: tuple[Sizes, ...] = ((0, 3), (3, 0), (1, 1), (1, 257), (129, 1), (5, 127), (37, 1025), (67, 4099))
FULL_TABLES = tuple(s for s in TABLES if all(s))
PRODUCTS: tuple[Sizes, ...] = (
    (0, 3, 2), (3, 0, 2), (1, 1, 1), (3, 5, 0), (17, 19, 23), (1, 257, 65), (129, 1, 33), (64, 64, 64), (130, 66, 70),
)  # fmt: skip
IMAGES: tuple[Sizes, ...] = ((0, 1, 1, 2, 2), (1, 1, 1, 1, 1), (1, 3, 2, 5, 7), (2, 5, 9, 17, 19), (1, 16, 17, 33, 31))
"""Images, channels, filters, height, width."""

LONG = (1 << 28,)
WIDE = (1 << 14, 1 << 14)
ROWS = (32768, 4096)

_SUM_BITS = 2.0**-24
_product_scale = _magnitudes(np.matmul, lambda shape: shape[1])
_image_scale = _magnitudes(_convolution, lambda shape: 9 * shape[1])


def _line(sizes: Sizes) -> Sizes:
    return sizes


KERNELS: dict[str, DeviceKernel] = {
    "saxpy": DeviceKernel(
        "saxpy", SAXPY, lambda s: [(), s, s], _line, _saxpy, LINES, LONG, "exact",
        1.5 * 2.0**-23, _saxpy_scale,
    ),
    "fused-chain": DeviceKernel(
        "fused chain", CHAIN, _vectors(3), _line, _chain, LINES, LONG, "same",
        2.0**-22, _chain_scale,
    ),
    "gelu": DeviceKernel("GELU", GELU, _vectors(1), _line, _gelu, LINES, LONG, "same", 2.0**-21, np.abs),
    "sum": DeviceKernel(
        "full sum", SUM, _vectors(1), lambda s: (), _sum, LINES, LONG, "exact",
        32 * _SUM_BITS, _magnitude(_sum),
    ),
    "row-sum": DeviceKernel(
        "row sum", _axis_sum("row_sum", 1), _vectors(1), lambda s: s[:1], _row_sum, TABLES, WIDE,
        "exact", 32 * _SUM_BITS, _magnitude(_row_sum),
    ),
    "column-sum": DeviceKernel(
        "column sum", _axis_sum("column_sum", 0), _vectors(1), lambda s: s[1:], _column_sum, TABLES,
        WIDE, "exact", 32 * _SUM_BITS, _magnitude(_column_sum),
    ),
    "softmax": DeviceKernel(
        "softmax", SOFTMAX, _vectors(1), _line, _softmax, TABLES, ROWS, "same", 2.0**-20,
    ),
    "layer-norm": DeviceKernel(
        "layer norm", LAYER_NORM, lambda s: [s, s[1:], s[1:]], _line, _layer_norm, TABLES, ROWS, "exact",
        2.0**-21, _layer_norm_scale,
    ),
    "transpose": DeviceKernel(
        "transpose", TRANSPOSE, _vectors(1), lambda s: s[::-1], np.transpose, TABLES, WIDE, "exact", 0.0,
    ),
    "matmul-f32": DeviceKernel(
        "matmul f32", _matmul("f32"), _products, lambda s: s[:2], np.matmul, PRODUCTS, (4096,) * 3, "bounded",
        float(F32.eps), _product_scale,
    ),
    "matmul-f16": DeviceKernel(
        "matmul f16", _matmul("f16"), _products, lambda s: s[:2], np.matmul, PRODUCTS, (4096,) * 3, "bounded",
        float(F16.eps) / 2, _half_scale,
        6.2e-5, "float16",
    ),
    "convolution": DeviceKernel(
        "3x3 convolution", CONVOLUTION, lambda s: [(s[0], s[1], *s[3:]), (s[2], s[1], 3, 3)],
        lambda s: (s[0], s[2], *s[3:]), _convolution, IMAGES, (8, 128, 128, 112, 112), "bounded",
        float(F32.eps), _image_scale,
    ),
}  # fmt: skip
"""Every kernel by its name, in the order of the tables."""
