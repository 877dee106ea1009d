"""Sorts, searches, medians and quantiles of `hologram.ops` against numpy: interpreted, and compiled."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops
from tensors.test_ops import check, interpreted

X = np.random.default_rng(0).standard_normal((4, 7, 5)).astype(np.float32)
SPECIAL = np.array([1, -0.0, np.nan, np.inf, 0, -np.inf, 1, np.nan, -2], np.float32)
Run = Callable[..., Any]


def at_once(function: Run, *args: Any, **static: Any) -> Any:
    return function(*args, **static)


RUNS = pytest.mark.parametrize("run", [interpreted, at_once])


def with_nan() -> Any:
    x = X.copy()
    x[1, 2, 3] = np.nan
    return x


def stable(x: Any, axis: int, *, descending: bool) -> Any:
    """numpy's stable order, or the same backwards, where equal elements keep theirs."""
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)


@RUNS
def test_sorts(run: Run):
    for axis in (0, 1, -1):
        check(run(ops.sort, X, axis=axis), np.sort(X, axis=axis))
        check(run(ops.argsort, X, axis=axis, descending=True), stable(X, axis, descending=True))
    check(run(ops.sort, X, axis=None), np.sort(X, axis=None))
    check(run(ops.argsort, X, axis=None), np.argsort(X, axis=None))
    for descending in (False, True):
        places = stable(SPECIAL, 0, descending=descending)
        assert run(ops.argsort, SPECIAL, descending=descending).tolist() == places.tolist()
        assert run(ops.sort, SPECIAL, descending=descending).tobytes() == SPECIAL[places].tobytes()


@pytest.mark.parametrize("dtype", [bool, *(f"{kind}{n}" for kind in ("int", "uint") for n in (8, 16, 32, 64)), "f2"])
def test_sorts_of_types(dtype: Any):
    x = np.random.default_rng(1).integers(0, 250, 40).astype(dtype)
    x = x if dtype is bool else x - np.array(100, dtype)
    found = ops.sort(x)
    assert found.dtype == x.dtype
    assert found.tolist() == np.sort(x).tolist()
    assert ops.argsort(x).tolist() == np.argsort(x, kind="stable").tolist()


def test_one_program_for_all_sizes():
    f = hologram.jit(lambda x: (x.sort(), x.argsort(descending=True)))
    for n in (0, 1, 2, 9, 500):
        x = np.random.default_rng(n).integers(0, 9, n)
        ascending, places = f(x)
        assert ascending.tolist() == np.sort(x).tolist()
        assert places.tolist() == stable(x, 0, descending=True).tolist()
    assert "1 program>" in repr(f)


@RUNS
def test_the_greatest_and_the_least(run: Run):
    values, places = run(ops.topk, X, k=3, axis=1)
    check(values, -np.sort(-X, axis=1)[:, :3])
    check(places, np.argsort(-X, axis=1, kind="stable")[:, :3])
    values, places = run(ops.topk, SPECIAL, k=3, largest=False)
    assert values.tolist() == [-np.inf, -2, 0]
    assert places.tolist() == [5, 8, 1]
    values, places = run(ops.topk, SPECIAL, k=3)
    assert np.isnan(values[:2]).all()
    assert values[2] == np.inf
    assert places.tolist() == [2, 7, 3]
    assert [v.shape for v in run(ops.topk, X, k=0)] == [(4, 7, 0)] * 2


@RUNS
def test_searches(run: Run):
    for values in (np.sort(X.ravel()), np.sort(SPECIAL), X.ravel()[:0]):
        for side in ("left", "right"):
            for wanted in (X, SPECIAL, np.float32(0.5)):
                check(
                    run(ops.searchsorted, values, np.asarray(wanted), side=side), np.searchsorted(values, wanted, side)
                )
    check(run(ops.searchsorted, np.array([1, 3], np.uint8), np.array([-1, 1, 200, 3])), [0, 0, 2, 1])
    check(run(ops.searchsorted, np.array([1, 3]), 2), 1)


@RUNS
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_medians(run: Run, axis: Any):
    for x in (X, with_nan()):
        for keepdims in (False, True):
            check(run(ops.median, x, axis=axis, keepdims=keepdims), np.median(x, axis=axis, keepdims=keepdims))


@RUNS
@pytest.mark.parametrize("axis", [None, 1, (0, 2)])
def test_quantiles(run: Run, axis: Any):
    shares = np.array([0, 0.25, 0.9, 1], np.float32)
    for x in (X, with_nan()):
        for keepdims in (False, True):
            for q in (0.3, 1, shares):
                expected = np.quantile(x, q, axis=axis, keepdims=keepdims)
                check(run(ops.quantile, x, q, axis=axis, keepdims=keepdims), expected)


@RUNS
def test_medians_of_other_types_and_of_nothing(run: Run):
    assert run(ops.median, np.array([3, 1, 2], np.int32)) == 2
    half = np.array([1, 60000, 60000, 65504], np.float16)
    assert run(ops.median, half) == np.float16(60000)
    assert run(ops.median, np.array([np.inf, 1, -np.inf])) == 1
    empty = np.zeros((0, 3), np.float32)
    assert np.isnan(run(ops.median, empty, axis=0)).tolist() == [True] * 3
    assert run(ops.median, empty, axis=1).shape == (0,)
    assert run(ops.quantile, np.arange(21), 0.3) == 6.0
    assert run(ops.quantile, empty, np.array([0.5, 1]), axis=0, keepdims=True).shape == (2, 1, 3)
    assert np.isnan(run(ops.quantile, empty, 0.5))


def test_a_share_out_of_range_traps():
    for q in (-0.1, 1.01, np.nan):
        with pytest.raises(hologram.TrapError, match="out of range"):
            ops.quantile(X, np.array(q))
