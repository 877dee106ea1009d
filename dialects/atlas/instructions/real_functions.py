"""Functions of real numbers that are compositions: hyperbolic functions and arcs, roots, logarithms of sums, signs.

Their special values are those of C99 and numpy. f16 and bf16 are computed in f32 and rounded once; the errors in f32
and f64 are at most those of `ULPS`, in units in the last place of the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from hologram.dialects.atlas.instructions.declaration import Composer, Composition, Instruction, composite
from hologram.dialects.atlas.instructions.dtypes import FLOATS, NUMBERS

LN2 = math.log(2.0)
FAR = 22.0
"""From here on e^-x is nothing beside e^x, in f64 as well, and e^x is finite up to it."""
GREAT = 2.0**28
"""From here on 1 is nothing beside x^2, in f64 as well."""

ULPS: Mapping[str, float] = {
    "sinh": 4, "cosh": 4, "asin": 4, "acos": 4, "asinh": 4, "acosh": 4, "atanh": 4, "cbrt": 2, "hypot": 2,
}  # fmt: skip
"""The bounds on the errors of functions that have one."""


def _real(meaning: str, **more: Any) -> Callable[[Composition], Instruction]:
    """Declares a composition on floats."""
    return composite(FLOATS, meaning, tensor="", widens=True, **more)


def _odd(do: Composer, of_size: Any, x: Any) -> Any:
    """Emit f(x) of an odd function from f(|x|); keeps -0."""
    signed = do.sel(do.compare("lt", x, 0), do.neg(of_size), of_size)
    return do.sel(do.compare("eq", x, 0), x, signed)


def _half_power(do: Composer, size: Any) -> Any:
    """Emit e^x / 2 where e^x itself may be greater than all numbers."""
    root = do.exp(do.mul(size, 0.5))
    return do.mul(do.mul(root, 0.5), root)


@_real("The hyperbolic sine; keeps -0, +-inf at infinities.")
def sinh(do: Composer, x: Any) -> Any:
    size = do.abs(x)
    less = do.expm1(size)
    near = do.mul(do.add(less, do.div(less, do.add(less, 1))), 0.5)
    return _odd(do, do.sel(do.compare("lt", size, FAR), near, _half_power(do, size)), x)


@_real("The hyperbolic cosine; +inf at infinities.")
def cosh(do: Composer, x: Any) -> Any:
    size = do.abs(x)
    power = do.exp(size)
    near = do.mul(do.add(power, do.div(do.number(1.0), power)), 0.5)
    return do.sel(do.compare("lt", size, FAR), near, _half_power(do, size))


@_real("The arc sine in [-pi/2, pi/2]; keeps -0, NaN outside of [-1, 1].")
def asin(do: Composer, x: Any) -> Any:
    return do.atan2(x, _leg(do, x))


@_real("The arc cosine in [0, pi]; NaN outside of [-1, 1].")
def acos(do: Composer, x: Any) -> Any:
    return do.atan2(_leg(do, x), x)


def _leg(do: Composer, x: Any) -> Any:
    """Emit sqrt(1 - x^2), by factors, which are exact where it is small."""
    one = do.number(1.0)
    return do.sqrt(do.mul(do.sub(one, x), do.add(one, x)))


@_real("The inverse of sinh; keeps -0, +-inf at infinities.")
def asinh(do: Composer, x: Any) -> Any:
    size = do.abs(x)
    square = do.mul(size, size)
    # sqrt(1 + x^2) - 1 without cancellation.
    above = do.div(square, do.add(do.sqrt(do.add(square, 1)), 1))
    near = do.log1p(do.add(size, above))
    return _odd(do, do.sel(do.compare("lt", size, GREAT), near, do.add(do.log(size), LN2)), x)


@_real("The inverse of cosh, from 0 on; NaN below 1, +inf at +inf.")
def acosh(do: Composer, x: Any) -> Any:
    above = do.sub(x, 1)
    near = do.log1p(do.add(above, do.mul(do.sqrt(above), do.sqrt(do.add(above, 2)))))
    return do.sel(do.compare("ge", x, GREAT), do.add(do.log(x), LN2), near)


@_real("The inverse of tanh; keeps -0, +-inf at +-1, NaN outside of [-1, 1].")
def atanh(do: Composer, x: Any) -> Any:
    size = do.abs(x)
    ratio = do.div(do.add(size, size), do.sub(do.number(1.0), size))
    return _odd(do, do.mul(do.log1p(ratio), 0.5), x)


@_real("The cube root; keeps -0, +-inf at infinities.")
def cbrt(do: Composer, x: Any) -> Any:
    size = do.abs(x)
    root = do.exp2(do.div(do.log2(size), 3))
    # A step of Newton's method, which doubles the number of digits.
    better = do.sub(root, do.div(do.sub(root, do.div(size, do.mul(root, root))), 3))
    # 0 and infinity alone are half of themselves.
    return _odd(do, do.sel(do.compare("eq", do.mul(size, 0.5), size), size, better), x)


@_real("sqrt(a^2 + b^2), which overflows only where the result does; +inf where either is infinite.")
def hypot(do: Composer, a: Any, b: Any) -> Any:
    a, b = do.abs(a), do.abs(b)
    greater, lesser = do.max_nan(a, b), do.min_nan(a, b)
    ratio = do.div(lesser, greater)
    length = do.mul(greater, do.sqrt(do.add(do.mul(ratio, ratio), 1)))
    finite = do.sel(do.compare("eq", greater, 0), lesser, length)
    endless = do.or_(do.compare("eq", a, math.inf), do.compare("eq", b, math.inf))
    return do.sel(endless, do.number(math.inf), finite)


@_real("log(e^a + e^b), where neither power overflows.")
def logaddexp(do: Composer, a: Any, b: Any) -> Any:
    apart = do.abs(do.sub(a, b))
    total = do.add(do.max_nan(a, b), do.log1p(do.exp(do.neg(apart))))
    # Of infinities of one sign there is no difference.
    return do.sel(do.compare("eq", a, b), do.add(a, LN2), total)


@_real("log2(2^a + 2^b), where neither power overflows.")
def logaddexp2(do: Composer, a: Any, b: Any) -> Any:
    apart = do.abs(do.sub(a, b))
    total = do.add(do.max_nan(a, b), do.mul(do.log1p(do.exp2(do.neg(apart))), 1.0 / LN2))
    return do.sel(do.compare("eq", a, b), do.add(a, 1), total)


@_real("Whether x is below 0 or -0; a NaN counts as above.", result="bool")
def signbit(do: Composer, x: Any) -> Any:
    # Of the zeros, -0 has -inf as its reciprocal.
    below = do.compare("lt", do.div(do.number(1.0), x), 0)
    return do.or_(do.compare("lt", x, 0), do.and_(do.compare("eq", x, 0), below))


@composite(NUMBERS, "x * x; integers wrap.", tensor="")
def square(do: Composer, x: Any) -> Any:
    return do.mul(x, x)


@_real("Degrees as radians: x * (pi / 180).")
def deg2rad(do: Composer, x: Any) -> Any:
    return do.mul(x, math.pi / 180)


@_real("Radians as degrees: x * (180 / pi).")
def rad2deg(do: Composer, x: Any) -> Any:
    return do.mul(x, 180 / math.pi)
