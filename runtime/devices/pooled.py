"""Devices whose kernels are given the driver's buffers, in place of addresses."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Generic, TypeVar

from hologram.errors import DeviceError
from hologram.runtime.devices import failures
from hologram.runtime.devices.callbacks import Again, CallbackDevice, Dispatch
from hologram.runtime.devices.handles import Handle, Handles
from hologram.runtime.devices.protocol import Limits

ResultT = TypeVar("ResultT")
LANES = {"schedule": "lanes", "tables": "select-tables", "lookups": "false", "chains": "24"}
"""What code is made for where the device is a processor, whose driver makes vectors of threads."""


class BindingDevice(CallbackDevice):
    """A device that binds a kernel's buffers, at offsets that are multiples of `alignment`; others are copied."""

    alignment: int

    @abstractmethod
    def extent(self, address: int) -> tuple[int, int]:
        """The bytes of an allocation before and behind an address."""

    def unbindable(self, dispatch: Dispatch) -> Collection[int]:
        """Return the numbers of the buffers that can't be bound where they lie, beside those that are not aligned."""
        return ()

    def launch(self, dispatch: Dispatch) -> Again | None:
        """Starts a kernel, with copies of what can't be bound where it lies."""
        arguments, values = dispatch.kernel.arguments, dispatch.values
        bound = list(values)
        moved: dict[int, tuple[int, int]] = {}
        written: list[int] = []
        unbindable = self.unbindable(dispatch)
        for index, value in enumerate(values):
            if isinstance(value, bytes):
                continue
            if arguments[index].access != "read":
                written.append(value)
            offset, left = self.extent(value)
            if left and (offset % self.alignment or index in unbindable):
                bound[index] = copied = self.allocate(left)
                self.copy(copied, value, left)
                moved[index] = copied, left
        if not moved:
            return self.start(dispatch)
        self.start(replace(dispatch, values=bound))
        for index, (copied, left) in moved.items():
            address = values[index]
            assert isinstance(address, int)
            if arguments[index].access != "read":
                # How long the array is no one says here, but it ends where the next one that is written begins.
                behind = min((other - address for other in written if other > address), default=left)
                self.copy(address, copied, min(left, behind))
            # What uses it was asked for before whatever gets it next.
            self.free(copied)
        return None


class PooledDevice(BindingDevice, Generic[Handle]):
    """A device whose driver has handles for memory, which are kept for later allocations when they are given back."""

    def __init__(self, name: str, limits: Limits, alignment: int):
        super().__init__()
        self.name, self.limits, self.alignment = name, limits, alignment
        self.memory: Handles[Handle] = Handles(
            name, self.make_buffer, self.drop_buffer, limits.allocation, limits.memory
        )
        self.live = self.memory.live

    driver_errors: tuple[type[Exception], ...] = ()
    """What the driver raises."""

    def says_lost(self, why: str) -> bool:
        """Return whether the driver's message says that the device is gone."""
        return False

    def says_full(self, why: str) -> bool:
        """Return whether the driver's message says that there is no memory for what is asked."""
        return False

    def failure(self, what: str, why: str) -> DeviceError:
        """Return the error of a call of the driver, by its message."""
        if not self.says_lost(why):
            return failures.failed(self.name, what, why)
        self.is_lost = True
        return failures.lost(self.name, why)

    def call(self, what: str, do: Callable[..., ResultT], *args: Any, **options: Any) -> ResultT:
        """Calls the driver, whose errors become ours."""
        self.check_open()
        try:
            return do(*args, **options)
        except self.driver_errors as error:
            raise self.failure(what, str(error)) from None

    @contextmanager
    def allocating(self, nbytes: int) -> Generator[None]:
        """Turns what the driver raises while it allocates into an error of ours."""
        try:
            yield
        except self.driver_errors as error:
            why = str(error)
            is_full = self.says_full(why)
            raise (
                failures.memory_full(self.name, nbytes) if is_full else self.failure("allocate memory", why)
            ) from None

    @abstractmethod
    def make_buffer(self, nbytes: int) -> Handle:
        """New memory of the driver's; a `device-memory` error where there is none."""

    @abstractmethod
    def drop_buffer(self, handle: Handle) -> None:
        """Gives memory back to the driver."""

    def allocate(self, nbytes: int) -> int:
        """The address of new memory."""
        self.check_open()
        return self.memory.allocate(nbytes)

    def free(self, address: int) -> None:
        """Gives memory back, for later allocations: everything happens in the order in which it is asked."""
        self.memory.free(address)

    def trim(self) -> None:
        """Gives memory that is kept back to the driver."""
        self.memory.trim()

    def close(self) -> None:
        """Frees everything."""
        if not self.is_lost:
            self.synchronize()
        self.is_lost = True
        self.memory.trim()

    def extent(self, address: int) -> tuple[int, int]:
        """The bytes of an allocation before and behind an address."""
        place = self.memory.place(address)
        return place.offset, place.left
