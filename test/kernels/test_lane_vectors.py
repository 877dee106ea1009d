"""Loops over lanes on vectors give what the lanes give one after the other, and trap as they do."""

# Kernels are typed by their own rules, which type checkers do not know: Array[f32, 2] is no type to them.
# pyright: basic, reportGeneralTypeIssues=false, reportInvalidTypeForm=false

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.driver.compilation import llvm_ir
from hologram.driver.graph import Build
from hologram.driver.kernel_decorator import PythonKernel
from hologram.language import Array, barrier, block_id, f32, get_global_id, i64, lane_id, local, shared
from kernels.lanes import run_lanes


@hologram.kernel(lanes="len(c)")
def add(a: Array[f32], b: Array[f32], c: Array[f32]):
    i = get_global_id()
    if i < len(c):
        c[i] = a[i] + b[i]


@hologram.kernel(lanes="len(c)")
def beside(a: Array[f32], b: Array[f32], c: Array[f32]):
    i = get_global_id()
    if i > 0 and i < len(c) - 1:
        c[i] = a[i - 1] - b[i + 1]


@hologram.kernel(lanes="len(c)")
def choices(a: Array[f32], b: Array[f32], c: Array[f32]):
    i = get_global_id()
    if i >= len(c):
        return
    c[i] = (a[i] if a[i] > 0 else -b[i]) + (b[i] if i >= 3 else 1.0)


@hologram.kernel(lanes="len(c)")
def sums(a: Array[f32], b: Array[f32], c: Array[f32]):
    i = get_global_id()
    if len(c) > i:
        total: f32 = 0
        for k in range(len(b)):
            total += a[i] * b[k]
        c[i] = total


def given(n: int) -> list[Any]:
    rng = np.random.default_rng(n)
    a, b = (rng.normal(size=n).astype(np.float32) for _ in range(2))
    special = [np.nan, -np.inf, -0.0, 1e-42]
    a[: len(special)] = special[:n]
    return [a, b, np.full(n, 7, np.float32)]


@pytest.mark.parametrize("kernel", [add, beside, choices, sums], ids=lambda k: k.__name__)
def test_as_lanes_do(kernel: PythonKernel):
    for n in (0, 1, 2, 17, 255, 256, 257, 530):
        found, wanted = given(n), given(n)
        kernel(*found)
        run_lanes(kernel, n + 3, *wanted)
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kernel", [add, beside, choices, sums], ids=lambda k: k.__name__)
def test_they_are_on_vectors(kernel: PythonKernel):
    text = llvm_ir(Build(kernel.source(), cache=False))
    assert " x float>" in text


def line_of(text: str) -> int:
    """The number of the first line of this file that holds a text."""
    lines = Path(__file__).read_text().splitlines()
    return next(n for n, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize("short", [0, 1, 255, 256, 300])
def test_the_first_lane_beyond_an_array_traps(short: int):
    a, b, c = given(530)
    place = rf"test_lane_vectors\.py:{line_of('c[i] = a[i] + b[i]')}"
    with pytest.raises(
        hologram.TrapError, match=f"(?s)trapped in lane {short}: .*out of range.*values {short}, {short}"
    ) as trap:
        add(a, b[:short].copy(), c)
    assert trap.value.where is not None
    assert trap.value.where.line == line_of("c[i] = a[i] + b[i]"), place
    np.testing.assert_array_equal(c[:short], a[:short] + b[:short])


@hologram.kernel(lanes="a.shape[0] * 64", block=64)
def by_rows(a: Array[f32, 2], c: Array[f32, 2]):
    for step in range((a.shape[1] + 63) // 64):
        i = step * 64 + lane_id()
        if i < a.shape[1]:
            c[block_id(), i] = a[block_id(), i] * 2.0


def test_ids_of_lanes_are_numbers_of_lanes():
    for n in (0, 1, 5, 63, 64, 65, 128, 200):
        a = np.arange(3 * n, dtype=np.float32).reshape(3, n)
        c = np.full((3, n), 7, np.float32)
        by_rows(a, c)
        np.testing.assert_array_equal(c, 2 * a)
    text = llvm_ir(Build(by_rows.source(), cache=False))
    assert " x float>" in text


@hologram.kernel(lanes="len(c)")
def before(a: Array[f32], c: Array[f32]):
    i = get_global_id()
    if i < len(c):
        c[i] = a[i - 2]


def test_negative_indices_trap():
    for n in (1, 300):
        with pytest.raises(hologram.TrapError, match="trapped in lane 0: "):
            before(np.zeros(n, np.float32), np.zeros(n, np.float32))


@hologram.kernel(lanes=("c.shape[1]", "c.shape[0]"), block=(16, 16))
def product(a: Array[f32, 2], b: Array[f32, 2], c: Array[f32, 2]):
    left = shared(f32, 16, 16)
    right = shared(f32, 16, 16)
    mine = local(f32, 1)
    row = get_global_id(1)
    column = get_global_id(0)
    y = lane_id(1)
    x = lane_id(0)
    mine[0] = 0
    for first in range(0, a.shape[1], 16):
        left[y, x] = a[row, first + x] if row < a.shape[0] and first + x < a.shape[1] else 0.0
        right[y, x] = b[first + y, column] if first + y < b.shape[0] and column < b.shape[1] else 0.0
        barrier()
        for k in range(16):
            mine[0] += left[y, k] * right[k, x]
        barrier()
    if row < c.shape[0] and column < c.shape[1]:
        c[row, column] = mine[0]


@pytest.mark.parametrize(("m", "k", "n"), [(1, 1, 1), (16, 16, 16), (33, 20, 47), (40, 0, 5)])
def test_tiles_and_their_edges(m: int, k: int, n: int):
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(m, k)).astype(np.float32), rng.normal(size=(k, n)).astype(np.float32)
    c = np.full((m, n), np.nan, np.float32)
    product(a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-4, atol=1e-5)


@hologram.kernel(lanes="len(out)")
def far(n: i64, x: Array[f32], out: Array[f32]):
    i = get_global_id()
    if i < len(out):
        for k in range(n):
            out[i] = x[i + k * 4294967296]


def test_numbers_that_go_around_are_seen():
    """2^32 iterations bring the last index back to where the first was."""
    x, out = np.zeros(300, np.float32), np.zeros(300, np.float32)
    far(1, x, out)
    with pytest.raises(hologram.TrapError, match="values 4294967296, 300"):
        far(2**32 + 1, x, out)


@hologram.kernel(lanes="128", block=128)
def tail(x: Array[f32], out: Array[f32]):
    lane = lane_id()
    total: f32 = 0
    for step in range(len(x) >> 7):
        total += x[step * 128 + lane]
    if lane < len(x) & 127:
        total += x[len(x) - (len(x) & 127) + lane]
    out[lane] = total


@pytest.mark.parametrize("n", [0, 1, 127, 128, 130, 1024])
def test_elements_that_some_lanes_have_more(n: int):
    x, out = np.arange(n, dtype=np.float32), np.zeros(128, np.float32)
    tail(x, out)
    wanted = [x[lane::128].sum() for lane in range(128)]
    np.testing.assert_array_equal(out, wanted)
    assert " x float>" in llvm_ir(Build(tail.source(), cache=False))
