"""Circuits over arrays of any length: `hologram.sigil.stream`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from hologram import sigil
from hologram.errors import HologramError


def streamed(circuit: Any, *inputs: Any, **options: Any) -> list[np.ndarray[Any, Any]]:
    """Each output as a whole."""
    parts = [tuple(tile.copy() for tile in tiles) for tiles in sigil.stream(circuit, *inputs, **options)]
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


@pytest.mark.parametrize("length", [1, 3071, 3072, 3073, 10_000])
def test_any_length(length: int):
    a = np.arange(length, dtype=np.float32)
    (found,) = streamed("merge@c00[c01,c02]", a, a[::-1])
    assert np.array_equal(found, np.full(length, length - 1))
    lesser, greater = streamed(sigil.library()["sort2"].text, a, a[::-1], outputs=(0, 1))
    assert np.array_equal(lesser, np.minimum(a, a[::-1]))
    assert np.array_equal(greater, np.maximum(a, a[::-1]))


def test_nothing_of_nothing():
    assert list(sigil.stream("merge@c00[c01,c02]", *[np.zeros(0, np.float32)] * 2)) == []


def test_every_class_that_is_written_is_given():
    a, b = np.full(5, 9, np.float32), np.full(5, 16, np.float32)
    found = streamed("merge@c07[c03,c01] . merge.sqrt@c01[c01,c90]", a, b)
    assert [tile.tolist() for tile in found] == [[25.0] * 5, [5.0] * 5]


def test_of_integers_what_is_behind_the_end_does_not_trap():
    module = sigil.parse("split.div@c00[c01,c02]", type="i32")
    a, b = np.arange(7, dtype=np.int32), np.full(7, 2, np.int32)
    assert streamed(module, a, b)[0].tolist() == [0, 0, 1, 1, 2, 2, 3]
    b[4] = 0
    with pytest.raises(hologram.TrapError):
        streamed(module, a, b)


def test_parts_are_views_of_the_executors_memory():
    executor = hologram.Executor()
    parts = sigil.stream("copy@c00->c01", np.arange(4000, dtype=np.float32), executor=executor)
    (first,) = next(parts)
    assert np.shares_memory(first, executor.classes[1])
    assert first[5] == 5
    (second,) = next(parts)
    assert len(second) == 4000 - 3072
    assert first[0] == second[0] == 3072


@pytest.mark.parametrize(
    ("code", "circuit", "count", "options"),
    [
        ("stream-inputs", "merge@c00[c01,c02]", 1, {}),
        ("stream-inputs", "mark@c00", 0, {}),
        ("stream-outputs", "merge@c00[c01,c02]", 2, {"outputs": (2, 3)}),
        ("stream-pages", "copy@c00->c01@3", 1, {}),
        ("circuit-number", "copy@c00->c96", 1, {}),
        ("sigil-no-tiles", "copy@c00", 1, {}),
    ],
)
def test_mistakes_are_told_before_anything_runs(code: str, circuit: str, count: int, options: Any):
    with pytest.raises(HologramError) as caught:
        sigil.stream(circuit, *[np.zeros(4, np.float32)] * count, **options)
    assert caught.value.code == code


def test_arrays_that_do_not_fit():
    x = np.zeros(4, np.float32)
    for wrong in (np.zeros(5, np.float32), np.zeros((4, 1), np.float32), np.zeros(4), np.zeros(4, np.int32)):
        with pytest.raises(HologramError) as caught:
            sigil.stream("merge@c00[c01,c02]", x, wrong)
        assert caught.value.code == "stream-arrays"
