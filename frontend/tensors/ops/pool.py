"""Pooling: windows of images and of rows combined to one element each, the greatest or the mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce as folded
from typing import Any

from hologram.dialects.atlas.instructions.dtypes import DTYPES
from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import math, padding, reduce
from hologram.frontend.tensors.ops.memory import reshaped, sliced
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import (
    ONE,
    at_least_f32,
    brought,
    converted,
    need_rank,
    numbers_of,
    operation,
    settled,
    trace,
)
from hologram.frontend.tensors.trace.trace import Traced

MOST_SLICES = 16
"""Windows beside one another that are longer are reduced, rather than combined slice by slice."""

Combined = Callable[[Any, Any], Any]


@operation
def max_pool2d(x: Any, window: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The greatest element of each window over the last two axes (height, width); NaN if there is one.

    `window`, `stride` (by default the window) and `padding` are one number or two; padding may be four: top, left,
    bottom, right. It is half of a window at most, and of it nothing is greatest.
    """
    return _greatest(x, 2, window, stride, padding)


@operation
def max_pool1d(x: Any, window: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The greatest element of each window over the last axis, as `max_pool2d`; `padding` may be two: before, after."""
    return _greatest(x, 1, window, stride, padding)


@operation
def avg_pool2d(x: Any, window: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The mean of each window over the last two axes (height, width); padding counts as zeros. Arguments are those of
    `max_pool2d`; integers give floats."""
    return _mean(x, 2, window, stride, padding)


@operation
def avg_pool1d(x: Any, window: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The mean of each window over the last axis, as `avg_pool2d`; `padding` may be two: before, after."""
    return _mean(x, 1, window, stride, padding)


def _greatest(x: Any, count: int, window: Any, stride: Any, pads: Any) -> Any:
    (value,) = brought(x, kind="number")
    return _pooled(value, count, (window, stride, pads), DTYPES[value.dtype].least, math.maximum, reduce.max)


def _mean(x: Any, count: int, window: Any, stride: Any, pads: Any) -> Any:
    (value,) = brought(x, kind="float")
    total = _pooled(at_least_f32(value), count, (window, stride, pads), 0, math.add, reduce.sum)
    elements = folded(lambda a, b: a * b, numbers_of(window, "a window", count, least=1))
    return converted(math.div(total, float(elements)), value.dtype)


def _pooled(
    value: Traced, count: int, how: Sequence[Any], outside: float, combine: Combined, whole: Callable[..., Any]
) -> Any:
    """The windows over the last axes combined, along one axis after the other."""
    need_rank(value, "what is pooled", *range(count, 9))
    window, stride, pads = how
    windows = numbers_of(window, "a window", count, least=1)
    steps = windows if stride is None else numbers_of(stride, "a stride", count, least=1)
    widths = numbers_of(pads, "a padding", count, most=2 * count)
    widths = widths * 2 if len(widths) == count else widths
    for n in range(count):
        before, after = widths[n], widths[n + count]
        if max(before, after) * 2 > windows[n]:
            fault(
                "jit-pool-padding", f"a padding of {max(before, after)} is more than half of a window of {windows[n]}"
            )
        axis = value.ndim - count + n
        value = padding.filled(value, axis, Size.of(before), Size.of(after), outside)
        value = _along(value, axis, windows[n], steps[n], combine, whole)
    return value


def _along(value: Traced, axis: int, window: int, step: int, combine: Combined, whole: Callable[..., Any]) -> Any:
    """The windows along one axis combined."""
    facts = trace().facts
    free = value.along(axis) - Size.of(window)
    if not facts.holds(free, ">=", Size.of(0)):
        fault("jit-pool-size", f"a window of {window} does not fit into {facts.value(value.along(axis))} places")
    count = facts.settled(free // Size.of(step) + ONE)
    if window == step and window > MOST_SLICES:
        own = settled(value)
        used = sliced(value, axis, 0, 1, count * Size.of(window))
        apart = reshaped(used, (*own[:axis], count, Size.of(window), *own[axis + 1 :]))
        return whole(apart, axis + 1)
    return folded(combine, [sliced(value, axis, start, step, count) for start in range(window)])
