"""Functions of random tensor programs that need numbers of a range, kinds of products, layers, and types that numpy has
not; each by a formula of numpy's."""

# Operations are typed by what they are called with.
# pyright: basic

from __future__ import annotations

from math import erf, inf
from typing import TYPE_CHECKING, Any

import numpy as np

from hologram import ops

from .numpy_operations import Proposal, is_exact_product, operation, two
from .numpy_programs import is_exact, is_float

if TYPE_CHECKING:
    from .numpy_programs import Maker

_erf = np.vectorize(erf, otypes=["d"])


def _gelu_tanh(x: Any) -> Any:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


# Of one number

WITHIN: dict[str, tuple[Any, float, float]] = {
    "acos": (np.arccos, -1, 1), "acosh": (np.arccosh, 1, 100), "asin": (np.arcsin, -1, 1),
    "asinh": (np.arcsinh, -100, 100), "atanh": (np.arctanh, -0.9, 0.9), "cbrt": (np.cbrt, -100, 100),
    "cosh": (np.cosh, -8, 8), "sinh": (np.sinh, -8, 8), "tan": (np.tan, -1.5, 1.5), "deg2rad": (np.deg2rad, -1e3, 1e3),
    "rad2deg": (np.rad2deg, -1e3, 1e3), "exp2": (np.exp2, -8, 8), "log": (np.log, 0.1, 1e4),
    "log2": (np.log2, 0.1, 1e4), "log10": (np.log10, 0.1, 1e4), "log1p": (np.log1p, -0.9, 1e4),
    "reciprocal": (lambda x: (1 / x).astype(x.dtype), 0.1, 1e3), "rsqrt": (lambda x: 1 / np.sqrt(x), 0.1, 1e4),
    "sqrt": (np.sqrt, 0, 1e4), "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), -30, 30),
    "silu": (lambda x: x / (1 + np.exp(-x)), -30, 30), "swish": (lambda x: x / (1 + np.exp(-x)), -30, 30),
    "erf": (lambda x: _erf(x).astype(x.dtype), -10, 10),
    "gelu": (lambda x: (x * (1 + _erf(x / np.sqrt(2))) / 2).astype(x.dtype), -10, 10),
    "gelu_tanh": (lambda x: _gelu_tanh(x).astype(x.dtype), -10, 10),
}  # fmt: skip
"""numpy's function, and the numbers from which to which it is near what others compute."""


def _between(m: Maker, low: float, high: float) -> int | None:
    """The number of a value of floats within bounds."""
    found = [
        n for n, v in enumerate(m.program.values)
        if is_float(v.array) and bool(np.all((v.array >= low) & (v.array <= high)))
    ]  # fmt: skip
    return m.rng.choice(found) if found else None


@operation(*WITHIN)
def of_a_range(m: Maker, name: str) -> Proposal:
    function, low, high = WITHIN[name]
    n = _between(m, low, high)
    return None if n is None else ([n], {}, function, False)


@operation("square", "relu", "signbit", "fill", "nan_to_num")
def exact_formula(m: Maker, name: str) -> Proposal:
    n = m.any("f" if name == "signbit" else "iuf", exact=name in ("nan_to_num", "signbit"))
    if n is None:
        return None
    match name:
        case "square":
            return [n], {}, np.square, True
        case "relu":
            return [n], {}, lambda x: np.maximum(x, np.zeros((), x.dtype)), True
        case "signbit":
            # The sign of a NaN is nobody's.
            return None if np.any(np.isnan(m.array(n))) else ([n], {}, np.signbit, True)
        case "fill":
            return [n], {"value": m.rng.randint(0, 9)}, lambda x, value: np.full_like(x, value), True
        case _:
            return [n], {"nan": 1.0, "posinf": 2.0, "neginf": -2.0}, np.nan_to_num, True


# Of several numbers


@operation("copysign", "hypot", "logaddexp", "logaddexp2", "rem", "isclose", "allclose")
def of_two_floats(m: Maker, name: str) -> Proposal:
    pair = two(m, "iuf" if name == "rem" else "f", exact=name in ("rem", "isclose", "allclose", "copysign"))
    if pair is None:
        return None
    x, y = (m.array(n) for n in pair)
    if name == "rem":
        return None if np.any(y == 0) else (pair, {}, np.fmod, True)
    if name in ("isclose", "allclose"):
        same = m.rng.random() < 0.5
        return pair, {"equal_nan": same}, getattr(np, name), True
    if name == "copysign":
        return None if np.any(np.isnan(y)) else (pair, {}, np.copysign, True)
    if not all(np.all(np.abs(v) < 1e4) for v in (x, y)):
        return None
    return pair, {}, getattr(np, name), False


@operation("fma", "lerp")
def of_three(m: Maker, name: str) -> Proposal:
    pair = two(m, "f", exact=True)
    if pair is None or not all(np.all(np.isfinite(m.array(n))) for n in pair):
        return None
    if name == "lerp":
        return pair, {"t": 0.25}, lambda a, b, t: a + (b - a) * np.asarray(t, np.result_type(a, b)), True
    return [*pair, pair[0]], {}, lambda a, b, c: a * b + c, True


@operation("vector_add", "vector_sub", "vector_mul")
def of_vectors(m: Maker, name: str) -> Proposal:
    n = m.any("iuf", least_rank=1)
    if n is None or m.array(n).ndim != 1:
        return None
    function = {"vector_add": np.add, "vector_sub": np.subtract, "vector_mul": np.multiply}[name]
    return [n, n], {}, function, True


# Products


def _factors(m: Maker) -> tuple[list[int], Any, Any] | None:
    """Two values of finite numbers."""
    a, b = m.any("iuf", least_rank=1), m.any("iuf", least_rank=1)
    if a is None or b is None:
        return None
    x, y = m.array(a), m.array(b)
    if any(is_float(v) and not np.all(np.isfinite(v)) for v in (x, y)):
        return None
    return [a, b], x, y


def _product(m: Maker, function: Any, **options: Any) -> Proposal:
    """A product, if the sizes of two values fit."""
    found = _factors(m)
    if found is None:
        return None
    pair, x, y = found
    try:
        wide = function(*(np.abs(v.astype(np.float64)) for v in (x, y)), **options)
    except (ValueError, IndexError):
        return None
    return pair, options, function, is_exact_product(wide, np.result_type(x, y))


@operation("inner", "kron", "vdot", "tensordot", "cross")
def other_product(m: Maker, name: str) -> Proposal:
    if name == "tensordot":
        return _product(m, lambda x, y, axes: np.tensordot(x, y, axes), axes=m.rng.randint(0, 2))
    if name == "cross":
        pair = two(m, "if", exact=True)
        if pair is None or any(m.array(n).ndim == 0 or m.array(n).shape[-1] != 3 for n in pair):
            return None
        if not all(np.all(np.isfinite(m.array(n))) for n in pair):
            return None
        wide = np.max([np.abs(m.array(n).astype(np.float64)).max(initial=0) for n in pair]) ** 2
        exact = is_exact_product(wide, np.result_type(*(m.array(n) for n in pair)))
        return pair, {}, np.cross, exact
    return _product(m, getattr(np, name))


@operation("gemm", "matvec", "bmm", "tensor_contract")
def named_product(m: Maker, name: str) -> Proposal:
    """Products of ranks that are given: of the first axes of values that have more."""
    found = _factors(m)
    if found is None:
        return None
    pair, x, y = found
    if name == "matvec":
        fits = (x.ndim, y.ndim) == (2, 1) and x.shape[1] == y.shape[0]
        return _product_of(pair, x, y, np.matmul) if fits else None
    if name == "bmm":
        fits = x.ndim == y.ndim == 3 and x.shape[0] == y.shape[0] and x.shape[2] == y.shape[1]
        return _product_of(pair, x, y, np.matmul) if fits else None
    if name == "tensor_contract":
        pairs = [(i, j) for i in range(x.ndim) for j in range(y.ndim) if x.shape[i] == y.shape[j]]
        if not pairs:
            return None
        i, j = m.rng.choice(pairs)
        return _product_of(
            pair, x, y, lambda x, y, axes_a, axes_b: np.tensordot(x, y, (axes_a, axes_b)), axes_a=[i], axes_b=[j]
        )
    if (x.ndim, y.ndim) != (2, 2) or x.dtype != y.dtype:
        return None
    flips = {"trans_a": m.rng.random() < 0.5, "trans_b": m.rng.random() < 0.5}
    left, right = (v.T if flip else v for v, flip in zip((x, y), flips.values(), strict=True))
    if left.shape[1] != right.shape[0]:
        return None
    return _product_of(
        pair, x, y, lambda x, y, trans_a, trans_b: (x.T if trans_a else x) @ (y.T if trans_b else y), **flips
    )


def _product_of(pair: list[int], x: Any, y: Any, function: Any, **options: Any) -> Proposal:
    wide = function(*(np.abs(v.astype(np.float64)) for v in (x, y)), **options)
    return pair, options, function, is_exact_product(wide, np.result_type(x, y))


# Layers


def _finite(m: Maker, least_rank: int = 1, sizes: int = 64) -> int | None:
    """The number of a value of finite, not too large floats of 32 bits at least, that has elements."""
    n = m.any("f", least_rank=least_rank)
    if n is None:
        return None
    x = m.array(n)
    if x.itemsize < 4 or not x.size or not np.all(np.abs(x) < 100) or max(x.shape, default=1) > sizes:
        return None
    return n


def _softmax(x: Any, axis: int) -> Any:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


@operation("softmax", "log_softmax")
def soft(m: Maker, name: str) -> Proposal:
    n = _finite(m)
    if n is None:
        return None
    axis = m.rng.randrange(-m.array(n).ndim, m.array(n).ndim)
    function = _softmax if name == "softmax" else _log_softmax
    return [n], {"axis": axis}, function, False


def _log_softmax(x: Any, axis: int) -> Any:
    shifted = x - x.max(axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


@operation("layer_norm", "rms_norm", "mse")
def normal(m: Maker, name: str) -> Proposal:
    n = _finite(m)
    if n is None:
        return None
    x = m.array(n)
    ones = np.ones(x.shape[-1], x.dtype)
    if name == "mse":
        return [n, n], {}, lambda x, y: np.mean((x - y) ** 2, dtype=x.dtype), False
    if name == "rms_norm":
        return (
            [n], {}, lambda x: x / np.sqrt(np.mean(x * x, -1, keepdims=True) + x.dtype.type(1e-3)), False,
            lambda x: ops.rms_norm(x, ops.constant(ones.tolist(), ones.dtype.name), eps=1e-3),
        )  # fmt: skip
    return (
        [n], {}, lambda x: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + x.dtype.type(1e-3)),
        False, lambda x: ops.layer_norm(x, ops.constant(ones.tolist(), ones.dtype.name), _zeros_like(ones), eps=1e-3),
    )  # fmt: skip


def _zeros_like(ones: Any) -> Any:
    return ops.zeros(ones.shape, ones.dtype.name)


@operation("fft", "ifft")
def transformed(m: Maker, name: str) -> Proposal:
    """Along the last axis of a value, which is the real part."""
    n = _finite(m)
    if n is None:
        return None
    numpy = np.fft.fft if name == "fft" else np.fft.ifft
    function = getattr(ops, name)

    def wanted(x: Any) -> Any:
        found = numpy(x)
        return np.stack([found.real, found.imag], -1).astype(x.dtype)

    return [n], {}, wanted, False, lambda x: function(ops.stack([x, ops.mul(x, 0)], -1))


@operation("conv2d")
def convolved(m: Maker) -> Proposal:
    """A matrix as an image of one channel, by another one as its weights."""
    found = _factors(m)
    if found is None:
        return None
    pair, x, y = found
    if (x.ndim, y.ndim) != (2, 2) or x.dtype != y.dtype or not y.size:
        return None
    pads, step = m.rng.randint(0, 2), m.rng.randint(1, 2)
    if any(s + 2 * pads < w for s, w in zip(x.shape, y.shape, strict=True)):
        return None

    def wanted(x: Any, y: Any) -> Any:
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, pads), y.shape)[::step, ::step]
        return np.einsum("abij,ij->ab", windows, y)

    wide = wanted(*(np.abs(v.astype(np.float64)) for v in (x, y)))

    def ours(x: Any, y: Any) -> Any:
        image, weights = (ops.reshape(v, (1, 1, *v.shape)) for v in (x, y))
        return ops.reshape(ops.conv2d(image, weights, stride=step, padding=pads), wide.shape)

    return pair, {}, wanted, is_exact_product(wide, x.dtype), ours


# bf16, by the numbers that it has


def bf16(x: Any) -> Any:
    """Floats of 32 bits rounded to bf16: to the nearest, of two to the even one."""
    bits = np.ascontiguousarray(x).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << 16
    rounded = np.where(np.isnan(x), bits, rounded).astype(np.uint32)
    return rounded.view(np.float32).reshape(x.shape)


BRAINS: dict[str, Any] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "less": np.less, "neg": np.negative,
    "floor": np.floor, "sum": lambda x: np.sum(x, -1), "max": lambda x: np.max(x, -1, initial=-inf),
    "sort": lambda x: np.sort(x, -1), "transpose": np.transpose, "argmax": lambda x: np.argmax(x, -1),
    "cumsum": lambda x: np.cumsum(x, -1),
}  # fmt: skip
AXIS = ("sum", "max", "sort", "argmax", "cumsum")


@operation("cast", often=6)
def of_bf16(m: Maker) -> Proposal:
    """An operation on values as bf16, and what it gives as f32."""
    name = m.rng.choice(sorted(BRAINS))
    pair = two(m, "f", exact=True)
    if pair is None:
        return None
    operands = pair if name in ("add", "sub", "mul", "maximum", "less") else pair[:1]
    arrays = [m.array(n) for n in operands]
    if any(a.dtype != np.float32 for a in arrays) or (name in AXIS and not (arrays[0].ndim and arrays[0].shape[-1])):
        return None
    if name in ("sum", "cumsum") and not (
        np.all(np.isfinite(arrays[0])) and np.all(np.abs(arrays[0]).sum(-1) * 8 <= 2**8)
    ):
        return None
    options: dict[str, Any] = {"axis": -1} if name in AXIS else {}
    function, reference = getattr(ops, name), BRAINS[name]

    def ours(*values: Any) -> Any:
        found = function(*(ops.cast(v, "bf16") for v in values), **options)
        return found if name in ("less", "argmax") else ops.cast(found, "f32")

    def wanted(*values: Any) -> Any:
        found = reference(*(bf16(v) for v in values))
        return bf16(found) if is_float(found) else found

    with np.errstate(all="ignore"):
        exact = is_exact(wanted(*arrays)) or name in ("less", "argmax")
    return operands, {}, wanted, exact, ours
