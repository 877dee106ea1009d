"""Scatters, segments, distinct elements, counts and histograms of `hologram.ops`, against numpy."""

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

RNG = np.random.default_rng(0)
WHOLE = RNG.integers(-2, 3, (4, 5))
SPECIAL = np.array([1, np.nan, -0.0, 0, np.nan, 1, -np.inf], np.float32)
NUMBERS = RNG.standard_normal((6, 20)).astype(np.float32)
Run = Callable[..., Any]


def at_once(function: Run, *args: Any, **static: Any) -> Any:
    return function(*args, **static)


RUNS = pytest.mark.parametrize("run", [interpreted, at_once])
UFUNCS = {"add": np.add, "min": np.minimum, "max": np.maximum}


@RUNS
@pytest.mark.parametrize("name", UFUNCS)
def test_scatters(run: Run, name: str):
    """In the order of the updates, to the bit."""
    places = RNG.integers(0, 6, (2, 40))
    updates = RNG.standard_normal((2, 40, 20)).astype(np.float32)
    expected = NUMBERS.copy()
    UFUNCS[name].at(expected, places, updates)
    function = getattr(ops, f"scatter_{name}")
    assert run(function, NUMBERS, places, updates).tobytes() == expected.tobytes()
    turned = np.ascontiguousarray(expected.T)
    found = run(function, np.ascontiguousarray(NUMBERS.T), places, np.moveaxis(updates, 2, 0).copy(), axis=1)
    assert found.tobytes() == turned.tobytes()
    small = np.array([100, 0, 5], np.int8)
    wanted = small.copy()
    UFUNCS[name].at(wanted, [0, 0, 2], np.int8(50))
    assert run(function, small, np.array([0, 0, 2]), 50).tolist() == wanted.tolist()
    assert run(function, small, np.zeros(0, np.int32), 50).tolist() == small.tolist()


def test_nan_wins_in_scatters():
    x = np.array([1, np.nan], np.float32)
    for function in (ops.scatter_min, ops.scatter_max):
        assert np.isnan(function(x, np.array([0, 1]), np.array([np.nan, 3], np.float32))).all()


@pytest.mark.parametrize("index", [-1, 6])
def test_an_index_out_of_range_traps(index: int):
    for call in (
        lambda i: ops.scatter_add(NUMBERS, i, 1.0),
        lambda i: ops.segment_sum(NUMBERS[:2], i, 6),
        lambda i: ops.bincount(i, length=6),
    ):
        with pytest.raises(hologram.TrapError, match="index out of range"):
            call(np.array([0, index]))


@RUNS
def test_segments(run: Run):
    ids = np.array([0, 2, 2, 0, 4, 0])
    for name, fold in (("sum", np.sum), ("prod", np.prod), ("min", np.min), ("max", np.max)):
        found = run(getattr(ops, f"segment_{name}"), NUMBERS, ids, num_segments=5)
        start = {"sum": 0, "prod": 1, "min": np.inf, "max": -np.inf}[name]
        rows = [fold(NUMBERS[ids == n], axis=0) if n in ids else np.full(20, start) for n in range(5)]
        check(found, rows, 1e-5)
    assert run(ops.segment_min, np.array([5, 3], np.uint8), np.array([1, 1]), num_segments=2).tolist() == [255, 3]
    assert ops.segment_sum(WHOLE, ids[:4]).tolist() == [
        (WHOLE[0] + WHOLE[3]).tolist(), [0] * 5, (WHOLE[1] + WHOLE[2]).tolist(),
    ]  # fmt: skip


def test_distinct_elements():
    for x in (WHOLE, SPECIAL, SPECIAL[:0], WHOLE > 0, NUMBERS, np.array(3, np.uint8)):
        assert ops.unique(x).dtype == x.dtype
        assert np.array_equal(ops.unique(x), np.unique(x), equal_nan=x.dtype.kind == "f")


@RUNS
def test_distinct_elements_of_a_size(run: Run):
    distinct = np.unique(WHOLE).tolist()
    assert run(ops.unique, WHOLE, size=8).tolist() == distinct + [-2] * 3
    assert run(ops.unique, WHOLE, size=7, fill_value=9).tolist() == distinct + [9] * 2
    assert run(ops.unique, WHOLE, size=2).tolist() == distinct[:2]
    assert run(ops.unique, WHOLE, size=0).tolist() == []
    assert run(ops.unique, WHOLE[:0], size=2, fill_value=4).tolist() == [4, 4]


def test_places_that_are_not_zero():
    for x in (WHOLE, SPECIAL, NUMBERS > 1, WHOLE[:0], RNG.integers(0, 2, (2, 3, 4)), np.zeros((3, 3))):
        found = ops.nonzero(x)
        assert [a.tolist() for a in found] == [a.tolist() for a in np.nonzero(x)]
        assert all(a.dtype == np.int64 for a in found)
        assert ops.count_nonzero(x) == np.count_nonzero(x)


@RUNS
def test_places_of_a_size(run: Run):
    rows, columns = np.nonzero(WHOLE)
    for size in (0, 3, 20):
        found = run(ops.nonzero, WHOLE, size=size, fill_value=-1)
        filled = [-1] * (size - len(rows))
        assert [a.tolist() for a in found] == [rows[:size].tolist() + filled, columns[:size].tolist() + filled]


def test_counts():
    x = RNG.integers(0, 7, 50)
    weights = RNG.standard_normal(50)
    assert ops.bincount(x).tolist() == np.bincount(x).tolist()
    assert ops.bincount(x[:0]).tolist() == []
    assert ops.bincount(x.astype(np.uint8), length=10).tolist() == np.bincount(x, minlength=10).tolist()
    assert ops.bincount(x, weights=weights).tobytes() == np.bincount(x, weights).tobytes()
    assert interpreted(ops.bincount, x, length=10).tolist() == np.bincount(x, minlength=10).tolist()


@RUNS
def test_histograms(run: Run):
    edges = np.array([-1, 0, 0.5, 2], np.float32)
    cases: list[dict[str, Any]] = [{}, {"bins": 7}, {"bins": 4, "range": (-1.0, 1.0)}, {"bins": edges}]
    for given in cases:
        for x in (NUMBERS, WHOLE, NUMBERS[:0], np.full(3, 2.0, np.float32)):
            counts, found = run(ops.histogram, x, **given)
            wanted, wanted_edges = np.histogram(x, **given)
            assert counts.tolist() == wanted.tolist(), given
            assert counts.dtype == np.int64
            np.testing.assert_allclose(found, wanted_edges, rtol=1e-6, atol=1e-6)


def test_one_program_for_all_sizes():
    f = hologram.jit(lambda x: (ops.unique(x, size=8), ops.nonzero(x, size=25), ops.bincount(x, length=9)))
    for n in (3, 20, 100):
        x = RNG.integers(0, 7, n)
        distinct, (places,), counts = f(x)
        assert distinct[: len(np.unique(x))].tolist() == np.unique(x).tolist()
        assert places[: np.count_nonzero(x)].tolist() == np.nonzero(x)[0][:25].tolist()
        assert counts.tolist() == np.bincount(x, minlength=9).tolist()
    assert "1 program>" in repr(f)
