"""Class memory of an executor: 96 classes of 12,288 bytes that its programs and the host share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from hologram.classes import ARENA_BYTES, BYTES_PER_CLASS, CLASS_COUNT
from hologram.classes import address as address_of
from hologram.dialects.classes.allocation import FreeClasses
from hologram.errors import InputError
from hologram.errors.arguments import checked
from hologram.support import forks

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALIGNMENT = 4096
"""Class memory begins at a multiple of this many bytes, and each class at one of 4096."""


_defaults: dict[str, ClassMemory] = {}
_defaults_lock = forks.lock()


@checked
class ClassAllocator:
    """The free classes. Every method is one step to other threads."""

    def __init__(self) -> None:
        self._free = FreeClasses()
        self._lock = forks.lock()

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


@checked
class ClassMemory:
    """`memory[5]` is class 5: a numpy array of its 12,288 bytes, not a copy; `memory[5].view("f4")` reads numbers.

    `memory[5:8]` are the bytes of three classes. All bytes are 0 at first, and live as long as this object or a view.
    """

    def __init__(self) -> None:
        self.allocator = ClassAllocator()
        self._bytes: NDArray[np.uint8] | None = None
        self._lock = forks.lock()

    @property
    def bytes(self) -> NDArray[np.uint8]:
        """All of it: 1,179,648 bytes."""
        with self._lock:
            if self._bytes is None:
                whole = np.zeros(ARENA_BYTES + ALIGNMENT, np.uint8)
                start = -whole.__array_interface__["data"][0] % ALIGNMENT
                self._bytes = whole[start : start + ARENA_BYTES]
            return self._bytes

    @property
    def address(self) -> int:
        """Its address in main memory."""
        return self.bytes.__array_interface__["data"][0]

    def __len__(self) -> int:
        return CLASS_COUNT

    def __repr__(self) -> str:
        return f"<hologram class memory, {len(self.allocator.free)} of {CLASS_COUNT} classes free>"

    def __getitem__(self, index: int | slice) -> NDArray[np.uint8]:
        if isinstance(index, slice):
            numbers = range(CLASS_COUNT)[index]
            if numbers.step != 1:
                raise InputError("class-slice", f"classes {index} do not lie one after another in class memory")
            return self.bytes[numbers.start * BYTES_PER_CLASS : numbers.stop * BYTES_PER_CLASS]
        start = address_of(index)
        return self.bytes[start : start + BYTES_PER_CLASS]

    def __setitem__(self, *_: object) -> NoReturn:
        raise InputError(
            "class-assign", "a class is bytes in memory, and nothing else takes their place",
            hint="write classes[5][:] = ... to change its bytes, or classes[5].view('f4')[:] = ... to change numbers",
        )  # fmt: skip

    __delitem__ = __setitem__

    def __iter__(self) -> Iterator[NDArray[np.uint8]]:
        return (self[number] for number in range(CLASS_COUNT))

    @staticmethod
    def of_default(device: str) -> ClassMemory:
        """Return the class memory of the default executor of a device."""
        with _defaults_lock:
            return _defaults.setdefault(device, ClassMemory())

    def overlaps(self, array: NDArray[np.generic]) -> bool:
        """Return whether an array has bytes in class memory."""
        if self._bytes is None:
            return False
        low, high = np.lib.array_utils.byte_bounds(array)
        return low < self.address + ARENA_BYTES and self.address < high
