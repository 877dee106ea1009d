"""Elements in order: sorts, the greatest of them, searches among sorted ones, medians and quantiles.

The order is numpy's: NaN is greater than everything, and both zeros are equal. Sorts are stable.
"""

from __future__ import annotations

from typing import Any

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import math, memory
from hologram.frontend.tensors.ops.memory import flat, reshaped, sliced, total
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import (
    ONE,
    at_least_f32,
    axes_of,
    axis_of,
    broadcast,
    brought,
    looked_at,
    operation,
    settled,
    shown,
    sizes_of,
    tensor,
    trace,
    typed,
    typed_as,
)
from hologram.frontend.tensors.trace.trace import Traced
from hologram.support import promotion


@operation
def sort(x: Any, axis: Any = -1, descending: bool = False) -> Any:
    """x with its elements in order along an axis; None is all of them in row-major order.

    Equal elements keep their order. NaN comes last, in descending order first.
    """
    return _sorted("sort", tensor(x), axis, descending)


@operation
def argsort(x: Any, axis: Any = -1, descending: bool = False) -> Any:
    """The indices (i64) along an axis of the elements that `sort` gives, in its order."""
    return _sorted("argsort", tensor(x), axis, descending)


def _sorted(name: str, value: Traced, axis: Any, descending: bool) -> Traced:
    if axis is None:
        value, axis = flat(value), 0
    attributes = f"axis = {axis_of(axis, value.ndim)} : i64, type = #atlas.dtype<{value.dtype}>"
    attributes += ", descending = 1 : i64" * descending
    dtype = "i64" if name == "argsort" else value.dtype
    return trace().add(f"atlas.{name}", [value], dtype, settled(value), attributes=attributes)


def part(value: Traced, start: int, count: Size) -> Traced:
    """So many elements along the first axis from a start on."""
    return sliced(value, 0, start, 1, trace().facts.settled(count))


@operation
def topk(x: Any, k: Any, axis: Any = -1, largest: bool = True) -> Any:
    """The k greatest elements along an axis, or the least, in order, and their indices (i64).

    Of equal ones the first count. NaN is greater than everything.
    """
    value = tensor(x)
    place = axis_of(axis, value.ndim)
    sizes, facts = sizes_of(k, "a number of elements"), trace().facts
    count = sizes[0]
    fits = len(sizes) == 1 and facts.holds(count, ">=", Size.of(0)) and facts.holds(count, "<=", value.along(place))
    if not fits:
        fault("jit-topk", f"there are no {facts.value(count)} elements along axis {place} of {shown(value.sizes)}")
    return tuple(
        sliced(_sorted(name, value, place, largest), place, 0, 1, facts.settled(count)) for name in ("sort", "argsort")
    )


@operation
def searchsorted(sorted: Any, values: Any, side: str = "left") -> Any:
    """For each value, the index (i64) before which it would keep the elements of `sorted` in order.

    It is how many of them are less (side `left`), or not greater (`right`). `sorted` has one axis, along which it
    ascends.
    """
    if side not in ("left", "right"):
        fault("jit-search-side", f"there is no side '{side}' of equal elements", "the sides are left, right")
    elements, wanted = brought(sorted, values)
    if elements.ndim != 1:
        fault("jit-search-rank", f"what is searched has one axis, not {elements.ndim}")
    attributes = f"type = #atlas.dtype<{elements.dtype}>" + ", right = 1 : i64" * (side == "right")
    return trace().add("atlas.searchsorted", [elements, wanted], "i64", settled(wanted), attributes=attributes)


@operation
def median(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The element in the middle of those over axes in order, or the mean of the two there; NaN if there is one.

    Integers give f64, f32 where the device has no f64; of nothing it is NaN.
    """
    (value,) = brought(x, kind="float")
    if trace().facts.holds(_count(value, axis), "==", Size.of(0)):
        return _of_nothing(value, axis, keepdims)
    rows = _sorted("sort", _rows(value, axis), -1, False)
    count = rows.along(rows.ndim - 1)
    upper = at_least_f32(_at(rows, count // Size.of(2)))
    is_even = trace().facts.holds(count // Size.of(2) * Size.of(2), "==", count)
    middle = math.mul(math.add(at_least_f32(_at(rows, (count - ONE) // Size.of(2))), upper), 0.5) if is_even else upper
    return _kept(_or_nan(rows, math.cast(middle, value.dtype)), value, axis, keepdims)


def _is_share(q: Any) -> None:
    if isinstance(q, (int, float)) and not 0 <= q <= 1:
        fault("jit-quantile", f"a share of the elements is a number from 0 to 1, not {q}")


@looked_at(_is_share, "q")
@operation
def quantile(x: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The value below which a share q (0 to 1) of the elements over axes lies, between neighbours on a line.

    Of several q, along one axis, the results stand along the first axis. Integers give f64, f32 where the device has
    no f64. It is NaN if there is one, and of nothing. A q outside of 0 to 1 traps.
    """
    (value,) = brought(x, kind="float")
    shares = _shares(q, value.dtype)
    if trace().facts.holds(_count(value, axis), "==", Size.of(0)):
        nothing = _of_nothing(value, axis, keepdims)
        return broadcast(nothing, (*settled(shares), *settled(nothing)))
    rows = _sorted("sort", _rows(value, axis), -1, False)
    last = rows.ndim - 1
    top = trace().size_number(rows.along(last) - ONE, shares.dtype)
    place = math.mul(shares, top)
    below = math.floor(place)
    is_share = math.bit_and(math.greater_equal(shares, 0), math.less_equal(shares, 1))
    lower = math.cast(math.where(is_share, below, -1), "i64")
    upper = math.minimum(math.add(lower, 1), trace().size_number(rows.along(last) - ONE, "i64"))
    a, b = (at_least_f32(memory.gather(rows, at, last)) for at in (lower, upper))
    found = math.cast(_between(a, b, math.sub(place, below)), value.dtype)
    if shares.ndim == 0:
        return _kept(_or_nan(rows, found), value, axis, keepdims)
    ends = _at(rows, rows.along(last) - ONE)
    ends = reshaped(ends, (*settled(ends), ONE))
    found = math.where(math.isnan(ends), ends, found)
    moved = memory.transpose(found, [last, *range(last)])
    return _kept(moved, value, axis, keepdims, (shares.along(0),))


def _shares(q: Any, dtype: str) -> Traced:
    """The shares of a quantile, as numbers of the type that elements are computed in."""
    wide = "f32" if promotion.bits(dtype) < 32 else dtype
    shares = typed_as(q, wide)
    if shares.ndim > 1:
        fault("jit-quantile-rank", f"shares are a number or stand along one axis, not {shares.ndim}")
    return trace().tensor(shares)


def _between(a: Traced, b: Traced, t: Traced) -> Any:
    """What lies between a and b at a part of the way, as numpy has it: exact at both ends."""
    way = math.sub(b, a)
    near_a, near_b = math.add(a, math.mul(way, t)), math.sub(b, math.mul(way, math.sub(1, t)))
    return math.where(math.greater_equal(t, 0.5), near_b, near_a)


def _count(value: Traced, axis: Any) -> Size:
    """The number of elements over axes."""
    return trace().facts.settled(total([value.along(n) for n in axes_of(axis, value.ndim)]))


def _rows(value: Traced, axis: Any) -> Traced:
    """The elements over axes along the last axis."""
    axes = axes_of(axis, value.ndim)
    kept = [n for n in range(value.ndim) if n not in axes]
    own = settled(value)
    return reshaped(memory.transpose(value, [*kept, *axes]), (*(own[n] for n in kept), _count(value, axis)))


def _at(rows: Traced, place: Size) -> Traced:
    """The elements at a place along the last axis."""
    index = trace().tensor(trace().size_number(place, "i64"))
    return memory.gather(rows, index, rows.ndim - 1)


def _or_nan(rows: Traced, found: Traced) -> Any:
    """What was found; NaN of rows that end with it when sorted."""
    last = _at(rows, rows.along(rows.ndim - 1) - ONE)
    return math.where(math.isnan(last), last, found)


def _kept(found: Traced, value: Traced, axis: Any, keepdims: bool, first: tuple[Size, ...] = ()) -> Any:
    """A result with axes of size 1 in place of those that it is over."""
    axes = axes_of(axis, value.ndim)
    return reshaped(found, (*first, *_over(value, axes))) if keepdims else found


def _over(value: Traced, axes: list[int]) -> list[Size]:
    return [ONE if n in axes else size for n, size in enumerate(settled(value))]


def _of_nothing(value: Traced, axis: Any, keepdims: bool) -> Traced:
    axes = axes_of(axis, value.ndim)
    sizes = _over(value, axes) if keepdims else [s for n, s in enumerate(settled(value)) if n not in axes]
    return broadcast(typed(float("nan"), value.dtype), tuple(sizes))
