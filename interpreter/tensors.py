"""The hologram dialect: tensor operations in value form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from hologram.dialects.hologram import elementwise, tensors
from hologram.dialects.hologram.base import TensorOp
from hologram.dialects.sizes import Size
from hologram.errors import InputError, where_of
from hologram.interpreter.arrays import evaluated
from hologram.interpreter.core.host import sizes_of
from hologram.interpreter.core.machine import Handler, Machine
from hologram.interpreter.core.values import Buffer, Value, check_shape, dense, static_shape


def run(machine: Machine, op: TensorOp, args: list[Any]) -> Sequence[Value]:
    """Checks sizes by what the operation requires, computes, and checks the result's shape."""
    if op.size_operands:
        sizes_of(op, static_shape(op.results[0].type), args[-len(op.size_operands) :])
    check_requirements(op, args)
    result = evaluated(op, args)
    check_shape(op, op.results[0].type, result.shape)
    return (Buffer(result),)


def check_requirements(op: TensorOp, args: Sequence[Any]) -> None:
    """Refuse operands whose sizes are not what the operation requires."""
    known = dict(zip(op.operands, args, strict=True))

    def sizes(value: SSAValue) -> list[Size]:
        operand = known[value]
        return [Size.of(n) for n in operand.shape] if isinstance(operand, Buffer) else [Size.of(int(operand))]

    for requirement in op.requirements(sizes):
        if not requirement.holds:
            shapes = ", ".join(str(a.shape) for a in args if isinstance(a, Buffer))
            raise InputError(
                "interpreter-sizes",
                f"'{op.name}' needs {requirement.text}; its operands have shapes {shapes}",
                where=where_of(op),
            )


def constant(machine: Machine, op: tensors.ConstantOp, args: list[Any]) -> Sequence[Value]:
    return (Buffer(dense(op.value)),)


def dim(machine: Machine, op: tensors.DimOp, args: list[Any]) -> Sequence[Value]:
    return (np.array(args[0].shape[op.axis.value.data], np.int64),)


TENSORS: dict[type[Operation], Handler] = {
    **dict.fromkeys((*elementwise.OPS, *tensors.OPS), run),
    tensors.ConstantOp: constant,
    tensors.DimOp: dim,
}
"""What executes each operation of the hologram dialect."""
