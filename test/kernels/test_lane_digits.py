"""Lanes that work by rows and columns of their numbers give what they give one after the other."""

# Kernels are typed by their own rules, which type checkers do not know: Array[f32, 2] is no type to them.
# pyright: basic, reportGeneralTypeIssues=false, reportInvalidTypeForm=false

from __future__ import annotations

import linecache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hologram
from hologram.driver.compilation import llvm_ir
from hologram.driver.graph import Build
from hologram.driver.kernel_decorator import PythonKernel
from hologram.language import Array, barrier, f32, get_global_id, i64, lane_id, local, shared, u32, u64

STEPS = 3
KERNEL = """\
from hologram.language import Array, barrier, f32, get_global_id, i64, lane_id, local, shared, u32, u64
def places(out: Array[i64, 2]):
    lane = lane_id()
    for step in range({steps}):
        i = (block_id() * {steps} + step) * {size} + lane
        if i < out.shape[0]:
{lines}
"""


def kernel_of(taken: list[str], size: int) -> PythonKernel:
    """A kernel whose lanes store what expressions give."""
    lines = "\n".join(f"            out[i, {number}] = {text}" for number, text in enumerate(taken))
    text = KERNEL.format(steps=STEPS, size=size, lines=lines)
    linecache.cache["lanes"] = (len(text), None, text.splitlines(True), "lanes")
    names = {}
    exec(compile(text, "lanes", "exec"), names)
    lanes = f"(out.shape[0] + {STEPS * size - 1}) // {STEPS * size} * {size}"
    return PythonKernel(names["places"], (size, 1, 1), (lanes,))


@st.composite
def digits(draw: st.DrawFn) -> str:
    """What a kernel takes of its lane's number, or nearly so."""
    shift, least = draw(st.integers(0, 9)), draw(st.integers(-3, 3))
    factor, number = draw(st.sampled_from([1, 16, 64, 96, 256])), draw(st.sampled_from([least, least << shift]))
    places = "lane", f"lane + step * {factor}", f"step * {factor} + lane + {number}", f"{number} - lane", "lane * 2"
    mask = max((1 << shift) - draw(st.sampled_from([1, 1, 1, 2])), 0)
    operation = draw(st.sampled_from([f">> {shift}", f"& {mask}", f"// {1 << shift}", f"% {1 << shift}"]))
    return f"({draw(st.sampled_from(places))}) {operation}"


@settings(max_examples=40, deadline=None)
@given(st.lists(digits(), min_size=1, max_size=4), st.sampled_from([1, 24, 64, 96, 256]), st.integers(0, 900))
def test_what_is_taken_of_numbers(taken: list[str], size: int, n: int):
    found = np.full((n, len(taken)), -1, np.int64)
    kernel_of(taken, size)(found)
    for i in range(n):
        scope = {"lane": i % size, "step": i // size % STEPS}
        assert [eval(text, scope) for text in taken] == list(found[i]), (i, taken)


@hologram.kernel(lanes="256", block=256)
def turned(a: Array[f32, 2], c: Array[f32, 2]):
    """A part of the lanes' loop is on vectors and the other is not; then a product of both."""
    left = shared(f32, 16, 17)
    right = shared(f32, 16, 16)
    mine = local(f32, 2)
    row = lane_id() // 16
    column = lane_id() % 16
    left[column, row] = a[row, column]
    right[row, column] = a[row, column] * 2
    for k in range(2):
        mine[k] = 0
    barrier()
    for k in range(16):
        mine[k % 2] += left[k, row] * right[k, column]
    c[row, column] = mine[0] + mine[1]


@pytest.mark.parametrize("rows", [16, 15])
def test_parts_of_a_loop(rows: int):
    a = np.arange(256, dtype=np.float32).reshape(16, 16) % 7
    c = np.zeros_like(a)
    if rows < 16:
        with pytest.raises(hologram.TrapError, match="trapped in lane 240: .*out of range.*values 15, 15"):
            turned(a[:rows].copy(), c)
        return
    turned(a, c)
    np.testing.assert_array_equal(c, a @ (2 * a))
    text = llvm_ir(Build(turned.source(), cache=False))
    assert " x float>" in text


# Rows of arrays


@hologram.kernel(lanes="out.shape[1]")
def quotients(first: i64, n: i64, out: Array[i64, 2]):
    i = get_global_id()
    if i < out.shape[1]:
        out[0, i] = (first + i) // n
        out[1, i] = (first + i) % n
        out[2, i] = i64(u32(first + i) // u32(n))
        out[3, i] = i64(u64(first + i) % u64(n))


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(st.integers(-300, 300), st.sampled_from([2**32, 2**31, 2**62]).map(lambda n: n - 150)),
    st.one_of(st.integers(1, 300), st.integers(-300, -1), st.sampled_from([2**31, 2**32 - 1, 2**40 + 5])),
    st.sampled_from([1, 255, 256, 300]),
)
def test_quotients(first: int, n: int, lanes: int):
    found = np.zeros((4, lanes), np.int64)
    quotients(first, n, found)
    numbers = [first + i for i in range(lanes)]
    small, large = 2**32, 2**64
    wanted = [(x // n, x % n, x % small // (n % small), x % large % (n % large)) for x in numbers]
    np.testing.assert_array_equal(
        found.T.astype(np.uint64), np.array([[v % large for v in row] for row in wanted], np.uint64)
    )


@hologram.kernel(lanes="len(out)")
def flat(x: Array[f32, 2], out: Array[f32]):
    i = get_global_id()
    if i < len(out):
        out[i] = x[i // x.shape[1], i % x.shape[1]] * 2.0


@hologram.kernel(lanes="128", block=128)
def flat_sums(x: Array[f32, 2], out: Array[f32]):
    total: f32 = 0
    for step in range((x.shape[0] * x.shape[1] + 127) // 128):
        i = step * 128 + lane_id()
        if i < x.shape[0] * x.shape[1]:
            row = i // x.shape[1]
            total += x[row, i - row * x.shape[1]]
    out[lane_id()] = total


@pytest.mark.parametrize("shape", [(1, 1), (3, 100), (2, 128), (2, 640), (5, 257), (1, 2000), (700, 3)])
def test_rows(shape: tuple[int, int]):
    x = np.arange(shape[0] * shape[1], dtype=np.float32).reshape(shape)
    out, sums = np.zeros(x.size, np.float32), np.zeros(128, np.float32)
    flat(x, out)
    np.testing.assert_array_equal(out, 2 * x.reshape(-1))
    flat_sums(x, sums)
    np.testing.assert_array_equal(sums, [x.reshape(-1)[lane::128].sum() for lane in range(128)])


@pytest.mark.parametrize("kernel", [quotients, flat, flat_sums], ids=lambda k: k.__name__)
def test_rows_are_on_vectors(kernel: PythonKernel):
    text = llvm_ir(Build(kernel.source(), cache=False))
    assert " x float>" in text or " x i64>" in text


def test_rows_of_no_columns_trap():
    with pytest.raises(hologram.TrapError, match="trapped in lane 0: .*integer division by zero"):
        flat(np.zeros((3, 0), np.float32), np.zeros(300, np.float32))
    with pytest.raises(hologram.TrapError, match="trapped in lane 300: .*out of range.*values 3, 3"):
        flat(np.zeros((3, 100), np.float32), np.zeros(400, np.float32))
