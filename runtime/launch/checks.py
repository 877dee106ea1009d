"""Checks the arrays and scalars that a kernel is called with.

Each check raises a LaunchError that names the argument, what was found, what is needed and what to do.
"""

from __future__ import annotations

import ctypes
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np

from hologram.errors import LaunchError
from hologram.runtime import dtypes, foreign
from hologram.runtime.entry import Argument
from hologram.runtime.limbs import limbs, range_of, shown
from hologram.runtime.memory.buffer import Buffer

Array = np.ndarray[Any, np.dtype[Any]]
OVERLAP_WORK = 100_000
"""Bounds the exact overlap test of strided arrays; beyond it they count as overlapping."""


def _pointer_by_interface(array: Array) -> int:
    return array.__array_interface__["data"][0]


def _pointer_by_layout(array: Array) -> int:
    """The `data` field, first in numpy's public array struct: eight times faster than asking for the interface."""
    return ctypes.c_void_p.from_address(id(array) + object.__basicsize__).value or 0


_probe = np.zeros(1)
data_pointer: Callable[[Array], int] = (
    _pointer_by_layout if _pointer_by_layout(_probe) == _pointer_by_interface(_probe) else _pointer_by_interface
)


def remedy(argument: Argument, made: str) -> str:
    """The hint to pass something that is made of an argument, where `x` stands for it; nothing that the program writes
    may be lost with a copy."""
    made = made.replace("x", argument.name, 1) if made.startswith("x.") else made.replace("(x", f"({argument.name}", 1)
    if not argument.written:
        return f"pass {made}"
    return f"make it before the call, which writes to it: {argument.name} = {made}"


def describe(value: Any) -> str:
    """A short description of a wrong argument."""
    if value is None:
        return "None"
    if _is_array(value) or foreign.has(value, "home"):
        sizes = "x".join(map(str, value.shape))
        return f"an array of {dtypes.name_of(value.dtype)}[{sizes}]"
    text = re.sub(r" at 0x[0-9a-f]+", "", shown(value))
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"


def acceptor(argument: Argument) -> Callable[[Any], bool]:
    """A quick test that lets the usual arrays and scalars pass; what it turns down, `convert` looks at closely."""
    element = dtypes.dtype(argument.dtype)
    if not argument.is_buffer:
        kind = float if element.kind == "float" and element.numpy.itemsize == 8 else None
        return lambda value: type(value) is kind
    dtype, rank = element.numpy, len(argument.shape)
    static = [(axis, size) for axis, size in enumerate(argument.shape) if size is not None]

    def accepts(value: Any) -> bool:
        if type(value) is not np.ndarray or value.dtype is not dtype or value.ndim != rank:  # pyright: ignore[reportUnknownMemberType]
            return False
        return not static or all(value.shape[axis] == size for axis, size in static)

    return accepts


def convert(argument: Argument, value: Any) -> Any:
    """Return the value to pass for an argument, or raise the error that says what is wrong with it."""
    return as_buffer(argument, value) if argument.is_buffer else as_scalar(argument, value)


def as_buffer(argument: Argument, value: Any) -> Array:
    """`value` as an array of the right type, rank and static sizes."""
    element = dtypes.dtype(argument.dtype)
    if isinstance(value, Buffer):
        value = value.array
    if not _is_array(value):
        if not argument.shape and not argument.written and isinstance(value, (int, float, np.generic)):
            number = as_scalar(argument, value)
            if element.limbs:
                return _joined(argument, limbs(number, argument.dtype), element)
            return np.asarray(number, element.numpy)
        if (view := foreign.view_of(argument.name, value, argument.written)) is not None:
            return as_buffer(argument, view)
        needed = f"a numpy array of {str(argument).partition(': ')[2]}"
        message = f"argument '{argument.name}' must be {needed}, found {describe(value)}"
        dtype = "uint64" if element.limbs else element.numpy.name
        made = "x.numpy()" if foreign.has(value, "home") else f"numpy.asarray(x, dtype='{dtype}')"
        is_filled = foreign.has(value, "__len__") or foreign.has(value, "__iter__") or foreign.has(value, "home")
        shape = ", ".join(["n"] * len(argument.shape))
        hint = f"numpy.zeros(({shape},), '{dtype}') is one" if argument.shape else f"numpy.zeros((), '{dtype}') is one"
        if is_filled and not isinstance(value, (str, bytes)):
            hint = remedy(argument, made)
        raise LaunchError("launch-not-array", message, hint=hint)
    if isinstance(value, np.ma.MaskedArray):
        message = f"argument '{argument.name}' is a masked array, and kernels do not know masks"
        raise LaunchError("launch-masked", message, hint=remedy(argument, "x.filled(0)"))
    if element.limbs:
        value = _joined(argument, value, element)
    check_type(argument, value, element)
    return value


def check_type(argument: Argument, value: Any, element: dtypes.DType) -> None:
    """Element type, rank and static sizes of an array, wherever it lies."""
    if value.dtype != element.numpy:
        _refuse_dtype(argument, value, element)
    if value.ndim != len(argument.shape):
        message = f"argument '{argument.name}' must have rank {len(argument.shape)}, found {describe(value)}"
        raise LaunchError("launch-rank", message, hint=f"the entry takes {argument}; reshape the array")
    for axis, (size, needed) in enumerate(zip(value.shape, argument.shape, strict=True)):
        if needed is not None and size != needed:
            message = f"argument '{argument.name}' must have size {needed} on axis {axis}, found {describe(value)}"
            raise LaunchError("launch-shape", message, hint=f"the entry takes {argument}")


def _joined(argument: Argument, value: Array, element: dtypes.DType) -> Array:
    """An array of limbs as one of wide integers in the same memory."""
    check_limbs(argument, value, element)
    if value.size and value.strides[-1] != value.itemsize:
        message = f"the limbs of argument '{argument.name}' lie {value.strides[-1]} bytes apart, not {value.itemsize}"
        raise LaunchError("launch-limb-stride", message, hint=remedy(argument, "numpy.ascontiguousarray(x)"))
    return value.view(element.numpy)[..., 0]


def check_limbs(argument: Argument, value: Any, element: dtypes.DType) -> None:
    """Refuse an array whose last axis is not the limbs of wide integers."""
    if value.dtype.name not in ("uint64", "int64") or value.ndim == 0 or value.shape[-1] != element.limbs:
        message = f"argument '{argument.name}' must hold {argument.dtype}: a last axis of {element.limbs} limbs of u64"
        raise LaunchError("launch-limbs", f"{message}, found {describe(value)}", hint="the lowest limb comes first")


def empty(argument: Argument, shape: tuple[int, ...]) -> Array:
    """A new array for a result."""
    element = dtypes.dtype(argument.dtype)
    if not element.limbs:
        return np.empty(shape, element.numpy)
    return _joined(argument, np.empty((*shape, element.limbs), np.uint64), element)


def no_room(argument: Argument, shape: tuple[int, ...]) -> str:
    """Why there is no array of a shape."""
    if min(shape, default=0) < 0:
        return "a size is below 0"
    element = dtypes.dtype(argument.dtype)
    size = math.prod(shape) * (8 * element.limbs or element.numpy.itemsize)
    return f"it has {size:,} bytes, more than there is memory for"


def separated(argument: Argument, value: Array) -> Array:
    """A result that `empty` made as the caller has it: wide integers as their limbs."""
    return value.base if dtypes.dtype(argument.dtype).limbs and value.base is not None else value


def _refuse_dtype(argument: Argument, value: Array, element: dtypes.DType) -> None:
    if value.dtype.newbyteorder("=") == element.numpy:
        message = f"argument '{argument.name}' has its bytes in the other order ({value.dtype.str})"
        raise LaunchError("launch-byte-order", message, hint=remedy(argument, f"x.astype('{element.numpy.name}')"))
    message = f"argument '{argument.name}' must have elements of type {argument.dtype}, found {describe(value)}"
    is_number = value.dtype.kind in "biuf" or value.dtype.isbuiltin == 2
    hint = (
        remedy(argument, f"x.astype('{element.numpy.name}')") if is_number else f"its elements are no {argument.dtype}"
    )
    raise LaunchError("launch-dtype", message, hint=hint)


def as_scalar(argument: Argument, value: Any) -> Any:
    """`value` as a Python number that the argument's type can hold."""
    element = dtypes.dtype(argument.dtype)
    plain = _plain_number(value)
    if not _fits_kind(element.kind, plain):
        kinds = {"int": "an integer", "float": "a number", "bool": "True or False"}
        message = f"argument '{argument.name}' must be {kinds[element.kind]}, found {describe(value)}"
        raise LaunchError("launch-scalar", message, hint=f"the entry takes a scalar of type {argument.dtype}")
    plain = operator.index(plain) if element.kind == "int" else bool(plain) if element.kind == "bool" else plain
    low, high = element.range
    if low <= plain <= high or plain != plain or plain in (float("inf"), -float("inf")):
        return float(plain) if element.kind == "float" else plain
    message = f"argument '{argument.name}' is {shown(plain)}, out of the range of {argument.dtype}"
    held = range_of(argument.dtype) if element.limbs else f"{low} to {high}"
    raise LaunchError("launch-scalar-range", message, hint=f"{argument.dtype} holds {held}")


def _plain_number(value: Any) -> Any:
    """A numpy scalar, or array of rank 0, as a Python number; anything else as it is."""
    if not hasattr(value, "item") or getattr(value, "ndim", None) != 0:
        return value
    number = value.item()
    # Extended floats (bf16) have no Python equivalent, so `item` gives them back.
    return float(number) if hasattr(number, "item") else number


def _is_array(value: object) -> TypeGuard[Array]:
    return isinstance(value, np.ndarray)


def _fits_kind(kind: str, value: object) -> bool:
    if isinstance(value, bool) or kind == "bool":
        return isinstance(value, bool) and kind == "bool"
    return isinstance(value, int) or (kind == "float" and isinstance(value, float))


def check_strides(argument: Argument, value: Any) -> None:
    """Holds the array against the record's strides (in elements); axes of size 0 and 1 have none to speak of."""
    assert argument.strides is not None
    for axis, (size, step, needed) in enumerate(zip(value.shape, value.strides, argument.strides, strict=True)):
        if size <= 1 or not value.size:
            continue
        if step % value.itemsize:
            message = f"argument '{argument.name}' steps {step} bytes on axis {axis}, elements have {value.itemsize}"
            raise LaunchError("launch-stride-bytes", message, hint=remedy(argument, "numpy.ascontiguousarray(x)"))
        if needed is not None and step != needed * value.itemsize:
            stride = step // value.itemsize
            message = f"argument '{argument.name}' must have stride {needed} on axis {axis}, found {stride}"
            raise LaunchError("launch-layout", message, hint=remedy(argument, "numpy.ascontiguousarray(x)"))


def check_access(argument: Argument, value: Array, pointer: int) -> None:
    """Alignment, and of arrays that are written: writability, and elements that share no memory."""
    alignment = dtypes.dtype(argument.dtype).alignment
    if pointer % alignment and value.size:
        message = f"argument '{argument.name}' is not aligned to {alignment} bytes, as its elements must be"
        raise LaunchError("launch-alignment", message, hint=remedy(argument, "x.copy()"))
    if not argument.written:
        return
    if not value.flags.writeable:
        message = f"argument '{argument.name}' is written by the program, and the array is read-only"
        raise LaunchError("launch-read-only", message, hint=remedy(argument, "x.copy()"))
    if not value.flags.c_contiguous and _overlaps_itself(value):
        message = f"argument '{argument.name}' is written by the program, and its elements share memory"
        raise LaunchError("launch-self-overlap", message, hint=remedy(argument, "x.copy()"))


def _overlaps_itself(value: Array) -> bool:
    """Return whether two elements may lie in one place: an axis steps less than what the finer axes span."""
    axes = sorted((abs(step), size) for size, step in zip(value.shape, value.strides, strict=True) if size > 1)
    span = value.itemsize
    for step, size in axes if value.size else ():
        if step < span:
            return True
        span += step * (size - 1)
    return False


def check_aliasing(
    arguments: Sequence[Argument], values: Sequence[Any], pointers: Mapping[int, int], pairs: Iterable[tuple[int, int]]
) -> None:
    """Refuses arrays that share memory where one of the two is written; `pairs` are the argument numbers to compare."""
    for i, j in pairs:
        if not _overlap(values[i], pointers[i], values[j], pointers[j]):
            continue
        written, other = (arguments[i], arguments[j]) if arguments[i].written else (arguments[j], arguments[i])
        message = f"argument '{written.name}' is written by the program and shares memory with argument '{other.name}'"
        raise LaunchError("launch-alias", message, hint=f"pass a copy of '{other.name}', or another output")


def _overlap(first: Array, start: int, second: Array, other: int) -> bool:
    if first.flags.c_contiguous and second.flags.c_contiguous:
        return start < other + second.nbytes and other < start + first.nbytes
    if not np.may_share_memory(first, second):
        return False
    try:
        return np.shares_memory(first, second, max_work=OVERLAP_WORK)  # pyright: ignore
    except np.exceptions.TooHardError:
        return True
