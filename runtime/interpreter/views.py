"""Globals, reinterpreted memory, and insertions into tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects.shapes import is_dense
from hologram.errors import InputError, where_of
from hologram.runtime.interpreter.machine import Handler, Machine, attribute_values
from hologram.runtime.interpreter.scalars import unsupported
from hologram.runtime.interpreter.values import (
    Array,
    Buffer,
    Value,
    check_shape,
    dense,
    element_type,
    static_shape,
    storage_dtype,
)


def numbers(machine: Machine, static: Attribute, dynamic: Sequence[SSAValue]) -> list[int]:
    """Static integers, with the values of dynamic ones where they belong."""
    given = iter(machine.values(dynamic))
    return [int(np.asarray(next(given))) if n == DYNAMIC_INDEX else n for n in attribute_values(static)]


def get_global(machine: Machine, op: memref.GetGlobalOp, args: list[Any]) -> Sequence[Value]:
    """The memory of a constant; a constant is read only."""
    found = machine.symbol(op.name_.string_value())
    value = found.initial_value if isinstance(found, memref.GlobalOp) else None
    if not is_dense(value):
        raise InputError(
            "interpreter-global", f"'{op.name_.string_value()}' is no global with an initial value", where=where_of(op)
        )
    data = dense(value)
    data.flags.writeable = False
    return (Buffer(data),)


def reinterpret_cast(machine: Machine, op: memref.ReinterpretCastOp, args: list[Any]) -> Sequence[Value]:
    """The memory of a dense memref under another shape and strides, none of it outside."""
    buffer: Buffer = args[0]
    (offset,) = numbers(machine, op.static_offsets, op.offsets)
    sizes = numbers(machine, op.static_sizes, op.sizes)
    strides = numbers(machine, op.static_strides, op.strides)
    ends = [(n - 1) * s for n, s in zip(sizes, strides, strict=True)]
    low, high = offset + sum(min(e, 0) for e in ends), offset + sum(max(e, 0) for e in ends)
    inside = 0 in sizes or low >= 0 and high < buffer.data.size
    if min(sizes, default=0) < 0 or not inside or not buffer.data.flags.c_contiguous:
        raise InputError(
            "interpreter-view",
            f"the view reaches from element {low} to {high} of memory with {buffer.data.size} elements in a row",
            where=where_of(op),
        )
    defined = None if buffer.defined is None else _strided(buffer.defined, offset, sizes, strides)
    view = Buffer(_strided(buffer.data, offset, sizes, strides), defined)
    check_shape(op, op.results[0].type, view.shape)
    return (view,)


def view(machine: Machine, op: memref.ViewOp, args: list[Any]) -> Sequence[Value]:
    """Bytes of memory as elements of another type; bytes of which some were never written are not followed."""
    buffer: Buffer = args[0]
    start = int(np.asarray(args[1]))
    if buffer.defined is not None:
        raise unsupported(op)
    sizes = iter(args[2:])
    shape = [int(np.asarray(next(sizes))) if n == DYNAMIC_INDEX else n for n in static_shape(op.results[0].type)]
    dtype = np.dtype(storage_dtype(element_type(op.results[0].type)))
    end = start + int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if start < 0 or min(shape, default=0) < 0 or end > buffer.data.size:
        raise InputError(
            "interpreter-view-bytes",
            f"the view reaches from byte {start} to {end} of memory with {buffer.data.size} bytes",
            where=where_of(op),
        )
    return (Buffer(buffer.data.view(np.uint8)[start:end].view(dtype).reshape(shape)),)


def _strided(array: Array, offset: int, sizes: Sequence[int], strides: Sequence[int]) -> Array:
    if 0 in sizes:
        return array.reshape(-1)[:0].reshape(sizes)
    flat = array.reshape(-1)[offset:]
    return np.lib.stride_tricks.as_strided(
        flat, tuple(sizes), tuple(s * array.itemsize for s in strides), writeable=array.flags.writeable
    )


def insert_slice(machine: Machine, op: tensor.InsertSliceOp, args: list[Any]) -> Sequence[Value]:
    """A copy of the tensor with a part replaced."""
    source: Buffer = args[0]
    dest: Buffer = args[1]
    offsets = numbers(machine, op.static_offsets, op.offsets)
    sizes = numbers(machine, op.static_sizes, op.sizes)
    strides = numbers(machine, op.static_strides, op.strides)
    fits = len(sizes) == len(dest.shape) and source.data.size == int(np.prod(sizes, dtype=np.int64))
    for size, start, count, stride in zip(dest.shape, offsets, sizes, strides, strict=True):
        fits = fits and (count == 0 or count > 0 and start >= 0 and stride > 0 and start + (count - 1) * stride < size)
    if not fits:
        raise InputError(
            "interpreter-insertion",
            f"a part of shape {source.shape} at {tuple(offsets)} does not fit into shape {dest.shape}",
            where=where_of(op),
        )
    part = tuple(slice(a, a + n * s, s) for a, n, s in zip(offsets, sizes, strides, strict=True))
    data, defined = dest.data.copy(), np.array(True if dest.defined is None else dest.defined)
    defined = np.broadcast_to(defined, dest.shape).copy()
    data[part] = source.data.reshape(sizes)
    defined[part] = True if source.defined is None else source.defined.reshape(sizes)
    whole = Buffer(data, None if defined.all() else defined)
    check_shape(op, op.results[0].type, whole.shape)
    return (whole,)


VIEWS: dict[type[Operation], Handler] = {
    memref.GetGlobalOp: get_global,
    memref.ReinterpretCastOp: reinterpret_cast,
    memref.ViewOp: view,
    tensor.InsertSliceOp: insert_slice,
}
"""What executes each operation."""
