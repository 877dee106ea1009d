"""Class memory as lanes see it: pointers into it, and accesses of neighbouring classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from xdsl.ir import Operation

from hologram import classes
from hologram.dialects.atlas.instructions.storage import view
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.lanes import class_memory as atlas
from hologram.dialects.atlas.lanes import class_reference
from hologram.interpreter.core import traps
from hologram.interpreter.core.values import Array
from hologram.interpreter.lanes import pointers
from hologram.interpreter.lanes.memory import Memory
from hologram.interpreter.lanes.pointers import Pointer

U32 = DTYPES["u32"]


class Lanes(pointers.Lanes, Protocol):
    """What these instructions need to know of the lanes: class memory too."""

    @property
    def arena(self) -> Memory: ...
    def spread(self, values: Array, active: Array) -> Array: ...


def bound_map(batch: Lanes, op: atlas.BoundMapOp, args: list[Any], mask: Array) -> Sequence[Any]:
    active = np.flatnonzero(mask)
    parts = [view(batch.select(a, active), U32).astype(np.int64) for a in args]
    offset = np.zeros(len(active), np.int64)
    ends = (classes.CLASS_COUNT, classes.PAGES_PER_CLASS, classes.BYTES_PER_PAGE)
    steps = (classes.BYTES_PER_CLASS, classes.BYTES_PER_PAGE, 1)
    for part, end, step in zip(parts, ends, steps, strict=True):
        if (outside := part >= end).any():
            at = int(np.argmax(outside))
            raise traps.class_place(op, batch.lane_name(int(active[at])), [int(p[at]) for p in parts])
        offset += part * step
    return (Pointer((batch.arena,), np.zeros((), np.int64), batch.spread(offset, active)),)


def _class_and_rest(batch: Lanes, op: Any, pointer: Pointer, offsets: Sequence[Array], active: Array) -> Any:
    """The class of an address in each active lane, and the bytes from where that class begins."""
    pointer = pointer.moved(offsets[0]) if offsets else pointer
    offset = batch.select(pointer.offset, active)
    if (outside := (offset < 0) | (offset >= classes.ARENA_BYTES)).any():
        at = int(np.argmax(outside))
        name = batch.lane_name(int(active[at]))
        raise traps.address_range(op, name, int(offset[at]), 1, classes.ARENA_BYTES)
    return np.divmod(offset, classes.BYTES_PER_CLASS)


def cls_of(batch: Lanes, op: atlas.ClsOfOp, args: list[Any], mask: Array) -> Sequence[Array]:
    pointer, *offsets = args
    active = np.flatnonzero(mask)
    number, _ = _class_and_rest(batch, op, pointer, offsets, active)
    return (batch.spread(number.astype(np.int32), active),)


def _neighbour(batch: Lanes, op: Any, pointer: Pointer, offsets: Sequence[Array], i: Array, active: Array) -> Pointer:
    """The same place in the neighbour of each active lane."""
    number, rest = _class_and_rest(batch, op, pointer, offsets, active)
    i = view(batch.select(i, active), U32)
    if (past := i >= class_reference.neighbour_count(U32, number)).any():
        at = int(np.argmax(past))
        raise traps.no_neighbour(op, batch.lane_name(int(active[at])), int(number[at]), int(i[at]))
    found = class_reference.neighbour(U32, number, i).astype(np.int64)
    moved = batch.spread(found * classes.BYTES_PER_CLASS + rest, active)
    return Pointer((batch.arena,), np.zeros((), np.int64), moved)


def nbr_load(batch: Lanes, op: atlas.NbrLoadOp, args: list[Any], mask: Array) -> Sequence[Array]:
    pointer, *offsets, i = args
    active = np.flatnonzero(mask)
    return pointers.load(batch, op, _neighbour(batch, op, pointer, offsets, i, active), (), active)


def nbr_store(batch: Lanes, op: atlas.NbrStoreOp, args: list[Any], mask: Array) -> Sequence[Array]:
    value, pointer, *offsets, i = args
    active = np.flatnonzero(mask)
    place = _neighbour(batch, op, pointer, offsets, i, active)
    return pointers.store(batch, op, place, (), [batch.select(value, active)], active)


CLASS_MEMORY: dict[type[Operation], Callable[[Any, Any, list[Any], Array], Sequence[Any]]] = {
    atlas.BoundMapOp: bound_map,
    atlas.ClsOfOp: cls_of,
    atlas.NbrLoadOp: nbr_load,
    atlas.NbrStoreOp: nbr_store,
}
"""What executes each instruction on class memory."""
