"""Tensors made and moved: constants, shapes, slices, joins, gathers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.trace.literals import integers
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import (
    ONE,
    as_array,
    axes_of,
    axis_of,
    broadcast,
    broadcast_sizes,
    brought,
    converted,
    dtype_name,
    is_untyped,
    listed,
    must_be_natural,
    must_equal,
    operation,
    settled,
    shown,
    sizes_of,
    tensor,
    trace,
    typed,
    typed_as,
    whole,
)
from hologram.frontend.tensors.trace.trace import Sizes, Traced
from hologram.support import promotion

# Made


@operation
def full(shape: Any, value: Any, dtype: Any = None) -> Any:
    """A tensor of a shape with one value everywhere."""
    number = tensor(value) if dtype is None else typed_as(value, dtype_name(dtype))
    return _repeated(number, sizes_of(shape))


@operation
def zeros(shape: Any, dtype: Any = "f32") -> Any:
    """Zeros."""
    return full(shape, 0, dtype)


@operation
def ones(shape: Any, dtype: Any = "f32") -> Any:
    """Ones."""
    return full(shape, 1, dtype)


@operation
def fill(x: Any, value: Any) -> Any:
    """A tensor of x's shape and type with one value everywhere."""
    like = tensor(x)
    return broadcast(typed_as(value, like.dtype), settled(like))


@operation
def copy(x: Any) -> Any:
    """x, in memory of its own."""
    value = tensor(x)
    return trace().add("atlas.copy", [value], value.dtype, settled(value))


@operation
def constant(values: Any, dtype: Any = None) -> Any:
    """A tensor of numbers in lists, or of one number, which has no axes then."""
    name = None if dtype is None else dtype_name(dtype)
    if is_untyped(values):
        return trace().tensor(tensor(values) if name is None else typed(values, name))
    array = values if isinstance(values, Traced) else as_array(values)
    if array is None:
        fault("jit-constant", f"'{type(values).__name__}' is no array of numbers")
    return tensor(array) if name is None else converted(tensor(array), name)


@operation
def arange(count: Any, dtype: Any = "i64") -> Any:
    """0, 1, ... up to a count, which is left out."""
    name = dtype_name(dtype)
    sizes = sizes_of(count, "a number of elements")
    if len(sizes) != 1:
        fault("jit-arange", f"'arange' takes one count, not {len(sizes)}", "as in arange(x.shape[0])")
    (size,) = sizes
    return converted(iota((size,), 0), name) if name == "bool" else iota((size,), 0, name)


def iota(sizes: Sizes, axis: int, dtype: str = "i64") -> Traced:
    """A tensor of sizes whose elements are their places along an axis."""
    must_be_natural(sizes)
    return trace().add("hologram.iota", [], dtype, sizes, attributes=f"axis = {axis} : i64", given=True)


# Shapes


def total(sizes: Sequence[Size]) -> Size:
    """Return how many elements a shape has."""
    count = ONE
    for size in sizes:
        count = count * size
    return count


@operation
def reshape(x: Any, shape: Any) -> Any:
    """The elements of x in row-major order in another shape; one size may be -1, which follows from the others."""
    value = tensor(x)
    wanted = list(sizes_of(shape))
    count = total(settled(value))
    facts = trace().facts
    free = [n for n, size in enumerate(wanted) if size.constant == -1]
    if len(free) > 1:
        fault("jit-reshape-free", "a shape has one size of -1 at most")
    if free:
        rest = facts.settled(total([s for n, s in enumerate(wanted) if n != free[0]]))
        if facts.value(rest) == 0:
            fault("jit-reshape-empty", "the size of -1 does not follow where another one is 0")
        wanted[free[0]] = count // rest
    if not facts.holds(count, "==", total(wanted)):
        fault("jit-reshape", f"a tensor of shape {shown(value.sizes)} has no shape {shown(tuple(wanted))}")
    return reshaped(value, tuple(map(facts.settled, wanted)))


def flat(value: Traced) -> Traced:
    """The elements along one axis, in row-major order."""
    return reshaped(value, (total(settled(value)),))


def reshaped(value: Traced, sizes: Sizes) -> Traced:
    """The same elements in a shape of as many."""
    if sizes == settled(value):
        return value
    return trace().add("hologram.reshape", [value], value.dtype, sizes, given=True)


@operation
def expand_dims(x: Any, axis: Any) -> Any:
    """x with a new axis of size 1, which is the axis of that number in the result."""
    value = tensor(x)
    place = axis_of(axis, value.ndim + 1)
    own = settled(value)
    return reshaped(value, (*own[:place], ONE, *own[place:]))


@operation
def squeeze(x: Any, axis: Any = None) -> Any:
    """x without axes of size 1: those named, or all of them."""
    value = tensor(x)
    own, facts = settled(value), trace().facts
    if axis is None:
        axes = [n for n, size in enumerate(own) if facts.value(size) == 1]
    else:
        axes = axes_of(axis, value.ndim)
    for n in axes:
        must_equal(own[n], ONE, f"axis {n} has not size 1")
    return reshaped(value, tuple(size for n, size in enumerate(own) if n not in axes))


@operation
def broadcast_to(x: Any, shape: Any) -> Any:
    """x repeated to a shape that it broadcasts to."""
    return _repeated(tensor(x), sizes_of(shape))


def _repeated(value: Traced, sizes: Sizes) -> Traced:
    """A tensor in a shape that it must broadcast to."""
    together = broadcast_sizes(settled(value), sizes)
    facts = trace().facts
    if len(together) > len(sizes) or not all(facts.holds(a, "==", b) for a, b in zip(together, sizes, strict=True)):
        fault("jit-broadcast-to", f"a tensor of shape {shown(value.sizes)} does not broadcast to {shown(sizes)}")
    return broadcast(value, sizes)


@operation
def transpose(x: Any, axes: Any = None) -> Any:
    """The axes in another order: axis i of the result is axis `axes[i]` of x; by default the opposite order."""
    value = tensor(x)
    order = list(range(value.ndim))[::-1] if axes is None else [axis_of(a, value.ndim) for a in listed(axes)]
    if sorted(order) != list(range(value.ndim)):
        fault("jit-permutation", f"{order} is no order of the {value.ndim} axes")
    if order == list(range(value.ndim)):
        return value
    own = settled(value)
    sizes = [own[a] for a in order]
    return trace().add("hologram.transpose", [value], value.dtype, sizes, attributes=f"permutation = {integers(order)}")


permute = transpose


@operation
def swapaxes(x: Any, a: Any, b: Any) -> Any:
    """x with two axes exchanged."""
    value = tensor(x)
    order = list(range(value.ndim))
    first, second = axis_of(a, value.ndim), axis_of(b, value.ndim)
    order[first], order[second] = second, first
    return transpose(value, order)


# Parts


def sliced(value: Traced, axis: int, start: int, step: int, count: Size) -> Traced:
    """`count` elements along an axis, `step` apart."""
    starts, steps = [0] * value.ndim, [1] * value.ndim
    starts[axis], steps[axis] = start, step
    sizes = list(settled(value))
    sizes[axis] = count
    attributes = f"starts = {integers(starts)}, strides = {integers(steps)}"
    return trace().add("hologram.slice", [value], value.dtype, sizes, attributes=attributes, given=True)


@operation
def narrow(x: Any, axis: Any, start: Any, length: Any) -> Any:
    """`length` slices along an axis from a start on."""
    value = tensor(x)
    place, first = axis_of(axis, value.ndim), whole(start, "a start")
    (count,) = sizes_of(length, "a length")
    facts = trace().facts
    fits = facts.holds(count, ">=", Size.of(0)) and facts.holds(count + Size.of(first), "<=", value.along(place))
    if first < 0 or not fits:
        sizes = shown(value.sizes)
        fault("jit-narrow", f"there are no {facts.value(count)} slices from {first} on along axis {place} of {sizes}")
    return sliced(value, place, first, 1, count)


@operation
def select(x: Any, axis: Any, index: Any) -> Any:
    """The slice of an index along an axis, without the axis."""
    value = tensor(x)
    place = axis_of(axis, value.ndim)
    selected = row(value, place, whole(index, "an index"))
    return reshaped(selected, tuple(s for n, s in enumerate(settled(selected)) if n != place))


def row(value: Traced, axis: int, index: int) -> Traced:
    """One slice along an axis; a negative index counts from the last."""
    facts, size = trace().facts, value.along(axis)
    if not facts.holds(size, ">=", Size.of(-index) if index < 0 else Size.of(index + 1)):
        fault("jit-index-range", f"index {index} is out of range along an axis of size {facts.value(size)}")
    size = facts.settled(size)
    if index >= 0 or size.constant is not None:
        return sliced(value, axis, index + (size.constant or 0) * (index < 0), 1, ONE)
    # A slice begins at a number of the code; what is gathered, at one of the call.
    place = trace().fill(trace().size_number(size + Size.of(index), "i64"), (ONE,))
    return gather(value, place, axis)


@operation
def concat(values: Sequence[Any], axis: Any = 0) -> Any:
    """Tensors joined along an axis."""
    parts = brought(*values) if len(values) else []
    if not parts:
        fault("jit-concat-empty", "there are no tensors to join")
    rank = parts[0].ndim
    if rank == 0 or any(p.ndim != rank for p in parts):
        fault("jit-concat-rank", "tensors to be joined have one number of axes, 1 at least")
    place, facts = axis_of(axis, rank), trace().facts
    sizes = list(settled(parts[0]))
    for part in parts[1:]:
        for n in range(rank):
            if n != place:
                must_equal(sizes[n], part.along(n), f"the tensors to be joined have other sizes along axis {n}")
    sizes[place] = facts.settled(sum((p.along(place) for p in parts[1:]), parts[0].along(place)))
    return trace().add("hologram.concat", parts, parts[0].dtype, sizes, attributes=f"axis = {place} : i64")


@operation
def stack(values: Sequence[Any], axis: Any = 0) -> Any:
    """Tensors of one shape joined along a new axis."""
    parts = brought(*values) if len(values) else []
    if not parts:
        fault("jit-stack-empty", "there are no tensors to stack")
    place = axis_of(axis, parts[0].ndim + 1)
    return concat([expand_dims(p, place) for p in parts], place)


@operation
def gather(x: Any, indices: Any, axis: Any = 0) -> Any:
    """The slices of x at indices along an axis, as numpy.take. An index out of range traps, and so does one below 0."""
    value, places = tensor(x), index_tensor(indices)
    place = axis_of(axis, value.ndim)
    own = settled(value)
    sizes = (*own[:place], *settled(places), *own[place + 1 :])
    return trace().add("hologram.gather", [value, places], value.dtype, sizes, attributes=f"axis = {place} : i64")


@operation
def scatter(x: Any, indices: Any, updates: Any, axis: Any = 0) -> Any:
    """x with its slices at indices along an axis replaced. Of equal indices the last counts; one out of range traps."""
    value, places = tensor(x), index_tensor(indices)
    place = axis_of(axis, value.ndim)
    own = settled(value)
    sizes = (*own[:place], *settled(places), *own[place + 1 :])
    new = broadcast(typed_as(updates, value.dtype), sizes)
    operands = [value, places, new]
    return trace().add("atlas.scatter", operands, value.dtype, own, attributes=f"axis = {place} : i64")


def index_tensor(indices: Any) -> Traced:
    """Indices, of i32 or i64."""
    value = tensor(indices)
    if promotion.is_float(value.dtype) or value.dtype == "bool":
        fault("jit-indices", f"indices are integers, not {value.dtype}")
    return value if value.dtype in ("i32", "i64") else converted(value, "i64")
