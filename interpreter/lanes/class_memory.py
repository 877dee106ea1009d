"""Class memory as lanes see it: pointers into it, and accesses of neighbouring classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hologram import classes
from hologram.dialects.atlas.instructions.storage import view
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.lanes import class_memory as atlas
from hologram.dialects.atlas.lanes import class_reference
from hologram.interpreter.core import traps
from hologram.interpreter.core.values import Array, first_of
from hologram.interpreter.lanes import pointers
from hologram.interpreter.lanes.batch import LANES, Batch
from hologram.interpreter.lanes.memory import Pointer

U32 = DTYPES["u32"]


@LANES.on(atlas.BoundMapOp)
def bound_map(batch: Batch, op: atlas.BoundMapOp, args: list[Any], mask: Array) -> Sequence[Any]:
    active = np.flatnonzero(mask)
    parts = [view(batch.select(a, active), U32).astype(np.int64) for a in args]
    offset = np.zeros(len(active), np.int64)
    ends = (classes.CLASS_COUNT, classes.PAGES_PER_CLASS, classes.BYTES_PER_PAGE)
    steps = (classes.BYTES_PER_CLASS, classes.BYTES_PER_PAGE, 1)
    for part, end, step in zip(parts, ends, steps, strict=True):
        if (at := first_of(part >= end)) is not None:
            raise traps.class_place(op, batch.lane_name(int(active[at])), [int(p[at]) for p in parts])
        offset += part * step
    return (Pointer((batch.arena,), np.zeros((), np.int64), batch.spread(offset, active)),)


def _class_and_rest(batch: Batch, op: Any, pointer: Pointer, offsets: Sequence[Array], active: Array) -> Any:
    """The class of an address in each active lane, and the bytes from where that class begins."""
    pointer = pointer.moved(offsets[0]) if offsets else pointer
    offset = batch.select(pointer.offset, active)
    if (at := first_of((offset < 0) | (offset >= classes.ARENA_BYTES))) is not None:
        name = batch.lane_name(int(active[at]))
        raise traps.address_range(op, name, int(offset[at]), 1, classes.ARENA_BYTES)
    return np.divmod(offset, classes.BYTES_PER_CLASS)


@LANES.on(atlas.ClsOfOp)
def cls_of(batch: Batch, op: atlas.ClsOfOp, args: list[Any], mask: Array) -> Sequence[Array]:
    pointer, *offsets = args
    active = np.flatnonzero(mask)
    number, _ = _class_and_rest(batch, op, pointer, offsets, active)
    return (batch.spread(number.astype(np.int32), active),)


def _neighbour(batch: Batch, op: Any, pointer: Pointer, offsets: Sequence[Array], i: Array, active: Array) -> Pointer:
    """The same place in the neighbour of each active lane."""
    number, rest = _class_and_rest(batch, op, pointer, offsets, active)
    i = view(batch.select(i, active), U32)
    if (at := first_of(i >= class_reference.neighbour_count(U32, number))) is not None:
        raise traps.no_neighbour(op, batch.lane_name(int(active[at])), int(number[at]), int(i[at]))
    neighbour = class_reference.neighbour(U32, number, i).astype(np.int64)
    moved = batch.spread(neighbour * classes.BYTES_PER_CLASS + rest, active)
    return Pointer((batch.arena,), np.zeros((), np.int64), moved)


@LANES.on(atlas.NbrLoadOp)
def nbr_load(batch: Batch, op: atlas.NbrLoadOp, args: list[Any], mask: Array) -> Sequence[Array]:
    pointer, *offsets, i = args
    active = np.flatnonzero(mask)
    return pointers.load(batch, op, _neighbour(batch, op, pointer, offsets, i, active), (), active)


@LANES.on(atlas.NbrStoreOp)
def nbr_store(batch: Batch, op: atlas.NbrStoreOp, args: list[Any], mask: Array) -> Sequence[Array]:
    value, pointer, *offsets, i = args
    active = np.flatnonzero(mask)
    place = _neighbour(batch, op, pointer, offsets, i, active)
    return pointers.store(batch, op, place, (), [batch.select(value, active)], active)
