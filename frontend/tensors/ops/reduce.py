"""Over axes: sums, means, products, extremes, their places, and running sums.

Sums of floats have the association of isa.md section 3, and those below 32 bits are taken in f32. NaN wins in min and
max.
"""

from __future__ import annotations

from typing import Any

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import math
from hologram.frontend.tensors.ops.memory import reshaped, total
from hologram.frontend.tensors.trace.literals import integers
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import ONE, axes_of, axis_of, brought, operation, settled, trace
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


def _number(x: Any) -> Traced:
    (value,) = brought(x, kind="number")
    return value


@operation
def sum(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The sum over axes, over all by default. Of nothing it is 0."""
    return reduced("sum", _number(x), axis, keepdims)


@operation
def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The product over axes. Of nothing it is 1."""
    return reduced("product", _number(x), axis, keepdims)


@operation
def min(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The least element over axes; NaN if there is one. Of nothing it is the greatest number of the type."""
    return reduced("min", _number(x), axis, keepdims)


@operation
def max(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The greatest element over axes; NaN if there is one. Of nothing it is the least number of the type."""
    return reduced("max", _number(x), axis, keepdims)


@operation
def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """sum(x) / n over axes. Integers are taken as f32; of nothing it is NaN."""
    (value,) = brought(x, kind="float")
    return math.div(reduced("sum", value, axis, keepdims), count(value, axis, value.dtype))


def count(value: Traced, axis: Any, dtype: str) -> Traced:
    """Return the number of elements that are combined over axes, in a type."""
    return trace().size_number(total([value.along(n) for n in axes_of(axis, value.ndim)]), dtype)


@operation
def var(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The variance: mean((x - mean(x))^2) over axes."""
    (value,) = brought(x, kind="float")
    apart = math.sub(value, mean(value, axis, True))
    return mean(math.mul(apart, apart), axis, keepdims)


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
    """The index (i64) of the least element along an axis, or of all in row-major order; the first of equal ones."""
    return _place("argmin", x, axis)


@operation
def argmax(x: Any, axis: Any = None) -> Any:
    """The index (i64) of the greatest element along an axis, or of all in row-major order; the first of equal ones."""
    return _place("argmax", x, axis)


def _place(name: str, x: Any, axis: Any) -> Any:
    value = _number(x)
    if axis is None:
        value, axis = reshaped(value, (total(settled(value)),)), 0
    place = axis_of(axis, value.ndim)
    own = settled(value)
    if not trace().facts.holds(own[place], ">", Size.of(0)):
        fault("jit-arg-empty", f"'{name}' of no elements has no index")
    attributes = f"axis = {place} : i64, type = #atlas.dtype<{value.dtype}>"
    sizes = [s for n, s in enumerate(own) if n != place]
    return trace().add(f"atlas.{name}", [value], "i64", sizes, attributes=attributes)


SCANS = {"add": "add", "mul": "mul", "min": "min.nan", "max": "max.nan"}


@operation
def scan(x: Any, axis: Any = 0, kind: str = "add", exclusive: bool = False) -> Any:
    """Along an axis, what the elements up to each one combine to by a kind (`add`, `mul`, `min`, `max`).

    With `exclusive` those before it. Floats keep a tolerance, not bits.
    """
    if kind not in SCANS:
        fault("jit-scan-kind", f"there is no scan by '{kind}'", f"the kinds are {', '.join(SCANS)}")
    value = _number(x)
    place = axis_of(axis, value.ndim)
    attributes = f"axis = {place} : i64, kind = #atlas.kind<{SCANS[kind]}>, type = #atlas.dtype<{value.dtype}>"
    attributes += ", exclusive = 1 : i64" * bool(exclusive)
    return trace().add("atlas.scan", [value], value.dtype, settled(value), attributes=attributes)


@operation
def cumsum(x: Any, axis: Any = 0) -> Any:
    """Running sums along an axis."""
    return scan(x, axis)


@operation
def cumprod(x: Any, axis: Any = 0) -> Any:
    """Running products along an axis."""
    return scan(x, axis, "mul")
