"""Host operations: calls, structured control flow, memrefs and tensors as containers, globals, views of memory."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, cast

import numpy as np
from xdsl.dialects import cf, func, memref, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType
from xdsl.ir import Attribute, Operation, Region, SSAValue

from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.scf import UnsignedForOp
from hologram.dialects.shapes import is_dense
from hologram.errors import InputError, where_of
from hologram.interpreter.core import traps
from hologram.interpreter.core.machine import Handler, Machine, attribute_values
from hologram.interpreter.core.scalars import unsupported
from hologram.interpreter.core.values import (
    Array,
    Buffer,
    Value,
    check_shape,
    check_writeable,
    dense,
    element_type,
    static_shape,
    storage_dtype,
)
from hologram.lowering.rewriting.traps import CONTINUES


def call(machine: Machine, op: func.CallOp, args: list[Any]) -> Sequence[Value]:
    if op.callee.string_value() == CONTINUES:
        return (np.array(True),)
    callee = machine.symbol(op.callee.string_value())
    if not isinstance(callee, func.FuncOp):
        raise InputError("interpreter-callee", f"there is no function {op.callee}", where=where_of(op))
    return machine.call(callee, args)


def check_assertion(machine: Machine, op: cf.AssertOp, args: list[Any]) -> Sequence[Value]:
    if not bool(args[0]):
        raise traps.assertion(op, op.msg.data)
    return ()


def check_lanes(machine: Machine, op: AssertOp, args: list[Any]) -> Sequence[Value]:
    """`atlas.assert`, over one lane or, in the region of an array-level operation, over many."""
    shape = np.broadcast_shapes(*(a.shape for a in args))
    if not args[0].all():
        at = traps.first(~args[0], shape)
        raise traps.asserted(op, "", [traps.pick(a, at, shape) for a in args])
    return ()


def fence(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    """Do nothing: one thread after another is in order as it is."""
    return ()


# Structured control flow


def if_(machine: Machine, op: scf.IfOp, args: list[Any]) -> Sequence[Value]:
    region = op.true_region if bool(args[0]) else op.false_region
    return machine.run_block(region.block, ()) if region.blocks else ()


def for_(machine: Machine, op: scf.ForOp, args: list[Any]) -> Sequence[Value]:
    lower, upper, step, *carried = args
    for i in _range(op, lower, upper, step):
        carried = machine.run_block(op.body.block, [i, *carried])
    return carried


def for_unsigned(machine: Machine, op: UnsignedForOp, args: list[Any]) -> Sequence[Value]:
    lower, upper, step, *carried = args
    kind: Attribute = op.lb.type
    all_numbers = 1 << (kind.bitwidth if isinstance(kind, IntegerType) else 64)
    bounds = (np.array(int(a) % all_numbers, object) for a in (lower, upper, step))
    for i in _range(op, *bounds):
        signed = int(i) - all_numbers * (2 * int(i) >= all_numbers)
        carried = machine.run_block(op.body.block, [np.array(signed, lower.dtype), *carried])
    return carried


def _range(op: Operation, lower: Array, upper: Array, step: Array) -> Iterator[Array]:
    if int(step) < 1:
        raise InputError(
            "interpreter-loop-step", f"the step of '{op.name}' must be positive, found {step}", where=where_of(op)
        )
    return (np.array(i, lower.dtype) for i in range(int(lower), int(upper), int(step)))


def while_(machine: Machine, op: scf.WhileOp, args: list[Any]) -> Sequence[Value]:
    while True:
        condition, *passed = machine.run_block(op.before_region.block, args)
        if not bool(condition):
            return passed
        args = machine.run_block(op.after_region.block, passed)


def parallel(machine: Machine, op: scf.ParallelOp, args: list[Any]) -> Sequence[Value]:
    """Runs the iterations in order; reductions combine in that order."""
    rank = len(op.lowerBound)
    totals: list[Value] = args[3 * rank :]
    ranges = [list(_range(op, *args[axis : 3 * rank : rank])) for axis in range(rank)]
    for indices in product(*ranges):
        elements = machine.run_block(op.body.block, indices)
        reduce = op.body.block.last_op
        regions: Sequence[Region] = () if reduce is None else reduce.regions
        totals = [
            machine.run_block(region.block, [total, element])[0]
            for region, total, element in zip(regions, totals, elements, strict=True)
        ]
    return totals


def index_switch(machine: Machine, op: scf.IndexSwitchOp, args: list[Any]) -> Sequence[Value]:
    cases = attribute_values(op.cases)
    chosen = op.case_regions[cases.index(int(args[0]))] if int(args[0]) in cases else op.default_region
    return machine.run_block(chosen.block, ())


# Containers


def sizes_of(op: Operation, static: Sequence[int], dynamic: Sequence[Array]) -> list[int]:
    """Sizes with the dynamic ones filled in."""
    sizes = filled_in(static, dynamic)
    if min(sizes, default=0) < 0:
        raise InputError(
            "interpreter-negative-size", f"'{op.name}' asks for a shape of {tuple(sizes)}", where=where_of(op)
        )
    return sizes


def filled_in(static: Sequence[int], dynamic: Sequence[Array]) -> list[int]:
    """Static integers, with the values of dynamic ones where they belong."""
    given = iter(dynamic)
    return [int(next(given)) if n == DYNAMIC_INDEX else n for n in static]


def numbers(machine: Machine, static: Attribute, dynamic: Sequence[SSAValue]) -> list[int]:
    """The integers of an attribute, with the values of dynamic ones where they belong."""
    return filled_in(attribute_values(static), [np.asarray(v) for v in machine.values(dynamic)])


def allocate(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    """Memory, or a tensor, that holds nothing yet."""
    type = op.results[0].type
    return (Buffer.empty(sizes_of(op, static_shape(type), args), element_type(type)),)


def deallocate(machine: Machine, op: memref.DeallocOp, args: list[Any]) -> Sequence[Value]:
    """Free memory, which is read no more: it counts as never written."""
    if (defined := args[0].defined) is not None:
        defined[...] = False
        args[0].partly = None
    return ()


def dim(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    buffer, axis = args
    check_axis(op, int(axis), len(buffer.shape))
    return (np.array(buffer.shape[int(axis)], np.int64),)


def check_axis(op: Operation, axis: int, rank: int) -> None:
    """The axis that a `dim` asks for exists."""
    if not 0 <= axis < rank:
        raise InputError(
            "interpreter-dim", f"'{op.name}' asks for axis {axis} of a value of rank {rank}", where=where_of(op)
        )


def place_of(op: Operation, buffer: Buffer, indices: Sequence[Array]) -> tuple[int, ...]:
    """The indices of an access, checked."""
    index = tuple(int(i) for i in indices)
    if any(not 0 <= i < n for i, n in zip(index, buffer.shape, strict=True)):
        raise traps.out_of_range(op, "", index, buffer.shape)
    return index


def load(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    buffer, *indices = args
    index = place_of(op, buffer, indices)
    if buffer.defined is not None and not buffer.defined[index]:
        raise traps.uninitialised(op, "", index)
    return (np.asarray(buffer.data[index], buffer.data.dtype),)


def store(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    value, buffer, *indices = args
    write(op, buffer, place_of(op, buffer, indices), value)
    return ()


def write(op: Operation, buffer: Buffer, index: Any, value: Any) -> None:
    """Stores elements."""
    check_writeable(op, buffer)
    buffer.data[index] = value
    if buffer.defined is not None:
        buffer.defined[index] = True


def read(op: Operation, buffer: Buffer, index: Any = ...) -> Array:
    """Elements that must have been written."""
    if buffer.defined is not None and not buffer.defined[index].all():
        at = tuple(np.argwhere(~buffer.defined)[0]) if index is ... else _first_undefined(buffer, index)
        raise traps.uninitialised(op, "", at)
    return np.asarray(buffer.data[index], buffer.data.dtype)


def _first_undefined(buffer: Buffer, index: Any) -> tuple[int, ...]:
    assert buffer.defined is not None
    at = traps.first(~buffer.defined[index], buffer.defined[index].shape)
    return tuple(int(axis[at]) for axis in np.broadcast_arrays(*index))


def copy(machine: Machine, op: memref.CopyOp, args: list[Any]) -> Sequence[Value]:
    source, target = args
    if source.shape != target.shape:
        raise InputError(
            "interpreter-copy-shape",
            f"'{op.name}' copies shape {source.shape} to shape {target.shape}",
            where=where_of(op),
        )
    write(op, target, ..., read(op, source))
    return ()


def retype(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    """Another type for the same value; its static sizes must be true."""
    check_shape(op, op.results[0].type, args[0].shape)
    return (args[0],)


def subview(machine: Machine, op: memref.SubviewOp, args: list[Any]) -> Sequence[Value]:
    buffer: Buffer = args[0]
    offsets = numbers(machine, op.static_offsets, op.offsets)
    sizes = numbers(machine, op.static_sizes, op.sizes)
    strides = numbers(machine, op.static_strides, op.strides)
    for axis, (start, count, stride) in enumerate(zip(offsets, sizes, strides, strict=True)):
        last = start + (count - 1) * stride
        inside = 0 <= start < buffer.shape[axis] and 0 <= last < buffer.shape[axis]
        if count < 0 or count and not inside:
            raise InputError(
                "interpreter-subview",
                f"the subview reaches from {start} to {last} along axis {axis} of size {buffer.shape[axis]}",
                where=where_of(op),
            )
    part = tuple(_slice(*row) for row in zip(offsets, sizes, strides, strict=True))
    view = buffer.viewed(lambda elements: _repeated(elements[part], sizes))
    kept = _kept_axes(view.shape, static_shape(op.results[0].type))
    if kept is not None:
        shape = tuple(view.shape[a] for a in kept)
        view = view.viewed(lambda elements: elements.reshape(shape))
    check_shape(op, op.results[0].type, view.shape)
    return (view,)


def _slice(start: int, count: int, stride: int) -> slice:
    if count == 0:
        return slice(0, 0)
    if stride == 0:
        return slice(start, start + 1)
    stop = start + count * stride
    return slice(start, None if stop < 0 else stop, stride)


def _repeated(elements: Array, sizes: Sequence[int]) -> Array:
    """The elements, with those of an axis whose stride is 0 as often as its size says."""
    if elements.shape == tuple(sizes):
        return elements
    strides = [n if has == size else 0 for n, has, size in zip(elements.strides, elements.shape, sizes, strict=True)]
    return np.lib.stride_tricks.as_strided(elements, tuple(sizes), strides)


def _kept_axes(shape: tuple[int, ...], result: tuple[int, ...]) -> list[int] | None:
    """The axes left by a subview that drops axes of size 1, or None if it drops none."""
    drop = len(shape) - len(result)
    if drop <= 0:
        return None
    kept: list[int] = []
    for axis, size in enumerate(shape):
        if drop and size == 1 and not (len(kept) < len(result) and result[len(kept)] == 1):
            drop -= 1
            continue
        kept.append(axis)
    return kept


def reshape(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    """`expand_shape`, `collapse_shape`: the elements in row-major order under the result's shape."""
    buffer: Buffer = args[0]
    static = static_shape(op.results[0].type)
    shape = sizes_of(op, static, args[1:]) if len(args) > 1 else [-1 if n == DYNAMIC_INDEX else n for n in static]
    if shape.count(-1) > 1:  # a collapse, whose groups of axes say it
        groups: list[list[int]] = [[i.value.data for i in group] for group in cast(Any, op).reassociation]
        shape = [math.prod(buffer.shape[a] for a in group) for group in groups]
    return (buffer.viewed(lambda elements: elements.reshape(shape)),)


def from_elements(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    type = op.results[0].type
    return (Buffer(np.stack(args).reshape(static_shape(type))),)


def splat(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    shape = sizes_of(op, static_shape(op.results[0].type), args[1:])
    return (Buffer(np.full(shape, args[0], args[0].dtype)),)


def get_global(machine: Machine, op: memref.GetGlobalOp, args: list[Any]) -> Sequence[Value]:
    """The memory of a constant; a constant is read only."""
    symbol = machine.symbol(op.name_.string_value())
    value = symbol.initial_value if isinstance(symbol, memref.GlobalOp) else None
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
    view = buffer.viewed(lambda elements: _strided(elements, offset, sizes, strides))
    check_shape(op, op.results[0].type, view.shape)
    return (view,)


def view(machine: Machine, op: memref.ViewOp, args: list[Any]) -> Sequence[Value]:
    """Bytes of memory as elements of another type; bytes of which some were never written are not followed."""
    buffer: Buffer = args[0]
    start = int(np.asarray(args[1]))
    if buffer.defined is not None:
        raise unsupported(op)
    shape = filled_in(static_shape(op.results[0].type), args[2:])
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


HOST: dict[type[Operation] | str, Handler] = {
    func.CallOp: call, cf.AssertOp: check_assertion, AssertOp: check_lanes,
    scf.IfOp: if_, scf.ForOp: for_, UnsignedForOp: for_unsigned, scf.WhileOp: while_, scf.ParallelOp: parallel,
    scf.IndexSwitchOp: index_switch,
    memref.AllocOp: allocate, memref.AllocaOp: allocate, tensor.EmptyOp: allocate, memref.DeallocOp: deallocate,
    memref.DimOp: dim, tensor.DimOp: dim, memref.LoadOp: load, memref.StoreOp: store, memref.CopyOp: copy,
    memref.CastOp: retype, tensor.CastOp: retype, memref.SubviewOp: subview,
    memref.ExpandShapeOp: reshape, memref.CollapseShapeOp: reshape, "tensor.expand_shape": reshape,
    tensor.CollapseShapeOp: reshape, tensor.ExtractOp: load, tensor.FromElementsOp: from_elements,
    tensor.SplatOp: splat, memref.GetGlobalOp: get_global, memref.ReinterpretCastOp: reinterpret_cast,
    memref.ViewOp: view, tensor.InsertSliceOp: insert_slice,
}  # fmt: skip
"""What executes each host operation."""
