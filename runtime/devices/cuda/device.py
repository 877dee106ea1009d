"""NVIDIA's GPUs, by way of CUDA's driver library: programs are PTX, which the driver compiles for the device.

What it compiled is kept in the disk cache. Everything goes through one stream, in order. Host code launches kernels by
compiled functions that call the driver (`cuda_host`); memory that is given back is kept for later (`cuda_memory`).
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from hologram.errors import DeviceError
from hologram.runtime.cache import disk_cache, key_of
from hologram.runtime.devices import failures
from hologram.runtime.devices.callbacks import PROGRAMS, host_addresses
from hologram.runtime.devices.cpu import resources
from hologram.runtime.devices.cuda.driver import GONE, NOT_READY, OUT_OF_MEMORY, SUCCESS, Driver, driver
from hologram.runtime.devices.cuda.host import (
    CALLED,
    COMPILED,
    COPIED,
    KEPT,
    REPLAYED,
    TOO_LARGE,
    Context,
    DriverFunctions,
    KernelSlot,
    record,
)
from hologram.runtime.devices.cuda.memory import CachingAllocator
from hologram.runtime.devices.protocol import Device, DeviceProgram, Event, KernelInfo, Limits, Recording, check_launch
from hologram.runtime.native import CUDA_LAUNCH
from hologram.support import forks
from hologram.support.hidden import TRAP

THREADS, BLOCK, GRID, WARP = 1, (2, 3, 4), (5, 6, 7), 10
MAJOR, MINOR, SHARED_OPTIONAL, COUNT = 75, 76, 97, 16
"""Attributes of a device, by the driver's numbers."""
STATIC_SHARED, MOST_DYNAMIC = 1, 8
"""Attributes of a kernel."""
PTX_INPUT = 1
INFO_LOG, INFO_SIZE, ERROR_LOG, ERROR_SIZE, LINK_TARGET = 3, 4, 5, 6, 9
ACCELERATED = 0x10000
"""What the driver adds to the number of an architecture for all that only it has."""
LOG_BYTES = 1 << 14

ARCHITECTURES = {
    (7, 5): "sm_75", (8, 0): "sm_80", (8, 6): "sm_86", (8, 7): "sm_87", (8, 9): "sm_89", (9, 0): "sm_90a",
    (10, 0): "sm_100", (10, 3): "sm_103", (12, 0): "sm_120",
}  # fmt: skip
"""What code is made for, by compute capability; those between take the one before."""
_OWN_TARGET = re.compile(rb"^\.target sm_(\d+)a$", re.MULTILINE)
"""Of PTX for one architecture alone."""
_SHARED = re.compile(rb"^// hologram\.shared_bytes (\S+) (\d+)$", re.MULTILINE)


def count() -> int:
    """Return the number of GPUs that CUDA's driver knows."""
    return driver().number("cuDeviceGetCount")


def open_device(number: int) -> Device:
    """The GPU with a number."""
    return CudaDevice(driver(), number)


class CudaProgram(DeviceProgram):
    """Device code that is loaded on a GPU."""

    def __init__(self, device: CudaDevice, module: int, kernels: Sequence[KernelInfo], slots: Any, trap: int):
        self.device = device
        self._module = module
        self._kernels = tuple(kernels)
        self._slots = slots
        self._error: BaseException | None = None
        self.trap = trap
        self.recording = False
        """Whether host code runs so that what it asks for is recorded."""
        self.host = Context(
            cuda=device.cuda,
            stream=device.stream,
            record=trap,
            kernels=ctypes.addressof(slots) if kernels else 0,
            driver=ctypes.addressof(device.driver_functions),
        )
        self.context = self.status = ctypes.addressof(self.host)
        PROGRAMS[self.context] = self

    @property
    def launches(self) -> int:
        """The number of kernels that were started."""
        return self.host.launches

    def attempt(self, do: Callable[..., int | None], *args: Any, always: bool = False) -> int:
        """Runs what a host function asks for, which programs that are recorded may not; keeps what failed first."""
        if self.recording and not always:
            self.host.status = KEPT
        if self.host.status != SUCCESS and not always:
            return 0
        try:
            return do(*args) or 0
        except BaseException as error:  # Ctrl-C too: it is raised again when the host code has returned.
            if self.host.status == SUCCESS:
                self.host.status, self._error = KEPT, error
            return 0

    def take_error(self) -> BaseException | None:
        """Return what failed in a host function since this was asked last."""
        status = self.host.status
        if status == SUCCESS:
            return None
        error, self._error = self._error, None
        if error is None:
            error = self.lost() if status == KEPT else self._explain(status)
        # What a program knows of a device that is gone may be another's now: it asks for nothing any more.
        self.host.status = KEPT if self.device.is_lost else SUCCESS
        return error

    def lost(self) -> DeviceError:
        """Has the program ask for nothing any more."""
        self.host.status = KEPT
        return failures.lost(self.device.name, "it was closed, or failed before")

    def record(self, function: int, words: Any) -> Recording | None:
        """Record it as a graph of the driver's."""
        device = self.device
        with device.lock:
            self.recording = True
            try:
                return record(device.ask, device.drop_graph, device.functions, self.host, function, words)
            finally:
                self.recording = False
                self.take_error()

    def _explain(self, status: int) -> BaseException:
        """Return the error for what the driver, or the compiled launch, refused."""
        if self.host.kernel == COPIED:
            return self.device.failure("copy memory", status)
        if self.host.kernel == REPLAYED:
            names = ", ".join(f"'{kernel.name}'" for kernel in self._kernels)
            return self.device.failure(f"launch what was prepared of {names}", status)
        kernel = self._kernels[self.host.kernel]
        sizes = list(self.host.sizes)
        try:
            check_launch(self.device.limits, kernel, self.device.name, sizes[:3], sizes[3:6], sizes[6])
        except DeviceError as error:
            return error
        if status == TOO_LARGE:
            message = f"kernel '{kernel.name}' is launched with sizes {sizes}, and none may be 2^31 or more"
            return DeviceError("cuda-size", message, hint="launch parts of it one after another")
        grid, block = ("x".join(map(str, s)) for s in (sizes[:3], sizes[3:6]))
        return self.device.failure(f"launch kernel '{kernel.name}' with {grid} blocks of {block} lanes", status)

    def close(self) -> None:
        """Unloads it, when the device is done with it."""
        if PROGRAMS.pop(self.context, None) is None or self.device.is_lost:
            return
        self.device.ask("cuStreamSynchronize", self.device.stream)
        self.device.ask("cuModuleUnload", self._module)


class CudaEvent(Event):
    """A point in the stream."""

    def __init__(self, device: CudaDevice, handle: int, kept: object = None):
        self._device = device
        self.handle = handle
        self._kept = kept

    def wait(self) -> None:
        """Returns when it is reached."""
        self._device.call("wait for its work", "cuEventSynchronize", self.handle)
        self._kept = None

    @property
    def done(self) -> bool:
        """True if it is reached."""
        return self._device.ask("cuEventQuery", self.handle) != NOT_READY

    def elapsed(self, since: Event) -> float:
        """The device's seconds between two events."""
        assert isinstance(since, CudaEvent)
        millis = ctypes.c_float()
        self._device.call("time its work", "cuEventElapsedTime", ctypes.byref(millis), since.handle, self.handle)
        return millis.value * 1e-3

    def __del__(self) -> None:
        self._device.recycle(self.handle)


class CudaDevice(Device):
    """One GPU."""

    def __init__(self, library: Driver, number: int):
        super().__init__()
        self._driver = library
        self.driver_functions = DriverFunctions(*map(library.address, CALLED))
        self.name = f"cuda:{number}"
        self.is_gpu = True
        self.ordinal = library.number("cuDeviceGet", number)
        """Its number among CUDA's devices."""
        self.title = self._title()
        version = library.number("cuDriverGetVersion")
        self.version = f"driver for CUDA {version // 1000}.{version % 1000 // 10}"
        self._capability = self._attribute(MAJOR), self._attribute(MINOR)
        self.multiprocessors = self._attribute(COUNT)
        self.cuda = library.number("cuDevicePrimaryCtxRetain", self.ordinal, kind=ctypes.c_void_p)
        self._enter()
        self.stream = library.number("cuStreamCreate", 0, kind=ctypes.c_void_p)
        self.limits = self._limits()
        self._memory = CachingAllocator(self._make, lambda address: self.ask("cuMemFree_v2", address))
        self._events: list[int] = []

    def _title(self) -> str:
        text = ctypes.create_string_buffer(256)
        self._driver.status("cuDeviceGetName", text, len(text), self.ordinal)
        return text.value.decode(errors="replace") or "an NVIDIA GPU"

    def _attribute(self, number: int) -> int:
        return self._driver.number("cuDeviceGetAttribute", number, self.ordinal)

    def _limits(self) -> Limits:
        total = self._driver.number("cuDeviceTotalMem_v2", self.ordinal, kind=ctypes.c_size_t)
        bx, by, bz = map(self._attribute, BLOCK)
        gx, gy, gz = map(self._attribute, GRID)
        return Limits(
            threads=self._attribute(THREADS),
            block=(bx, by, bz),
            grid=(gx, gy, gz),
            shared=self._attribute(SHARED_OPTIONAL),
            memory=total,
            allocation=total,
            binding=total,
            subgroup=self._attribute(WARP),
            features=frozenset("f16 bf16 f64 i8 i16 i64 atomics64 subgroups fma".split()),
        )

    @property
    def architecture(self) -> str:
        """The architecture that code is made for."""
        known = [capability for capability in ARCHITECTURES if capability <= self._capability]
        if not known:
            message = f"{self.title} has compute capability {'.'.join(map(str, self._capability))}"
            raise DeviceError("cuda-too-old", f"{message}, and code is made for 7.5 and newer", hint="use opencl")
        return ARCHITECTURES[max(known)]

    @property
    def options(self) -> Mapping[str, str]:
        """The pipeline's options for this device."""
        return {"arch": self.architecture}

    def will_compile(self) -> None:
        """Starts the process that makes PTX, which loads LLVM while the program is lowered."""
        from hologram.lowering.targets.objects.compile_helper import HELPER

        HELPER.start()

    @property
    def functions(self) -> Mapping[str, int]:
        """The addresses of the functions that host code calls."""
        return host_functions()

    def adopt(self, name: str, value: Any, written: bool) -> Any:
        """An array of another library on this GPU as ours."""
        from hologram.runtime.devices.cuda.arrays import adopt

        return adopt(name, value, written, self)

    # The driver

    def _enter(self) -> None:
        """Makes the device this thread's: other libraries may have chosen another one."""
        self._driver.status("cuCtxSetCurrent", self.cuda)

    def ask(self, name: str, *args: Any) -> int:
        """Calls the driver, and gives its status."""
        self._enter()
        return self._driver.status(name, *args)

    def call(self, what: str, name: str, *args: Any) -> None:
        """Calls the driver, whose errors become ours."""
        self.check_open()
        status = self.ask(name, *args)
        if status != SUCCESS:
            raise self.failure(what, status)

    def failure(self, what: str, status: int) -> DeviceError:
        """The error for a status."""
        why = self._driver.why(status)
        if status not in GONE:
            return failures.failed(self.name, what, why)
        if not self.is_lost:
            self.is_lost = True
            for program in self._programs():
                program.lost()
            # The context takes no work any more; a new one can be made when this one is gone.
            self._driver.status("cuDevicePrimaryCtxReset_v2", self.ordinal)
        return failures.lost(self.name, f"it could not {what}: {why}")

    # Programs

    def load(self, code: bytes, kernels: Sequence[KernelInfo], trap: int) -> CudaProgram:
        """Loads PTX: by way of the disk cache, else compiled by the driver."""
        module = ctypes.c_void_p()
        cache = disk_cache()
        key = key_of("cuda", self.version, repr(self._capability), code)
        cubin = cache.get(key)
        if cubin is None or self.ask("cuModuleLoadData", ctypes.byref(module), cubin) != SUCCESS:
            cubin = self._compile(code)
            cache.put(key, cubin)
            self.call("load a program", "cuModuleLoadData", ctypes.byref(module), cubin)
        shared = {name.decode(): int(size) for name, size in _SHARED.findall(code)}
        slots = (KernelSlot * max(len(kernels), 1))()
        for slot, kernel in zip(slots, kernels, strict=False):
            slot.function = self._function(module.value or 0, kernel)
            slot.shared = shared.get(kernel.name, 0)
            slot.trap = next((n for n, a in enumerate(kernel.arguments) if a.role == TRAP), -1)
        return CudaProgram(self, module.value or 0, kernels, slots, trap)

    def _function(self, module: int, kernel: KernelInfo) -> int:
        function, static = ctypes.c_void_p(), ctypes.c_int()
        what = f"find kernel '{kernel.name}'"
        self.call(what, "cuModuleGetFunction", ctypes.byref(function), module, kernel.name.encode())
        self.call(what, "cuFuncGetAttribute", ctypes.byref(static), STATIC_SHARED, function)
        # A kernel has 48 KiB unless it asks for more.
        most = max(self.limits.shared - static.value, 0)
        self.call(what, "cuFuncSetAttribute", function, MOST_DYNAMIC, most)
        return function.value or 0

    def _compile(self, ptx: bytes) -> bytes:
        """The device's own code for PTX."""
        cubin, log = self._link(ptx, {})
        own = _OWN_TARGET.search(ptx)
        if cubin is None and own is not None:
            # What is for one architecture alone may have to be asked for by that name.
            cubin, log = self._link(ptx, {LINK_TARGET: ACCELERATED + int(own[1])})
        if cubin is None:
            raise failures.not_built(self.name, log)
        return cubin

    def _link(self, ptx: bytes, more: Mapping[int, int]) -> tuple[bytes | None, str]:
        """The device's own code for PTX, or why there is none."""
        errors = ctypes.create_string_buffer(LOG_BYTES)
        options = {ERROR_LOG: ctypes.addressof(errors), ERROR_SIZE: LOG_BYTES, **more}
        numbers = (ctypes.c_int * len(options))(*options)
        values = (ctypes.c_void_p * len(options))(*options.values())
        state, code, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
        self.call("compile", "cuLinkCreate_v2", len(numbers), numbers, values, ctypes.byref(state))
        try:
            text = ptx + b"\0"
            status = self.ask("cuLinkAddData_v2", state, PTX_INPUT, text, len(text), b"kernels.ptx", 0, None, None)
            status = status or self.ask("cuLinkComplete", state, ctypes.byref(code), ctypes.byref(size))
            if status != SUCCESS:
                return None, errors.value.decode(errors="replace") or self._driver.why(status)
            return ctypes.string_at(code.value or 0, size.value), ""
        finally:
            self.ask("cuLinkDestroy", state)

    # Memory

    def _make(self, nbytes: int) -> int | None:
        address = ctypes.c_uint64()
        status = self.ask("cuMemAlloc_v2", ctypes.byref(address), nbytes)
        if status == OUT_OF_MEMORY:
            return None
        if status != SUCCESS:
            raise self.failure(f"allocate {nbytes} bytes", status)
        return address.value

    def allocate(self, nbytes: int) -> int:
        """The address of new memory."""
        self.check_open()
        address = self._memory.allocate(nbytes) if nbytes <= self.limits.memory else None
        if address is None:
            raise failures.memory_full(self.name, nbytes, self._left())
        return address

    def _left(self) -> int:
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.ask("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value + self._memory.kept

    def free(self, address: int) -> None:
        """Gives memory back; work that was asked for before may still use it."""
        if not self.is_lost and not self._memory.free(address):
            raise failures.bad_address(self.name, address)

    def write(self, address: int, data: memoryview) -> CudaEvent:
        """Copies bytes to the device."""
        if data.nbytes:
            self.call("write memory", "cuMemcpyHtoDAsync_v2", address, _place(data), data.nbytes, self.stream)
        return self._event(data)

    def read(self, address: int, data: memoryview) -> CudaEvent:
        """Copies bytes from the device."""
        if data.nbytes:
            self.call("read memory", "cuMemcpyDtoHAsync_v2", _place(data), address, data.nbytes, self.stream)
        return self._event(data)

    def copy(self, target: int, source: int, nbytes: int) -> None:
        """Copies bytes within the device."""
        if nbytes:
            self.call("copy memory", "cuMemcpyDtoDAsync_v2", target, source, nbytes, self.stream)

    def fill(self, address: int, value: int, nbytes: int) -> None:
        """Sets bytes to a value."""
        if nbytes:
            self.call("fill memory", "cuMemsetD8Async", address, value, nbytes, self.stream)

    def trim(self) -> None:
        """Gives memory that is kept back to the driver."""
        self._memory.trim()

    # Events

    def record(self) -> CudaEvent:
        """An event behind everything that was asked so far."""
        return self._event(None)

    def _event(self, kept: object) -> CudaEvent:
        if not self._events:
            handle = ctypes.c_void_p()
            self.call("make an event", "cuEventCreate", ctypes.byref(handle), 0)
            self._events.append(handle.value or 0)
        event = CudaEvent(self, self._events.pop(), kept)
        self.call("record an event", "cuEventRecord", event.handle, self.stream)
        return event

    def recycle(self, handle: int) -> None:
        """Takes an event back that nobody waits for any more."""
        self._events.append(handle)

    def drop_graph(self, graph: int) -> None:
        """Takes a graph back that is not launched any more; what still runs of it ends."""
        if not self.is_lost:
            self.ask("cuGraphExecDestroy", graph)

    def _programs(self) -> list[CudaProgram]:
        return [p for p in PROGRAMS.values() if isinstance(p, CudaProgram) and p.device is self]

    def close(self) -> None:
        """Frees everything."""
        if self.is_lost:
            return
        self.ask("cuStreamSynchronize", self.stream)
        for program in self._programs():
            program.close()
            program.lost()
        self.trim()
        for handle in self._events:
            self.ask("cuEventDestroy_v2", handle)
        self.ask("cuStreamDestroy_v2", self.stream)
        self.is_lost = True
        self._driver.status("cuDevicePrimaryCtxRelease_v2", self.ordinal)


def _place(data: memoryview) -> int:
    """Return the address of bytes. Whoever asks holds on to them."""
    return np.frombuffer(data, np.uint8).__array_interface__["data"][0]


# Host functions

TENSOR_MAP = "cuTensorMapEncodeTiled"
"""The driver's function that makes a tensor map: host code calls it itself."""


@forks.once
def host_functions() -> dict[str, int]:
    """The addresses of the host functions; the compiled ones stay loaded."""
    module = resources.load(CUDA_LAUNCH, {}, COMPILED)
    compiled = {name: module.address(name) for name in COMPILED}
    return {**host_addresses(), **compiled, TENSOR_MAP: driver().address(TENSOR_MAP)}
