"""Slices combined at indices: scatters that add, and sums of segments.

What goes to one place is combined one after the other, in the order of the updates, so that floats have the same bits
in every run. An index out of range traps, and so does one below 0.
"""

from __future__ import annotations

from typing import Any

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import math, reduce
from hologram.frontend.tensors.ops.memory import index_tensor, total
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.sized import needed, sized
from hologram.frontend.tensors.trace.support import (
    axis_of,
    broadcast,
    brought,
    must_equal,
    operation,
    settled,
    trace,
    typed,
    typed_as,
)
from hologram.frontend.tensors.trace.trace import Traced
from hologram.support import promotion


@operation
def scatter_add(x: Any, indices: Any, updates: Any, axis: Any = 0) -> Any:
    """x with updates added to its slices at indices along an axis."""
    return _scattered("add", x, indices, updates, axis)


@operation
def scatter_min(x: Any, indices: Any, updates: Any, axis: Any = 0) -> Any:
    """x with its slices at indices along an axis, or the updates where they are less; NaN wins."""
    return _scattered("min.nan", x, indices, updates, axis)


@operation
def scatter_max(x: Any, indices: Any, updates: Any, axis: Any = 0) -> Any:
    """x with its slices at indices along an axis, or the updates where they are greater; NaN wins."""
    return _scattered("max.nan", x, indices, updates, axis)


def _scattered(kind: str, x: Any, indices: Any, updates: Any, axis: Any) -> Traced:
    (value,), places = brought(x, kind="number"), index_tensor(indices)
    place = axis_of(axis, value.ndim)
    own = settled(value)
    new = broadcast(typed_as(updates, value.dtype), (*own[:place], *settled(places), *own[place + 1 :]))
    return combined(kind, value, places, new, place)


def combined(kind: str, value: Traced, places: Traced, new: Traced, axis: int) -> Traced:
    """Slices of a tensor at places along an axis, combined with new ones."""
    attributes = f"axis = {axis} : i64, kind = #atlas.kind<{kind}>, type = #atlas.dtype<{value.dtype}>"
    operands = [value, places, new]
    return trace().add("atlas.scatter_reduce", operands, value.dtype, settled(value), attributes=attributes)


# Segments


def past_the_greatest(x: Any) -> Any:
    """The least length that has all indices of x."""
    places = index_tensor(x)
    is_empty = trace().facts.holds(total(settled(places)), "==", Size.of(0))
    return typed(0, "i64") if is_empty else math.maximum(math.add(math.cast(reduce.max(places), "i64"), 1), 0)


@sized("num_segments", past_the_greatest, "ids")
def segment_sum(x: Any, ids: Any, num_segments: Any = None) -> Any:
    """The sum of the slices of x along its first axis that have the id 0, of those that have 1, and so on; 0 of none.

    Tensor functions must name the number of segments; outside of them it is found.
    """
    return _segments("segment_sum", "add", x, ids, num_segments)


@sized("num_segments", past_the_greatest, "ids")
def segment_prod(x: Any, ids: Any, num_segments: Any = None) -> Any:
    """The product of the slices of each id; 1 of none."""
    return _segments("segment_prod", "mul", x, ids, num_segments)


@sized("num_segments", past_the_greatest, "ids")
def segment_min(x: Any, ids: Any, num_segments: Any = None) -> Any:
    """The least elements of the slices of each id, NaN if there is one; of none the greatest number of the type."""
    return _segments("segment_min", "min.nan", x, ids, num_segments)


@sized("num_segments", past_the_greatest, "ids")
def segment_max(x: Any, ids: Any, num_segments: Any = None) -> Any:
    """The greatest elements of the slices of each id, NaN if there is one; of none the least number of the type."""
    return _segments("segment_max", "max.nan", x, ids, num_segments)


def _segments(name: str, kind: str, x: Any, ids: Any, num_segments: Any) -> Traced:
    (value,), places = brought(x, kind="number"), index_tensor(ids)
    if value.ndim == 0 or places.ndim != 1:
        fault("jit-segments", f"'{name}' takes a tensor with an axis at least, and ids along one axis")
    must_equal(value.along(0), places.along(0), "there are not as many ids as slices")
    count = needed(name, "num_segments", num_segments)
    start = broadcast(typed(_identity(kind, value.dtype), value.dtype), (count, *settled(value)[1:]))
    return combined(kind, start, places, value, 0)


def _identity(kind: str, dtype: str) -> int | float:
    """What a combination of nothing is: the number that changes nothing. A float sum begins with 0."""
    if kind in ("add", "mul"):
        return int(kind == "mul")
    least, greatest = (-float("inf"), float("inf")) if promotion.is_float(dtype) else promotion.span(dtype)
    return greatest if kind == "min.nan" else least
