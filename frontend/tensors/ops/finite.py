"""Signs, infinities and NaN replaced, and numbers that are nearly equal."""

from __future__ import annotations

from typing import Any

from hologram.dialects.atlas.instructions.dtypes import LARGEST
from hologram.frontend.tensors.ops import math, reduce
from hologram.frontend.tensors.trace.support import brought, operand, operation, tensor, typed
from hologram.support import promotion


@operation
def copysign(a: Any, b: Any) -> Any:
    """|a| with the sign of b, that of -0 too; a NaN counts as above 0."""
    x, y = brought(a, b, kind="float")
    size = math.abs(x)
    return math.where(math.signbit(y), math.neg(size), size)


@operation
def nan_to_num(x: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """x with numbers in place of NaN and the infinities: 0, and the greatest and the least number of the type, unless
    others are given. Integers stay as they are."""
    value = tensor(x)
    if not promotion.is_float(value.dtype):
        return value
    largest = LARGEST[value.dtype]
    high, low, middle = (
        typed(operand(v), value.dtype)
        for v in (largest if posinf is None else posinf, -largest if neginf is None else neginf, nan)
    )
    ends = math.where(math.equal(value, float("inf")), high, math.where(math.equal(value, float("-inf")), low, value))
    return math.where(math.isnan(value), middle, ends)


@operation
def isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """Return whether |a - b| <= atol + rtol |b|; an infinity is close to itself alone, NaN to none, or with `equal_nan`
    to NaN."""
    x, y = brought(a, b, kind="float")
    near = math.less_equal(math.abs(math.sub(x, y)), math.add(math.mul(math.abs(y), rtol), atol))
    close = math.bit_or(math.equal(x, y), math.bit_and(near, math.isfinite(y)))
    return math.bit_or(close, math.bit_and(math.isnan(x), math.isnan(y))) if equal_nan else close


@operation
def allclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """Return whether all elements are close, as `isclose` says."""
    return reduce.all(isclose(a, b, rtol, atol, equal_nan))
