"""A heap in one range of addresses that can grow: first fit, with free ranges joined to their neighbours."""

from __future__ import annotations

import bisect
from collections.abc import Callable

ALIGNMENT = 256


class LinearMemory:
    """Which ranges of a memory are in use."""

    def __init__(self, start: int, end: int, most: int = 0, grow: Callable[[int], int] | None = None):
        """The heap lies from `start` to `end`. `grow(n)` asks for n bytes more behind the end and gives the new end,
        which is never above `most`; without it the heap stays as it is."""
        self._most = most
        self._grow = grow
        self._end = end
        self._free: list[tuple[int, int]] = [(start, end)]
        """Begin and end of the free ranges, in order; no two of them touch."""
        self._used: dict[int, int] = {}
        """The end of each range in use by its begin."""
        self._begins: list[int] = []
        """The begins of ranges in use, in order."""

    @property
    def used(self) -> int:
        """The bytes of the ranges in use."""
        return sum(end - begin for begin, end in self._used.items())

    def allocate(self, nbytes: int) -> int | None:
        """Return the address of a free range, or None if there is none. Of 0 bytes too it has an address of its own."""
        size = -(-max(nbytes, 1) // ALIGNMENT) * ALIGNMENT
        place = next((n for n, (start, end) in enumerate(self._free) if end - start >= size), None)
        if place is None and not self._extend(size):
            return None
        if place is None:
            place = len(self._free) - 1
        start, end = self._free[place]
        self._free[place : place + 1] = [(start + size, end)] if end - start > size else []
        self._used[start] = start + size
        bisect.insort(self._begins, start)
        return start

    def _extend(self, size: int) -> bool:
        """Makes the last free range large enough."""
        last = self._free[-1] if self._free and self._free[-1][1] == self._end else (self._end, self._end)
        missing = size - (last[1] - last[0])
        if self._grow is None or self._end + missing > self._most:
            return False
        end = self._grow(missing)
        if end <= self._end:
            return False
        if last[0] < last[1]:
            self._free.pop()
        self._free.append((last[0], end))
        self._end = end
        return end - last[0] >= size

    def free(self, address: int) -> bool:
        """Gives back the range that begins at an address; False if none does."""
        end = self._used.pop(address, None)
        if end is None:
            return False
        del self._begins[bisect.bisect_left(self._begins, address)]
        start = address
        place = bisect.bisect_left(self._free, (start, end))
        if place < len(self._free) and self._free[place][0] == end:
            end = self._free.pop(place)[1]
        if place and self._free[place - 1][1] == start:
            place -= 1
            start = self._free.pop(place)[0]
        self._free.insert(place, (start, end))
        return True

    def begin_of(self, address: int) -> int | None:
        """Return where the range in use begins that holds an address; None if none does."""
        place = bisect.bisect_right(self._begins, address) - 1
        return self._begins[place] if place >= 0 and address < self._used[self._begins[place]] else None

    def holds(self, address: int, nbytes: int) -> bool:
        """Return whether a range of bytes lies in one range that is in use."""
        begin = self.begin_of(address)
        return begin is not None and address + nbytes <= self._used[begin]
