"""The hologram dialect: tensor operations in value form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Operation, SSAValue

from hologram.dialects.atlas.arrays.general import Kind
from hologram.dialects.atlas.instructions.storage import Trap
from hologram.dialects.hologram import elementwise, tensors
from hologram.dialects.hologram.base import TensorOp, integers
from hologram.dialects.sizes import Size
from hologram.errors import InputError, where_of
from hologram.interpreter import functions
from hologram.interpreter.core.host import read, sizes_of
from hologram.interpreter.core.machine import Handler, Machine, division_trap
from hologram.interpreter.core.reduction import combine_axes
from hologram.interpreter.core.values import Array, Buffer, Value, check_shape, dense, isa_type, static_shape

Compute: TypeAlias = Callable[..., Array]
"""Takes the operation and its operands' elements, gives the result's."""

_KINDS = {"sum": Kind.add, "product": Kind.mul, "min": Kind.min_nan, "max": Kind.max_nan}


def tensor_form(compute: Compute) -> Handler:
    """A handler that checks sizes by what the operation requires, computes, and checks the result's shape."""

    def run(machine: Machine, op: TensorOp, args: list[Any]) -> Sequence[Value]:
        check_requirements(op, args)
        elements = [read(op, a) if isinstance(a, Buffer) else a for a in args]
        try:
            result = np.asarray(compute(op, *elements))
        except Trap as trap:
            raise division_trap(op, trap, elements) from None
        check_shape(op, op.results[0].type, result.shape)
        return (Buffer(result),)

    return run


def check_requirements(op: TensorOp, args: Sequence[Any]) -> None:
    """What the operation requires of its operands' sizes holds for the sizes that they have."""
    known = dict(zip(op.operands, args, strict=True))

    def sizes(value: SSAValue) -> list[Size]:
        found = known[value]
        return [Size.of(n) for n in found.shape] if isinstance(found, Buffer) else [Size.of(int(found))]

    for requirement in op.requirements(sizes):
        if not requirement.holds:
            shapes = ", ".join(str(a.shape) for a in args if isinstance(a, Buffer))
            raise InputError(
                "interpreter-sizes",
                f"'{op.name}' needs {requirement.text}; its operands have shapes {shapes}",
                where=where_of(op),
            )


def _elementwise(op: Any, *args: Array) -> Array:
    return op.evaluate(*args)


def _fill(op: tensors.FillOp, value: Array, *sizes: Array) -> Array:
    return np.full(sizes_of(op, static_shape(op.result.type), sizes), value, value.dtype)


def _broadcast(op: tensors.BroadcastOp, x: Array, *sizes: Array) -> Array:
    shape = sizes_of(op, static_shape(op.result.type), sizes)
    spread = [1] * len(shape)
    for axis, size in zip(op.result_axes, x.shape, strict=True):
        spread[axis] = size
    return np.broadcast_to(x.reshape(spread), shape)


def _reshape(op: tensors.ReshapeOp, x: Array, *sizes: Array) -> Array:
    static = static_shape(op.result.type)
    if sizes or min(static, default=0) >= 0:
        return x.reshape(sizes_of(op, static, sizes))
    rest = int(np.prod([n for n in static if n >= 0], dtype=np.int64))
    return x.reshape([n if n >= 0 else x.size // rest if rest else 0 for n in static])


def _transpose(op: tensors.TransposeOp, x: Array) -> Array:
    return x.transpose(integers(op.permutation))


def _slice(op: tensors.SliceOp, x: Array, *sizes: Array) -> Array:
    counts = sizes_of(op, static_shape(op.result.type), sizes)
    for axis, (start, stride, count) in enumerate(zip(integers(op.starts), integers(op.strides), counts, strict=True)):
        x = np.take(x, start + stride * np.arange(count), axis=axis)
    return x


def _concat(op: tensors.ConcatOp, *parts: Array) -> Array:
    return np.concatenate(parts, axis=op.axis.value.data)


def _gather(op: tensors.GatherOp, x: Array, indices: Array) -> Array:
    return functions.gather(op, x, indices, op.axis.value.data)


def _reduce(op: tensors.ReduceOp, x: Array) -> Array:
    return combine_axes(_KINDS[op.kind.data.value], op.dtype, x, integers(op.axes))


def _softmax(op: tensors.SoftmaxOp, x: Array) -> Array:
    return functions.softmax(isa_type(op.x.type), x, op.axis.value.data)


def _matmul(op: tensors.MatmulOp, a: Array, b: Array) -> Array:
    return functions.matmul(isa_type(op.a.type), a, b)


def constant(machine: Machine, op: tensors.ConstantOp, args: list[Any]) -> Sequence[Value]:
    return (Buffer(dense(op.value)),)


def dim(machine: Machine, op: tensors.DimOp, args: list[Any]) -> Sequence[Value]:
    return (np.array(args[0].shape[op.axis.value.data], np.int64),)


TENSORS: dict[type[Operation], Handler] = {
    **dict.fromkeys(elementwise.OPS, tensor_form(_elementwise)),
    tensors.ConstantOp: constant,
    tensors.DimOp: dim,
    tensors.FillOp: tensor_form(_fill),
    tensors.BroadcastOp: tensor_form(_broadcast),
    tensors.ReshapeOp: tensor_form(_reshape),
    tensors.TransposeOp: tensor_form(_transpose),
    tensors.SliceOp: tensor_form(_slice),
    tensors.ConcatOp: tensor_form(_concat),
    tensors.GatherOp: tensor_form(_gather),
    tensors.ReduceOp: tensor_form(_reduce),
    tensors.SoftmaxOp: tensor_form(_softmax),
    tensors.MatmulOp: tensor_form(_matmul),
}
"""What executes each operation of the hologram dialect."""
