"""Signs, infinities and NaN replaced, the numbers next to others, and numbers that are nearly equal."""

from __future__ import annotations

from typing import Any

from hologram.dialects.atlas.instructions.dtypes import LARGEST
from hologram.frontend.tensors.ops import math, reduce
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import (
    brought,
    converted,
    dtype_name,
    operand,
    operation,
    tensor,
    together,
    trace,
    typed,
)
from hologram.support import promotion


@operation
def copysign(a: Any, b: Any) -> Any:
    """|a| with the sign of b, that of -0 too; a NaN counts as above 0."""
    x, y = brought(a, b, kind="float")
    size = math.abs(x)
    return math.where(math.signbit(y), math.neg(size), size)


@operation
def bitcast(x: Any, dtype: Any) -> Any:
    """The bits of x as numbers of another type, which is as wide."""
    value, wanted = tensor(x), dtype_name(dtype)
    if "bool" in (value.dtype, wanted) or promotion.bits(value.dtype) != promotion.bits(wanted):
        fault(
            "jit-bitcast", f"{value.dtype} and {wanted} have not the same number of bits",
            "hologram.ops.cast converts numbers",
        )  # fmt: skip
    if value.dtype == wanted or not (promotion.is_float(value.dtype) or promotion.is_float(wanted)):
        return converted(value, wanted)
    return trace().add("hologram.bitcast", [trace().tensor(value)], wanted, value.sizes)


@operation
def nextafter(a: Any, b: Any) -> Any:
    """The float next to a on the way to b; b where they are equal, NaN where one of them is."""
    (x, y), _ = together(brought(a, b, kind="float"))
    bits = promotion.bits(x.dtype)
    # All by integers: some devices take the smallest numbers for 0.
    least, greatest = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    infinity = _INFINITY[x.dtype]
    i, j = (bitcast(v, f"i{bits}") for v in (x, y))
    here, there = (math.where(math.less(n, 0), math.sub(least, n), n) for n in (i, j))
    moved = math.add(here, math.sub(_one_if(math.less(here, there), bits), _one_if(math.greater(here, there), bits)))
    back = math.where(math.less(moved, 0), math.sub(least, moved), moved)
    back = math.where(math.equal(moved, 0), math.bit_and(i, least), back)
    found = math.where(math.equal(here, there), j, back)
    unknown = [math.greater(math.bit_and(n, greatest), infinity) for n in (i, j)]
    quiet = infinity | (infinity & -infinity) >> 1
    return bitcast(math.where(math.bit_or(*unknown), quiet, found), x.dtype)


def _one_if(condition: Any, bits: int) -> Any:
    return converted(condition, f"i{bits}")


_INFINITY = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F800000, "f64": 0x7FF0 << 48}
"""The bits of infinity."""


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
