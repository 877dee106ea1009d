"""What tensor functions compute is what numpy computes, with the type that numpy gives: sums, means, places, quotients,
shifts, comparisons and promotion over all types, with the values at their ends."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops
from hologram.frontend.tensors.trace.locations import here
from hologram.frontend.tensors.trace.trace import Trace, Traced

TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()
INTEGERS = [t for t in TYPES if "int" in t]
FLOATS = [t for t in TYPES if "float" in t]
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def draw(dtype: str, *shape: int, seed: int = 0) -> Any:
    """Small numbers, and those at the ends of the type."""
    rng = np.random.default_rng([seed, *dtype.encode()])
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype in FLOATS:
        return rng.choice([0, -0.0, 1, 2.5, -3.25, 7, np.inf, -np.inf, np.nan, 100], shape).astype(dtype)
    ends = np.iinfo(dtype)
    values = [0, 1, 2, 3, 7, ends.max, ends.min, max(ends.min, -3), max(ends.min, -7)]
    return np.array([values[n] for n in rng.integers(0, len(values), int(np.prod(shape)))], dtype).reshape(shape)


def check(found: Any, wanted: Any) -> None:
    """Two results of one type, the same, floats but for the last places."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    if wanted.dtype.kind != "f":
        return np.testing.assert_array_equal(found, wanted)
    tolerance = 4 * float(np.finfo(wanted.dtype).eps)
    return np.testing.assert_allclose(found, wanted, rtol=max(tolerance, 1e-14))


def traced(name: str, *rest: Any, **options: Any) -> Any:
    """An operation of an array and of what code is made for."""
    return hologram.jit(lambda x: getattr(ops, name)(x, *rest, **options))


REDUCTIONS = "sum prod min max mean var std any all argmin argmax cumsum cumprod".split()


@pytest.mark.parametrize("dtype", TYPES)
def test_over_axes(dtype: str):
    x = draw(dtype, 3, 4) if dtype not in ("int64", "uint64") else draw(dtype, 3, 4) >> 8  # Means round once there.
    for name, axis in itertools.product(REDUCTIONS, (None, 0, 1)):
        check(traced(name, axis=axis).interpret(x), getattr(np, name)(x, axis=axis))


def test_over_axes_compiled():
    names = [n for n in REDUCTIONS if n not in ("any", "all")]
    reduced = hologram.jit(lambda x: [getattr(ops, n)(x, axis=1) for n in names])
    for dtype in ("bool", "uint8", "int16", "float16", "float32"):
        x = draw(dtype, 5, 33)
        results = reduced(x)
        for name, found in zip(names, results, strict=True):
            check(found, getattr(np, name)(x, axis=1))


def test_sums_in_a_type_that_is_named():
    x = np.full(10, 200, np.uint8)
    assert int(ops.sum(x)) == 2000
    for dtype in ("uint8", "int32", "float32"):
        for name in ("sum", "prod"):
            check(getattr(ops, name)(x, dtype=dtype), getattr(np, name)(x, dtype=dtype))
        check(ops.cumsum(x, dtype=dtype), np.cumsum(x, dtype=dtype))


def test_means_are_taken_wide():
    x = np.full(300, 60000, np.float16)
    assert float(ops.mean(x)) == 60000
    assert ops.mean(x).dtype == np.float16
    assert float(ops.mean(np.full(5, 2**62, np.int64))) == 2.0**62
    y = np.array([1.0, 2.0, 4.0, 8.0])
    for ddof in (0, 1, 3, 4):
        check(ops.var(y, ddof=ddof), np.var(y, ddof=ddof))
        check(ops.std(y, ddof=ddof), np.std(y, ddof=ddof))


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_first_nan_is_the_place(dtype: str):
    x = np.array([[1, np.nan, np.inf, np.nan], [np.nan] * 4, [3, 1, 1, 3], [-np.inf, 0, -0.0, np.nan]], dtype)
    for name, axis in itertools.product(("argmin", "argmax"), (0, 1, None)):
        wanted = getattr(np, name)(x, axis=axis)
        assert np.array_equal(getattr(ops, name)(x, axis=axis), wanted)
        assert np.array_equal(hologram.jit(getattr(ops, name)).interpret(x, axis=axis), wanted)


PAIRS: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.true_divide, "floor_div": np.floor_divide,
    "mod": np.mod, "rem": np.fmod, "minimum": np.minimum, "maximum": np.maximum, "equal": np.equal, "less": np.less,
    "not_equal": np.not_equal, "greater_equal": np.greater_equal, "shift_left": np.left_shift,
    "shift_right": np.right_shift, "bit_and": np.bitwise_and,
}  # fmt: skip
OF_TRUTH = ("add", "mul", "minimum", "maximum", "equal", "less", "not_equal", "greater_equal", "bit_and", "div")
"""What two arrays of truth values have the types of numpy in."""


@pytest.mark.parametrize("a", TYPES)
def test_of_two(a: str):
    for b in TYPES:
        x, y = draw(a, 40), draw(b, 40, seed=1)
        for name, function in PAIRS.items():
            divisor = np.where(y == 0, np.ones_like(y), y)
            other = divisor if name in ("floor_div", "mod", "rem") and b not in FLOATS else y
            try:
                wanted = function(x, other)
            except TypeError:  # Truth values less truth values, and bits of floats or of i64 with u64.
                if name != "sub":
                    with pytest.raises(hologram.InputError):
                        hologram.jit(getattr(ops, name)).text(x, other)
                continue
            if {a, b} != {"bool"} or name in OF_TRUTH:
                check(hologram.jit(getattr(ops, name)).interpret(x, other), wanted)


def test_of_two_compiled():
    x, y = draw("int8", 200), draw("int64", 200, seed=1)
    u, f = draw("uint64", 200, seed=2), draw("float32", 200, seed=3)
    names = [n for n in PAIRS if n not in ("floor_div", "mod", "rem", "bit_and", "shift_left", "shift_right")]
    together = hologram.jit(lambda a, b: [getattr(ops, n)(a, b) for n in names])
    for a, b in ((x, y), (y, u), (u, f), (x, f)):
        for name, found in zip(names, together(a, b), strict=True):
            check(found, PAIRS[name](a, b))
    check(ops.shift_left(x, y), np.left_shift(x, y))
    check(ops.shift_right(y, x), np.right_shift(y, x))


@pytest.mark.parametrize("number", [0, 1, -1, 9, 300, 2**40, -(2**63), 2**64 - 1, 2.5, True])
def test_with_a_literal(number: Any):
    signs = {"add": operator.add, "equal": operator.eq, "less": operator.lt, "greater": operator.gt, "div": np.divide}
    signs |= {"not_equal": operator.ne, "less_equal": operator.le, "greater_equal": operator.ge}
    for dtype, (name, function) in itertools.product(TYPES, signs.items()):
        x = draw(dtype, 12)
        try:
            wanted = function(x, number)
        except OverflowError:
            with pytest.raises(hologram.InputError):
                traced(name, number).text(x)
            continue
        found = traced(name, number).interpret(x)
        if dtype == "bool" and not isinstance(number, bool) or dtype in FLOATS and abs(number) > 2**30:
            np.testing.assert_array_equal(np.asarray(found, wanted.dtype), wanted)
        else:
            check(found, wanted)


def test_a_number_without_a_type_is_itself_in_f64():
    x = np.zeros(2)
    makers = (
        lambda x, q: ops.cast(q, "f64"), lambda x, q: ops.full((2,), q, "f64"), lambda x, q: ops.fill(x, q),
        lambda x, q: ops.constant(q, "f64"), lambda x, q: x + q,
    )  # fmt: skip
    for make in makers:
        assert np.all(np.asarray(hologram.jit(make).interpret(x, 0.3)) == 0.3)
        assert np.all(np.asarray(hologram.jit(lambda x, make=make: make(x, 0.3)).interpret(x)) == 0.3)
    assert hologram.jit(lambda q: ops.cast(q, "i32")).interpret(-2.7) == -2


def test_integers_of_a_call_are_compared_by_their_value():
    function = hologram.jit(lambda x, n: [x < n, x == n, x >= n])
    for dtype, number in itertools.product(INTEGERS, (-1, 300, 2**40)):
        x = draw(dtype, 12)
        for found, wanted in zip(function.interpret(x, number), (x < number, x == number, x >= number), strict=True):
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_powers_of_integers(dtype: str):
    x = draw(dtype, 12)
    for power in (0, 1, 2, 5, 64, 100):
        check(traced("pow", power).interpret(x), x**power)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_powers_of_floats(dtype: str):
    x = np.array([1, np.inf, -np.inf, np.nan, 0, -0.0, -2.5], dtype)
    for power in (0, 1, 2, 3, -1):
        with np.errstate(all="ignore"):
            check(traced("pow", power).interpret(x), x**power)


def test_what_lets_nan_through():
    x = np.array([np.nan, -1, 0.5, 2], np.float32)
    check(ops.clamp(x, 0, 1), np.clip(x, 0, 1))
    check(ops.minimum(x, 1), np.minimum(x, 1))
    assert np.isnan(ops.max(x))


def test_devices_without_f64():
    """Integers become f32 there, where an array of f64 is not given."""
    trace = Trace("f", here(), Traced, lambda dtype: dtype != "f64")
    assert trace.real == "f32"
    assert Trace("f", here(), Traced).real == "f64"


def test_lists_are_arrays_where_operations_run_at_once():
    check(ops.cumsum([1, 2, 3]), np.cumsum([1, 2, 3]))
    check(ops.sum([[1, 2], [3, 4]], axis=(0, 1)), np.sum([[1, 2], [3, 4]]))
    check(ops.add([True, False], [[1], [2]]), np.add([True, False], [[1], [2]]))
    check(ops.concat([[1], [2, 3]]), np.array([1, 2, 3]))
    check(ops.where([True, False], (1, 2), 0), np.array([1, 0]))
    check(ops.einsum("ij,j->i", [[1, 2], [3, 4]], [1, 1]), np.array([3, 7]))
    check(ops.reshape([1, 2, 3, 4], [2, 2]), np.array([[1, 2], [3, 4]]))
    check(ops.constant([[1, 2]]), np.array([[1, 2]]))
    assert ops.sum([0.5, 1]).dtype == np.float32
    assert ops.sum([]) == 0


def test_functions_of_sizes():
    """numpy's functions of sizes and of the numbers of steps are numbers without a type, as sizes are."""
    x = np.ones((2, 4), np.float32)

    @hologram.jit
    def function(x: Any, s: float) -> Any:
        steps = ops.fori_loop(0, 3, lambda i, c: c + np.sqrt(i), 0.0)
        return x / np.sqrt(x.shape[1]), x * np.hypot(x.shape[1], 3.0), x * np.exp(-s), np.add(x.shape[0], 1), steps * x

    found = function(x, 2.0)
    wanted = (x / 2, x * 5, x * np.float32(np.exp(-2.0)), np.int64(3), x * np.float32(1 + np.sqrt(2)))
    for a, b in zip(found, wanted, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, 1e-6)
    with pytest.raises(hologram.errors.InputError, match="add.reduce"):
        hologram.jit(lambda x: np.add.reduce(x.shape[0]) + x)(x)
