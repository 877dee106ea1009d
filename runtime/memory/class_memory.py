"""Class memory of an executor: 96 classes of 12,288 bytes that its programs and the host share."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from hologram.classes import ARENA_BYTES, BYTES_PER_CLASS, CLASS_COUNT
from hologram.classes import address as address_of
from hologram.errors import InputError
from hologram.runtime.memory.class_allocator import ClassAllocator

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALIGNMENT = 4096
"""Class memory begins at a multiple of this many bytes, and each class at one of 4096."""


_defaults: dict[str, ClassMemory] = {}
_defaults_lock = threading.Lock()


class ClassMemory:
    """`memory[5]` is class 5: a numpy array of its 12,288 bytes, not a copy; `memory[5].view("f4")` reads numbers.

    `memory[5:8]` are the bytes of three classes. All bytes are 0 at first, and live as long as this object or a view.
    """

    def __init__(self) -> None:
        self.allocator = ClassAllocator()
        self._bytes: NDArray[np.uint8] | None = None
        self._lock = threading.Lock()

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

    def __getitem__(self, index: int | slice) -> NDArray[np.uint8]:
        if isinstance(index, slice):
            numbers = range(CLASS_COUNT)[index]
            if numbers.step != 1:
                raise InputError("class-slice", f"classes {index} do not lie one after another in class memory")
            return self.bytes[numbers.start * BYTES_PER_CLASS : numbers.stop * BYTES_PER_CLASS]
        start = address_of(index)
        return self.bytes[start : start + BYTES_PER_CLASS]

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
