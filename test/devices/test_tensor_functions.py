"""Tensor functions and named operations give on the devices what they give on the CPU."""

# Tensor functions are typed by what they are called with.
# pyright: basic, reportGeneralTypeIssues=false, reportInvalidTypeForm=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hologram
from devices.columns import LOCAL, Column
from hologram import ops

pytestmark = pytest.mark.device
KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]
RNG = np.random.default_rng(3)


def some(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


def scaled(x: Any, y: Any, s: Any, n: Any) -> Any:
    """Numbers, sizes, and a broadcast row."""
    return (x * s + y) / n + x.shape[0]


def head(x: Any, w: Any) -> Any:
    """Several results of a reduction, a product and a softmax."""
    shifted = x - ops.mean(x, axis=1, keepdims=True)
    return ops.softmax(shifted @ w), shifted.max(axis=0), (x[1:, ::2] > 0.5)


def in_order(x: Any) -> Any:
    """Sorts, searches and quantiles along both axes."""
    greatest, places = ops.topk(x, 3, axis=0)
    return greatest, places, ops.searchsorted(x[0].sort(), x), ops.quantile(x, ops.constant([0.5, 1.0]), axis=1)


def numbered(x: Any) -> Any:
    """Indices in several types, in maps and sums over each axis."""
    rows, columns = ops.arange(x.shape[0], "f32")[:, None], ops.arange(x.shape[1], "f32")
    apart = ops.transpose(x * columns) + ops.arange(x.shape[0], "f16")
    counted = ops.arange(x.shape[1]) * 3 - 5, ops.arange(300, "i8"), ops.arange(x.shape[0], "u16")
    return ops.sum(x * columns, axis=1), ops.sum(x * rows, axis=0), apart, *counted


def moved(x: Any, n: Any) -> Any:
    """Rolled, flipped, repeated and padded, by indices that sizes say."""
    around = ops.pad(x, [(1, n), (2, 0)], mode="reflect")
    return ops.roll(x, n, axis=1), ops.flip(x), ops.repeat(ops.tile(x, (1, 2)), 2, 0), around, ops.diff(x, axis=0)


def placed(x: Any) -> Any:
    """Triangles, diagonals and rows of numbers."""
    return ops.tril(x, -1), ops.diag(x[0], 1), ops.trace(x), ops.eye(x.shape[0], k=1), ops.linspace(x[0], 3.0, 5)


def real(x: Any) -> Any:
    """Functions of real numbers that are compositions."""
    inside = ops.tanh(x)
    near = ops.asin(inside), ops.acos(inside), ops.atanh(inside), ops.acosh(ops.abs(x) + 1.0)
    return *near, ops.sinh(x), ops.cosh(x), ops.asinh(x), ops.cbrt(x), ops.hypot(x, 2.0), ops.logaddexp(x, 0.0)


def windows(x: Any, w: Any) -> Any:
    """Sums of products by names, and pooled planes."""
    named = ops.einsum("ij,jk,ik->ik", x, w, x @ w), ops.einsum("ij->j", x), ops.einsum("ij,kj->ki", x, x)
    return *named, ops.max_pool2d(x, 3, 2, 1), ops.avg_pool2d(x, 2)


@hologram.operation(circuit=hologram.sigil.library()["swiglu"], constraints=["len(a) == len(b)"])
def swiglu(a: Any, b: Any) -> Any:
    """a sigmoid(a) b"""


CASES: list[tuple[Callable[..., Any], list[list[Any]]]] = [
    (scaled, [[some(5, 4), some(4), 0.5, 3], [some(1, 300), some(300), -2.0, 7]]),
    (head, [[some(4, 6), some(6, 3)], [some(33, 40), some(40, 17)]]),
    (in_order, [[some(5, 4)], [some(33, 40)]]),
    (numbered, [[some(5, 4)], [some(33, 40)], [some(1, 257)]]),
    (moved, [[some(5, 4), 2], [some(33, 40), 7]]),
    (placed, [[some(5, 4)], [some(33, 40)]]),
    (real, [[some(7)], [some(1000)]]),
    (windows, [[some(4, 6), some(6, 3)], [some(33, 40), some(40, 17)]]),
    (lambda a, b: swiglu(a, b), [[some(7), some(7)], [some(1000), some(1000)]]),
]


@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
@pytest.mark.parametrize("number", range(len(CASES)))
def test_as_on_the_cpu(number: int, column: Column):
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    function, calls = CASES[number]
    here, there = hologram.jit(function), hologram.jit(function)
    for given in calls:
        wanted = here.interpret(*given)
        on_device = [hologram.array(v, device=column.device) if isinstance(v, np.ndarray) else v for v in given]
        found = there(*on_device)
        for one, other in zip(*(v if isinstance(v, tuple) else (v,) for v in (found, wanted)), strict=True):
            assert one.device == on_device[0].device
            np.testing.assert_allclose(one.numpy(), other, rtol=2e-5, atol=2e-6)
    copied = hologram.jit(device=column.device)(function)
    found = copied(*calls[0])
    assert isinstance(found[0] if isinstance(found, tuple) else found, np.ndarray)


@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_numbers_of_a_device_that_has_no_number_in_its_name(column: Column):
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    found = hologram.jit(device=column.device.partition(":")[0])(lambda x: x / 2)(np.arange(3))
    np.testing.assert_array_equal(found, [0.0, 0.5, 1.0])
