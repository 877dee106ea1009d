"""Pointers of lanes: which object each lane's pointer goes into, and how many bytes from its start.

An access through a pointer reads and writes bytes, whatever the object's elements are; bytes are what is known to be
written or not, and what races are found on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Attribute, Operation

from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.atlas.lanes.programs import LeaOp
from hologram.errors import InputError, where_of
from hologram.interpreter.core import traps
from hologram.interpreter.core.values import Array, check_writeable, first_of, isa_type
from hologram.interpreter.lanes.batch import LANES, Batch
from hologram.interpreter.lanes.memory import Conflict, Memory, Pointer, Shadow

Record: TypeAlias = Callable[[Shadow], Callable[[Array, Array, Array], Conflict | None]]
"""The method of a shadow that records an access."""


@dataclass
class Part:
    """The lanes of an access that go into one object: their positions, and the offsets in bytes."""

    memory: Memory
    active: Array
    offset: Array

    @property
    def parts(self) -> Array | int:
        """Whose copy of the object each lane goes into."""
        return 0 if self.memory.lead is None else self.memory.lead[self.active]

    def bytes(self, size: int) -> Array:
        """The places of the bytes of each access, among those of all copies of the object."""
        start = self.parts * self.memory.bytes + self.offset
        return start[:, None] + np.arange(size)


@LANES.on(LeaOp)
def lea(batch: Batch, op: LeaOp, args: list[Any], mask: Array) -> Sequence[Pointer]:
    """`atlas.lea`."""
    base, *offsets = args
    offset = np.asarray(offsets[0] if offsets else np.zeros((), np.int64))
    if isinstance(base, Pointer):
        return (base.moved(offset),)
    return (into(op, base, op.base.type, offset),)


def into(op: Operation, memory: Memory, type: Attribute, offset: Array) -> Pointer:
    """A pointer into a memref of a type, some bytes from its start."""
    if not memory.buffer.data.flags.c_contiguous:
        raise InputError(
            "interpreter-pointer-gaps",
            f"'{op.name}' makes a pointer into an array whose elements do not lie one after another",
            where=where_of(op),
            hint="give a contiguous array; numpy.ascontiguousarray makes one",
        )
    element = isa_type(type)
    memory.wide = element if element.bits > 64 else None
    return Pointer((memory,), np.zeros((), np.int64), np.asarray(offset, np.int64))


def load(batch: Batch, op: Any, pointer: Pointer, offsets: Sequence[Array], active: Array) -> Sequence[Array]:
    """A value, or several, in each active lane."""
    results = [np.zeros(batch.count, isa_type(op.dtype.ir).numpy) for _ in range(op.count)]
    for part in accessed(batch, op, pointer, offsets, active):
        check_order(batch, op, part, lambda shadow: shadow.load)
        for result, values in zip(results, read(batch, op, part).T, strict=True):
            result[part.active] = values
    return results


def store(
    batch: Batch, op: Any, pointer: Pointer, offsets: Sequence[Array], values: Sequence[Array], active: Array
) -> Sequence[Array]:
    """Stores a value, or several, in each active lane."""
    stored = np.stack(values, axis=1)
    for part in accessed(batch, op, pointer, offsets, active):
        check_order(batch, op, part, lambda shadow: shadow.store)
        write(op, part, stored[np.isin(active, part.active)])
    return ()


def accessed(
    batch: Batch, op: Any, pointer: Pointer, offsets: Sequence[Array], active: Array, size: int | None = None
) -> Iterator[Part]:
    """The parts of an access by object, in range and aligned. `size` is in bytes, where it is not the operation's."""
    pointer = pointer.moved(offsets[0]) if offsets else pointer
    which, offset = batch.select(pointer.which, active), batch.select(pointer.offset, active)
    extent: int = op.bytes if size is None else size
    alignment: int = op.alignment
    for number, memory in enumerate(pointer.objects):
        here = which == number
        if not here.any():
            continue
        part = Part(memory, active[here], offset[here])
        outside = (part.offset < 0) | (part.offset > memory.bytes - extent)
        if (at := first_of(outside)) is not None:
            raise traps.address_range(op, _lane(batch, part, at), int(part.offset[at]), extent, memory.bytes)
        if (at := first_of(part.offset % alignment != 0)) is not None:
            raise traps.misaligned_offset(op, _lane(batch, part, at), int(part.offset[at]), alignment)
        yield part


def _lane(batch: Batch, part: Part, at: int) -> str:
    return batch.lane_name(int(part.active[at]))


def check_order(batch: Batch, op: Any, part: Part, record: Record, size: int | None = None) -> None:
    """Records an access and traps on a race."""
    if part.memory.shadow is None:
        return
    units = part.memory.byte_units(part.bytes(op.bytes if size is None else size))
    each = units.shape[1]
    lanes = np.repeat(batch.lanes[part.active], each)
    epochs = np.repeat(batch.shape.epochs[batch.blocks[part.active]], each)
    if (conflict := record(part.memory.shadow)(units.reshape(-1), lanes, epochs)) is not None:
        at = conflict.access // each
        raise traps.race_at(op, _lane(batch, part, at), batch.other(conflict.lane), int(part.offset[at]), conflict.what)


def read(batch: Batch, op: Any, part: Part, size: int | None = None) -> Array:
    """The values in the lanes of a part: an axis of lanes, and one of the values of each."""
    memory, places = part.memory, part.bytes(op.bytes if size is None else size)
    if (written := defined(memory, places)) is not None and not written.all():
        at = int(np.argmin(written.all(axis=1)))
        raise traps.uninitialised_at(op, _lane(batch, part, at), int(part.offset[at]))
    return decode(_bytes(memory)[places], op.dtype)


def write(op: Any, part: Part, values: Array) -> None:
    """Stores a row of values in each lane of a part; where places are equal the last lane's stay."""
    memory, places = part.memory, part.bytes(op.bytes)
    buffer = memory.buffer
    check_writeable(op, buffer)
    whole = _bytes(memory)
    whole[places] = encode(values, op.dtype)
    if memory.wide is not None:
        buffer.data.reshape(-1)[:] = decode(whole.reshape(1, -1), memory.wide)[0]
    if buffer.defined is None:
        return
    if buffer.partly is None:
        buffer.partly = np.zeros(whole.size, np.bool_)
    buffer.partly[places] = True
    size = memory.element_bytes
    elements = np.unique(places // size)
    buffer.defined.reshape(-1)[elements] |= buffer.partly.reshape(-1, size)[elements].all(axis=1)


def defined(memory: Memory, places: Array) -> Array | None:
    """Return a mask of the bytes that were written; None if all were."""
    buffer = memory.buffer
    if buffer.defined is None:
        return None
    known = buffer.defined.reshape(-1)[places // memory.element_bytes]
    return known if buffer.partly is None else known | buffer.partly[places]


def _bytes(memory: Memory) -> Array:
    """The bytes of all copies of an object; those of integers that are held as Python's are a copy."""
    data = memory.buffer.data
    if memory.wide is None:
        return data.reshape(-1).view(np.uint8)
    return encode(data.reshape(1, -1), memory.wide)[0].copy()


def decode(raw: Array, dtype: DType) -> Array:
    """Rows of bytes as rows of values in storage form."""
    if dtype.bits > 64:
        size = dtype.bytes
        starts = range(0, raw.shape[1], size)
        rows = [[int.from_bytes(row[i : i + size].tobytes(), "little", signed=True) for i in starts] for row in raw]
        return np.array(rows, object).reshape(len(raw), -1)
    if dtype.kind == "bool":
        return raw != 0
    signed = DTYPES[f"i{dtype.bits}"] if dtype.is_integer else dtype
    return np.ascontiguousarray(raw).view(signed.numpy)


def encode(values: Array, dtype: DType) -> Array:
    """Rows of values in storage form as rows of bytes."""
    if dtype.bits > 64:
        rows = [b"".join(int(v).to_bytes(dtype.bytes, "little", signed=True) for v in row) for row in values]
        return np.frombuffer(b"".join(rows), np.uint8).reshape(len(values), -1)
    return np.ascontiguousarray(values).view(np.uint8)
