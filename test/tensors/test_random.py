"""Random numbers: known answers, numbers by an implementation on Python's integers, distributions, and refusals."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

from importlib import import_module
from math import erf, exp, sqrt
from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops
from hologram.errors import HologramError
from hologram.frontend.tensors.ops.generators import philox4x32, threefry2x32
from hologram.frontend.tensors.ops.random import inverse_erf
from hologram.frontend.tensors.trace.support import tensor
from tensor_cases.random_numbers import bits_of, floats_of, keys_of, threefry

random = ops.random
KEY = np.array([0x12345678, 42], np.uint32)
PI = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0)
ONES = 0xFFFFFFFF
# The vectors that are published with Random123: the counter, the key, the words.
THREEFRY = [
    ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
    ((ONES, ONES), (ONES, ONES), (0x1CB996FC, 0xBB002BE7)),
    (PI[:2], PI[2:4], (0xC4923A9C, 0x483DF7A0)),
]
PHILOX = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((ONES, ONES, ONES, ONES), (ONES, ONES), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (PI[:4], PI[4:], (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]


def words(values: Any) -> list[Any]:
    return [np.array(v, np.uint32) for v in values]


@pytest.mark.parametrize(("counter", "key", "answer"), THREEFRY)
def test_threefry_gives_the_published_words(counter: Any, key: Any, answer: Any):
    made = hologram.jit(lambda k, c: threefry2x32(tuple(map(tensor, k)), tuple(map(tensor, c))))
    given = words(key), words(counter)
    for run in (made, made.interpret):
        assert tuple(int(v) for v in run(*given)) == answer
    assert threefry(key, counter) == answer


@pytest.mark.parametrize(("counter", "key", "answer"), PHILOX)
def test_philox_gives_the_published_words(counter: Any, key: Any, answer: Any):
    made = hologram.jit(lambda k, c: tuple(philox4x32(tuple(map(tensor, k)), list(map(tensor, c)))))
    given = words(key), words(counter)
    for run in (made, made.interpret):
        assert tuple(int(v) for v in run(*given)) == answer


# Keys and bits


def test_keys():
    assert random.key(42).dtype == np.uint32
    assert random.key(42).tolist() == [0, 42]
    assert random.key(0x123456789ABCDEF).tolist() == [0x01234567, 0x89ABCDEF]
    assert random.key(-1).tolist() == [ONES, ONES]
    assert random.key(np.int32(7)).tolist() == [0, 7]
    assert hologram.jit(lambda: random.key((1 << 64) - 2))().tolist() == [ONES, ONES - 1]
    np.testing.assert_array_equal(random.split(KEY, 5), keys_of(KEY, range(5)))
    np.testing.assert_array_equal(random.split(KEY), keys_of(KEY, range(2)))
    assert random.split(KEY, 0).shape == (0, 2)
    for number in (0, 7, np.int64(-1)):
        np.testing.assert_array_equal(random.fold_in(KEY, number), keys_of(KEY, [int(number) & ONES])[0])


@pytest.mark.parametrize("generator", ["threefry", "philox"])
def test_bits_of_every_shape_and_type(generator: str):
    for shape in [(), (0,), (1,), (7,), (2, 1, 33), (2, 0, 3)]:
        made = hologram.jit(lambda k, shape=shape: random.bits(k, shape, generator=generator))
        np.testing.assert_array_equal(made.interpret(KEY), bits_of(KEY, shape, 32, generator))
    types = ("u8", "u16", "u64")
    made = hologram.jit(lambda k: tuple(random.bits(k, (3, 5), d, generator) for d in types))
    for dtype, *found in zip(types, made(KEY), made.interpret(KEY), strict=True):
        expected = bits_of(KEY, (3, 5), int(dtype[1:]), generator)
        for one in found:
            assert one.dtype == expected.dtype
            np.testing.assert_array_equal(one, expected)
    np.testing.assert_array_equal(random.bits(KEY, (7,), "u32", generator), bits_of(KEY, (7,), 32, generator))


def test_one_program_serves_sizes_that_a_call_gives():
    made = hologram.jit(lambda k, x: random.bits(k, x.shape))
    for shape in [(3, 4), (5, 7), (4, 2)]:
        np.testing.assert_array_equal(made(KEY, np.zeros(shape)), bits_of(KEY, shape, 32))
    assert sum(map(len, made._programs)) == 1


def test_keys_travel_through_a_function():
    @hologram.jit
    def steps(key: Any) -> Any:
        key, first = random.split(key)
        key, second = random.split(key)
        return key, random.bits(first, (3,)), random.bits(second, (3,))

    left, first, second = steps(KEY)
    a, b = keys_of(KEY, range(2))
    c, d = keys_of(a, range(2))
    np.testing.assert_array_equal(left, c)
    np.testing.assert_array_equal(first, bits_of(b, (3,), 32))
    np.testing.assert_array_equal(second, bits_of(d, (3,), 32))


# Floats, integers, order


@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
def test_uniform_numbers_are_bits_behind_the_point(dtype: str):
    made = hologram.jit(lambda k: random.uniform(k, (3, 17), dtype=dtype))
    expected = floats_of(KEY, (3, 17), dtype)
    for found in (made(KEY), made.interpret(KEY)):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
    moved = random.uniform(KEY, (3, 17), -2.0, 3.0, dtype)
    np.testing.assert_array_equal(moved, expected * expected.dtype.type(5) + expected.dtype.type(-2))


def test_uniform_numbers_between_tensors():
    ends = np.array([[-1.0], [0.0], [4.0]], np.float32)
    rows = hologram.jit(lambda k, e: random.uniform(k, (3, 17), e, e + 1)).interpret(KEY, ends)
    assert (rows >= ends).all()
    assert (rows <= ends + 1).all()


def test_small_floats():
    found = np.asarray(random.uniform(KEY, (500,), dtype="bf16"), np.float32)
    np.testing.assert_array_equal(found, bits_of(KEY, (500,), 8).astype(np.float32) // 2 / 128)


def test_integers():
    for low, high, dtype, name in [
        (0, 10, "i32", np.int32), (-5, 1000, "i64", np.int64), (0, 256, "u8", np.uint8), (-128, 128, "i8", np.int8),
        (3, 4, "u16", np.uint16), (-(1 << 31), (1 << 31) - 1, "i32", np.int32),
    ]:  # fmt: skip
        made = hologram.jit(lambda k, a=low, b=high, d=dtype: random.randint(k, (40,), a, b, d))
        found = made.interpret(KEY)
        assert found.dtype == name
        assert found.min() >= low
        assert int(found.max()) < high
        if dtype in ("u8", "i64"):
            np.testing.assert_array_equal(made(KEY), found)
            np.testing.assert_array_equal(random.randint(KEY, (40,), low, high, dtype), found)
    ends = np.array([1, 100, 7], np.int32)
    rows = hologram.jit(lambda k, e: random.randint(k, (50, 3), 0, e)).interpret(KEY, ends)
    assert (rows >= 0).all()
    assert (rows < ends).all()
    many = random.randint(KEY, (60000,), 0, 6)
    counts = np.bincount(many, minlength=6)
    assert len(counts) == 6
    assert ((counts - 10000) ** 2 / 10000).sum() < 20.5  # chi-square of 5 degrees, 1 in 1,000


def test_orders():
    for n in (0, 1, 2, 9, 5000):
        found = hologram.jit(lambda k, n=n: random.permutation(k, n)).interpret(KEY)
        np.testing.assert_array_equal(np.sort(found), np.arange(n))
        if n in (9, 5000):
            np.testing.assert_array_equal(random.permutation(KEY, n), found)
    assert (random.permutation(KEY, 5000) != np.arange(5000)).sum() > 4900
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    np.testing.assert_array_equal(random.permutation(KEY, x), x[random.permutation(KEY, 4)])
    turned = hologram.jit(lambda k, x: random.permutation(k, x, axis=1)).interpret(KEY, x)
    np.testing.assert_array_equal(turned, x[:, random.permutation(KEY, 3)])
    first = np.bincount([int(random.permutation(k, 3)[0]) for k in np.asarray(random.split(KEY, 300))], minlength=3)
    assert first.min() > 60


def test_choices():
    x = np.arange(10, 16)
    assert set(random.choice(KEY, x, (200,))) == set(x)
    once = random.choice(KEY, x, (6,), replace=False)
    assert sorted(once) == list(x)
    assert random.choice(KEY, 5).shape == ()
    chances = np.array([0.0, 0.5, 0.0, 0.25, 0.25], np.float32)
    drawn = np.bincount(random.choice(KEY, 5, (4000,), p=chances), minlength=5) / 4000
    np.testing.assert_allclose(drawn, chances, atol=0.03)
    rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert random.choice(KEY, rows, (4,), axis=1).shape == (2, 4)


# Distributions

MANY = 1 << 17


def near(found: Any, mean: float, variance: float):
    """The mean and the variance of many numbers are those of a distribution, within five of their deviations."""
    values = np.asarray(found, np.float64)
    assert abs(values.mean() - mean) < 5 * sqrt(variance / values.size)
    assert abs(values.var() / variance - 1) < 0.03


def test_distributions():
    near(random.uniform(KEY, (MANY,)), 0.5, 1 / 12)
    near(random.normal(KEY, (MANY,), 3.0, 0.5), 3.0, 0.25)
    near(random.truncated_normal(KEY, -1.0, 1.0, (MANY,)), 0.0, 0.29112509)
    for dtype in ("f16", "f32", "f64"):
        near(random.normal(KEY, (MANY,), dtype=dtype), 0.0, 1.0)
    for dtype in ("f16", "f64"):
        near(random.exponential(KEY, (MANY,), dtype), 1.0, 1.0)


def test_shares_of_the_normal_distribution():
    found = np.sort(np.asarray(random.normal(KEY, (MANY,)), np.float64))
    for bound in (-3.0, -1.0, -0.1, 0.0, 0.5, 2.0, 4.0):
        share = (1 + erf(bound / sqrt(2))) / 2
        assert abs((found < bound).mean() - share) < 5 * sqrt(share * (1 - share) / MANY) + 1e-6
    waits = np.asarray(random.exponential(KEY, (MANY,)))
    assert waits.min() >= 0
    assert abs((waits > 2).mean() - exp(-2)) < 0.005
    inside = np.asarray(random.truncated_normal(KEY, 1.5, np.float32(1.75), (MANY,)))
    assert inside.min() > 1.5
    assert inside.max() < 1.75


def test_compiled_distributions_are_near_the_interpreters():
    def all_of(k: Any) -> Any:
        return random.normal(k, (501,)), random.exponential(k, (501,)), random.truncated_normal(k, -2.0, 0.5, (501,))

    made = hologram.jit(all_of)
    for one, other in zip(made(KEY), made.interpret(KEY), strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-6, atol=1e-7)


@pytest.mark.parametrize(("dtype", "digits"), [("float32", 24), ("float64", 53)])
def test_the_inverse_error_function_is_within_its_bound(dtype: str, digits: int):
    far = 1 - 2.0 ** -np.arange(1, digits + 1)
    x = np.concatenate([np.linspace(-0.999, 0.999, 998), far, -far, 2.0 ** -np.arange(1, 60)]).astype(dtype)
    made = hologram.jit(lambda x: inverse_erf(tensor(x)))
    mp = import_module("mpmath").mp
    with mp.workprec(120):
        exact = [mp.erfinv(mp.mpf(float(v))) for v in x]
        for found in (made(x), made.interpret(x)):
            apart = [
                abs(mp.mpf(float(f)) - e) / mp.mpf(float(np.spacing(abs(f)))) for f, e in zip(found, exact, strict=True)
            ]
            assert max(apart) < 4


def test_truth_values():
    assert abs(np.asarray(random.bernoulli(KEY, 0.3, (MANY,))).mean() - 0.3) < 0.007
    chances = np.array([0.0, 1.0, 0.0, 1.0])
    assert random.bernoulli(KEY, chances).tolist() == [False, True, False, True]
    assert not np.asarray(random.bernoulli(KEY, 0.0, (1000,))).any()


# Refusals


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("random-key", lambda k: random.bits(k[:1])),
        ("random-key", lambda k: random.bits(ops.cast(k, "i32"))),
        ("random-interval", lambda k: random.randint(k, (2,), 5, 5)),
        ("random-range", lambda k: random.randint(k, (2,), 0, 257, "u8")),
        ("random-interval-float", lambda k: random.truncated_normal(k, 1.0, -1.0)),
        ("random-probability", lambda k: random.bernoulli(k, -0.1)),
        ("random-choice", lambda k: random.choice(k, 0, (2,))),
    ],
)
def test_mistakes_are_told_in_functions_and_at_once(code: str, call: Any):
    for run in (call, hologram.jit(call)):
        with pytest.raises(HologramError) as caught:
            run(KEY)
        assert caught.value.code == code
