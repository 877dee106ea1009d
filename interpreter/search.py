"""The reference of argmin, argmax, scan and scatter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from hologram.dialects.atlas.arrays import search
from hologram.dialects.atlas.arrays.extension import ExtensionOp
from hologram.dialects.atlas.arrays.general import Kind, identity
from hologram.dialects.atlas.instructions.reference import converted as convert
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS
from hologram.dialects.atlas.instructions.storage import storage, view
from hologram.dialects.atlas.instructions.types import working_type
from hologram.errors import InputError, where_of
from hologram.interpreter.arrays import named_form
from hologram.interpreter.core import traps
from hologram.interpreter.core.machine import Handler, Machine
from hologram.interpreter.core.reduction import combine
from hologram.interpreter.core.values import Array, Value


def extension_form(compute: Any) -> Handler:
    """A handler for an extension with one out: its sizes agree, then the function gives the out's elements."""
    run = named_form(compute)

    def checked(machine: Machine, op: ExtensionOp, args: list[Any]) -> Sequence[Value]:
        for (number, axis), (other, along) in op.equalities():
            found, expected = args[number].shape[axis], args[other].shape[along]
            if found != expected:
                raise InputError(
                    "interpreter-extension-sizes",
                    f"axis {axis} of {op.operand_name(number)} of '{op.name}' has size {found}, "
                    f"but axis {along} of {op.operand_name(other)} has size {expected}",
                    where=where_of(op),
                )
        return run(machine, op, args)

    return checked


def _arg(op: search.ArgOp, x: Array) -> Array:
    """The first place of the least or greatest, or 0 where all are NaN."""
    axis, dtype = op.axis.value.data, op.type.dtype
    if x.shape[axis] == 0:
        raise traps.assertion(op, "no elements along the axis")
    moved = np.moveaxis(x, axis, -1)
    best = combine(op.KIND, dtype, moved)
    equal = view(moved, dtype) == view(best, dtype)[..., None]
    out = np.int32 if "i32" in str(op.outs[0].type) else np.int64
    return np.argmax(equal, axis=-1).astype(out)


def _scan(op: search.ScanOp, x: Array) -> Array:
    """Element by element."""
    kind, dtype = op.combiner
    work = working_type(kind.value, dtype)
    moved = np.moveaxis(convert(dtype, work, x), op.axis.value.data, -1)
    instruction = INSTRUCTIONS[kind.value].INSTRUCTION
    start = identity(kind, work)
    total = storage(np.full(moved.shape[:-1], start, work.numpy), work)
    empty = storage(np.full(moved.shape[:-1], 0 if kind is Kind.add else start, work.numpy), work)
    out = np.empty_like(moved)
    for i in range(moved.shape[-1]):
        before = empty if i == 0 else total
        total = instruction.evaluate(work, total, moved[..., i])
        out[..., i] = before if op.is_exclusive else total
    return convert(work, dtype, np.moveaxis(out, -1, op.axis.value.data))


def _scatter(op: search.ScatterOp, x: Array, indices: Array, update: Array) -> Array:
    """Slice by slice, so that the last one wins."""
    axis, size = op.axis.value.data, x.shape[op.axis.value.data]
    outside = (indices < 0) | (indices >= size)
    if outside.any():
        at = traps.first(outside, indices.shape)
        raise traps.gather_index(op, at, int(indices[at]), size)
    out = np.moveaxis(x.copy(), axis, 0)
    places = range(axis, axis + indices.ndim)
    slices = np.moveaxis(update, list(places), list(range(indices.ndim)))
    for number in np.ndindex(indices.shape):
        out[int(indices[number])] = slices[number]
    return np.moveaxis(out, 0, axis)


SEARCH: dict[type[Operation], Handler] = {
    search.ArgminOp: extension_form(_arg),
    search.ArgmaxOp: extension_form(_arg),
    search.ScanOp: extension_form(_scan),
    search.ScatterOp: extension_form(_scatter),
}
"""What executes each of them."""
