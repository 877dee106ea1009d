"""Pools of the host: memory of constant size for streaming what need not fit into it (classes.md section 3)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.errors import InputError, did_you_mean
from hologram.errors.arguments import checked, described

ArrayT = TypeVar("ArrayT")
ALIGNMENT = 4096
"""A pool begins at a multiple of this many bytes."""


@checked
class BasePool(ABC, Generic[ArrayT]):
    """A flat array of bytes of constant size, in main memory or on a device.

    What it is given and asked for lies inside, or an InputError says so.
    """

    def __init__(self, capacity: int):
        if capacity < 1:
            raise InputError("pool-capacity", f"a pool has at least 1 byte, not {capacity}")
        self._capacity = capacity

    @property
    def capacity(self) -> int:
        """Its size in bytes."""
        return self._capacity

    def __len__(self) -> int:
        return self._capacity

    @abstractmethod
    def _part(self, start: int, end: int) -> ArrayT:
        """Return the bytes of a range."""

    @abstractmethod
    def _store(self, room: ArrayT, data: NDArray[Any]) -> None:
        """Copies an array to a part of the pool."""

    @abstractmethod
    def _load(self, part: ArrayT) -> NDArray[Any]:
        """Return the elements of a part in main memory."""

    def write(self, offset: int, data: Any) -> None:
        """Copies the bytes of `data` (bytes, or a numpy array) to `offset`."""
        given = bytes_of(data)
        self._check(offset, given.size)
        self._store(self._part(offset, offset + given.size), given)

    def read(self, offset: int, length: int) -> bytes:
        """A copy of `length` bytes at `offset`."""
        self._check(offset, length)
        return self._load(self._part(offset, offset + length)).tobytes()

    def view(self, dtype: str, offset: int = 0, count: int | None = None) -> ArrayT:
        """`count` elements of an ISA type at `offset`, a multiple of the type's alignment; all that fit by default."""
        entry, number = self._elements(dtype, offset, count)
        part: Any = self._part(offset, offset + number * entry.bytes)
        if entry.bits > 64:
            return part.view(np.uint64).reshape(number, entry.bits // 64)
        return part.view(entry.numpy)

    def stream(self, source: NDArray[Any]) -> Iterator[ArrayT]:
        """The elements of an array of one axis, in order, some at a time as a view of the pool.

        A part is overwritten when the next one is asked for.
        """
        for part in self._parts(source):
            room: Any = self._part(0, part.nbytes)
            room = room.view(source.dtype)
            self._store(room, part)
            yield room

    def _check(self, offset: int, length: int) -> None:
        if offset < 0 or length < 0 or offset + length > self.capacity:
            raise InputError("pool-range", f"{length} bytes at {offset} are not inside a pool of {self.capacity} bytes")

    def _elements(self, dtype: str, offset: int, count: int | None) -> tuple[DType, int]:
        """A type, and how many of its elements a view has."""
        if dtype not in DTYPES:
            raise InputError(
                "pool-type",
                f"there is no type '{dtype}'",
                hint=did_you_mean(dtype, DTYPES) or f"the types are {', '.join(DTYPES)}",
            )
        entry = DTYPES[dtype]
        self._check(offset, 0)
        if offset % entry.alignment:
            raise InputError("pool-alignment", f"{dtype} lies at multiples of {entry.alignment} bytes, not at {offset}")
        number = (self.capacity - offset) // entry.bytes if count is None else count
        self._check(offset, number * entry.bytes)
        return entry, number

    def _parts(self, source: NDArray[Any]) -> Iterator[NDArray[Any]]:
        """The elements of an array of one axis, as many at a time as there is room for."""
        each = source.dtype.itemsize
        most = self.capacity // each
        if source.ndim != 1 or not most:
            raise InputError(
                "pool-stream",
                f"an array of shape {source.shape} and {each} bytes an element can't stream through {self!r}",
                hint="give an array of one axis, and a pool with room for an element",
            )  # fmt: skip
        for start in range(0, len(source), most):
            yield source[start : start + most]


@checked
class Pool(BasePool["NDArray[Any]"]):
    """A flat array of bytes of constant size. What it is given and asked for lies inside, or an InputError says so.

        pool = hologram.Pool(36864)
        total = 0.0
        for part in pool.stream(numbers):       # of any length
            total += float(sum_of(part)[0])

    `pool.view("f32", 4096, count=16)` is a part of it as numbers, not a copy, for kernels to work on.
    """

    def __init__(self, capacity: int):
        """`capacity` is in bytes, at least 1."""
        super().__init__(capacity)
        whole = zeroed(capacity + ALIGNMENT, "a pool")
        start = -whole.__array_interface__["data"][0] % ALIGNMENT
        self.bytes: NDArray[np.uint8] = whole[start : start + capacity]
        """All of it."""

    def __repr__(self) -> str:
        return f"<hologram.Pool of {self.capacity} bytes>"

    def _part(self, start: int, end: int) -> NDArray[Any]:
        return self.bytes[start:end]

    def _store(self, room: NDArray[Any], data: NDArray[Any]) -> None:
        room[...] = data

    def _load(self, part: NDArray[Any]) -> NDArray[Any]:
        return part

    def ring(self) -> Ring:
        """An empty ring over the whole pool."""
        return Ring(self)


@checked
class Ring:
    """A pool as a ring of bytes: writing goes on at the head, and overwrites the oldest bytes once it is full."""

    def __init__(self, pool: Pool):
        self.pool = pool
        self.head = 0
        """Where the next byte goes."""
        self.tail = 0
        """Where the oldest byte is."""
        self._held = 0

    def __repr__(self) -> str:
        return f"<hologram ring with {len(self)} of {self.capacity} bytes>"

    def __len__(self) -> int:
        """The number of bytes that it holds."""
        return self._held

    @property
    def capacity(self) -> int:
        """The number of bytes that it can hold."""
        return self.pool.capacity

    def write(self, data: Any) -> None:
        """Appends bytes. Of more than the capacity the last ones stay."""
        given = bytes_of(data)
        if np.may_share_memory(given, self.pool.bytes):
            given = given.copy()
        kept = given[-self.capacity :]
        # What does not stay has gone around the ring too.
        start = (self.head + given.size - kept.size) % self.capacity
        first = min(kept.size, self.capacity - start)
        self.pool.bytes[start : start + first] = kept[:first]
        self.pool.bytes[: kept.size - first] = kept[first:]
        self._held = min(self._held + given.size, self.capacity)
        self.head = (start + kept.size) % self.capacity
        self.tail = (self.head - self._held) % self.capacity

    def read(self, offset: int, length: int) -> bytes:
        """A copy of `length` bytes, from `offset` bytes past the oldest on."""
        if offset < 0 or length < 0 or offset + length > self._held:
            raise InputError("ring-range", f"{length} bytes at {offset} are not among the {self._held} bytes held")
        start = (self.tail + offset) % self.capacity
        first = min(length, self.capacity - start)
        return self.pool.bytes[start : start + first].tobytes() + self.pool.bytes[: length - first].tobytes()

    def drop(self, length: int) -> None:
        """Forgets the oldest bytes."""
        if not 0 <= length <= self._held:
            raise InputError("ring-drop", f"{length} bytes can't go: {self._held} bytes are held")
        self.tail = (self.tail + length) % self.capacity
        self._held -= length


def zeroed(count: int, what: str) -> NDArray[np.uint8]:
    """Bytes that are 0, for something."""
    try:
        return np.zeros(count, np.uint8)
    except (MemoryError, ValueError, OverflowError):
        message = f"there is no memory for {what} of {count} bytes"
        raise InputError("memory-missing", message, hint="ask for less, or stream through a smaller pool") from None


def bytes_of(data: Any) -> NDArray[np.uint8]:
    """The bytes of a bytes-like object or an array, in row-major order."""
    try:
        if isinstance(data, np.ndarray):
            return np.ascontiguousarray(cast("NDArray[Any]", data)).reshape(-1).view(np.uint8)
        return np.frombuffer(memoryview(data).cast("B"), np.uint8) if len(data) else np.empty(0, np.uint8)
    except (TypeError, ValueError, BufferError):
        message = f"pools hold bytes, and {described(data)} has none"
        raise InputError("pool-bytes", message, hint="give bytes, or a numpy array of numbers") from None


__all__ = ["Pool", "Ring"]
