"""Devices of the Vulkan API, over the wheel `vulkan`: graphics processors, and Mesa's lavapipe on this processor.

One queue does everything in the order in which it is asked, with a barrier between any two steps. Steps are collected
in a command buffer, which is submitted when it is full, when somebody waits, and when the host code has returned and
no two others are at work; a timeline semaphore counts what is done. Memory comes from large buffers in parts
(`vulkan_memory`); an address is the number of the buffer, shifted, and the place in it. Where this processor sees the
device's memory it copies there itself, after the work that was asked before; elsewhere bytes go by way of staging
memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hologram.errors import DeviceError
from hologram.runtime.devices import failures, fma_probe
from hologram.runtime.devices.callbacks import Again, CallbackProgram, Dispatch
from hologram.runtime.devices.pooled import LANES, BindingDevice
from hologram.runtime.devices.protocol import Done, Event, KernelInfo
from hologram.runtime.devices.vulkan.commands import Queue, VulkanEvent
from hologram.runtime.devices.vulkan.memory import Memory, Place, Staging
from hologram.runtime.devices.vulkan.programs import PUSH_BYTES, Kernel, Program, Programs
from hologram.runtime.devices.vulkan.setup import TEXELS, Adapter, find_adapters, open_adapter
from hologram.support import forks

CHUNK = 16 << 20
"""Bytes of one staging copy."""


@forks.once
def adapters() -> tuple[Adapter, ...]:
    """The devices of this machine, looked for once."""
    return find_adapters()


def count() -> int:
    """Return the number of devices that compute by Vulkan 1.2."""
    return len(adapters())


def open_device(number: int) -> VulkanDevice:
    """The device with a number, graphics processors first."""
    devices = adapters()
    if not 0 <= number < len(devices):
        raise DeviceError(
            "vulkan-number",
            f"there is no device vulkan:{number}; this machine has {len(devices)}",
            hint="hologram-doctor lists them",
        )
    return VulkanDevice(number, devices[number])


class VulkanProgram(CallbackProgram):
    """A program whose steps are submitted when the host code has returned."""

    def take_error(self) -> BaseException | None:
        """Submit what was asked, and return what failed."""
        error = super().take_error()
        device = self.device
        assert isinstance(device, VulkanDevice)
        try:
            device.flush()
        except DeviceError as failure:
            return error or failure
        return error


class VulkanDevice(BindingDevice):
    """One device of the Vulkan API."""

    def __init__(self, number: int, adapter: Adapter):
        super().__init__()
        self.name = f"vulkan:{number}"
        self.title = adapter.title
        self.version = adapter.version
        self.is_gpu = adapter.is_gpu
        self.limits = adapter.limits
        self.alignment = adapter.alignment
        self.adapter = adapter
        self.handles = open_adapter(adapter, self)
        self.queue = Queue(self.handles)
        self.memory = Memory(self.handles)
        self.live = self.memory.live
        self.programs = Programs(self.handles)
        self._options = {
            "fma": str(fma_probe.fuses(self, fma_probe.code())).lower(),
            "float-controls": ",".join(adapter.float_controls) or "none",
            "limb": "64" if "Int64" in adapter.capabilities else "32",
            "shared": str(adapter.limits.shared),
            **({} if adapter.is_gpu else LANES),
            "texels": str(not adapter.is_gpu and {TEXELS, "Int64"} <= adapter.capabilities).lower(),
        }

    @property
    def options(self) -> Mapping[str, str]:
        """The options of code for it: whether multiply-adds are fused, and what can be asked of floats."""
        return self._options

    # Memory

    def allocate(self, nbytes: int) -> int:
        """The address of new memory."""
        if nbytes > self.limits.memory:
            raise failures.memory_full(self.name, nbytes, self.limits.memory - self.memory.used)
        if nbytes > self.limits.allocation:
            raise failures.too_large(self.name, nbytes, self.limits.allocation)
        address = self.memory.allocate(nbytes)
        if address is None:
            # What is kept may be in the way.
            self.trim()
            address = self.memory.allocate(nbytes)
        if address is None:
            raise failures.memory_full(self.name, nbytes)
        return address

    def free(self, address: int) -> None:
        """Gives memory back. What is done with it next is behind what was asked before, as everything is."""
        if not self.memory.free(address):
            raise failures.bad_address(self.name, address)

    def place(self, address: int, nbytes: int) -> Place:
        """Return the memory at an address, with at least so many bytes behind it."""
        place = self.memory.find(address)
        if place is None or place.left < nbytes:
            raise failures.bad_address(self.name, address)
        return place

    def write(self, address: int, data: memoryview) -> Event:
        """Copies bytes to the device; they are taken before this returns."""
        raw = data.cast("B")
        with self.handles.failing("copy to the device"):
            if not raw.nbytes:
                return Done()
            place = self.place(address, raw.nbytes)
            if (mapped := place.mapped) is not None:
                self.synchronize()
                mapped[place.offset : place.offset + raw.nbytes] = raw
                return Done()
            for start, part, staging in self._chunks(raw):
                staging.bytes[: part.nbytes] = part
                self.queue.copy(staging.buffer, staging.offset, place.buffer, place.offset + start, part.nbytes)
                self.queue.when_done(staging.release)
            return Done()

    def read(self, address: int, data: memoryview) -> Event:
        """Copies bytes from the device; they are there when the event is reached."""
        raw = data.cast("B")
        with self.handles.failing("copy from the device"):
            if not raw.nbytes:
                return Done()
            place = self.place(address, raw.nbytes)
            if (mapped := place.mapped) is not None:
                self.synchronize()
                raw[:] = mapped[place.offset : place.offset + raw.nbytes]
                return Done()
            event: Event = Done()
            for start, part, staging in self._chunks(raw):
                self.queue.copy(place.buffer, place.offset + start, staging.buffer, staging.offset, part.nbytes)

                def take(part: memoryview = part, staging: Staging = staging) -> None:
                    part[:] = staging.bytes[: part.nbytes]
                    staging.release()

                self.queue.when_done(take)
                event = VulkanEvent(self.queue, self.wait, self.queue.submit())
            return event

    def _chunks(self, raw: memoryview) -> Iterator[tuple[int, memoryview, Staging]]:
        """Give the parts of what is copied: where each begins, its bytes, and the staging memory for them."""
        for start in range(0, raw.nbytes, CHUNK):
            part = raw[start : start + CHUNK]
            yield start, part, self.memory.staging(part.nbytes, self.queue)

    def copy(self, target: int, source: int, nbytes: int) -> None:
        """Copies bytes within the device."""
        with self.handles.failing("copy arrays"):
            if nbytes:
                to, of = self.place(target, nbytes), self.place(source, nbytes)
                self.queue.copy(of.buffer, of.offset, to.buffer, to.offset, nbytes)

    def fill(self, address: int, value: int, nbytes: int) -> None:
        """Sets bytes to a value; the device does so by words, and the rest is written."""
        with self.handles.failing("fill an array"):
            if not nbytes:
                return
            place = self.place(address, nbytes)
            whole = nbytes & ~3 if place.offset % 4 == 0 else 0
            if whole:
                self.queue.fill(place.buffer, place.offset, whole, value * 0x01010101)
            if whole < nbytes:
                self.write(address + whole, memoryview(bytes([value]) * (nbytes - whole)))

    # Order

    def record(self) -> Event:
        """An event behind everything that was asked."""
        with self.handles.failing("record an event"):
            stamp = self.queue.stamp()
            return VulkanEvent(self.queue, self.wait, self.queue.submit(), stamp)

    def flush(self) -> None:
        """Submits what was asked, if the device would run out of work."""
        with self.handles.failing("submit work"):
            self.queue.advance()

    def wait(self, value: int) -> None:
        """Returns when the queue has come to a value."""
        with self.lock, self.handles.failing("finish its work"):
            self.queue.wait(value)

    def trim(self) -> None:
        """Frees buffers of which nothing is used."""
        self.synchronize()
        self.memory.trim()

    def close(self) -> None:
        """Frees everything."""
        if self.is_lost:
            return
        self.synchronize()
        self.is_lost = True
        self.queue.close()
        self.programs.close()
        self.memory.close()
        self.handles.close()

    # Programs

    def load(self, code: bytes, kernels: Sequence[KernelInfo], trap: int) -> VulkanProgram:
        """Loads a SPIR-V binary."""
        return VulkanProgram(self, kernels, trap, self.programs.load(code, kernels))

    def unload(self, program: CallbackProgram) -> None:
        """Destroys pipelines when the work that may use them is done."""
        self.synchronize()
        code: Program = program.code
        code.close()

    def start(self, dispatch: Dispatch) -> Again | None:
        """Starts a kernel: in parts where the grid is larger than one dispatch."""
        with self.handles.failing("start a kernel"):
            grid, values = dispatch.grid, dispatch.values
            code: Program = dispatch.program.code
            kernel = code.kernel(dispatch.number, dispatch.block)
            failures.check_lanes(self.name, kernel.info.name, grid, dispatch.block)
            bindings = self.bindings(kernel, values) if kernel.is_bound else []
            addresses = [] if kernel.is_bound else [self.place(v, 0).address for v in values if isinstance(v, int)]
            scalars = kernel.pack(addresses, [v for v in values if isinstance(v, bytes)], grid)
            if len(scalars) <= PUSH_BYTES:
                self._dispatch(kernel, bindings, scalars, grid)
                return lambda: self._dispatch(kernel, bindings, scalars, grid)
            address = self.allocate(len(scalars))
            place = self.place(address, len(scalars))
            self.queue.update(place.buffer, place.offset, scalars)
            bindings.append((place.buffer, place.offset, len(scalars)))
            self.queue.dispatch(kernel, bindings, b"", grid, self.adapter.groups)
            # The next use of this memory is behind the dispatch, as everything is.
            self.free(address)
            return None

    def _dispatch(
        self, kernel: Kernel, bindings: Sequence[tuple[Any, int, int]], scalars: bytes, grid: Sequence[int]
    ) -> None:
        with self.handles.failing("start a kernel"):
            self.queue.dispatch(kernel, bindings, scalars, grid, self.adapter.groups)

    def bindings(self, kernel: Kernel, values: Sequence[int | bytes]) -> list[tuple[Any, int, int]]:
        """Buffer, offset and bytes of each buffer argument."""
        buffers: list[tuple[Any, int, int]] = []
        for address in values:
            if isinstance(address, bytes):
                continue
            place = self.place(address, 0)
            if place.left > self.limits.binding:
                raise failures.binding_too_large(self.name, kernel.info.name, place.left, self.limits.binding)
            buffers.append((place.buffer, place.offset, -(-place.left // 4) * 4))
        return buffers

    def extent(self, address: int) -> tuple[int, int]:
        """The bytes of a buffer before and behind an address."""
        place = self.place(address, 0)
        return place.offset, place.left
