"""Pools on devices: memory of constant size there, through which data of any length goes in parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hologram.runtime import dtypes
from hologram.runtime.memory.device_array import DeviceArray, empty
from hologram.runtime.memory.memory_pool import BasePool, bytes_of


class DevicePool(BasePool):
    """As `hologram.Pool`, in the memory of a device: its views are arrays there.

        pool = hologram.DevicePool(36864, device="opencl")
        total = 0.0
        for part in pool.stream(numbers):       # of any length
            total += float(sum_of(part).numpy()[0])

    What is asked of a device happens in order, so a part may be replaced while kernels still have the last one to do.
    """

    def __init__(self, capacity: int, *, device: str):
        """`capacity` is in bytes, at least 1."""
        super().__init__(capacity)
        self._memory = empty(capacity, "u8", device=device)
        self.write(0, bytes(capacity))

    @property
    def device(self) -> str:
        """The name of its device."""
        return self._memory.device

    def __repr__(self) -> str:
        return f"<hologram.DevicePool of {self.capacity} bytes on {self.device}>"

    def write(self, offset: int, data: Any) -> None:
        """Copies the bytes of `data` (bytes, or a numpy array) to `offset`."""
        given = bytes_of(data)
        self._check(offset, given.size)
        self._memory[offset : offset + given.size].copy_from(given)

    def read(self, offset: int, length: int) -> bytes:
        """A copy of `length` bytes at `offset`."""
        self._check(offset, length)
        return self._memory[offset : offset + length].numpy().tobytes()

    def view(self, dtype: str, offset: int = 0, count: int | None = None) -> DeviceArray:
        """`count` elements of an ISA type at `offset`, a multiple of the type's alignment; all that fit by default."""
        found, number = self._elements(dtype, offset, count)
        part = self._memory[offset : offset + number * found.bytes]
        if found.bits > 64:
            return part.view(np.uint64).reshape(number, found.bits // 64)
        return part.view(dtypes.dtype(dtype).numpy)

    def stream(self, source: NDArray[Any]) -> Iterator[DeviceArray]:
        """The elements of an array of one axis, in order, some at a time as a view of the pool.

        A part is overwritten when the next one is asked for.
        """
        for part in self._parts(source):
            room = self._memory[: part.nbytes].view(source.dtype)
            room.copy_from(part)
            yield room

    def free(self) -> None:
        """Gives its memory back, which all views of it lose. Doing so again does nothing."""
        self._memory.free()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.free()


__all__ = ["DevicePool"]
