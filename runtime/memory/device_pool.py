"""Pools on devices: memory of constant size there, through which data of any length goes in parts."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from hologram.errors.arguments import checked
from hologram.runtime.memory.device_array import DeviceArray, empty
from hologram.runtime.memory.freeable import Freeable
from hologram.runtime.memory.memory_pool import BasePool


@checked
class DevicePool(BasePool[DeviceArray], Freeable):
    """A pool as `hologram.Pool` is, in the memory of a device: its views are arrays there.

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

    def _part(self, start: int, end: int) -> DeviceArray:
        return self._memory[start:end]

    def _store(self, room: DeviceArray, data: NDArray[Any]) -> None:
        room.copy_from(data)

    def _load(self, part: DeviceArray) -> NDArray[Any]:
        return part.numpy()

    def free(self) -> None:
        """Gives its memory back, which all views of it lose. Doing so again does nothing."""
        self._memory.free()


__all__ = ["DevicePool"]
