"""Addresses for devices whose drivers have handles: each allocation gets a range of numbers that nothing else has.

Memory that is given back is kept for allocations of the same size class, up to a bound. One of as many bytes gets the
same numbers again, so an address means the same whenever it means anything.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from hologram.errors import DeviceError
from hologram.runtime.devices import failures

Handle = TypeVar("Handle")
FIRST = 1 << 52
"""Above what main memory has as addresses, so that neither is taken for the other."""
ALIGNMENT = 256
KEPT_SHARE = 4
"""The share of a device's memory that freed allocations may hold: one in so many."""
KEPT_BYTES = 1 << 30
"""What they may hold of a device that does not say how much memory it has."""


@dataclass(frozen=True)
class Place(Generic[Handle]):
    """The memory that an address leads to."""

    handle: Handle
    offset: int
    """Bytes from the allocation's begin."""
    start: int
    """The address of the allocation."""
    nbytes: int
    """The bytes that were asked for."""

    @property
    def left(self) -> int:
        """The bytes from here to the allocation's end."""
        return self.nbytes - self.offset


def size_class(nbytes: int) -> int:
    """The bytes that are allocated for `nbytes`: at most an eighth more, so that freed memory fits later requests."""
    least = max(nbytes, 1)
    step = max(ALIGNMENT, 1 << max(least.bit_length() - 4, 0))
    return -(-least // step) * step


class Handles(Generic[Handle]):
    """The memory of one device: addresses to handles, and a cache of free ones."""

    def __init__(
        self,
        device: str,
        make: Callable[[int], Handle],
        drop: Callable[[Handle], None],
        most: int,
        memory: int,
    ):
        """`make` and `drop` are the driver's calls, `most` the largest allocation, `memory` what there is."""
        self._device = device
        self._make = make
        self._drop = drop
        self._most = most
        self._bound = memory // KEPT_SHARE or KEPT_BYTES
        self._starts: list[int] = []
        self.live: dict[int, tuple[Place[Handle], int]] = {}
        """By start, what lies there, and its size class."""
        self._free: dict[int, list[tuple[Place[Handle], int]]] = {}
        """By size class, the lowest numbers first: what is freed and asked for again has the same ones."""
        self._next = FIRST
        self.kept = 0
        """Bytes of the freed memory that is kept."""
        self.used = 0
        """Bytes of the memory in use."""

    def allocate(self, nbytes: int) -> int:
        """The address of memory that is free, or new."""
        if nbytes > self._most:
            raise failures.too_large(self._device, nbytes, self._most)
        size = min(size_class(nbytes), self._most)
        waiting = self._free.get(size)
        if waiting:
            entry = waiting.pop(next((n for n, (place, _) in enumerate(waiting) if place.nbytes == nbytes), 0))
            self.kept -= size
            if entry[0].nbytes != nbytes:
                entry = self._entry(entry[0].handle, nbytes, size)
        else:
            entry = self._entry(self._new(size), nbytes, size)
        start = entry[0].start
        bisect.insort(self._starts, start)
        self.live[start] = entry
        self.used += size
        return start

    def _entry(self, handle: Handle, nbytes: int, size: int) -> tuple[Place[Handle], int]:
        """Return an entry for memory, at numbers that nothing has had."""
        start = self._next
        # One byte more than there is, so that the end of an allocation is not the begin of the next one.
        self._next += -(-(size + 1) // ALIGNMENT) * ALIGNMENT
        return Place(handle, 0, start, nbytes), size

    def _new(self, size: int) -> Handle:
        try:
            return self._make(size)
        except DeviceError as error:
            if error.code != "device-memory" or not self.kept:
                raise
        self.trim()
        return self._make(size)

    def place(self, address: int) -> Place[Handle]:
        """Return the memory at an address."""
        if (begun := self.live.get(address)) is not None:
            return begun[0]
        index = bisect.bisect_right(self._starts, address) - 1
        if index >= 0:
            whole, _ = self.live[self._starts[index]]
            offset = address - whole.start
            if offset <= whole.nbytes:
                return Place(whole.handle, offset, whole.start, whole.nbytes)
        raise failures.bad_address(self._device, address)

    def free(self, address: int) -> None:
        """Gives back what begins at an address."""
        if address not in self.live:
            raise failures.bad_address(self._device, address)
        entry = self.live.pop(address)
        place, size = entry
        del self._starts[bisect.bisect_left(self._starts, address)]
        self.used -= size
        if self.kept + size > self._bound:
            self._drop(place.handle)
            return
        self.kept += size
        bisect.insort(self._free.setdefault(size, []), entry, key=lambda entry: entry[0].start)

    def trim(self) -> None:
        """Gives what is kept back to the driver."""
        for entries in self._free.values():
            for place, _ in entries:
                self._drop(place.handle)
        self._free.clear()
        self.kept = 0
