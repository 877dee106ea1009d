"""Elements put elsewhere: numbers in rows and grids; tensors reversed, rotated, repeated, split; differences."""

from __future__ import annotations

from typing import Any

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import math, memory
from hologram.frontend.tensors.ops.memory import flat, index_tensor, reshaped, sliced
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.numbers import extent
from hologram.frontend.tensors.trace.support import (
    ONE,
    axes_of,
    axis_of,
    broadcast,
    brought,
    converted,
    dtype_name,
    listed,
    named_axes,
    operand,
    operation,
    settled,
    sizes_of,
    spread,
    tensor,
    trace,
    typed,
)
from hologram.frontend.tensors.trace.trace import Traced
from hologram.support import promotion

ZERO = Size.of(0)


def places(size: Size, dtype: str = "i64") -> Any:
    """Return 0, 1, ... for each place along an axis of a size."""
    return memory.arange(extent(trace(), size), dtype)


def number(size: Size) -> Any:
    """Return a size as an operand: it takes the type of what it meets."""
    return extent(trace(), size)


# Made


@operation
def linspace(start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: Any = None) -> Any:
    """`num` numbers from start to stop, equally far apart, along a new first axis; without `endpoint` stop is left out.

    They are floats, f32 of literals, unless a type is given; numbers of an integer type are rounded down.
    """
    alike = brought(start, stop, kind="float")[0].dtype
    wanted = alike if dtype is None else dtype_name(dtype)
    inner = "f64" if "f64" in (alike, wanted) else "f32" if promotion.is_float(wanted) else trace().real
    first, last = (typed(operand(v), inner) for v in (start, stop))
    count, facts = one_size(num), trace().facts
    rank = max(first.ndim, last.ndim)
    index = reshaped(math.cast(places(count), inner), (count, *[ONE] * rank))
    apart = math.sub(last, first)
    parts = count - ONE if endpoint else count
    if not facts.holds(parts, ">", ZERO):
        numbers = math.add(math.mul(index, apart), first)
    else:
        step = math.div(apart, number(parts))
        steps = math.where(
            math.equal(step, 0.0), math.mul(math.div(index, number(parts)), apart), math.mul(index, step)
        )
        numbers = math.add(steps, first)
        numbers = math.where(math.equal(index, number(parts)), last, numbers) if endpoint else numbers
    if not promotion.is_float(wanted) and wanted != "bool":
        numbers = math.floor(numbers)
    return converted(numbers, wanted)


def one_size(value: Any, what: str = "a number of elements") -> Size:
    """A size, such as a number of elements."""
    sizes = sizes_of(value, what)
    if len(sizes) != 1:
        fault("jit-one-size", f"one number is needed, not {len(sizes)}", "as in x.shape[0]")
    return sizes[0]


@operation
def meshgrid(*xs: Any, indexing: str = "xy") -> Any:
    """The coordinates of a grid: each vector repeated along the axes of the others, in a list.

    The first two axes are exchanged, as numpy does, unless `indexing` is "ij".
    """
    if indexing not in ("xy", "ij"):
        fault("jit-meshgrid", f"there is no indexing '{indexing}'", "it is xy, as coordinates, or ij, as indices")
    vectors = [tensor(x) for x in xs]
    if wrong := [v for v in vectors if v.ndim > 1]:
        fault("jit-meshgrid-rank", f"the coordinates along an axis are a vector, and this has {wrong[0].ndim} axes")
    axes = list(range(len(vectors)))
    if indexing == "xy":
        axes[:2] = axes[:2][::-1]
    sizes = [ONE] * len(vectors)
    for axis, vector in zip(axes, vectors, strict=True):
        sizes[axis] = vector.along(0) if vector.ndim else ONE
    grid = tuple(sizes)
    return [
        spread(reshaped(trace().tensor(v), (grid[a],)), grid, [a]) for a, v in zip(axes, vectors, strict=True)
    ]  # fmt: skip


@operation
def one_hot(x: Any, n: Any, dtype: Any = "f32") -> Any:
    """For each index a vector of `n` numbers, along a new last axis: 1 at the index, else 0, also where it is none of
    0 to n - 1."""
    index = index_tensor(x)
    column = reshaped(trace().tensor(index), (*settled(index), ONE))
    return math.cast(math.equal(column, places(one_size(n), index.dtype)), dtype)


# Moved


@operation
def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """x with axes moved to other places; the others stay in order."""
    value = tensor(x)
    old, new = named_axes(source, value.ndim), named_axes(destination, value.ndim)
    if len(old) != len(new):
        fault("jit-moveaxis", f"{len(old)} axes can't move to {len(new)} places", "name a place for each axis")
    order = [n for n in range(value.ndim) if n not in old]
    for place, axis in sorted(zip(new, old, strict=True)):
        order.insert(place, axis)
    return memory.transpose(value, order)


@operation
def flip(x: Any, axis: Any = None) -> Any:
    """x with its elements in the other order along axes, along all by default."""
    value = tensor(x)
    for n in axes_of(axis, value.ndim):
        size = value.along(n)
        if (known := size.constant) is None:
            value = memory.gather(value, math.sub(number(size - ONE), places(size)), n)
        elif known:
            value = sliced(value, n, known - 1, -1, size)
    return value


@operation
def roll(x: Any, shift: Any, axis: Any = None) -> Any:
    """x with its elements moved on by `shift` places along an axis; what leaves at the end comes in at the beginning.

    Several axes take as many shifts, or one for all; without an axis the elements move in row-major order.
    """
    value = tensor(x)
    if axis is None:
        return reshaped(roll(flat(value), shift, 0), settled(value))
    axes, shifts = [axis_of(a, value.ndim) for a in listed(axis)], list(sizes_of(shift, "a shift"))
    if len(axes) != len(shifts) and 1 not in (len(axes), len(shifts)):
        fault("jit-roll", f"{len(shifts)} shifts do not go with {len(axes)} axes", "give one for each axis")
    most = max(len(axes), len(shifts))
    if not axes or not shifts:
        return value
    for n, by in zip(axes * (most // len(axes)), shifts * (most // len(shifts)), strict=True):
        value = _rolled(value, n, by)
    return value


def _rolled(value: Traced, axis: int, by: Size) -> Any:
    size = value.along(axis)
    if size.constant is None or by.constant is None:
        # One quotient, rather than one for each place; of nothing there is none.
        moved = math.mod(typed(number(by), "i64"), math.maximum(typed(number(size), "i64"), 1))
        index = math.sub(places(size), moved)
        return memory.gather(value, math.where(math.less(index, 0), math.add(index, number(size)), index), axis)
    if not size.constant or not (last := by.constant % size.constant):
        return value
    kept = size.constant - last
    return memory.concat([sliced(value, axis, kept, 1, Size.of(last)), sliced(value, axis, 0, 1, Size.of(kept))], axis)


# Repeated


@operation
def tile(x: Any, reps: Any) -> Any:
    """x beside itself `reps` times along its last axes: a number for each, or one for the last; more of them make new
    axes in front."""
    value, times = trace().tensor(tensor(x)), sizes_of(reps, "a number of repeats")
    rank = max(value.ndim, len(times))
    own = (*[ONE] * (rank - value.ndim), *settled(value))
    times = (*[ONE] * (rank - len(times)), *times)
    apart = tuple(size for n in own for size in (ONE, n))
    wide = tuple(size for pair in zip(times, own, strict=True) for size in pair)
    repeated = broadcast(reshaped(value, apart), wide)
    return reshaped(repeated, tuple(t * n for t, n in zip(times, own, strict=True)))


@operation
def repeat(x: Any, repeats: Any, axis: Any = None) -> Any:
    """x with each of its elements `repeats` times one after the other along an axis; without an axis in row-major
    order, along one axis."""
    value, times = trace().tensor(tensor(x)), one_size(repeats, "a number of repeats")
    if axis is None:
        value, axis = flat(value), 0
    place, own = axis_of(axis, value.ndim), settled(value)
    before, behind = own[: place + 1], own[place + 1 :]
    repeated = broadcast(reshaped(value, (*before, ONE, *behind)), (*before, times, *behind))
    return reshaped(repeated, (*own[:place], own[place] * times, *behind))


# Parts


@operation
def split(x: Any, parts: int, axis: Any = 0) -> Any:
    """x cut into so many equal parts along an axis, in a list."""
    value, facts = tensor(x), trace().facts
    place, own = axis_of(axis, value.ndim), settled(value)
    size = own[place]
    if parts < 1 or not facts.holds(size, "==", size // Size.of(parts) * Size.of(parts)):
        fault("jit-split", f"{facts.value(size)} slices along axis {place} do not make {parts} equal parts")
    each = size // Size.of(parts)
    apart = reshaped(value, (*own[:place], Size.of(parts), each, *own[place + 1 :]))
    sizes = (*own[:place], each, *own[place + 1 :])
    return [reshaped(sliced(apart, place, n, 1, ONE), sizes) for n in range(parts)]


@operation
def diff(x: Any, n: int = 1, axis: Any = -1) -> Any:
    """Each element less the one before it along an axis, `n` times; of truth values whether they differ."""
    value = tensor(x)
    place, facts = axis_of(axis, value.ndim), trace().facts
    if n < 0:
        fault("jit-diff", f"differences are taken {n} times", "0 times is the least")
    for _ in range(n):
        rest = value.along(place) - ONE
        if not facts.holds(rest, ">=", ZERO):
            break
        before, behind = (sliced(value, place, start, 1, facts.settled(rest)) for start in (0, 1))
        value = math.not_equal(behind, before) if value.dtype == "bool" else math.sub(behind, before)
    return value
