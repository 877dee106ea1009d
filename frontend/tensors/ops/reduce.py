"""Over axes: sums, means, products, extremes, their places, and running sums.

Sums and products of integers and truth values are taken in 64 bits and stay so, as in numpy; those of floats keep the
type, have the association of isa.md section 3, and are taken in f32 below 32 bits. NaN wins in min and max.
"""

from __future__ import annotations

from typing import Any

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import math
from hologram.frontend.tensors.ops.memory import flat, reshaped, total
from hologram.frontend.tensors.trace.literals import integers
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import (
    ONE,
    at_least_f32,
    axes_of,
    axis_of,
    brought,
    converted,
    dtype_name,
    operation,
    settled,
    tensor,
    trace,
)
from hologram.frontend.tensors.trace.trace import Traced
from hologram.support import promotion


def reduced(kind: str, value: Traced, axis: Any, keepdims: bool) -> Any:
    """Elements combined over axes."""
    axes = axes_of(axis, value.ndim)
    own = settled(value)
    sizes = [s for n, s in enumerate(own) if n not in axes]
    result = value
    if axes:
        head = f"{kind} unsigned" if promotion.is_unsigned(value.dtype) else kind
        attributes = f"axes = {integers(axes)}"
        result = trace().add("hologram.reduce", [value], value.dtype, sizes, head=head, attributes=attributes)
    return reshaped(result, tuple(ONE if n in axes else s for n, s in enumerate(own))) if keepdims else result


def _widened(x: Any, dtype: Any) -> Traced:
    """What is summed or multiplied, in a type: by default of 64 bits for integers, and the own one of floats."""
    value = tensor(x)
    return converted(value, promotion.wide(value.dtype) if dtype is None else dtype_name(dtype))


@operation
def sum(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Any:
    """The sum over axes, over all by default. Of nothing it is 0. Integers give i64 or u64, unless `dtype` is named."""
    return reduced("sum", _widened(x, dtype), axis, keepdims)


@operation
def prod(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Any:
    """The product over axes. Of nothing it is 1. Integers give i64 or u64, unless `dtype` is named."""
    return reduced("product", _widened(x, dtype), axis, keepdims)


@operation
def min(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The least element over axes; NaN if there is one. Of nothing it is the greatest number of the type."""
    return _extreme("min", x, axis, keepdims)


@operation
def max(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The greatest element over axes; NaN if there is one. Of nothing it is the least number of the type."""
    return _extreme("max", x, axis, keepdims)


def _extreme(kind: str, x: Any, axis: Any, keepdims: bool) -> Any:
    value = tensor(x)
    is_bool = value.dtype == "bool"
    result = reduced(kind, converted(value, "u8") if is_bool else value, axis, keepdims)
    return converted(result, "bool") if is_bool else result


@operation
def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """sum(x) / n over axes; NaN of nothing. f16 and bf16 are summed and divided in f32 and rounded once; integers give
    f64, f32 where the device has no f64."""
    value, kept = _real(x)
    return converted(_mean(value, axis, keepdims), kept)


def _real(x: Any) -> tuple[Traced, str]:
    """A tensor in the type that means are taken in, and the type of their results."""
    (value,) = brought(x, kind="float")
    return at_least_f32(value), value.dtype


def _mean(value: Traced, axis: Any, keepdims: bool, ddof: float = 0) -> Any:
    number = count(value, axis, value.dtype)
    if ddof:
        number = math.maximum(math.sub(number, ddof), 0)
    return math.div(reduced("sum", value, axis, keepdims), number)


def count(value: Traced, axis: Any, dtype: str) -> Traced:
    """Return the number of elements that are combined over axes, in a type."""
    return trace().size_number(total([value.along(n) for n in axes_of(axis, value.ndim)]), dtype)


@operation
def var(x: Any, axis: Any = None, keepdims: bool = False, ddof: float = 0) -> Any:
    """The variance over axes: the sum of (x - mean(x))^2 divided by n - ddof, in the types of `mean`."""
    value, kept = _real(x)
    return converted(_variance(value, axis, keepdims, ddof), kept)


def _variance(value: Traced, axis: Any, keepdims: bool, ddof: float) -> Any:
    apart = math.sub(value, _mean(value, axis, True))
    return _mean(math.mul(apart, apart), axis, keepdims, ddof)


@operation
def std(x: Any, axis: Any = None, keepdims: bool = False, ddof: float = 0) -> Any:
    """The standard deviation over axes: the root of `var`."""
    value, kept = _real(x)
    return converted(math.sqrt(_variance(value, axis, keepdims, ddof)), kept)


@operation
def any(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return whether an element over axes is not 0."""
    truth = math.cast(math.cast(x, "bool"), "u8")
    return math.cast(reduced("max", truth, axis, keepdims), "bool")


@operation
def all(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return whether all elements over axes are not 0."""
    truth = math.cast(math.cast(x, "bool"), "u8")
    return math.cast(reduced("min", truth, axis, keepdims), "bool")


@operation
def argmin(x: Any, axis: Any = None) -> Any:
    """The index (i64) of the least element along an axis, or of all in row-major order; the first of equal
    ones, and the first NaN if there is one."""
    return _place("argmin", x, axis)


@operation
def argmax(x: Any, axis: Any = None) -> Any:
    """The index (i64) of the greatest element along an axis, or of all in row-major order; the first of equal
    ones, and the first NaN if there is one."""
    return _place("argmax", x, axis)


def _place(name: str, x: Any, axis: Any) -> Any:
    value = tensor(x)
    value = converted(value, "u8") if value.dtype == "bool" else value
    if axis is None:
        value, axis = flat(value), 0
    place = axis_of(axis, value.ndim)
    own = settled(value)
    if not trace().facts.holds(own[place], ">", Size.of(0)):
        fault("jit-arg-empty", f"'{name}' of no elements has no index")
    attributes = f"axis = {place} : i64, type = #atlas.dtype<{value.dtype}>"
    attributes += ", nan = 1 : i64" * promotion.is_float(value.dtype)
    sizes = [s for n, s in enumerate(own) if n != place]
    return trace().add(f"atlas.{name}", [value], "i64", sizes, attributes=attributes)


SCANS = {"add": "add", "mul": "mul", "min": "min.nan", "max": "max.nan"}


@operation
def scan(x: Any, axis: Any = 0, kind: str = "add", exclusive: bool = False, dtype: Any = None) -> Any:
    """Along an axis, what the elements up to each one combine to by a kind (`add`, `mul`, `min`, `max`).

    With `exclusive` those before it. Floats keep a tolerance, not bits. Sums and products of integers give i64 or u64,
    unless `dtype` is named.
    """
    if kind not in SCANS:
        fault("jit-scan-kind", f"there is no scan by '{kind}'", f"the kinds are {', '.join(SCANS)}")
    value = _widened(x, dtype) if kind in ("add", "mul") or dtype is not None else brought(x, kind="number")[0]
    place = axis_of(axis, value.ndim)
    attributes = f"axis = {place} : i64, kind = #atlas.kind<{SCANS[kind]}>, type = #atlas.dtype<{value.dtype}>"
    attributes += ", exclusive = 1 : i64" * bool(exclusive)
    return trace().add("atlas.scan", [value], value.dtype, settled(value), attributes=attributes)


@operation
def cumsum(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """Running sums along an axis; by default of all elements in row-major order. Integers give i64 or u64, unless
    `dtype` is named."""
    return _running(x, axis, "add", dtype)


@operation
def cumprod(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """Running products along an axis; by default of all elements in row-major order. Integers give i64 or u64, unless
    `dtype` is named."""
    return _running(x, axis, "mul", dtype)


def _running(x: Any, axis: Any, kind: str, dtype: Any) -> Any:
    value = tensor(x)
    if axis is None:
        value, axis = flat(value), 0
    return scan(value, axis, kind, dtype=dtype)
