"""Tensors with elements around them: of one value, or of their own by one of numpy's modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hologram.dialects.sizes import Size
from hologram.errors import did_you_mean
from hologram.frontend.tensors.ops import math, memory
from hologram.frontend.tensors.ops.arrange import ZERO, number, places
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.numbers import size_of
from hologram.frontend.tensors.trace.support import (
    ONE,
    broadcast,
    listed,
    need_rank,
    operand,
    operation,
    settled,
    sizes_of,
    tensor,
    trace,
    typed,
)
from hologram.frontend.tensors.trace.trace import Sizes, Traced

TWO = Size.of(2)


@operation
def pad(x: Any, widths: Any, value: Any = 0, mode: str = "constant") -> Any:
    """x with elements around it. `widths` are (before, after) for each axis, one such pair for all, or one number.

    The elements are by `mode` one value (`constant`), the nearest of x (`edge`), those of x in a mirror that stands on
    the outermost ones (`reflect`) or outside of them (`symmetric`), or those of the other end (`wrap`).
    """
    if mode != "constant" and mode not in _SOURCES:
        near = did_you_mean(mode, ["constant", *_SOURCES])
        fault("jit-pad-mode", f"there is no mode '{mode}'", near or f"the modes are constant, {', '.join(_SOURCES)}")
    out = trace().tensor(tensor(x))
    for axis, (before, after) in enumerate(_pairs(widths, out.ndim)):
        if mode == "constant":
            out = filled(out, axis, before, after, value)
        elif before != ZERO or after != ZERO:
            out = _extended(out, axis, before, after, _SOURCES[mode])
    return out


def _pairs(widths: Any, rank: int) -> list[Sizes]:
    """The widths before and after each axis."""
    given = listed(widths)
    if len(given) in (1, 2) and all(size_of(w) is not None for w in given):
        pair = sizes_of(given)
        return [pair if len(pair) == 2 else pair * 2] * rank
    pairs = [sizes_of(pair) for pair in given]
    pairs = pairs * rank if len(pairs) == 1 else pairs
    if len(pairs) != rank or any(len(pair) != 2 for pair in pairs):
        fault(
            "jit-pad", f"the widths of a tensor with {rank} axes are as many pairs, one for all, or one number",
            "as in [(1, 1), (0, 2)]",
        )  # fmt: skip
    return pairs


def filled(value: Traced, axis: int, before: Size, after: Size, filler: Any) -> Any:
    """A tensor with slices of one value at both ends of an axis."""
    parts: list[Any] = [value]
    around = typed(operand(filler), value.dtype)
    need_rank(around, "the value around a tensor", 0)
    for width, place in ((before, 0), (after, 2)):
        if width.constant != 0:
            own = list(settled(value))
            own[axis] = width
            parts.insert(0 if place == 0 else len(parts), broadcast(around, tuple(own)))
    return memory.concat(parts, axis) if len(parts) > 1 else value


def _extended(value: Traced, axis: int, before: Size, after: Size, source: Callable[[Any, Size], Any]) -> Any:
    """A tensor with slices of its own at both ends of an axis: `source` says which stands at a place outside."""
    facts, size = trace().facts, value.along(axis)
    needed = facts.holds(before, ">", ZERO) or facts.holds(after, ">", ZERO)
    if needed and not facts.holds(size, ">", ZERO):
        fault("jit-pad-empty", f"axis {axis} has no elements that could be repeated", 'mode "constant" needs none')
    size = facts.settled(size)
    parts: list[Any] = [value]
    if before != ZERO:
        outside = math.sub(places(before), number(before))
        parts.insert(0, memory.gather(value, source(outside, size), axis))
    if after != ZERO:
        outside = math.add(places(after), number(size))
        parts.append(memory.gather(value, source(outside, size), axis))
    return memory.concat(parts, axis)


def _edge(place: Any, size: Size) -> Any:
    return math.maximum(math.minimum(place, number(size - ONE)), 0)


def _reflect(place: Any, size: Size) -> Any:
    period = number((size - ONE) * TWO)
    if not trace().facts.holds(size, ">", ONE):
        return math.mul(place, 0)
    along = math.mod(place, period)
    return math.minimum(along, math.sub(period, along))


def _symmetric(place: Any, size: Size) -> Any:
    along = math.mod(place, number(size * TWO))
    return math.minimum(along, math.sub(number(size * TWO - ONE), along))


def _wrap(place: Any, size: Size) -> Any:
    return math.mod(place, number(size))


_SOURCES: dict[str, Callable[[Any, Size], Any]] = {
    "edge": _edge, "reflect": _reflect, "symmetric": _symmetric, "wrap": _wrap,
}  # fmt: skip
"""By mode, the index of the element that stands at a place outside of an axis of a size."""
