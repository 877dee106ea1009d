"""`hologram.jit`: one trace for all sizes, guards where the function asks, results of any structure, compiled code."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

import threading
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops
from hologram.driver.jit import TensorFunction

F = np.float32


def vector(n: int) -> Any:
    return np.arange(n, dtype=F)


def traces(function: TensorFunction) -> int:
    """The number of programs into which a function was traced."""
    return sum(map(len, function._programs))  # pyright: ignore[reportPrivateUsage]


@hologram.jit
def saxpy(a: Any, x: Any, y: Any) -> Any:
    return a * x + y


def test_one_program_serves_all_sizes():
    for n in (5, 1, 0, 1000, 4097):
        found = saxpy(2.0, vector(n), np.ones(n, F))
        np.testing.assert_array_equal(found, 2 * vector(n) + 1)
        assert found.dtype == F
    assert traces(saxpy) == 1
    text = saxpy.text(2.0, vector(3), vector(3))
    assert "tensor<?xf32>" in text
    assert f"{__file__}" in text


def test_broadcasting_is_another_program():
    @hologram.jit
    def add(x: Any, y: Any) -> Any:
        return x + y

    for m, n in ((3, 3), (3, 1), (1, 3), (4, 1), (1, 1), (7, 7)):
        np.testing.assert_array_equal(add.interpret(vector(m), vector(n)), vector(m) + vector(n))
    assert traces(add) == 3
    with pytest.raises(hologram.InputError) as caught:
        add(vector(3), vector(2))
    assert caught.value.code == "jit-broadcast"
    np.testing.assert_array_equal(add.interpret(vector(2), vector(2)), vector(2) * 2)


def test_sizes_that_are_computed_broadcast():
    @hologram.jit
    def half(x: Any, y: Any) -> Any:
        return x[: x.shape[0] // 2] + y

    for m, n in ((2, 4), (3, 4), (8, 4), (9, 4), (4, 1), (2, 1)):
        np.testing.assert_array_equal(half.interpret(vector(m), vector(n)), vector(m)[: m // 2] + vector(n))
    with pytest.raises(hologram.InputError, match=r"\(3,\) and \(4,\)"):
        half.interpret(vector(6), vector(4))


def test_control_over_shapes():
    @hologram.jit
    def halves(x: Any) -> Any:
        n = x.shape[0]
        if n % 2:
            return x * 0.0
        return x[: n // 2] + x[n // 2 :]

    for n in (4, 6, 3, 5, 0):
        expected = vector(n) * 0 if n % 2 else vector(n)[: n // 2] + vector(n)[n // 2 :]
        np.testing.assert_array_equal(halves.interpret(vector(n)), expected)
    # The start of the second half is a number of the code, so that each even size has its own.
    assert traces(halves) == 4


def test_loops_over_static_sizes():
    @hologram.jit
    def total(rows: Any) -> Any:
        found = rows[0] * 0.0
        for row in rows:
            found = found + row
        return found, len(rows)

    for m in (2, 3):
        x = np.ones((m, 4), F)
        found, count = total.interpret(x)
        np.testing.assert_array_equal(found, x.sum(0))
        assert count == m
    assert traces(total) == 2
    total.interpret(np.ones((2, 9), F))
    assert traces(total) == 2


def test_sizes_are_integers():
    @hologram.jit
    def sizes(x: Any, n: Any) -> Any:
        m = x.shape[0]
        assert max(m, 2) >= 2
        return m, m * n + 1, -m, 2 * m // 3, m % 4, m**2, m == 5, (m, n) == (5, 3), x.shape, x.size, n

    for size, n in ((5, 3), (8, 2)):
        x = np.ones((size, 2), F)
        m = size
        found = sizes(x, n)
        expected = m, m * n + 1, -m, 2 * m // 3, m % 4, m**2, m == 5, (m, n) == (5, 3), x.shape, x.size, n
        assert found == expected
        assert all(type(v) is type(w) for v, w in zip(found, expected, strict=True))


def test_numbers():
    @hologram.jit
    def scaled(x: Any, s: Any, n: Any) -> Any:
        return x * (s * 2 + 1) + n * s - s / n

    for dtype in (np.float32, np.float64):
        x = np.arange(4, dtype=dtype)
        found = scaled.interpret(x, 0.1, 3)
        s = dtype(0.1)
        np.testing.assert_allclose(found, x * (s * 2 + 1) + 3 * s - s / 3, rtol=1e-6 if dtype == F else 1e-15)
        assert found.dtype == dtype
    assert traces(scaled) == 2
    scaled.interpret(np.arange(4, dtype=np.float64), 0.7, 9)
    assert traces(scaled) == 2


def test_numbers_of_numpy_have_their_types():
    @hologram.jit
    def scaled(x: Any, s: Any) -> Any:
        return x * s

    assert scaled.interpret(vector(2), np.float64(3)).dtype == np.float64
    assert scaled.interpret(vector(2), 3.0).dtype == F
    assert scaled.interpret(vector(2), np.int64(3)).dtype == F


def test_integers_where_the_program_needs_them():
    @hologram.jit
    def over(x: Any, axis: Any, n: Any) -> Any:
        return x.sum(axis) * n

    x = np.arange(6, dtype=F).reshape(2, 3)
    for axis in (0, 1):
        for n in (1, 2, 3):
            np.testing.assert_array_equal(over.interpret(x, axis, n), x.sum(axis) * n)
    assert traces(over) == 2


def test_the_last_is_of_any_size():
    @hologram.jit
    def last(x: Any) -> Any:
        return x[-1] - x[-2, 0] + x[:-1].sum(0)

    for m in (2, 3, 7):
        x = np.arange(3 * m, dtype=F).reshape(m, 3)
        np.testing.assert_array_equal(last.interpret(x), x[-1] - x[-2, 0] + x[:-1].sum(0))
    assert traces(last) == 1
    with pytest.raises(hologram.InputError, match="index -2 is out of range along an axis of size 1"):
        last.interpret(np.ones((1, 3), F))


def test_static_parameters():
    calls: list[Any] = []

    @hologram.jit(static=["p"])
    def power(x: Any, p: Any) -> Any:
        calls.append(p)
        return x**p

    for p in (2, 3, 2, 0.5):
        np.testing.assert_allclose(power.interpret(vector(4), p=p), vector(4) ** p, rtol=1e-6)
    assert calls == [2, 3, 0.5]


@pytest.mark.parametrize("values", [(0.0, -0.0), (1, True, 1.0), ((1,), (True,))])
def test_static_parameters_that_python_calls_equal(values: Any):
    @hologram.jit(static="p")
    def told(x: Any, p: Any) -> Any:
        return x, repr(p)

    assert [told.interpret(vector(1), p=p)[1] for p in values] == [repr(p) for p in values]


def test_programs_of_static_parameters_are_bounded(monkeypatch: pytest.MonkeyPatch):
    @hologram.jit(static="p")
    def scaled(x: Any, p: Any) -> Any:
        return x * p

    monkeypatch.setattr(scaled._programs, "limit", 3)  # pyright: ignore[reportPrivateUsage]
    for p in range(10):
        assert scaled.interpret(vector(2), p=p)[1] == p
    assert traces(scaled) <= 3


Pair = namedtuple("Pair", "first second")


def test_structures():
    @hologram.jit
    def both(pair: Any, more: Any, flag: Any = True) -> Any:
        total = pair.first + pair.second
        return {"total": total, "pair": Pair(total, [more["x"], more["x"]]), "plain": (1, None, "text", flag), "n": 2.5}

    x = vector(3)
    found = both(Pair(x, x + 1), {"x": x})
    np.testing.assert_array_equal(found["total"], 2 * x + 1)
    assert found["pair"].first is found["total"]
    np.testing.assert_array_equal(found["pair"].second[0], x)
    assert found["pair"].second[0] is not x
    assert (found["plain"], found["n"]) == ((1, None, "text", True), 2.5)


def test_results_without_tensors():
    assert hologram.jit(lambda x: x.shape)(np.zeros((2, 3))) == (2, 3)
    assert hologram.jit(lambda: None)() is None


def test_arrays_from_outside_are_seen_as_they_are():
    weights = vector(3)

    @hologram.jit
    def weighted(x: Any) -> Any:
        return x * weights

    np.testing.assert_array_equal(weighted(vector(3)), vector(3) ** 2)
    weights[:] = 2
    np.testing.assert_array_equal(weighted(vector(3)), vector(3) * 2)


def test_methods():
    class Layer:
        def __init__(self, w: Any):
            self.w = w

        @hologram.jit
        def __call__(self, x: Any) -> Any:
            return ops.relu(x @ self.w)

    x = np.array([[1, -2]], F)
    for w in (np.eye(2, dtype=F), -np.eye(2, dtype=F)):
        np.testing.assert_array_equal(Layer(w)(x), np.maximum(x @ w, 0))


def test_functions_call_each_other():
    @hologram.jit
    def outer(x: Any) -> Any:
        return saxpy(3.0, x, ops.exp(x))

    np.testing.assert_allclose(outer.interpret(vector(3)), 3 * vector(3) + np.exp(vector(3)), rtol=1e-6)
    assert traces(outer) == 1


def test_numpy_functions_of_elements():
    @hologram.jit
    def mixed(x: Any) -> Any:
        return np.exp(x) + np.ones(3, F) * x - np.maximum(x, 1.0)

    x = vector(3)
    np.testing.assert_allclose(mixed.interpret(x), np.exp(x) + x - np.maximum(x, 1), rtol=1e-6)


def test_strided_and_foreign_arrays():
    x = np.arange(12, dtype=F).reshape(3, 4)
    np.testing.assert_array_equal(saxpy(1.0, x[:, ::2], x[:, 1::2]), x[:, ::2] + x[:, 1::2])
    buffer = hologram.default_executor().allocate(4)
    buffer.array[:] = 2
    np.testing.assert_array_equal(saxpy(1.0, buffer, memoryview(x[0].copy())), x[0] + 2)


def test_types_come_back():
    names = ("bool", "uint8", "uint32", "int16", "float16", "float64")
    given = [np.array([0, 1, 1], name) for name in names]
    found = hologram.jit(lambda arrays: [(x, x[::-1]) for x in arrays])(given)
    for x, pair in zip(given, found, strict=True):
        for value, expected in zip(pair, (x, x[::-1]), strict=True):
            assert value.dtype == x.dtype
            np.testing.assert_array_equal(value, expected)


def test_operations_at_once():
    x = np.array([[3.0, 1.0]], F)
    np.testing.assert_array_equal(ops.sum(x, axis=1), [4])
    np.testing.assert_array_equal(ops.math.min(ops.concat([x, x], 0), 2.0), [[2, 1], [2, 1]])


def test_a_trap_names_the_line():
    @hologram.jit
    def picked(x: Any, i: Any) -> Any:
        return x[i]

    with pytest.raises(hologram.TrapError) as caught:
        picked(vector(3), np.array([3]))
    where = caught.value.where
    assert where is not None
    assert (where.file, where.line) == (__file__, test_a_trap_names_the_line.__code__.co_firstlineno + 3)
    np.testing.assert_array_equal(picked(vector(3), np.array([2])), [2])


def test_an_error_leaves_the_function_usable():
    @hologram.jit
    def first(x: Any, n: Any) -> Any:
        return x[n]

    with pytest.raises(hologram.InputError):
        first(vector(2), 2)
    assert first(vector(2), 1) == 1


def test_code_is_found_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from hologram.driver.graph import clear_memory

    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path))

    def made() -> TensorFunction:
        @hologram.jit
        def cubed(x: Any) -> Any:
            return x * x * x

        return cubed

    made()(vector(3))
    before = hologram.cache_stats()
    clear_memory()
    np.testing.assert_array_equal(made()(vector(5)), vector(5) ** 3)
    after = hologram.cache_stats()
    assert (after.compiled, after.disk_hits) == (before.compiled, before.disk_hits + 1)


def test_threads():
    @hologram.jit
    def doubled(x: Any) -> Any:
        return x + x

    found: list[Any] = []
    threads = [threading.Thread(target=lambda n=n: found.append(doubled(vector(n)).size == n)) for n in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8
    assert traces(doubled) == 1


def test_special_literals():
    @hologram.jit
    def special(x: Any) -> Any:
        return x + float("inf"), x * float("nan"), x * -0.0, x + 1e-5, x * 1e30

    for dtype in (np.float16, np.float32, np.float64):
        x = np.ones(1, dtype)
        found = [float(v[0]) for v in special.interpret(x)]
        assert found[0] == np.inf
        assert np.isnan(found[1])
        assert str(found[2]) == "-0.0"
        assert found[3:] == [float(x[0] + dtype(1e-5)), float(dtype(1e30)) if dtype != np.float16 else np.inf]
