"""Kernels compute in Python's order, and their operators give what Python's give."""

# Kernels are typed by their own rules, which type checkers do not know: Array[f32, 2] is no type to them.
# pyright: basic, reportGeneralTypeIssues=false, reportInvalidTypeForm=false

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.driver.kernel_decorator import PythonKernel
from hologram.language import Array, Constant, atomic_add, f32, f64, get_global_id, i64
from kernels.lanes import run_lanes

ROWS: int = 2
SIZE = np.int64(1 << 33)


def noted(log, digit):  # pyright: ignore
    """Writes a digit behind those of the log."""
    log[0] = log[0] * 10 + digit
    return digit


def cleared(a):  # pyright: ignore
    a[0] = 5
    return 1


@hologram.kernel(lanes="1", block=1)
def stores(a: Array[i64], log: Array[i64]):
    a[noted(log, 1)] = noted(log, 2) + noted(log, 3) * noted(log, 4)
    a[atomic_add(log, 1, 1)] = atomic_add(log, 1, 1)
    a[noted(log, 5)] += noted(log, 6)
    a[0] += cleared(a)


@hologram.kernel(lanes="1", block=1)
def decisions(a: Array[i64], log: Array[i64]):
    if noted(log, 0) and noted(log, 1) or noted(log, 2) and not noted(log, 3):
        a[0] = 1
    a[1] = noted(log, 4) if noted(log, 0) else noted(log, 6)
    for _ in range(noted(log, 1), noted(log, 5), noted(log, 2)):
        a[2] += 1
    if 1 <= noted(log, 7):
        a[3] = 1


@hologram.kernel(lanes="1", block=1)
def values(a: Array[i64], log: Array[i64]):
    a[0] = log[0] or 7
    a[1] = log[1] and 7
    a[2] = log[1] or 7
    a[3] = log[0] and log[1] and 9
    a[4] = 3 and log[0] or 8
    a[5] = min(log[0], log[1], 3, a[6])
    a[6] = max(log[0], 2, log[1])
    a[7] = (log[0] > 2) ** 2 + ROWS
    a[8] = 1 if 0 <= len(a) < 99 else 0
    a[9] = i64(-2.75) + abs(log[0] > 1) + max(True, log[1] > 7) + SIZE


@pytest.mark.parametrize("log", [[0, 0], [3, 0], [1, 5]], ids=str)
@pytest.mark.parametrize("kernel", [stores, decisions, values], ids=lambda k: k.__name__)
def test_like_python(kernel: PythonKernel, log: list[int]):
    given = [np.zeros(10, np.int64), np.array(log)]
    wanted = [a.copy() for a in given]
    kernel(*given)
    run_lanes(kernel, 1, *wanted)
    for found, right in zip(given, wanted, strict=True):
        np.testing.assert_array_equal(found, right)


@hologram.kernel(lanes="1", block=1)
def sized(x: Array[f32], N: Constant):
    x[0] = N


def test_constants_may_be_numbers_of_numpy():
    x = np.zeros(1, np.float32)
    sized(x, N=np.int64(3))
    assert x[0] == 3


@hologram.kernel(lanes="len(x)")
def quotients(x: Array[f64], y: Array[f64], q: Array[f64], r: Array[f64]):
    i = get_global_id()
    if i < len(x):
        q[i] = x[i] // y[i]
        r[i] = x[i] % y[i]


def test_float_quotients_are_those_of_python():
    ends = [0.0, -0.0, 1.0, -1.0, 2.5, -7.5, 1e30, -1e-30, np.inf, -np.inf, np.nan]
    pairs = [(a, b) for a in ends for b in ends if b != 0]
    x, y = (np.array(v) for v in zip(*pairs, strict=True))
    q, r = np.zeros_like(x), np.zeros_like(x)
    quotients(x, y, q, r)
    assert [str(v) for v in q] == [str(a // b) for a, b in pairs]
    assert [str(v) for v in r] == [str(a % b) for a, b in pairs]


def large(x: Array[f32]):
    x[0] = 1e300
    x[1] = -1e300 * x[2]


def test_floats_beyond_a_type_are_infinite():
    x = np.ones(3, np.float32)
    hologram.kernel(lanes="1")(large)(x)
    np.testing.assert_array_equal(x, [np.inf, -np.inf, 1])


def erhöht(v, um):  # pyright: ignore
    return v + um


@hologram.kernel(lanes="len(x)")
def letters(x: Array[f32], größe: f32):
    é = get_global_id()
    if é < len(x):
        straße = x[é]
        x[é] = erhöht(straße, größe)


def test_names_have_all_letters_of_python():
    x = np.arange(3, dtype=np.float32)
    letters(x, 2.0)
    np.testing.assert_array_equal(x, [2, 3, 4])


def made() -> PythonKernel:
    @hologram.kernel(lanes="1")
    def inner(x: Array[f32, ROWS]):
        """A text
        that begins further left
        """
        # As this does.
        x[0, 0] = é  # noqa: F821 # pyright: ignore

    return inner  # fmt: skip


def test_places_of_inner_functions():
    with pytest.raises(hologram.InputError, match="no variable 'é'") as caught:
        made().compile()
    where = caught.value.where
    assert where is not None
    line = Path(__file__).read_text(encoding="utf-8").splitlines()[where.line - 1]
    assert line[where.column - 1 :].startswith("é")


def doubled(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(function)
    def twice(v):  # pyright: ignore
        return function(function(v))

    return twice


@doubled
def increased(v):  # pyright: ignore
    return v + 1


@hologram.kernel(lanes="1", block=1)
def decorated(x: Array[f32]):
    x[0] = increased(x[0])


def test_functions_are_what_decorators_make_of_them():
    x = np.zeros(1, np.float32)
    decorated(x)
    assert x[0] == increased(0)


def chain(count: int) -> str:
    """A kernel in which a chain of `elif` nests."""
    lines = [f"    elif n == {k}:\n        x[0] = {k}.0" for k in range(1, count)]
    sums = " + ".join(["x[0]"] * count)
    return "\n".join(
        ["import hologram", "from hologram.language import Array, f32, i64", '@hologram.kernel(lanes="1")',
         "def deep(x: Array[f32], n: i64):", "    if n == 0:", "        x[0] = 0.0", *lines, f"    x[1] = {sums}", ""]
    )  # fmt: skip


def test_deep_programs(tmp_path: Path):
    file = tmp_path / "deep.py"
    file.write_text(chain(150), encoding="utf-8")
    kernel = hologram.compile(file)
    x = np.zeros(2, np.float32)
    kernel(x, 149)
    np.testing.assert_array_equal(x, [149, 149 * 150])
