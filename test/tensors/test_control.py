"""Loops and choices of tensor functions against plain Python loops over numpy arrays, interpreted and compiled."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

import random
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops
from hologram.support.trees import leaves_like, leaves_of, map_leaves, shape_of_tree

F = np.float32
Pair = namedtuple("Pair", "total part")


class Plain:
    """What the operations mean, by loops of Python; everything else is numpy's."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    @staticmethod
    def fori_loop(lower: Any, upper: Any, body: Callable[..., Any], init: Any) -> Any:
        for i in range(int(lower), int(upper)):
            init = body(i, init)
        return init

    @staticmethod
    def while_loop(condition: Callable[..., Any], body: Callable[..., Any], init: Any) -> Any:
        while condition(init):
            init = body(init)
        return init

    @staticmethod
    def cond(condition: Any, true: Callable[..., Any], false: Callable[..., Any], *operands: Any) -> Any:
        return (true if condition else false)(*operands)

    @staticmethod
    def switch(index: Any, branches: Any, *operands: Any) -> Any:
        return branches[min(max(int(index), 0), len(branches) - 1)](*operands)

    @staticmethod
    def scan(f: Callable[..., Any], init: Any, xs: Any = None, length: Any = None, reverse: bool = False) -> Any:
        count = len(leaves_of(xs)[0]) if length is None else int(length)
        outputs: dict[int, Any] = {}
        for i in reversed(range(count)) if reverse else range(count):
            init, outputs[i] = f(init, map_leaves(xs, lambda v, i=i: v[i]))
        form = outputs[0]
        columns = zip(*(leaves_of(outputs[i]) for i in range(count)), strict=True)
        stacked = iter([np.stack([np.asarray(v) for v in column]) for column in columns])
        return init, map_leaves(form, lambda _: next(stacked))


def alike(found: Any, expected: Any, tolerance: float = 1e-5) -> None:
    """Holds trees against each other."""
    assert shape_of_tree(found) == shape_of_tree(expected)
    for a, b in zip(leaves_like(expected, found), leaves_of(expected), strict=True):
        if isinstance(b, (np.ndarray, np.generic)):
            assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if np.asarray(b).dtype.kind == "f":
            np.testing.assert_allclose(a, np.asarray(b, np.float64), rtol=tolerance, atol=tolerance)
        else:
            np.testing.assert_array_equal(a, b)


def agree(function: Callable[..., Any], *args: Any, tolerance: float = 1e-5, interpret: bool = True) -> None:
    """An operation gives what a loop of Python gives, interpreted and compiled."""
    made = hologram.jit(lambda *given: function(ops, *given))
    expected = function(Plain(), *args)
    if interpret:
        alike(made.interpret(*args), expected, tolerance)
    alike(made(*args), expected, tolerance)


V = np.arange(4, dtype=F)
M = np.arange(9, dtype=F).reshape(3, 3)
ORDER = np.array([3, 1, 0, 2])


def loop(count: int, body: Callable[..., Any]) -> Callable[..., Any]:
    """A loop of so many steps over what it is called with: one tensor, or a tuple of them."""
    return lambda m, *xs: m.fori_loop(0, count, lambda i, c: body(m, i, c), xs[0] if len(xs) == 1 else xs)


def read_after_its_update(m: Any, x: Any) -> Any:
    def step(i: Any, carried: Any) -> Any:
        x, total = carried
        new = x + 1
        return new, total + new * x

    return m.fori_loop(0, 3, step, (x, x))


def reshape_read_after_the_update(m: Any, x: Any) -> Any:
    def step(i: Any, carried: Any) -> Any:
        x, total = carried
        before = m.reshape(x, (9,))
        new = x + 1
        return new, total + m.sin(before) * m.sum(new)

    return m.fori_loop(0, 3, step, (x, m.reshape(x, (9,)) * 0))


def reshape_in_the_next_tensor(m: Any, x: Any) -> Any:
    def step(i: Any, carried: Any) -> Any:
        before = m.reshape(carried[0], (9,))
        return carried[0] + 1, carried[1] + before

    return m.fori_loop(0, 3, step, (x, m.reshape(x, (9,))))


def padded_stencil(m: Any, i: Any, u: Any) -> Any:
    wide = m.pad(u, 1)
    return wide[:-2] + wide[2:] - 2 * wide[1:-1]


def sliced_stencil(m: Any, i: Any, u: Any) -> Any:
    return m.concat([u[:1], u[1:-1] + 0.1 * (u[:-2] - 2 * u[1:-1] + u[2:]), u[-1:]])


def rows_of_an_outer_loop(m: Any, x: Any) -> Any:
    return m.fori_loop(0, 4, lambda i, c: m.fori_loop(0, i, lambda j, d: d + c[::-1] * 0.5, c), x)


def a_start_that_is_read_again(m: Any, x: Any) -> Any:
    start = x + 1
    return m.fori_loop(0, 3, lambda i, c: c * 2, start), start + 1


def a_result_that_is_read_twice(m: Any, x: Any) -> Any:
    last = m.fori_loop(0, 3, lambda i, c: c + 1, x)
    return last + 1, last * 2, last


def a_number_of_a_step_and_after_it(m: Any, x: Any, a: Any) -> Any:
    """The number is computed where it is first needed, in the step, and again behind the loop."""
    twice = a * 2.0
    return m.fori_loop(0, 3, lambda i, c: c + twice, x) * twice


def a_number_of_a_side_and_after_it(m: Any, x: Any, a: Any) -> Any:
    twice = a * 2.0
    return m.cond(x[1] > 0, lambda: x + twice, lambda: x * twice) * twice


def a_number_of_a_condition_and_after_it(m: Any, x: Any, a: Any) -> Any:
    twice = a * 2.0
    return m.while_loop(lambda c: m.sum(c) < twice * 10, lambda c: c + twice, x) * twice


CARRIED: dict[str, tuple[Any, ...]] = {
    "one-tensor": (loop(5, lambda m, i, c: c * 2 + 1), V),
    "no-step": (loop(0, lambda m, i, c: c + 1), V),
    "one-step": (loop(1, lambda m, i, c: c + 1), V),
    "below-zero-steps": (lambda m, x: m.fori_loop(5, 2, lambda i, c: c + 1, x), V),
    "list": (lambda m, x: m.fori_loop(0, 2, lambda i, c: [c[1], c[0]], [x, x + 1]), V),
    "swap": (loop(3, lambda m, i, c: (c[1], c[0])), V, V + 1),
    "fibonacci": (loop(5, lambda m, i, c: (c[1], c[0] + c[1])), V, V + 1),
    "rotated": (loop(4, lambda m, i, c: (c[1], c[2], c[0] + 1)), V, V + 1, V * 2),
    "unchanged": (loop(3, lambda m, i, c: (c[0] + c[1], c[1])), V, V + 1),
    "all-unchanged": (loop(3, lambda m, i, c: c), V, V + 1),
    "one-value-twice": (loop(3, lambda m, i, c: (lambda s: (s, s))(c[0] + c[1])), V, V),
    "old-and-new": (loop(3, lambda m, i, c: (c[0] + 1, c[0])), V, V),
    "from-outside": (lambda m, x, y: m.fori_loop(0, 3, lambda i, c: (y, c[0] + c[1]), (x, x)), V, V + 1),
    "named-tuple": (
        lambda m, x: m.fori_loop(0, 5, lambda i, c: Pair(c.total + 1.5, c.part * 0.5), Pair(x[0], x)), V
    ),
    "dict-in-another-order": (
        lambda m, x: m.fori_loop(0, 3, lambda i, c: {"b": c["b"] + 1, "a": c["a"] * 2}, {"a": x, "b": x}), V
    ),
    "none-and-trees": (lambda m, x: m.fori_loop(0, 2, lambda i, c: (c[0] + 1, None, [c[2][0]]), (x, None, [x])), V),
    "nothing": (lambda m, x: (m.fori_loop(0, 2, lambda i, c: (), ()), x + 1), V),
    "number-takes-a-type": (lambda m, x: m.fori_loop(0, 5, lambda i, c: c * 0.5 + i, 0), V),
    "array-from-outside": (lambda m, x: m.fori_loop(0, 2, lambda i, c: c + 1, np.ones(4, F)) + x, V),
}  # fmt: skip
UPDATES: dict[str, tuple[Any, ...]] = {
    "read-after-its-update": (read_after_its_update, V),
    "reshape-read-after-the-update": (reshape_read_after_the_update, M),
    "reshape-in-the-next-tensor": (reshape_in_the_next_tensor, M),
    "transposed": (loop(3, lambda m, i, c: c + c.T * 2), M),
    "reversed": (loop(3, lambda m, i, c: c + c[::-1] * 2), V),
    "gathered": (lambda m, x, k: m.fori_loop(0, 3, lambda i, c: c + c[k] * 2, x), V, ORDER),
    "reduced": (loop(3, lambda m, i, c: c / (1 + m.sum(c))), V),
    "product": (loop(3, lambda m, i, c: c @ c * 0.05), M),
    "padded-stencil": (loop(3, padded_stencil), V),
    "sliced-stencil": (loop(6, sliced_stencil), V),
    "first-stays": (loop(3, lambda m, i, c: m.concat([c[:1], c[1:] + c[:-1]])), V),
    "turned": (loop(3, lambda m, i, c: m.concat([c[1:] * 0.5, c[:1]])), V),
    "read-again": (a_start_that_is_read_again, V),
    "read-twice": (a_result_that_is_read_twice, V),
}
STEPS: dict[str, tuple[Any, ...]] = {
    "sum-of-numbers": (lambda m, x: m.fori_loop(1, 5, lambda i, c: c + (i // 2) + (i % 3) - (-i) + i**2, x), V),
    "number-with-floats": (loop(4, lambda m, i, c: c + c * (i * 0.5) + i / 2), V),
    "compared": (loop(4, lambda m, i, c: m.where(i > 1, c + 1, c - i)), V),
    "slice": (lambda m, x: m.fori_loop(0, 4, lambda i, c: c + x[i] * i, x[0]), V),
    "size": (lambda m, x: m.fori_loop(0, x.shape[0], lambda i, c: c + i, x), V),
    "size-less-the-step": (
        lambda m, x: m.fori_loop(0, x.shape[0], lambda i, c: c + x[x.shape[0] - 1 - i] * (x.shape[0] // (i + 1)), x[0]),
        V,
    ),
    "int": (lambda m, x, n: m.fori_loop(2, n, lambda i, c: c + i, x), V, 6),
    "tensor": (lambda m, x, n: m.fori_loop(n - 4, n, lambda i, c: c + i, x), V, np.array(6, np.int32)),
    "truth": (lambda m, x: m.fori_loop(0, x[1] > 0, lambda i, c: c + 1, x), V),
    "array-from-outside": (lambda m, x: m.fori_loop(0, np.array(3), lambda i, c: c + 1, x), V),
    "nested": (lambda m, x: m.fori_loop(0, 3, lambda i, c: m.fori_loop(0, i, lambda j, d: d + i * j, c), x), V),
    "nested-reads-outer": (rows_of_an_outer_loop, V),
    "a-number": (a_number_of_a_step_and_after_it, V, 1.5),
    "a-number-of-a-side": (a_number_of_a_side_and_after_it, V, 1.5),
    "a-number-of-a-condition": (a_number_of_a_condition_and_after_it, V, 1.5),
}


def doubled_until(m: Any, x: Any, limit: Any) -> Any:
    return m.while_loop(lambda c: m.sum(c[1]) < limit, lambda c: (c[0] + 1, c[1] + c[1][::-1] + 1), (0, x))


def collatz(m: Any, n: Any) -> Any:
    def step(carried: Any) -> Any:
        value, count = carried
        return m.cond(value % 2 == 0, lambda v: v // 2, lambda v: 3 * v + 1, value), count + 1

    return m.while_loop(lambda c: c[0] > 1, step, (n, 0))


def add_or_double(m: Any, x: Any) -> Any:
    return m.fori_loop(0, 5, lambda i, c: m.cond(i % 2 == 0, lambda q: q + 1, lambda q: q * 2, c), x)


BRANCHES = [lambda a, b: (a, b), lambda a, b: (b, a + 1), lambda a, b: (a * 2, a)]
CHOICES: dict[str, tuple[Any, ...]] = {
    "while": (lambda m, x: m.while_loop(lambda c: c[0] < 10, lambda c: (c[0] + 1, c[1] * 2), (0, x)), V),
    "while-never": (lambda m, x: m.while_loop(lambda c: c[0] < 0, lambda c: (c[0] + 1, c[1] * 2), (0, x)), V),
    "while-two-buffers": (doubled_until, V, F(200)),
    "collatz": (collatz, np.array(27)),
    "cond-in-loop": (add_or_double, V),
    "loop-in-cond": (lambda m, x: m.cond(m.sum(x) > 0, lambda: loop(3, lambda m, i, c: c * 2)(m, x), lambda: x), V),
    "outside-value": (lambda m, x, y: m.cond(x[0] > 0, lambda: (x, x), lambda: (y, x)), V, V + 1),
    "dict-in-another-order": (
        lambda m, x: m.cond(x[1] < 0, lambda: {"b": x + 1, "a": x * 2}, lambda: {"a": x, "b": -x}), V
    ),
    "none": (lambda m, x: m.cond(x[1] < 0, lambda: (x, None), lambda: (-x, None)), V),
    **{f"switch-{n}": (lambda m, x, y, n: m.switch(n, BRANCHES, x, y), V, V + 1, np.int32(n))
       for n in (-7, 0, 1, 2, 9)},
    "switch-in-loop": (loop(5, lambda m, i, c: m.switch(i, BRANCHES, *c)), V, V + 1),
}  # fmt: skip
SCANS: dict[str, tuple[Any, ...]] = {
    "sums": (lambda m, x: m.scan(lambda c, s: (c + s, c * s), x[0], x), V),
    "reverse": (lambda m, x: m.scan(lambda c, s: (c + s, c * s), x[0], x, reverse=True), V),
    "number": (lambda m, x: m.scan(lambda c, s: (c + s, s * 2), 0.0, x), V),
    "dict": (
        lambda m, x, y: m.scan(
            lambda c, s: (c + s["a"], (s["b"], s["a"] > 1, {"n": None})), x[0], {"a": x, "b": y}
        ),
        V, np.arange(8).reshape(4, 2),
    ),
    "length": (lambda m, x: m.scan(lambda c, _: (c * 2, c), x, None, length=3), V),
    "length-of-an-argument": (lambda m, x, n: m.scan(lambda c, _: (c * 2, c), x, length=n), V, 5),
    "no-output": (lambda m, x: m.scan(lambda c, s: (c + s, None), x[0], x), V),
    "no-carry": (lambda m, x: m.scan(lambda c, s: (None, s * 2), None, x), V),
    "rows": (lambda m, x: m.scan(lambda c, s: (c + s, m.outer(c, s)), x[0], x), M),
    "rows-reverse": (lambda m, x: m.scan(lambda c, s: (c[::-1] + s, c), x[0], x, reverse=True), M),
    "nested": (lambda m, x: m.scan(lambda c, r: m.scan(lambda d, s: (d + s, d * 2), c, r), x[0, 0], x), M),
}  # fmt: skip
CASES = {
    f"{group}-{name}": case
    for group, cases in (("carried", CARRIED), ("updates", UPDATES), ("steps", STEPS), ("choices", CHOICES),
                         ("scans", SCANS))
    for name, case in cases.items()
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_as_python(name: str):
    agree(*CASES[name])


@pytest.mark.parametrize("dtype", "f2 f4 f8 i1 i4 i8 u1 u8".split())
def test_types(dtype: str):
    x = np.arange(5).astype(dtype)
    agree(loop(4, lambda m, i, c: c * 2 + c[::-1]), x, tolerance=1e-2 if dtype == "f2" else 1e-5)


def test_truth_values():
    x = np.array([True, False, True])
    agree(loop(3, lambda m, i, c: ~c), x)
    agree(lambda m, x: m.while_loop(lambda c: ~m.all(c), lambda c: c | True, x), x)


def test_sizes_of_one_program():
    made = {
        step: hologram.jit(lambda x, step=step: loop(3, step)(ops, x)) for step in (padded_stencil, lambda m, i, c: -c)
    }
    for n in (0, 1, 2, 7, 33):
        for step, function in made.items():
            x = np.arange(n, dtype=F)
            alike(function(x), loop(3, step)(Plain(), x))


def test_no_slices():
    last, sums = hologram.jit(lambda x: ops.scan(lambda c, s: (c + s, c), 1.0, x))(V[:0])
    assert (last, last.dtype, sums.shape, sums.dtype) == (1.0, F, (0,), F)


def test_one_trace_and_one_loop():
    steps: list[int] = []

    def step(i: Any, c: Any) -> Any:
        steps.append(1)
        return c + i

    made = hologram.jit(lambda x, n: ops.fori_loop(0, n, step, x))
    for n in (0, 1, 1000):
        np.testing.assert_array_equal(made(V, n), V + n * (n - 1) // 2)
    assert len(steps) == 1
    assert made.text(V, 1000).count("scf.for") == 1


def test_a_function_in_a_function():
    inner = hologram.jit(lambda x: ops.fori_loop(0, 3, lambda i, c: c + 1, x))
    made = hologram.jit(lambda x: inner(inner(x) * 2))
    np.testing.assert_array_equal(made(V), (V + 3) * 2 + 3)


def test_outside_of_jit():
    """What a step finds outside of it may change from call to call."""
    added = np.ones(4, F)

    def step(i: Any, c: Any) -> Any:
        return c + added

    np.testing.assert_array_equal(ops.fori_loop(0, 3, step, V), V + 3)
    added[:] = 2
    np.testing.assert_array_equal(ops.fori_loop(0, 3, step, V), V + 6)
    added = np.full(4, 3, F)
    np.testing.assert_array_equal(ops.fori_loop(0, 3, step, V), V + 9)
    assert ops.while_loop(lambda c: c < 10, lambda c: c + 3, 0) == 12
    np.testing.assert_array_equal(ops.cond(V[1] > 5, lambda a: a + 1, lambda a: a * 2, V), V * 2)
    np.testing.assert_array_equal(ops.switch(1, [lambda a: a, lambda a: a - 1], V), V - 1)
    last, sums = ops.scan(lambda c, s: (c + s, c), 0.0, V)
    assert last == 6
    np.testing.assert_array_equal(sums, [0, 0, 1, 3])


def test_scan_of_a_tensor_is_the_running_scan():
    np.testing.assert_array_equal(ops.scan(V), np.cumsum(V))
    np.testing.assert_array_equal(hologram.jit(lambda x: ops.scan(x))(V), np.cumsum(V))


def moved(m: Any, kind: int, i: Any, x: Any, y: Any) -> Any:
    """What one of nine operations makes of two tensors of 4 elements."""
    return (
        lambda: x + y, lambda: x * 0.5, lambda: x[::-1] - i,
        lambda: m.reshape(m.reshape(x, (2, 2)).T, (4,)), lambda: m.concat([x[1:], y[:1]]),
        lambda: x - m.max(y), lambda: m.where(x > y, x, i - y),
        lambda: m.cond(m.sum(x) > m.sum(y), lambda: x * 0.25, lambda: y),
        lambda: m.fori_loop(0, i, lambda j, c: (c[1], c[0] * 0.5 + j), (x, y))[0],
    )[kind]()  # fmt: skip


def random_step(numbers: random.Random, count: int) -> Callable[..., Any]:
    """A step over so many tensors, made of random operations."""
    moves = [(numbers.randrange(9), numbers.randrange(9), numbers.randrange(9)) for _ in range(numbers.randrange(1, 5))]
    handed = [numbers.randrange(9) for _ in range(count)]

    def step(m: Any, i: Any, carried: Any) -> Any:
        values = list(carried)
        for kind, a, b in moves:
            values.append(moved(m, kind, i, values[a % len(values)], values[b % len(values)]))
        return tuple(values[-1 - n % len(values)] for n in handed)

    return step


def random_program(seed: int) -> None:
    numbers = random.Random(seed)
    count = numbers.randrange(1, 4)
    starts = [np.array([numbers.randrange(-4, 5) for _ in range(4)], F) for _ in range(count)]
    step, steps = random_step(numbers, count), numbers.randrange(6)
    agree(lambda m, *xs: m.fori_loop(0, steps, lambda i, c: step(m, i, c), xs), *starts, tolerance=1e-3,
          interpret=False)  # fmt: skip


@pytest.mark.parametrize("part", range(10))
def test_random_steps(part: int):
    for seed in range(part * 10, part * 10 + 3):
        random_program(seed)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "uint8", "int64"])
@pytest.mark.parametrize("start", [0, 1, 0.5])
def test_numbers_take_the_types_of_steps(dtype: str, start: float):
    """A loop that starts with a number has the type that Python's loop over numpy's elements would give."""
    x = np.arange(4).astype(dtype)
    wanted = np.cumsum(np.concatenate([[start], x])).astype(np.result_type(x.dtype, start))
    jitted = hologram.jit(lambda x: (
        ops.fori_loop(0, 4, lambda i, c: c + x[i], start),
        *ops.scan(lambda c, v: (c + v, c), start, x),
        ops.while_loop(lambda c: c[0] < 4, lambda c: (c[0] + 1, c[1] + x[0]), (0, start)),
    ))  # fmt: skip
    for found, value in zip(jitted(x), (wanted[-1], wanted[-1], wanted[:-1], (4, start)), strict=True):
        for a, b in zip(found, value, strict=True) if isinstance(found, tuple) else [(found, value)]:
            np.testing.assert_array_equal(a, b)
            assert isinstance(b, (int, float)) or a.dtype == wanted.dtype


def test_numbers_that_need_a_type():
    """A step may ask a number for what only tensors have: it has the type of a literal then, or that of the step."""
    x = np.ones(2, np.float32)
    assert hologram.jit(lambda x: ops.fori_loop(0, 3, lambda _, c: c.astype("f32") * 2 + x[0], 1))(x) == 15
    assert hologram.jit(lambda x: ops.fori_loop(0, 3, lambda i, c: c + i, 0))(x).dtype == np.int64


@pytest.mark.parametrize("kind", ["fori", "while", "scan"])
def test_steps_in_steps_are_traced_a_few_times(kind: str):
    """A number that starts a loop takes the type that a step makes of it: the step is traced once more to learn it."""
    calls = [0] * 6

    def loop(depth: int, x: Any) -> Any:
        if depth == len(calls):
            return x

        def step(c: Any) -> Any:
            calls[depth] += 1
            return c + loop(depth + 1, x)

        if kind == "fori":
            return ops.fori_loop(0, 2, lambda _, c: step(c), 0)
        if kind == "while":
            return ops.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, step(c[1])), (0, 0))[1]
        return ops.scan(lambda c, _: (step(c), None), 0, length=2)[0]

    text = hologram.jit(lambda x: loop(0, x)).text(np.ones((), F))
    assert text.count("scf.while" if kind == "while" else "scf.for") == len(calls)
    assert calls[0] == 2
    assert calls[-1] == len(calls) + 1
