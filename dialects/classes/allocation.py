"""The allocation of class memory: the free classes, and those that a buffer gets (classes.md section 3).

A single class comes from a list, last in first out; several are the lowest run that is long enough. A buffer of more
than 48 classes does without. The runtime's allocator and the pass `allocate-classes` both follow this.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from hologram.classes import BYTES_PER_CLASS, CLASS_COUNT

MOST = 48
"""The most classes that one buffer takes; larger buffers do without."""


def classes_for(bytes: int) -> int:
    """The number of classes that hold so many bytes; 0 where a buffer is too large for classes, or empty."""
    count = -(-bytes // BYTES_PER_CLASS)
    return count if count <= MOST else 0


class FreeClasses:
    """The free ones of some classes, all at first."""

    def __init__(self, classes: range = range(CLASS_COUNT)):
        self._free = list(reversed(classes))
        """The last one is the next that goes to a buffer of one class."""

    @property
    def runs(self) -> list[range]:
        """The runs of neighbouring free classes, in ascending order."""
        numbered = groupby(enumerate(sorted(self._free)), lambda pair: pair[1] - pair[0])
        groups = [[c for _, c in run] for _, run in numbered]
        return [range(run[0], run[-1] + 1) for run in groups]

    def take(self, count: int) -> range | None:
        """Takes a run of `count` classes; None where there is none."""
        if count == 1 and self._free:
            only = self._free.pop()
            return range(only, only + 1)
        first_fit = next((run for run in self.runs if len(run) >= count), None)
        if first_fit is None:
            return None
        taken = first_fit[:count]
        self._free = [c for c in self._free if c not in taken]
        return taken

    def give(self, taken: Iterable[int]) -> None:
        """Gives classes back; the lowest of them is the next to go to a buffer of one class. What is free stays so."""
        self._free += [c for c in sorted(taken, reverse=True) if c not in self._free]
