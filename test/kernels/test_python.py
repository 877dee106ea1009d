"""Python kernels do what Python does with the same function."""

# Kernels are typed by their own rules, which type checkers do not know: Array[f32, 2] is no type to them.
# pyright: basic, reportGeneralTypeIssues=false, reportInvalidTypeForm=false

from __future__ import annotations

import pydoc
import re
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.driver.kernel_decorator import PythonKernel
from hologram.frontend.kernels.build import build
from hologram.frontend.kernels.document import read, write
from hologram.language import (
    Array,
    Constant,
    atomic_add,
    barrier,
    block_id,
    exp,
    f32,
    get_global_id,
    i64,
    lane_id,
    local,
    shared,
    sqrt,
    u32,
)
from kernels.lanes import run_lanes

OFFSET = 2


def clipped(v, limit):  # pyright: ignore
    if v > limit:
        return limit
    return v


@hologram.kernel(lanes="y.shape[0]")
def arithmetic(x: Array[f32], y: Array[f32], a: f32):
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = -x[i] * a + x[i] / 4.0 - (x[i] ** 2 if x[i] > 0.0 else 1)


@hologram.kernel(lanes="a.shape[0]")
def floors(a: Array[i64], b: Array[i64], q: Array[i64], r: Array[i64]):
    i = get_global_id()
    if i >= len(a):
        return
    q[i] = a[i] // b[i]
    r[i] = a[i] % b[i]


@hologram.kernel(lanes="a.shape[0]")
def float_floors(a: Array[f32], b: Array[f32], q: Array[f32], r: Array[f32]):
    i = get_global_id()
    if i >= len(a):
        return
    q[i] = a[i] // b[i]
    r[i] = a[i] % b[i]


@hologram.kernel(lanes="out.shape[0]")
def loops(x: Array[f32, 2], out: Array[f32]):
    r = get_global_id()
    if r >= x.shape[0]:
        return
    total = 0.0
    for j in range(x.shape[1]):
        v = x[r, j]
        if v < -1.0:
            continue
        if v > 2.0:
            break
        total += clipped(v, 1.0)
    for j in range(x.shape[1] - 1, 0, -2):
        total -= x[r, j]
    k = 0
    while True:
        k += 1
        if k > 3 and total > 0.0 or k >= 5:
            break
        total = total * 0.5 + OFFSET
    out[r] = total


@hologram.kernel(lanes="n")
def counted(n: u32, out: Array[i64]):
    i = get_global_id()
    if not i < n:
        return
    steps = 0
    v = i + 1
    while v != 1:
        v = v // 2 if v % 2 == 0 else 3 * v + 1
        steps += 1
        if 100 <= steps < 200:
            return
    out[i] = steps << 1 | (i & 1) ^ 1


@hologram.kernel(lanes="x.shape[0]")
def guarded(x: Array[f32], out: Array[f32]):
    i = get_global_id()
    if i > 0 and i < x.shape[0] and x[i - 1] > 0.0:
        out[i] = sqrt(x[i - 1]) + exp(f32(0))


def mixed(a, b=2.0, c=0.5):  # pyright: ignore
    return a * b + c


@hologram.kernel(lanes="x.shape[0]")
def assigned(x: Array[f32], y: Array[f32], n: Array[i64]):
    i = get_global_id()
    if i >= len(x):
        return
    a, b = x[i], f32(1)
    a, b = b, a
    c = d = a + b
    y[i] = mixed(c, c=d) + np.maximum(f32(0), np.exp(-abs(b))) * f32(np.pi)
    count = 0
    while (step := count * 2) < i:
        count += 1
        if step > 6:
            continue
        n[i], y[i] = n[i] + step, y[i] + np.float32(step)
    if (v := x[i]) > 2:
        y[i] = v
    elif (w := v * 2) > 3:
        y[i] += w if (u := w) > 4 else u
    for j in range(m := 3):
        y[i] += f32(m * j)


def case(rng: np.random.Generator, kernel: PythonKernel, n: int) -> tuple[list[Any], int]:
    """Arguments of a kernel for a size, and how many lanes it has."""
    x = (rng.standard_normal(n) * 3).astype(np.float32)
    whole = rng.integers(-20, 20, (2, n))
    whole[1][whole[1] == 0] = 7
    quarters = [np.where(w == 0, 1, w).astype(np.float32) / 4 for w in whole]
    cases: dict[str, list[Any]] = {
        "arithmetic": [x, np.zeros(n, np.float32), 1.5],
        "floors": [*whole, np.zeros(n, np.int64), np.zeros(n, np.int64)],
        "float_floors": [*quarters, np.zeros(n, np.float32), np.zeros(n, np.float32)],
        "loops": [(rng.standard_normal((n, 9)) * 2).astype(np.float32), np.zeros(n, np.float32)],
        "counted": [n, np.zeros(n, np.int64)],
        "guarded": [x, np.zeros(n, np.float32)],
        "assigned": [x, np.zeros(n, np.float32), np.zeros(n, np.int64)],
    }
    return cases[kernel.__name__], n


@pytest.mark.parametrize("n", [0, 1, 257])
@pytest.mark.parametrize(
    "kernel", [arithmetic, floors, float_floors, loops, counted, guarded, assigned], ids=lambda k: k.__name__
)
def test_like_python(kernel: PythonKernel, n: int):
    given, lanes = case(np.random.default_rng(n), kernel, n)
    wanted = [v.copy() if isinstance(v, np.ndarray) else np.float32(v) if isinstance(v, float) else v for v in given]
    interpreted = [v.copy() if isinstance(v, np.ndarray) else v for v in given]
    kernel(*given)
    kernel.interpret(*interpreted)
    run_lanes(kernel, lanes, *wanted)
    for found, right in [*zip(given, wanted, strict=True), *zip(interpreted, wanted, strict=True)]:
        if isinstance(found, np.ndarray) and found.dtype.kind == "i":
            np.testing.assert_array_equal(found, right)
        elif isinstance(found, np.ndarray):
            np.testing.assert_allclose(found, right, rtol=2e-6, atol=1e-6)


@hologram.kernel(lanes="x.shape[0]", block=64)
def block_sums(x: Array[f32], out: Array[f32]):
    part = shared(f32, 64)
    i = get_global_id()
    lane = lane_id()
    part[lane] = x[i] if i < len(x) else 0.0
    barrier()
    width = 32
    while width > 0:
        if lane < width:
            part[lane] += part[lane + width]
        barrier()
        width //= 2
    if lane == 0:
        out[block_id()] = part[0]


def test_shared_memory_and_barriers():
    x = np.arange(130, dtype=np.float32)
    out = np.zeros(3, np.float32)
    for run in (block_sums, block_sums.interpret):
        out[:] = 0
        run(x, out)
        np.testing.assert_array_equal(out, [x[:64].sum(), x[64:128].sum(), x[128:].sum()])


@hologram.kernel
def first_large(x: Array[f32, 2], out: Array[f32]):
    r = get_global_id()
    if r >= x.shape[0]:
        return
    for j in range(x.shape[1]):
        if x[r, j] > 0.5:
            out[r] = x[r, j]
        else:
            out[r] = -1.0
        break


def test_lanes_that_the_call_says():
    x = np.array([[1.0, 2.0], [0.0, 3.0]], np.float32)
    out = np.zeros(2, np.float32)
    for run in (first_large, first_large.interpret):
        out[:] = 0
        run(x, out, config=hologram.LaunchConfig((1, 1, 1), (256, 1, 1)))
        np.testing.assert_array_equal(out, [1, -1])
        with pytest.raises(hologram.LaunchError, match="how many lanes"):
            run(x, out)


@hologram.kernel(lanes="x.shape[0]")
def shifted(x: Array[f32], out: Array[f32]):
    i = get_global_id()
    if i >= 1 and i < x.shape[0]:
        out[i] = x[i - 1]


def test_kernels_of_devices_compare_indices():
    x, out = np.arange(300, dtype=np.float32), np.zeros(300, np.float32)
    hologram.compile(shifted.source(), pipeline="hologram-to-cpu-simt")(x, out)
    np.testing.assert_array_equal(out, [0, *x[:-1]])


@hologram.kernel(lanes="len(x)", where=("x.shape[0] == y.shape[0]", "1 <= STEP and n + STEP <= len(x) // 2"))
def where(x: Array[f32], y: Array[f32], n: u32, STEP: Constant = 1):
    i = get_global_id()
    if i < len(x):
        y[i] = x[i]


def test_what_each_launch_checks():
    x, y = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    where(x, y, 2, STEP=2)
    np.testing.assert_array_equal(x, y)
    with pytest.raises(hologram.LaunchError, match=r"'x\[0\] == y\[0\]' does not hold"):
        where(x, y[:7], 2)
    with pytest.raises(hologram.LaunchError, match=r"'\(n \+ 3\) <= \(x\[0\] // 2\)' does not hold"):
        where(x, y, 2, STEP=3)
    text = write(where.document)
    assert str(build(read(text))) == str(build(where.document))
    assert "hologram.constraints" in str(build(read(text)))


def test_traps_show_the_python_line():
    with pytest.raises(hologram.TrapError, match=r"test_python.py:\d+:\d+: error: program 'beyond' trapped in lane 0"):
        beyond(np.zeros(3, np.float32))


@hologram.kernel(lanes="1")
def beyond(x: Array[f32]):
    x[x.shape[0]] = 0.0


@hologram.kernel(lanes="x.shape[0]")
def histogram(x: Array[u32], counts: Array[u32], BINS: Constant = 4):
    i = get_global_id()
    seen = local(u32, BINS)
    if i < len(x):
        seen[x[i] % BINS] = 1
        atomic_add(counts, x[i] % BINS, seen[x[i] % BINS])


@pytest.mark.parametrize("bins", [4, 3])
def test_atomics_and_constants(bins: int):
    x = np.arange(1000, dtype=np.uint32) ** 2
    counts = np.zeros(bins, np.uint32)
    histogram(x, counts, BINS=bins)
    np.testing.assert_array_equal(counts, np.bincount(x % bins, minlength=bins))


@pytest.mark.parametrize("kernel", [arithmetic, loops, counted, block_sums, histogram], ids=lambda k: k.__name__)
def test_json_gives_the_same_ir(kernel: PythonKernel):
    document = kernel.document
    text = write(document)
    again = read(text)
    assert again == document
    assert write(again) == text
    assert str(build(again)) == str(build(document))


@pytest.mark.parametrize("kernel", [arithmetic, loops, counted, block_sums, histogram], ids=lambda k: k.__name__)
def test_the_ir_is_read_back(kernel: PythonKernel):
    from hologram.dialects import make_context
    from hologram.dialects.mlir_parser import parse_module

    text = str(build(kernel.document))
    module = parse_module(text, "kernel.mlir", make_context())
    module.verify()
    assert str(module) == text


@hologram.kernel(lanes="len(out)")
def names(x: Array[f32], n: i64, out: Array[f32]):
    i = get_global_id()
    if i >= len(out):
        return
    total = 0.0
    for k in range(n):
        step = x[k % len(x)]
        if step > 0:
            part = step * 2
            total += part
        else:
            part = step
            total -= part
        kept = part
        total += kept
    for k in range(2):
        n += k
    while True:
        last = total
        break
    out[i] = last + f32(n)


def test_names_are_values_where_they_can_be():
    text = str(build(names.document))
    declared = re.findall(r"%(\w+) = hologram.var ", text)
    assert len(declared) == 4, "n, and those named here"
    assert {"total", "part", "last"} < set(declared)
    x, out = np.linspace(-3, 3, 7).astype(np.float32), np.zeros(5, np.float32)
    wanted = out.copy()
    names(x, 9, out)
    run_lanes(names, 5, x, np.int64(9), wanted)
    np.testing.assert_allclose(out, wanted, rtol=1e-6)


@hologram.kernel(lanes="len(y)")
def filled(y: Array[f32], A: Constant):
    i = get_global_id()
    if i < len(y):
        y[i] = A


def test_constants_that_python_calls_equal():
    y = np.ones(2, np.float32)
    for value in (0.0, -0.0):
        filled(y, A=value)
        assert np.signbit(y).tolist() == [np.signbit(value)] * 2
        assert filled.compile(A=value) is filled.compile(A=value)
    assert filled.compile(A=1) is not filled.compile(A=True)


def test_help_shows_the_function():
    shown = pydoc.plain(pydoc.render_doc(arithmetic))
    assert "\narithmetic(x: " in shown


def test_no_lanes_run_where_their_number_is_below_zero():
    @hologram.kernel(lanes="n")
    def kernel(x: Array[f32], n: i64):
        x[0] = 1.0

    x = np.zeros(1, np.float32)
    kernel(x, -4, timeout=20)
    assert not x.any()
