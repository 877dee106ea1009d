"""Accesses of memory by lanes: arrays that programs declare, pools, loads, stores and atomics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects import memref
from xdsl.ir import Operation

from hologram.dialects.atlas.instructions.types import Space
from hologram.dialects.atlas.lanes import programs as atlas
from hologram.dialects.atlas.lanes.pools import PoolAllocOp, PoolFreeOp
from hologram.interpreter.core import traps
from hologram.interpreter.core.host import check_axis, write
from hologram.interpreter.core.values import Array, Buffer, element_type, first_of, isa_type, static_shape
from hologram.interpreter.lanes import atomics, pointers
from hologram.interpreter.lanes.batch import LANES, Batch, LaneValue
from hologram.interpreter.lanes.memory import Memory, Pointer, block_memory, lane_memory


@LANES.on(atlas.AllocaOp)
def alloca(batch: Batch, op: atlas.AllocaOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """Declares an array: one for the block or the lane, however often the lanes come by."""
    if op not in batch.declared:
        type = op.result.type
        shared = atlas.space_of(type) is Space.shared  # pyright: ignore[reportArgumentType]
        parts = (batch.blocks - batch.blocks[0]) if shared else np.arange(batch.count)
        element = isa_type(element_type(type))
        shape = [batch.shape.shared_bytes // element.bytes] if op.is_open else static_shape(type)
        data = np.zeros((int(parts[-1]) + 1, *shape), element.numpy)
        buffer = Buffer(data, np.zeros(data.shape, np.bool_))
        batch.declared[op] = block_memory(buffer, parts, batch.shape) if shared else lane_memory(buffer, parts)
    return (batch.declared[op],)


@LANES.on(PoolAllocOp)
def pool_alloc(batch: Batch, op: PoolAllocOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """The launch's pool; all batches share it."""
    return (batch.shape.pool(op.pool.string_value(), op.result.type),)


@LANES.on(PoolFreeOp)
def pool_free(batch: Batch, op: PoolFreeOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    """Free what the pool holds: it counts as never written."""
    pool = batch.shape.pools.get(op.pool.string_value())
    if pool is not None and pool.buffer.defined is not None and mask.any():
        pool.buffer.defined[...] = False
        pool.buffer.partly = None
    return ()


@LANES.on(atlas.LoadOp)
def load(batch: Batch, op: atlas.LoadOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    memory, *indices = args
    active = np.flatnonzero(mask)
    if isinstance(memory, Pointer):
        return pointers.load(batch, op, memory, indices, active)
    results: list[LaneValue] = []
    for index in located(batch, op, memory, indices, active):
        check_read(batch, op, memory, indices, index, active)
        data = memory.buffer.data
        results.append(batch.spread(np.broadcast_to(np.asarray(data[index], data.dtype), active.shape), active))
    return results


def located(batch: Batch, op: Any, memory: Memory, indices: Sequence[Array], active: Array) -> list[tuple[Array, ...]]:
    """The places of the values of an access in the active lanes, all in range and aligned."""
    if op.count == 1:
        return [locate(batch, op, memory, indices, active)]
    places = [locate(batch, op, memory, [*indices[:-1], indices[-1] + number], active) for number in range(op.count)]
    first = np.ravel_multi_index(places[0][-len(indices) :], memory.shape)
    size = op.dtype.bytes
    if (at := first_of(first * size % op.alignment != 0)) is not None:
        raise traps.misaligned_offset(op, batch.lane_name(int(active[at])), int(first[at]) * size, op.alignment)
    return places


def check_read(
    batch: Batch, op: Operation, memory: Memory, indices: Sequence[Array], index: tuple[Array, ...], active: Array
) -> None:
    """Records that the active lanes read, and traps on a race or what nobody wrote."""
    check_order(batch, op, memory, index, active, is_store=False)
    buffer = memory.buffer
    if buffer.defined is not None and not (written := np.broadcast_to(buffer.defined[index], active.shape)).all():
        at = int(np.argmin(written))
        raise traps.uninitialised(op, batch.lane_name(int(active[at])), seen(batch, indices, active[at]))


@LANES.on(atlas.AtomicOp)
def atomic(batch: Batch, op: atlas.AtomicOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    active, count = np.flatnonzero(mask), len(op.given)
    given = [batch.select(a, active) for a in args[:count]]
    memory, indices = args[count], args[count + 1 :]
    if isinstance(memory, Pointer):
        return atomics.by_pointer(batch, op, memory, indices, given, active)
    index = locate(batch, op, memory, indices, active)
    check_read(batch, op, memory, indices, index, active)
    return atomics.by_index(batch, op, memory, index, given, active)


@LANES.on(atlas.StoreOp)
def store(batch: Batch, op: atlas.StoreOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    active = np.flatnonzero(mask)
    values = [batch.select(value, active) for value in args[: op.count]]
    memory, *indices = args[op.count :]
    if isinstance(memory, Pointer):
        return pointers.store(batch, op, memory, indices, values, active)
    for index, stored in zip(located(batch, op, memory, indices, active), values, strict=True):
        check_order(batch, op, memory, index, active, is_store=True)
        write(op, memory.buffer, index, stored if index else stored[-1])
    return ()


def seen(batch: Batch, indices: Sequence[Array], lane: int) -> tuple[int, ...]:
    """The indices of an access as the program gives them."""
    return tuple(int(np.broadcast_to(i, batch.count)[lane]) for i in indices)


def locate(batch: Batch, op: Operation, memory: Memory, indices: Sequence[Array], active: Array) -> tuple[Array, ...]:
    """The indices into the memory's data in the active lanes, in range and aligned."""
    index = tuple(batch.select(i, active) for i in indices)
    outside = np.zeros(active.shape, np.bool_)
    for axis, size in zip(index, memory.shape, strict=True):
        outside |= (axis < 0) | (axis >= size)
    if outside.any():
        lane = int(active[np.argmax(outside)])
        raise traps.out_of_range(op, batch.lane_name(lane), seen(batch, indices, lane), memory.shape)
    index = index if memory.lead is None else (memory.lead[active], *index)
    if (off := memory.misaligned(index)) is not None:
        raise traps.misaligned(op, batch.lane_name(int(active[off[0]])), off[1], off[2])
    return index


def check_order(
    batch: Batch, op: Operation, memory: Memory, index: tuple[Array, ...], active: Array, *, is_store: bool
) -> None:
    """Records the accesses of the active lanes and traps on a race."""
    if memory.shadow is None:
        return
    each = memory.units_each
    lanes = np.repeat(batch.lanes[active], each)
    units = np.resize(memory.units(index), lanes.shape)  # without indices all lanes access the one element
    epochs = np.repeat(batch.shape.epochs[batch.blocks[active]], each)
    record = memory.shadow.store if is_store else memory.shadow.load
    if (conflict := record(units, lanes, epochs)) is not None:
        at = conflict.access // each
        other = batch.other(conflict.lane)
        own = index if memory.lead is None else index[1:]
        raise traps.race(op, batch.lane_name(int(active[at])), other, [int(axis[at]) for axis in own], conflict.what)


@LANES.on(memref.DimOp)
def dim(batch: Batch, op: memref.DimOp, args: list[Any], mask: Array) -> Sequence[LaneValue]:
    memory, axis = args
    sizes = np.array(memory.shape, np.int64)
    numbers = np.broadcast_to(axis, batch.count)
    for number in set(numbers[mask].tolist()):
        check_axis(op, number, len(sizes))
    return (sizes[np.where(mask, numbers, 0)],)
