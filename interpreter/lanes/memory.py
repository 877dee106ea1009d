"""Memory as lanes see it: global arrays, shared arrays of a block, local arrays of a lane; and who touched what when.

Races are found by happens-before: barriers order the accesses of a block; what orders those of two blocks is in
`ordering`. An atomic counts as a read, since it races with nothing but plain writes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, Protocol

import numpy as np

from hologram.dialects.atlas.instructions.types import DType
from hologram.interpreter.core.values import Array, Buffer, first_of

MANY = -1
"""Stands for several lanes or blocks where a record has room for one."""


class Conflict(NamedTuple):
    """Two accesses that race: the number of the access that found it, what the other one did, and its lane or MANY."""

    access: int
    what: str
    lane: int


class Shadow:
    """The last accesses to each unit of memory. A unit is a stretch of bytes that accesses touch wholly or not at all.

    Lanes and blocks are recorded as their number plus one; zero is nobody. Lanes of one block conflict in the same
    epoch, the stretch between two barriers; lanes of different blocks always.
    """

    def __init__(self, units: int, block_size: int):
        self.block_size = block_size
        self.writer, self.reader, self.reader_block = (np.zeros(units, np.int64) for _ in range(3))
        self.writer_epoch, self.reader_epoch = (np.zeros(units, np.int32) for _ in range(2))

    def load(self, units: Array, lanes: Array, epochs: Array) -> Conflict | None:
        """Records that each of `lanes` reads a unit, unless that races with a write."""
        if (conflict := self._against_writer(units, lanes, epochs)) is not None:
            return conflict
        blocks = lanes // self.block_size
        fresh = (self.reader[units] == 0) | (self.reader_epoch[units] != epochs)
        self.reader[units[fresh]] = lanes[fresh] + 1
        self.reader_epoch[units[fresh]] = epochs[fresh]
        self.reader[units[self.reader[units] != lanes + 1]] = MANY
        fresh = self.reader_block[units] == 0
        self.reader_block[units[fresh]] = blocks[fresh] + 1
        self.reader_block[units[self.reader_block[units] != blocks + 1]] = MANY
        return None

    def store(self, units: Array, lanes: Array, epochs: Array) -> Conflict | None:
        """Records that each of `lanes` writes a unit, unless that races with another access."""
        if (conflict := self._against_writer(units, lanes, epochs)) is not None:
            return conflict
        reader, block = self.reader[units], self.reader_block[units]
        elsewhere = (block != 0) & (block != lanes // self.block_size + 1)
        beside = (reader != 0) & (self.reader_epoch[units] == epochs) & (reader != lanes + 1)
        if (access := first_of(elsewhere | beside)) is not None:
            lane = int(reader[access]) - 1 if reader[access] not in (MANY, lanes[access] + 1) else MANY
            return Conflict(access, "it was read by", lane)
        self.writer[units] = lanes + 1
        self.writer_epoch[units] = epochs
        if (access := first_of(self.writer[units] != lanes + 1)) is not None:
            return Conflict(access, "it is written at once by", int(self.writer[units[access]]) - 1)
        return None

    def _against_writer(self, units: Array, lanes: Array, epochs: Array) -> Conflict | None:
        writer = self.writer[units] - 1
        other_block = writer // self.block_size != lanes // self.block_size
        races = (writer >= 0) & (writer != lanes) & (other_block | (self.writer_epoch[units] == epochs))
        if not races.any():
            return None
        access = int(np.argmax(races))
        return Conflict(access, "it was written by", int(writer[access]))


class Watch(Protocol):
    """The part of a launch that says how accesses are recorded."""

    by_byte: bool
    """Whether a unit is a byte."""

    @property
    def block_size(self) -> int: ...
    def shadow(self, units: int) -> Shadow: ...


@dataclass
class Memory:
    """One array that lanes access by indices, with the shadow of the memory that it lies in.

    `lead` is the index of each lane's own part along a first axis: its block's for shared, its own for local memory.
    """

    buffer: Buffer
    shadow: Shadow | None = None
    lead: Array | None = None
    first_unit: int = 0
    """The unit of the first element."""
    unit_strides: tuple[int, ...] = ()
    """Units from element to element along each axis."""
    units_each: int = 1
    """Units that an element covers."""
    wide: DType | None = None
    """The type of elements that are held as Python's integers, once there is a pointer to them."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape that the program sees."""
        return self.buffer.shape if self.lead is None else self.buffer.shape[1:]

    @property
    def element_bytes(self) -> int:
        """The bytes of an element in memory."""
        return self.buffer.data.dtype.itemsize if self.wide is None else self.wide.bytes

    @property
    def bytes(self) -> int:
        """The bytes of the object that a lane sees."""
        return math.prod(self.shape) * self.element_bytes

    def byte_units(self, places: Array) -> Array:
        """The units of some bytes, counted over all copies of the object."""
        element, byte = np.divmod(places, self.element_bytes)
        return self.first_unit + element * self.units_each + byte * self.units_each // self.element_bytes

    def units(self, index: Sequence[Array]) -> Array:
        """The units of some elements, those of an element after another."""
        first = np.full(index[0].shape if index else (1,), self.first_unit, np.int64)
        for axis, stride in zip(index, self.unit_strides, strict=True):
            first = first + axis * stride
        return (first[:, None] + np.arange(self.units_each)).reshape(-1)

    def misaligned(self, index: Sequence[Array]) -> tuple[int, int, int] | None:
        """The number, the address and the wanted alignment of the first access that is not aligned."""
        data = self.buffer.data
        alignment = min(data.dtype.itemsize, 8)
        if data.dtype == object or data.flags.aligned:
            return None
        address = np.full(index[0].shape if index else (1,), address_of(data), np.int64)
        for axis, stride in zip(index, data.strides, strict=True):
            address = address + axis * stride
        off = address % alignment != 0
        return (int(np.argmax(off)), int(address[off][0]), alignment) if off.any() else None


@dataclass
class Pointer:
    """A pointer of each lane: the number of its object, and its offset in bytes; of rank 0 if all lanes agree."""

    objects: tuple[Memory, ...]
    which: Array
    offset: Array

    def moved(self, offset: Array) -> Pointer:
        """The pointers some bytes further on."""
        with np.errstate(over="ignore"):
            return Pointer(self.objects, self.which, np.asarray(self.offset + offset, np.int64))

    @staticmethod
    def merge(mask: Array, new: Pointer, old: Pointer) -> Pointer:
        """The new pointers in the lanes of the mask, the old ones elsewhere."""
        objects = list(old.objects)
        numbers: list[int] = []
        for memory in new.objects:
            same = [n for n, known in enumerate(objects) if known is memory]
            numbers.append(same[0] if same else len(objects))
            if not same:
                objects.append(memory)
        which = np.array(numbers)[new.which]
        return Pointer(tuple(objects), np.where(mask, which, old.which), np.where(mask, new.offset, old.offset))


def address_of(data: Array) -> int:
    """The address of the first element."""
    return int(data.__array_interface__["data"][0])


def global_memories(buffers: Sequence[Buffer], watch: Watch) -> list[Memory]:
    """The arguments of a launch as memories; those whose bytes overlap share a shadow."""
    bounds = [np.lib.array_utils.byte_bounds(b.data) for b in buffers]
    order = sorted(range(len(buffers)), key=lambda i: bounds[i])
    ends = list(accumulate((bounds[i][1] for i in order), max))
    groups: list[list[int]] = []
    for position, i in enumerate(order):
        if position and bounds[i][0] < ends[position - 1]:
            groups[-1].append(i)
        else:
            groups.append([i])
    memories = [Memory(b) for b in buffers]
    for group in groups:
        _share_shadow([memories[i] for i in group], [bounds[i] for i in group], watch)
    return memories


def _share_shadow(memories: Sequence[Memory], bounds: Sequence[tuple[int, int]], watch: Watch) -> None:
    """Gives memories one shadow, of the largest units that all their elements are made of."""
    low, high = min(b[0] for b in bounds), max(b[1] for b in bounds)
    steps = [low - high]
    for memory in memories:
        data = memory.buffer.data
        steps += [data.dtype.itemsize, address_of(data) - low, *data.strides]
    unit = 1 if watch.by_byte else math.gcd(*steps) or 1
    shadow = watch.shadow((high - low) // unit)
    for memory in memories:
        data = memory.buffer.data
        memory.shadow = shadow
        memory.first_unit = (address_of(data) - low) // unit
        memory.unit_strides = tuple(stride // unit for stride in data.strides)
        memory.units_each = data.dtype.itemsize // unit


def block_memory(buffer: Buffer, blocks: Array, watch: Watch) -> Memory:
    """Shared memory: the first axis of the buffer is the block. A unit is an element, or a byte."""
    shape, each = buffer.shape, buffer.data.dtype.itemsize if watch.by_byte else 1
    strides = tuple(math.prod(shape[axis + 1 :]) * each for axis in range(len(shape)))
    return Memory(buffer, watch.shadow(math.prod(shape) * each), blocks, 0, strides, each)


def lane_memory(buffer: Buffer, lanes: Array) -> Memory:
    """Local memory: the first axis of the buffer is the lane. Nobody else can reach it."""
    return Memory(buffer, None, lanes)
