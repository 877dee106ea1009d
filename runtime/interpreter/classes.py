"""The dialect `class`, by its reference functions. Imported where a module has operations of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Operation

from hologram.dialects.classes import data, elementwise
from hologram.dialects.classes.base import ClassOp
from hologram.runtime.interpreter.machine import Handler, Machine, run_scalar
from hologram.runtime.interpreter.tensors import tensor_form
from hologram.runtime.interpreter.values import Array, Buffer, Value

OPS: tuple[type[ClassOp], ...] = (*elementwise.ROWS, elementwise.TransformOp, *data.OPS)


def _compute(op: ClassOp, *args: Array) -> Array:
    return op.evaluate(*args)


def _scalar(op: ClassOp, args: Sequence[Array]) -> Array:
    return op.evaluate(*args)


_ON_TENSORS = tensor_form(_compute)


def _run(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    """On tensors, or on a scalar (in a region: many of them)."""
    on_tensors = isinstance(op, data.ShapedOp) or isinstance(args[0], Buffer)
    return (_ON_TENSORS if on_tensors else run_scalar)(machine, op, args)


SCALARS: dict[str, Callable[[Any, Sequence[Array]], Value]] = dict.fromkeys((op.name for op in OPS), _scalar)
"""What computes each operation over lanes; each may trap."""
HANDLERS: dict[str, Handler] = dict.fromkeys(SCALARS, _run)
"""What executes each operation at host and array level."""
