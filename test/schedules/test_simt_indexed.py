"""Gather, scatter and searches as launches, against the CPU's loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from schedules.device_forms import compiled, same_bits

TABLE, LINE = "memref<?x?xf32>", "memref<?xi64>"


def drawn(*shape: int) -> Any:
    return np.random.default_rng(2).standard_normal(shape).astype(np.float32)


def check(text: str, *arrays: Any) -> Any:
    """Fills the last array as the CPU does, to the bit."""
    *ins, out = arrays
    expected, found = np.full_like(out, 7), np.full_like(out, 7)
    hologram.compile(text)(*ins, expected)
    kernel = compiled(text, "gpu")
    kernel(*ins, found)
    assert same_bits(expected, found), out.shape
    return kernel


def indexed(name: str, axis: int) -> str:
    update = f", %u: {TABLE}" if name == "scatter" else ""
    ins = f"%x, %i, %u : {TABLE}, {LINE}, {TABLE}" if update else f"%x, %i : {TABLE}, {LINE}"
    return f"""
func.func @main(%x: {TABLE}, %i: {LINE}{update}, %r: {TABLE}) {{
  atlas.{name} ins({ins}) outs(%r : {TABLE}) {{axis = {axis} : i64}}
  func.return
}}"""


@pytest.mark.slow
@pytest.mark.parametrize("axis", [0, 1])
def test_gather(axis: int):
    for count in (0, 1, 70):
        indices = np.random.default_rng(1).integers(0, 20, count)
        shape = (count, 30) if axis == 0 else (20, count)
        check(indexed("gather", axis), drawn(20, 30), indices, np.zeros(shape, np.float32))


@pytest.mark.slow
@pytest.mark.parametrize("axis", [0, 1])
def test_the_last_of_equal_indices_wins(axis: int):
    for count in (0, 1, 300):
        indices = np.random.default_rng(1).integers(0, 20, count)
        shape = (count, 30) if axis == 0 else (20, count)
        check(indexed("scatter", axis), drawn(20, 30), indices, drawn(*shape), np.zeros((20, 30), np.float32))


def test_an_index_out_of_range_traps():
    text, x = indexed("scatter", 0), drawn(20, 3)
    indices = np.array([3, 3, 1])
    kernel = check(text, x, indices, drawn(3, 3), np.zeros_like(x))
    indices[1] = 20
    out = np.zeros_like(x)
    with pytest.raises(hologram.HologramError, match="index out of range"):
        kernel(x, indices, drawn(3, 3), out)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "axis", "nan"), [("argmax", 1, 0), ("argmin", 0, 0), ("argmax", 0, 1), ("argmin", 1, 1)]
)
def test_searches(name: str, axis: int, nan: int):
    """Ties, infinities, NaN, and rows of NaN alone; what NaN is passed over by, and what it wins."""
    text = f"""
func.func @main(%x: {TABLE}, %r: {LINE}) {{
  atlas.{name} ins(%x : {TABLE}) outs(%r : {LINE})
    {{axis = {axis} : i64, type = #atlas.dtype<f32>, nan = {nan} : i64}}
  func.return
}}"""
    for shape in ((1, 1), (5, 300), (3, 256), (700, 4)):
        x = drawn(*shape).round()
        if shape[0] == 5:
            x[1], x[2, 7], x[3], x[4] = np.nan, np.nan, -np.inf, np.inf
        check(text, x, np.zeros(shape[1 - axis], np.int64))
