"""Functions of `math` and `numpy` as kernels have them, beside those that the language has under names of its own.

They are written as users write functions that kernels call, and take arguments by name too. A kernel is compiled with
those that it calls.
"""

# They are compiled for the types that they are called with.
# pyright: basic

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from hologram.language import max_nan, min_nan, rem, signbit


def where(condition, x, y):
    return x if condition else y


def clip(a, a_min, a_max):
    return min_nan(max_nan(a, a_min), a_max)


def isnan(x):
    return x != x


def isinf(x):
    return abs(x) == inf


def isfinite(x):
    return x - x == 0


def copysign(x, y):
    return -abs(x) if signbit(y) else abs(x)


def fmod(x, y):
    return rem(x, y)


def fmax(x, y):
    return y if x != x else x if y != y else max_nan(x, y)


def fmin(x, y):
    return y if x != x else x if y != y else min_nan(x, y)


def reciprocal(x):
    return 1 / x


def heaviside(x, y):
    return y if x == 0 else x if x != x else 1.0 if x > 0 else 0.0


def gcd(a, b):
    x, y = abs(a), abs(b)
    while y != 0:
        x, y = y, x % y
    return x


# Operators


def add(x, y):
    return x + y


def subtract(x, y):
    return x - y


def multiply(x, y):
    return x * y


def true_divide(x, y):
    return x / y


def floor_divide(x, y):
    return x // y


def remainder(x, y):
    return x % y


def negative(x):
    return -x


def positive(x):
    return x


def bitwise_and(x, y):
    return x & y


def bitwise_or(x, y):
    return x | y


def bitwise_xor(x, y):
    return x ^ y


def invert(x):
    return ~x


def left_shift(x, y):
    return x << y


def right_shift(x, y):
    return x >> y


def equal(x, y):
    return x == y


def not_equal(x, y):
    return x != y


def less(x, y):
    return x < y


def less_equal(x, y):
    return x <= y


def greater(x, y):
    return x > y


def greater_equal(x, y):
    return x >= y


def logical_and(x, y):
    return bool(x) and bool(y)


def logical_or(x, y):
    return bool(x) or bool(y)


def logical_xor(x, y):
    return bool(x) != bool(y)


def logical_not(x):
    return not bool(x)


OF_BOTH = (isnan, isinf, isfinite, copysign, fmod, gcd)
"""The functions that `math` and `numpy` have."""
OF_NUMPY = (
    *OF_BOTH, where, clip, fmax, fmin, reciprocal, heaviside, add, subtract, multiply, true_divide,
    floor_divide, remainder, negative, positive, bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift,
    equal, not_equal, less, less_equal, greater, greater_equal, logical_and, logical_or, logical_xor, logical_not,
)  # fmt: skip
MATH: dict[str, Callable[..., Any]] = {f.__name__: f for f in OF_BOTH}
NUMPY: dict[str, Callable[..., Any]] = {f.__name__: f for f in OF_NUMPY} | {
    "divide": true_divide, "mod": remainder, "bitwise_not": invert, "bitwise_invert": invert,
    "bitwise_left_shift": left_shift, "bitwise_right_shift": right_shift,
}  # fmt: skip
"""The functions by the names that the modules have for them."""
