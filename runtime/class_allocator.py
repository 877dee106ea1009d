"""Which classes of class memory are taken: single ones from a list, last in first out; several as the lowest run."""

from __future__ import annotations

import threading
from itertools import groupby

from hologram.classes import BYTES_PER_CLASS, CLASS_COUNT
from hologram.errors import InputError

MOST = 48
"""The most classes that one buffer takes; larger buffers do without."""


def classes_for(bytes: int) -> int:
    """How many classes hold so many bytes; 0 where a buffer is too large for classes, or empty."""
    count = -(-bytes // BYTES_PER_CLASS)
    return count if count <= MOST else 0


class ClassAllocator:
    """The free classes. Every method is one step to other threads."""

    def __init__(self) -> None:
        self._free = list(range(CLASS_COUNT - 1, -1, -1))
        """The last one is the next that goes to a buffer of one class."""
        self._lock = threading.Lock()

    @property
    def free(self) -> tuple[int, ...]:
        """The free classes in ascending order."""
        with self._lock:
            return tuple(sorted(self._free))

    def allocate(self, count: int) -> range:
        """Takes a run of `count` classes, 1 to 48."""
        with self._lock:
            if count == 1 and self._free:
                only = self._free.pop()
                return range(only, only + 1)
            runs = _runs(sorted(self._free))
            found = next((run for run in runs if len(run) >= count), None)
            if found is None:
                raise _fragmented(count, runs)
            taken = range(found[0], found[0] + count)
            self._free = [c for c in self._free if c not in taken]
            return taken

    def release(self, taken: range) -> None:
        """Gives classes back; the lowest of them is the next to go to a buffer of one class."""
        with self._lock:
            self._free += reversed(taken)


def _runs(free: list[int]) -> list[list[int]]:
    """Classes in ascending order as runs of neighbouring numbers."""
    return [[c for _, c in run] for _, run in groupby(enumerate(free), lambda pair: pair[1] - pair[0])]


def _fragmented(count: int, runs: list[list[int]]) -> InputError:
    total, longest = sum(map(len, runs)), max(map(len, runs), default=0)
    ways = f"{len(runs)} run{'s' * (len(runs) != 1)} of at most {longest}"
    free = f"{total} are free, in {ways}" if total else "none is free"
    message = f"there is no place for {count} class{'es' * (count != 1)} in class memory: {free}"
    return InputError("class-memory-full", message, hint="free buffers, or pass plain arrays, which need no classes")
