"""The operations of `hologram.ops` against numpy: traced and interpreted each by itself, and compiled all together."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops
from hologram.frontend.tensors.tensor import GROUPS
from hologram.frontend.tensors.trace.support import operations

Reference = Callable[..., Any]
SPECIAL = np.array([0.0, -0.0, 1.0, -1.5, 2.5, 3.75, -7.0, 1e-40, 1e30, np.inf, -np.inf, np.nan], np.float32)
PLAIN = np.array([0.1, 0.5, 0.9, 1.0, 2.0, 3.5, 10.0], np.float32)
WHOLE = np.array([-7, -6, -1, 0, 1, 5, 6, 127, -128], np.int32)


def erf(x: Any) -> Any:
    return np.vectorize(math.erf)(x)


UNARY: dict[str, Reference] = {
    "neg": np.negative, "abs": np.abs, "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "sin": np.sin,
    "cos": np.cos, "tan": np.tan, "atan": np.arctan, "tanh": np.tanh, "floor": np.floor, "ceil": np.ceil,
    "round": np.rint, "trunc": np.trunc, "erf": erf, "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "relu": lambda x: np.where(x < 0, 0.0, x), "gelu": lambda x: x * 0.5 * (1 + erf(x / math.sqrt(2))),
    "gelu_tanh": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "swish": lambda x: x / (1 + np.exp(-x)), "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite,
}  # fmt: skip
PRODUCTS = ("gelu", "gelu_tanh", "swish")
"""Whose formulas are no number at -inf."""
POSITIVE: dict[str, Reference] = {
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "reciprocal": np.reciprocal, "log": np.log, "log2": np.log2,
    "log10": np.log10, "log1p": np.log1p, "sign": np.sign, "square": np.square,
}  # fmt: skip
BINARY: dict[str, Reference] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "minimum": np.minimum,
    "maximum": np.maximum, "floor_div": np.floor_divide, "mod": np.mod, "rem": np.fmod, "pow": np.power,
    "atan2": np.arctan2, "equal": np.equal, "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal,
    "greater": np.greater, "greater_equal": np.greater_equal,
}  # fmt: skip
INTEGERS = "add sub mul minimum maximum floor_div mod rem bit_and bit_or bit_xor less equal".split()
NUMPY = {"bit_and": "bitwise_and", "bit_or": "bitwise_or", "bit_xor": "bitwise_xor", "rem": "fmod", "mod": "mod",
         "floor_div": "floor_divide", "sub": "subtract", "mul": "multiply"}  # fmt: skip


def check(found: Any, expected: Any, tolerance: float = 2e-6) -> None:
    wanted = np.asarray(expected)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(
        np.asarray(found, np.float64), wanted.astype(np.float64), rtol=tolerance, atol=tolerance, equal_nan=True
    )


def interpreted(function: Callable[..., Any], *args: Any, **static: Any) -> Any:
    return hologram.jit(lambda *given: function(*given, **static)).interpret(*args)


@pytest.mark.parametrize("name", [*UNARY, *POSITIVE])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_functions_of_numbers(name: str):
    if name == "square":
        return check(interpreted(lambda x: x**2, PLAIN), PLAIN**2)
    x = PLAIN if name in POSITIVE else SPECIAL[SPECIAL != -np.inf] if name in PRODUCTS else SPECIAL
    check(interpreted(getattr(ops, name), x), (UNARY | POSITIVE)[name](x.astype(np.float64)))


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_functions_of_two(name: str):
    a, b = PLAIN, np.array([[2.0], [-0.75]], np.float32)
    a = a if name == "pow" else np.concatenate([a, -a])
    check(interpreted(getattr(ops, name), a, b), BINARY[name](a.astype(np.float64), b.astype(np.float64)), 1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64"])
def test_functions_of_integers(name: str, dtype: str):
    a, b = WHOLE.astype(dtype), np.array([[3], [5]], dtype)
    found = interpreted(getattr(ops, name), a, b)
    wanted = getattr(np, NUMPY.get(name, name))(a, b)
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


def test_negative_divisors():
    a, b = WHOLE, np.array([[-3], [3]], np.int32)
    np.testing.assert_array_equal(interpreted(lambda x, y: x // y, a, b), a // b)
    np.testing.assert_array_equal(interpreted(lambda x, y: x % y, a, b), a % b)
    for x in (7.5, -7.5, 0.0, -0.0):
        given = np.array([x], np.float32)
        for y in (2.0, -2.0):
            found = interpreted(lambda v, w: (v // w, v % w), given, np.float32(y))
            assert [math.copysign(1, v[0]) * abs(v[0]) for v in found] == [x // y, x % y]
            assert math.copysign(1, found[1][0]) == math.copysign(1, x % y)


def test_float_quotients_are_those_of_python():
    ends = [0.0, -0.0, 1.0, -1.0, 2.5, -7.5, 1e30, -1e-30, np.inf, -np.inf, np.nan]
    pairs = [(a, b) for a in ends for b in ends if b != 0]
    x, y = (np.array(v) for v in zip(*pairs, strict=True))
    assert [str(v) for v in ops.floor_div(x, y).tolist()] == [str(a // b) for a, b in pairs]
    assert [str(v) for v in ops.mod(x, y).tolist()] == [str(a % b) for a, b in pairs]


def test_shifts_and_powers():
    x = np.array([1, -8, 100], np.int8)
    np.testing.assert_array_equal(interpreted(lambda x: x << 3, x), x << 3)
    np.testing.assert_array_equal(interpreted(lambda x: x >> 2, x), x >> 2)
    np.testing.assert_array_equal(interpreted(lambda x: x >> 2, x.view(np.uint8)), x.view(np.uint8) >> 2)
    np.testing.assert_array_equal(interpreted(lambda x: x**3, x), x**3)
    np.testing.assert_array_equal(interpreted(lambda x: x**0, x), x**0)
    check(interpreted(lambda x: 2.0**x, PLAIN), 2.0**PLAIN)
    np.testing.assert_array_equal(interpreted(lambda x: ~x, np.array([True, False])), [False, True])


def test_choices():
    a, b = PLAIN, PLAIN[::-1].copy()
    check(interpreted(lambda a, b: ops.where(a > b, a, b), a, b), np.where(a > b, a, b))
    check(interpreted(lambda a: ops.where(a > 1, a, 0), a), np.where(a > 1, a, 0))
    check(interpreted(ops.clamp, a, 0.5, 2.0), np.clip(a, 0.5, 2.0))
    check(interpreted(ops.lerp, a, b, 0.25), a + (b - a) * 0.25)
    check(interpreted(ops.fma, a, b, 1.0), a * b + 1)


TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()


def test_types_are_brought_together_as_by_numpy():
    for a, b in itertools.product(TYPES, TYPES):
        x, y = np.ones(2, a), np.ones(2, b)
        assert interpreted(lambda x, y: x + y, x, y).dtype == (x + y).dtype, (a, b)


def test_literals_take_the_type_they_meet():
    for dtype in ("float16", "uint8", "int64"):
        assert interpreted(lambda x: x * 2 + 1, np.ones(2, dtype)).dtype == dtype
    assert interpreted(lambda x: x * 0.5, np.ones(2, np.int32)).dtype == "float64"
    assert interpreted(lambda x, s: x * s, np.ones(2, np.float64), 0.1)[0] == 0.1


@pytest.mark.parametrize("value", [False, True, 0, 1, 3])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "float32"])
def test_constants_of_every_type(value: int, dtype: str):
    x = np.ones((2, 3), np.float32)
    full = np.full((2, 3), value, dtype)
    check(interpreted(lambda x: ops.full(x.shape, value, full.dtype), x), full)
    check(interpreted(lambda x: ops.full(x.shape, x.shape[1], full.dtype), x), np.full((2, 3), 3, dtype))
    check(interpreted(lambda x: ops.where(x > 0, value, x), x), np.where(x > 0, value, x).astype(np.float32))


def test_casts():
    x = np.array([-1.5, 300.7, np.nan], np.float32)
    np.testing.assert_array_equal(interpreted(lambda x: x.astype("u8"), x), [0, 255, 0])
    np.testing.assert_array_equal(interpreted(lambda x: x.astype(np.int16), x), [-1, 300, 0])
    np.testing.assert_array_equal(interpreted(lambda x: x.astype(hologram.language.bool), x), [True, True, True])


MATRICES = [
    np.arange(12, dtype=np.float32).reshape(3, 4) - 5,
    np.ones((1, 1), np.float32),
    np.zeros((0, 4), np.float32),
]


@pytest.mark.slow
@pytest.mark.parametrize("x", MATRICES, ids=lambda x: str(x.shape))
@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore:Mean of empty slice", "ignore:Degrees of freedom")
def test_reductions(x: Any, axis: Any):
    for name in ("sum", "prod", "mean", "var"):
        check(interpreted(getattr(ops, name), x, axis=axis), getattr(np, name)(x, axis=axis), 1e-5)
        check(
            interpreted(getattr(ops, name), x, axis=axis, keepdims=True),
            getattr(np, name)(x, axis, keepdims=True),
            1e-5,
        )
    for name in ("any", "all"):
        np.testing.assert_array_equal(interpreted(getattr(ops, name), x, axis=axis), getattr(np, name)(x, axis=axis))
    if x.size:
        for name in ("min", "max"):
            check(interpreted(getattr(ops, name), x, axis=axis), getattr(np, name)(x, axis=axis))
        if not isinstance(axis, tuple):
            check(interpreted(ops.argmax, x, axis=axis), np.argmax(x, axis=axis))
            check(interpreted(ops.argmin, x, axis=axis), np.argmin(x, axis=axis))


@pytest.mark.parametrize("size", [0, 1, 5, 4097])
def test_reductions_of_what_another_reduction_changed(size: int):
    """A number that a reduction gave is read within the next one."""
    x = np.random.default_rng(size).integers(-4, 5, size).astype(np.float32)
    top = x.max(initial=-np.inf)
    found = hologram.jit(lambda x: (ops.sum(x - ops.max(x)), ops.max(x * ops.sum(x))))(x)
    np.testing.assert_allclose(found, [(x - top).sum(), (x * x.sum()).max(initial=-np.inf)], rtol=1e-5)


def test_scans():
    x = MATRICES[0]
    check(interpreted(ops.cumsum, x, axis=1), x.cumsum(1))
    check(interpreted(ops.cumprod, x, axis=0), x.cumprod(0))
    check(interpreted(ops.scan, x, axis=1, kind="max"), np.maximum.accumulate(x, 1))
    check(interpreted(ops.scan, x, axis=1, exclusive=True), x.cumsum(1) - x)


def test_shapes():
    x = MATRICES[0]
    check(interpreted(lambda x: x.reshape(2, -1), x), x.reshape(2, -1))
    check(interpreted(lambda x: x.reshape((x.shape[1], x.shape[0])), x), x.reshape(4, 3))
    check(interpreted(lambda x: x.flatten(), x), x.ravel())
    check(interpreted(lambda x: x.T, x), x.T)
    check(interpreted(lambda x: ops.expand_dims(x, 1), x), x[:, None])
    check(interpreted(lambda x: ops.squeeze(x[:, :1]), x), x[:, 0])
    check(interpreted(lambda x: ops.squeeze(x[:, :1], 1), x), x[:, 0])
    check(interpreted(lambda x: ops.broadcast_to(x[0], x.shape), x), np.broadcast_to(x[0], x.shape))
    check(interpreted(lambda x: ops.swapaxes(x[None], 0, -1), x), np.swapaxes(x[None], 0, -1))
    check(interpreted(lambda x: x.reshape(x.size // 6, 6), x), x.reshape(2, 6))


INDICES: list[Any] = [
    0, -1, (1, 2), (slice(None), 0), slice(1, None), slice(None, -1), slice(None, None, 2), slice(None, None, -1),
    slice(2, 0, -1), slice(5, 9), slice(-100, 2), None, (None, 1), (..., 0), (..., None), (slice(1), None, slice(1, 3)),
    slice(2, 1),
]  # fmt: skip


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_indexing(index: Any):
    x = MATRICES[0]
    check(interpreted(lambda x: x[index], x), x[index])


def test_indexing_by_tensors():
    x, i = MATRICES[0], np.array([[2, 0], [1, 1]])
    check(interpreted(lambda x, i: x[i], x, i), x[i])
    check(interpreted(lambda x, i: x[:, i], x, i), x[:, i])
    check(interpreted(lambda x: x[[2, 1]], x), x[[2, 1]])
    check(interpreted(lambda x, i: ops.scatter(x, i[0], 1.0), x, i), np.array([x[0] * 0 + 1, x[1], x[2] * 0 + 1]))


def test_moves():
    x, y = MATRICES[0], MATRICES[0] * 2
    check(interpreted(lambda x, y: ops.concat([x, y], 1), x, y), np.concatenate([x, y], 1))
    check(interpreted(lambda x, y: ops.stack([x, y], -1), x, y), np.stack([x, y], -1))
    check(interpreted(lambda x: ops.pad(x, [(1, 0), (2, 3)], 7), x), np.pad(x, [(1, 0), (2, 3)], constant_values=7))
    check(interpreted(lambda x: ops.narrow(x, 1, 1, 2), x), x[:, 1:3])
    check(interpreted(lambda x: ops.select(x, 1, -1), x), x[:, -1])
    check(interpreted(ops.copy, x), x)
    check(interpreted(lambda x: ops.fill(x, 3), x), np.full_like(x, 3))
    check(interpreted(lambda x: ops.zeros(x.shape, "i8") + ops.ones((4,)), x), np.ones((3, 4)))
    check(interpreted(lambda x: ops.full(x.shape, 2.5), x), np.full((3, 4), 2.5))
    check(interpreted(lambda x: ops.arange(x.shape[1]) + ops.constant([1, 2, 3, 4]), x), np.arange(4) + [1, 2, 3, 4])


def test_products():
    a, b, v = MATRICES[0], MATRICES[0].T.copy(), MATRICES[0][0]
    batch = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for x, y in ((a, b), (a, v), (v, b), (v, v), (batch, b), (batch, batch[:1].swapaxes(1, 2).copy()), (b, batch[0])):
        check(interpreted(lambda x, y: x @ y, x, y), x @ y)
    check(
        interpreted(lambda a, b: ops.gemm(a, b, a[:, :3], 2.0, 0.5, trans_b=True), a, a), 2 * a @ a.T + 0.5 * a[:, :3]
    )
    check(interpreted(ops.outer, v, v), np.outer(v, v))
    check(interpreted(ops.dot, v, v), v @ v)
    check(interpreted(ops.matvec, a, v), a @ v)
    check(interpreted(ops.bmm, batch, batch.swapaxes(1, 2).copy()), batch @ batch.swapaxes(1, 2))
    check(interpreted(lambda x, y: ops.tensor_contract(x, y, [1, 2], [0, 1]), batch, a), np.tensordot(batch, a, 2))
    half = a.astype(np.float16)
    check(interpreted(ops.mixed_precision_gemm, half, half.T.copy()), a @ a.T)
    small = a.astype(np.int8)
    check(interpreted(ops.quantized_gemm, small, small.T.copy()), (a @ a.T).astype(np.int32))
    check(interpreted(ops.quantized_gemm, small, small.T.copy(), a_scale=0.5), (a @ a.T) * 0.5)


def test_sparse_product():
    dense = np.array([[0, 2, 0], [0, 0, 0], [1, 0, 3]], np.float32)
    values, columns, starts = np.array([2, 1, 3], np.float32), np.array([1, 0, 2]), np.array([0, 1, 1, 3])
    check(interpreted(ops.sparse_gemm, values, columns, starts, MATRICES[0]), dense @ MATRICES[0])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_losses():
    logits, labels = MATRICES[0], np.array([1, 0, 3], np.int32)
    p, y = np.array([0.0, 0.25, 1.0], np.float32), np.array([0.0, 0.5, 1.0], np.float32)
    check(interpreted(ops.mse, p, y), np.mean((p - y) ** 2))
    check(interpreted(ops.cross_entropy, p, y), -0.5 * np.log(0.25))
    check(interpreted(ops.binary_cross_entropy, p, y), -(0.5 * np.log(0.25) + 0.5 * np.log(0.75)) / 3)
    sigmoid = 1 / (1 + np.exp(-logits[0]))
    expected = -np.mean(0.25 * np.log(sigmoid) + 0.75 * np.log(1 - sigmoid))
    check(interpreted(ops.binary_cross_entropy_logits, logits[0], np.full(4, 0.25, np.float32)), expected)
    rows = np.log(np.exp(logits).sum(1)) - logits[np.arange(3), labels]
    check(interpreted(ops.cross_entropy_logits, logits, labels), rows)
    with pytest.raises(hologram.TrapError):
        interpreted(ops.cross_entropy_logits, logits, labels + 1)


def test_softmax():
    x = MATRICES[0]
    e = np.exp(x - x.max(1, keepdims=True))
    check(interpreted(ops.softmax, x), e / e.sum(1, keepdims=True))
    check(interpreted(ops.log_softmax, x, axis=0), x - np.log(np.exp(x).sum(0)))


def test_norms():
    x, g, b = MATRICES[0], np.array([1, 2, 3, 4], np.float32), np.array([4, 3, 2, 1], np.float32)
    mu, v = x.mean(1, keepdims=True), x.var(1, keepdims=True)
    check(interpreted(ops.layer_norm, x, g, b), (x - mu) / np.sqrt(v + 1e-5) * g + b, 1e-5)
    check(interpreted(ops.rms_norm, x, g), x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5) * g, 1e-5)
    mu, v = x.mean(0), x.var(0)
    check(interpreted(ops.batch_norm, x, g, b), (x - mu) / np.sqrt(v + 1e-5) * g + b, 1e-5)
    check(interpreted(ops.batch_norm, x, g, b, b, g, eps=0.5), (x - b) / np.sqrt(g + 0.5) * g + b, 1e-5)
    two = x.reshape(3, 2, 2)
    mu, v = two.mean(2, keepdims=True), two.var(2, keepdims=True)
    expected = ((two - mu) / np.sqrt(v + 1e-5)).reshape(3, 4) * g + b
    check(interpreted(ops.group_norm, x, g, b, groups=2), expected, 1e-5)
    check(interpreted(ops.layer_scale, x, g), x * g)


def test_convolution():
    x, w = np.arange(32, dtype=np.float32).reshape(1, 2, 4, 4), np.ones((3, 2, 3, 3), np.float32)
    padded = np.pad(x.sum(1)[0], 1)
    expected = np.array([[padded[i : i + 3, j : j + 3].sum() for j in range(0, 4, 2)] for i in range(0, 4, 2)])
    found = interpreted(lambda x, w: ops.conv2d(x, w, ops.constant([0.0, 1.0, 2.0]), stride=2, padding=1), x, w)
    check(found, (expected + np.arange(3)[:, None, None])[None])


def test_attention():
    q, k, v = (np.random.default_rng(n).standard_normal((2, 5, 4)).astype(np.float32) for n in range(3))
    scores = q @ k.swapaxes(1, 2) / 2
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    check(interpreted(ops.attention, q, k, v), weights @ v, 1e-5)
    check(interpreted(ops.flash_attention, q, k, v, block_size=2), weights @ v, 1e-5)
    mask = np.where(np.tri(5, dtype=bool), 0, -np.inf).astype(np.float32)
    check(interpreted(ops.attention, q, k, v, causal=True), interpreted(ops.attention, q, k, v, mask), 1e-5)


def test_positions_and_transforms():
    x, angles = np.ones((1, 2, 1, 4), np.float32), np.array([[0.0, 0.0], [np.pi / 2, np.pi]], np.float32)
    check(interpreted(ops.rope, x, angles)[0, :, 0], [[1, 1, 1, 1], [-1, 1, -1, -1]])
    cache, new = np.zeros((1, 4, 2), np.float32), np.ones((1, 2, 2), np.float32)
    updated = interpreted(ops.kv_cache_update, cache, new, np.array(1))
    check(updated[0, :, 0], [0, 1, 1, 0])
    signal = np.random.default_rng(0).standard_normal((8, 2)).astype(np.float32)
    transformed = np.fft.fft(signal[:, 0] + 1j * signal[:, 1])
    check(interpreted(ops.fft, signal), np.stack([transformed.real, transformed.imag], -1), 1e-5)
    check(interpreted(lambda x: ops.ifft(ops.fft(x)), signal), signal, 1e-5)


def test_each_operation_stands_in_one_group():
    """Modules import each other, and not each other's operations, which would be listed as theirs."""
    found: dict[str, str] = {}
    for group in GROUPS:
        for name, function in operations(group).items():
            assert found.setdefault(name, group.__name__) == group.__name__ or (
                function is not getattr(import_module(found[name]), name) or name == "relu"
            ), f"{name} of {found[name]} is in {group.__name__}"
