"""Atomics and fences of lanes. Lanes that come to one place at once take their turns in the order of their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from hologram.dialects.atlas.lanes.programs import AtomicOp, MemfenceOp
from hologram.interpreter.core import traps
from hologram.interpreter.core.values import Array, check_writeable, first_of, isa_type
from hologram.interpreter.lanes import pointers
from hologram.interpreter.lanes.batch import LANES, Batch
from hologram.interpreter.lanes.memory import Memory, Pointer, address_of
from hologram.interpreter.lanes.pointers import Part

Step = Callable[[Array], Array]
"""The old values at the places of some accesses, given as their numbers."""


def replaced(op: AtomicOp, old: Array, given: Sequence[Array]) -> Array:
    """Return the values that an atomic leaves in the places of old ones."""
    if op.COMPARES:
        bits = f"i{op.dtype.bytes}"
        return np.where(np.ascontiguousarray(old).view(bits) == given[0].view(bits), given[1], old)
    return given[0] if op.COMBINE is None else op.COMBINE.evaluate(op.dtype, old, given[0])


def turns(places: Array) -> Iterator[Array]:
    """The numbers of accesses that go at once: one of each place, in order."""
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    numbers = np.arange(len(places))
    first = np.ones(len(places), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    rank = numbers - np.maximum.accumulate(np.where(first, numbers, 0))
    for turn in range(int(rank.max(initial=-1)) + 1):
        yield order[rank == turn]


def by_index(
    batch: Batch, op: AtomicOp, memory: Memory, index: tuple[Array, ...], given: list[Array], active: Array
) -> Sequence[Array]:
    """An atomic of elements that are in range and initialised."""
    check_writeable(op, memory.buffer)
    data = memory.buffer.data
    index = tuple(np.broadcast_to(i, active.shape) for i in index)
    places = np.ravel_multi_index(index, data.shape) if index else np.zeros(active.shape, np.int64)
    result = np.zeros(batch.count, data.dtype)
    for turn in turns(places):
        here = tuple(axis[turn] for axis in index)
        old = data[here] if index else np.full(turn.shape, data[()])
        new = replaced(op, old, [g[turn] for g in given])
        data[here] = new if index else new[0]
        result[active[turn]] = old
        publish(batch, op, memory, places[turn] * memory.element_bytes, active[turn], old, new)
    return (result,)


def by_pointer(
    batch: Batch, op: AtomicOp, pointer: Pointer, offsets: Sequence[Array], given: list[Array], active: Array
) -> Sequence[Array]:
    """An atomic through a pointer."""
    result = np.zeros(batch.count, isa_type(op.dtype.ir).numpy)
    for part in pointers.accessed(batch, op, pointer, offsets, active):
        _check_address(batch, op, part)
        pointers.check_order(batch, op, part, lambda shadow: shadow.load)
        inside = [g[np.isin(active, part.active)] for g in given]
        places = part.bytes(1)[:, 0]
        for turn in turns(places):
            here = Part(part.memory, part.active[turn], part.offset[turn])
            old = pointers.read(batch, op, here)[:, 0]
            new = replaced(op, old, [g[turn] for g in inside])
            pointers.write(op, here, new[:, None])
            result[here.active] = old
            publish(batch, op, part.memory, places[turn], here.active, old, new)
    return (result,)


def _check_address(batch: Batch, op: AtomicOp, part: Part) -> None:
    """The address itself is aligned, as an array of bytes may not be."""
    if part.memory.lead is not None or part.memory.wide is not None:
        return
    odd = (address_of(part.memory.buffer.data) + part.offset) % op.alignment != 0
    if (at := first_of(odd)) is not None:
        raise traps.misaligned_offset(op, batch.lane_name(int(part.active[at])), int(part.offset[at]), op.alignment)


def publish(batch: Batch, op: AtomicOp, memory: Memory, places: Array, active: Array, old: Array, new: Array) -> None:
    """Tells what the lanes know to those whose atomics come to the same places."""
    if (order := batch.shape.order) is None:
        return
    kept = replaced_nothing(op, old, new)
    for place, lane, same in zip(places.tolist(), batch.lanes[active].tolist(), kept.tolist(), strict=True):
        order.atomic((id(memory.buffer), place), lane, writes=not same)


def replaced_nothing(op: AtomicOp, old: Array, new: Array) -> Array:
    """Return a mask of the lanes whose comparison failed, so that nothing was written."""
    bits = f"i{op.dtype.bytes}"
    same = np.ascontiguousarray(old).view(bits) == np.ascontiguousarray(new).view(bits)
    return same & op.COMPARES


@LANES.on(MemfenceOp)
def memfence(batch: Batch, op: MemfenceOp, args: list[Any], mask: Array) -> Sequence[Array]:
    """`atlas.memfence` in the active lanes."""
    if (order := batch.shape.order) is not None:
        for position in np.flatnonzero(mask).tolist():
            order.fence(int(batch.lanes[position]), int(batch.shape.epochs[batch.blocks[position]]), op.scope.data)
    return ()
