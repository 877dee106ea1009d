"""The dialect `class`, by its reference functions. Imported where a module has operations of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from hologram.classes import BYTES_PER_CLASS, BYTES_PER_PAGE
from hologram.dialects.classes import data, elementwise, tiles
from hologram.dialects.classes.base import ClassOp
from hologram.interpreter import tensors
from hologram.interpreter.core import traps
from hologram.interpreter.core.host import read
from hologram.interpreter.core.machine import Handler, Machine, run_scalar
from hologram.interpreter.core.values import Array, Buffer, Value

OPS: tuple[type[ClassOp], ...] = (*elementwise.ROWS, elementwise.TransformOp, *data.OPS)


def scalar(op: ClassOp, args: Sequence[Array]) -> Array:
    """Over lanes."""
    return op.evaluate(*args)


def run(machine: Machine, op: ClassOp, args: list[Any]) -> Sequence[Value]:
    """On tensors, or on a scalar (in a region: many of them)."""
    on_tensors = isinstance(op, data.ShapedOp) or isinstance(args[0], Buffer)
    return (tensors.run if on_tensors else run_scalar)(machine, op, args)


SCALARS: dict[str, Callable[[Any, Sequence[Array]], Value]] = dict.fromkeys((op.name for op in OPS), scalar)
"""What computes each operation over lanes; each may trap."""


def _arena(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    return (Buffer(machine.state.classes.view(np.int8)),)


def _place(machine: Machine, op: tiles.PlacedOp, args: Sequence[Any]) -> Array:
    """A view of the bytes of class memory."""
    start = 0
    steps = (BYTES_PER_CLASS, BYTES_PER_PAGE)
    for (kind, _, end), given, step in zip(op.limits, args, steps, strict=False):
        number = int(given)
        if not 0 <= number < end:
            raise traps.tile_place(op, kind, number, end)
        start += number * step
    dtype = op.dtype
    assert dtype is not None
    return machine.state.classes[start : start + op.bytes].view(dtype.numpy).reshape(op.type.get_shape())


def _tile(machine: Machine, op: tiles.TileOp, args: list[Any]) -> Sequence[Value]:
    return (Buffer(_place(machine, op, args)),)


def _load(machine: Machine, op: tiles.LoadOp, args: list[Any]) -> Sequence[Value]:
    return (Buffer(_place(machine, op, args).copy()),)


def _store(machine: Machine, op: tiles.StoreOp, args: list[Any]) -> Sequence[Value]:
    value, *place = args
    _place(machine, op, place)[...] = read(op, value)
    return ()


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(SCALARS, run),
    tiles.ArenaOp.name: _arena,
    tiles.TileOp.name: _tile,
    tiles.LoadOp.name: _load,
    tiles.StoreOp.name: _store,
}
"""What executes each operation at host and array level."""
