"""What there is among elements, and how often: distinct elements, places that are not 0, counts and histograms.

Where the size of a result depends on values, tensor functions must name it; outside of them it is found first.
"""

from __future__ import annotations

from math import inf
from typing import Any

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import math, memory, order, reduce
from hologram.frontend.tensors.ops.arrange import places as places_along
from hologram.frontend.tensors.ops.memory import flat, index_tensor
from hologram.frontend.tensors.ops.segments import combined, past_the_greatest
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.numbers import extent, size_of
from hologram.frontend.tensors.trace.sized import needed, sized
from hologram.frontend.tensors.trace.support import (
    ONE,
    broadcast,
    brought,
    listed,
    looked_at,
    operation,
    settled,
    tensor,
    trace,
    typed_as,
)
from hologram.frontend.tensors.trace.support import typed as typed_number
from hologram.frontend.tensors.trace.trace import Traced
from hologram.support import promotion

NONE = Size.of(0)


def _number(size: Size, dtype: str = "i64") -> Traced:
    return trace().tensor(trace().size_number(size, dtype))


def _distinct(x: Any) -> Any:
    """The number of distinct elements."""
    rows = order.sort(tensor(x), None)
    is_empty = trace().facts.holds(rows.along(0), "==", NONE)
    return typed_number(0, "i64") if is_empty else reduce.sum(math.cast(_begins(rows), "i64"))


def _begins(rows: Traced) -> Any:
    """Whether an element of sorted ones is the first of equal ones."""
    size = rows.along(0)
    before, after = order.part(rows, 0, size - ONE), order.part(rows, 1, size - ONE)
    differs = math.not_equal(before, after)
    if promotion.is_float(rows.dtype):
        differs = math.bit_and(differs, math.invert(math.isnan(before)))
    return memory.concat([broadcast(typed_number(True, "bool"), (ONE,)), differs])


@sized("size", _distinct)
def unique(x: Any, size: Any = None, fill_value: Any = None) -> Any:
    """The distinct elements of x in order. NaN are equal, and so are both zeros.

    With `size` the first so many, and `fill_value` after the last, by default the least element. Tensor functions must
    name the size.
    """
    rows, count = order.sort(tensor(x), None), needed("unique", "size", size)
    if trace().facts.holds(rows.along(0), "==", NONE):
        return broadcast(
            typed_number(0, rows.dtype) if fill_value is None else typed_as(fill_value, rows.dtype), (count,)
        )
    places = _places(_begins(rows), count)
    last = rows.along(0) - ONE
    found = memory.gather(rows, math.minimum(places, _number(last)))
    filler = order.part(rows, 0, ONE) if fill_value is None else typed_as(fill_value, rows.dtype)
    return math.where(math.less_equal(places, _number(last)), found, filler)


def _places(mask: Traced, count: Size) -> Any:
    """The places of the first so many elements that hold, and the size of the mask where there are no more."""
    numbers = reduce.cumsum(math.cast(mask, "i64"))
    return order.searchsorted(numbers, math.add(places_along(count), 1))


@operation
def count_nonzero(x: Any) -> Any:
    """The number (i64) of elements that are not 0."""
    return reduce.sum(math.cast(math.cast(x, "bool"), "i64"))


@sized("size", count_nonzero)
def nonzero(x: Any, size: Any = None, fill_value: Any = 0) -> Any:
    """The indices (i64) of the elements that are not 0, in row-major order: a tensor for each axis.

    With `size` those of the first so many, and `fill_value` after the last. Tensor functions must name the size.
    """
    value, count = tensor(x), needed("nonzero", "size", size)
    if value.ndim == 0:
        fault("jit-nonzero", "an element without axes has no indices", "hologram.ops.reshape(x, 1) gives it an axis")
    own = settled(value)
    mask = flat(math.cast(value, "bool"))
    filler = typed_as(fill_value, "i64")
    if trace().facts.holds(mask.along(0), "==", NONE):
        return tuple(broadcast(filler, (count,)) for _ in own)
    places = _places(mask, count)
    is_found = math.less(places, _number(mask.along(0)))
    indices: list[Any] = []
    for size_along in reversed(own):
        indices.insert(0, math.where(is_found, math.rem(places, _number(size_along)), filler))
        places = math.floor_div(places, _number(size_along))
    return tuple(indices)


@sized("length", past_the_greatest)
def bincount(x: Any, length: Any = None, weights: Any = None) -> Any:
    """How often (i64) each index stands in x: 0, 1, and so on below a length; or the sums of their weights.

    An index that is not below the length traps. Tensor functions must name the length.
    """
    places = flat(index_tensor(x))
    count = needed("bincount", "length", length)
    if weights is None:
        new = memory.ones(extent(trace(), places.along(0)), "i64")
    else:
        (new,) = brought(weights, kind="float")
        new = broadcast(flat(new), (places.along(0),))
    return combined("add", memory.zeros(extent(trace(), count), new.dtype), places, new, 0)


def _ascends(range: Any) -> None:
    """Refuses a range whose numbers are known and do not ascend."""
    ends = listed(range)
    if len(ends) != 2 or not all(isinstance(end, (int, float)) for end in ends):
        return
    if not (ends[0] <= ends[1] and -inf < ends[0] and ends[1] < inf):
        message = f"a range goes from a number to one that is not below it, not from {ends[0]} to {ends[1]}"
        fault("jit-histogram-ends", message, "as in range=(0.0, 1.0)")


@looked_at(_ascends, "range")
@operation
def histogram(x: Any, bins: Any = 10, range: Any = None) -> Any:
    """How many elements of x lie in each of a number of equal bins, or between edges that ascend, and the edges.

    A bin has its lower edge, the last one its upper edge too. Without a range (least, greatest) it is that of x, which
    must have no NaN then. Where the greatest is below the least no element lies in a bin. Integers are counted as f64,
    f32 where the device has no f64.
    """
    count = None if getattr(bins, "shape", ()) else size_of(bins)
    if count is None:
        value, edges = brought(x, bins, kind="float")
        if edges.ndim != 1 or not trace().facts.holds(edges.along(0), ">=", Size.of(2)):
            fault("jit-histogram-edges", "the edges of bins are two numbers at least, along one axis")
    else:
        (value,) = brought(x, kind="float")
        if not trace().facts.holds(count, ">=", ONE):
            fault("jit-histogram-bins", f"a histogram has a bin at least, not {trace().facts.value(count)}")
        edges = _edges(value, count, range)
    rows, last = order.sort(value, None), edges.along(0) - ONE
    lower = order.searchsorted(rows, order.part(edges, 0, last))
    upper = order.searchsorted(rows, order.part(edges, 1, last))
    top = order.searchsorted(rows, edges, "right")
    is_last = math.equal(places_along(last), _number(last - ONE))
    counts = math.sub(math.where(is_last, order.part(top, 1, last), upper), lower)
    return math.maximum(counts, 0), edges


def _edges(value: Traced, count: Size, range: Any) -> Any:
    """The edges of equal bins, as numpy has them: around a range of one number half on either side."""
    if range is not None:
        ends = listed(range)
        if len(ends) != 2:
            fault("jit-histogram-range", f"a range is two numbers, not {len(ends)}", "as in range=(0.0, 1.0)")
        low, high = (typed_as(end, value.dtype) for end in ends)
    elif trace().facts.holds(flat(value).along(0), "==", NONE):
        low, high = (typed_number(end, value.dtype) for end in (0.0, 1.0))
    else:
        low, high = reduce.min(value), reduce.max(value)
    is_one = math.equal(low, high)
    low, high = math.where(is_one, math.sub(low, 0.5), low), math.where(is_one, math.add(high, 0.5), high)
    numbers = math.cast(places_along(count + ONE), value.dtype)
    step = math.div(math.sub(high, low), _number(count, value.dtype))
    edges = math.add(math.mul(numbers, step), low)
    return math.where(math.equal(numbers, _number(count, value.dtype)), high, edges)
