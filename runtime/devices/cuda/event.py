"""Points in the stream of a GPU."""

from __future__ import annotations

import ctypes
from typing import Any, Protocol

from hologram.runtime.devices.cuda.driver import NOT_READY
from hologram.runtime.devices.protocol import Event


class Owner(Protocol):
    """The device, as an event sees it."""

    def call(self, what: str, name: str, *args: Any) -> None:
        """Calls the driver, whose errors become ours."""

    def ask(self, name: str, *args: Any) -> int:
        """Calls the driver, and gives its status."""
        ...

    def recycle(self, handle: int) -> None:
        """Takes an event back."""


class CudaEvent(Event):
    """A point in the stream."""

    def __init__(self, device: Owner, handle: int, kept: object = None):
        self._device = device
        self.handle = handle
        self._kept = kept

    def wait(self) -> None:
        """Returns when it is reached."""
        self._device.call("wait for its work", "cuEventSynchronize", self.handle)
        self._kept = None

    @property
    def done(self) -> bool:
        """Whether it is reached."""
        return self._device.ask("cuEventQuery", self.handle) != NOT_READY

    def elapsed(self, since: Event) -> float:
        """The device's seconds between two events."""
        assert isinstance(since, CudaEvent)
        found = ctypes.c_float()
        self._device.call("time its work", "cuEventElapsedTime", ctypes.byref(found), since.handle, self.handle)
        return found.value * 1e-3

    def __del__(self) -> None:
        self._device.recycle(self.handle)
