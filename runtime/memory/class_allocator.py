"""Gives classes of an executor's class memory to its buffers."""

from __future__ import annotations

import threading

from hologram.dialects.classes.allocation import FreeClasses
from hologram.errors import InputError


class ClassAllocator:
    """The free classes. Every method is one step to other threads."""

    def __init__(self) -> None:
        self._free = FreeClasses()
        self._lock = threading.Lock()

    @property
    def free(self) -> tuple[int, ...]:
        """The free classes in ascending order."""
        with self._lock:
            return tuple(c for run in self._free.runs for c in run)

    def allocate(self, count: int) -> range:
        """Takes a run of `count` classes, 1 to 48."""
        with self._lock:
            taken = self._free.take(count)
            if taken is None:
                raise _fragmented(count, self._free.runs)
            return taken

    def release(self, taken: range) -> None:
        """Gives classes back; the lowest of them is the next to go to a buffer of one class."""
        with self._lock:
            self._free.give(taken)


def _fragmented(count: int, runs: list[range]) -> InputError:
    total, longest = sum(map(len, runs)), max(map(len, runs), default=0)
    ways = f"{len(runs)} run{'s' * (len(runs) != 1)} of at most {longest}"
    free = f"{total} are free, in {ways}" if total else "none is free"
    message = f"there is no place for {count} class{'es' * (count != 1)} in class memory: {free}"
    return InputError("class-memory-full", message, hint="free buffers, or pass plain arrays, which need no classes")
