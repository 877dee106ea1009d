"""OpenCL devices, by way of pyopencl: programs are OpenCL C, which the driver compiles.

What it compiled is kept in the disk cache. Everything goes through one queue, in order; its events keep time. GPUs come
before other devices in the numbering.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from hologram.runtime.cache import disk_cache, key_of
from hologram.runtime.devices import failures
from hologram.runtime.devices.callbacks import Again, CallbackProgram, Dispatch
from hologram.runtime.devices.pooled import PooledDevice
from hologram.runtime.devices.protocol import Device, Done, Event, KernelInfo, Limits
from hologram.support import forks

FULL = ("MEM_OBJECT_ALLOCATION_FAILURE", "OUT_OF_RESOURCES", "OUT_OF_HOST_MEMORY", "INVALID_BUFFER_SIZE")
"""Statuses of a device without memory for what is asked."""
GONE = ("DEVICE_NOT_AVAILABLE", "INVALID_CONTEXT", "INVALID_COMMAND_QUEUE")
"""Statuses of a device that is lost."""
EXTENSIONS = {
    "cl_khr_fp16": ("f16",),
    "cl_khr_fp64": ("f64",),
    "cl_khr_int64_base_atomics": ("atomics64",),
    "cl_khr_subgroups": ("subgroups",),
}
"""Features by the extension that brings them."""
FENCE = b"atomic_work_item_fence"
"""What a program has in it that wants more than OpenCL C 1.2."""
_FENCES = {"__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_scope_device"}
"""The features of OpenCL C 3.0 that fences between blocks are made of."""


def _library() -> Any:
    return import_module("pyopencl")


@forks.once
def _found() -> tuple[Any, ...]:
    """pyopencl's devices, GPUs first."""
    cl = _library()
    try:
        platforms = cl.get_platforms()
    except cl.Error as error:
        hint = "install the GPU's, or pocl-opencl-icd; OCL_ICD_VENDORS names the folder of .icd files"
        raise failures.no_driver("OpenCL", str(error), hint) from None
    devices = [device for platform in platforms for device in platform.get_devices()]
    return tuple(sorted(devices, key=lambda device: not device.type & cl.device_type.GPU))


def count() -> int:
    """Return the number of OpenCL devices."""
    return len(_found())


def open_device(number: int) -> Device:
    """The OpenCL device with a number."""
    return OpenClDevice(number, _found()[number])


class OpenClEvent(Event):
    """A point in the queue."""

    def __init__(self, device: OpenClDevice, event: Any, kept: object = None):
        self._device = device
        self._event = event
        self._kept = kept

    def wait(self) -> None:
        """Returns when it is reached."""
        self._device.call("wait", self._event.wait)
        self._kept = None

    @property
    def done(self) -> bool:
        """True if it is reached."""
        return self._event.command_execution_status <= 0

    def elapsed(self, since: Event) -> float:
        """The device's seconds between two events."""
        assert isinstance(since, OpenClEvent)
        return (self._event.profile.end - since._event.profile.end) * 1e-9


@dataclass(frozen=True)
class Code:
    """A program that the driver compiled: its kernels by number."""

    kernels: tuple[Any, ...]
    takes_shared: tuple[bool, ...]
    """Of each kernel: whether a pointer to workgroup memory that the launch sizes is its last argument."""
    given: dict[int, Sequence[Any]] = field(default_factory=dict[int, Sequence[Any]])
    """By kernel, the arguments that it still has of a launch."""


class OpenClDevice(PooledDevice[Any]):
    """One OpenCL device."""

    def __init__(self, number: int, device: Any):
        super().__init__(f"opencl:{number}", _limits(device), device.mem_base_addr_align // 8)
        self._cl = cl = _library()
        self.driver_errors = (cl.Error,)
        self._device = device
        self.title = f"{device.name.strip()} ({device.platform.name.strip()})"
        self.version = f"{device.version.strip()}, driver {device.driver_version}"
        self.is_gpu = bool(device.type & cl.device_type.GPU)
        self._context = self.call("open", cl.Context, [device])
        properties = cl.command_queue_properties.PROFILING_ENABLE
        self._queue = self.call("make a queue", cl.CommandQueue, self._context, properties=properties)

    @property
    def options(self) -> Mapping[str, str]:
        """The features that the emitter may count on beyond OpenCL C 1.2's least."""
        features = ",".join(sorted(self.limits.features & {"f16", "f64", "atomics64", "fences"}))
        # A processor has no use for threads beside each other: it is fast where one does much, with vectors.
        shape = {} if self.is_gpu else {"schedule": "processor", "tables": "vectorize-lookups", "block": "1"}
        return {"features": features, **shape}

    def says_lost(self, why: str) -> bool:
        return any(status in why for status in GONE)

    def says_full(self, why: str) -> bool:
        return any(status in why for status in FULL)

    # Memory

    def make_buffer(self, nbytes: int) -> Any:
        """A buffer, which is there already and not at its first use only."""
        with self.allocating(nbytes):
            # Drivers put off what they allocate until it is used; this has it done now, or refused.
            buffer = self._cl.Buffer(self._context, self._cl.mem_flags.READ_WRITE, nbytes)
            self._cl.enqueue_migrate_mem_objects(self._queue, [buffer])
            return buffer

    def drop_buffer(self, handle: Any) -> None:
        """Releases a buffer; the driver keeps it until the work that uses it is done."""
        handle.release()

    def write(self, address: int, data: memoryview) -> Event:
        """Copies bytes to the device."""
        place, given = self.memory.place(address), np.frombuffer(data, np.uint8)
        return self._copy("copy to it", place.handle, given, given, dst_offset=place.offset)

    def read(self, address: int, data: memoryview) -> Event:
        """Copies bytes from the device."""
        place, taken = self.memory.place(address), np.frombuffer(data, np.uint8)
        return self._copy("copy from it", taken, place.handle, taken, src_offset=place.offset)

    def _copy(self, what: str, target: Any, source: Any, host: Any, **offset: int) -> Event:
        """Copies between a buffer and an array of the host, which is kept until it is done."""
        if not host.nbytes:
            return Done()
        copy = self._cl.enqueue_copy
        event = self.call(what, copy, self._queue, target, source, is_blocking=False, **offset)
        return OpenClEvent(self, event, host)

    def copy(self, target: int, source: int, nbytes: int) -> None:
        """Copies bytes within the device."""
        if not nbytes:
            return
        to, of = self.memory.place(target), self.memory.place(source)
        offsets = {"src_offset": of.offset, "dst_offset": to.offset, "byte_count": nbytes}
        self.call("copy", self._cl.enqueue_copy, self._queue, to.handle, of.handle, **offsets)

    def fill(self, address: int, value: int, nbytes: int) -> None:
        """Sets bytes."""
        if not nbytes:
            return
        place = self.memory.place(address)
        fill = self._cl.enqueue_fill_buffer
        self.call("fill memory", fill, self._queue, place.handle, np.uint8(value), place.offset, nbytes)

    def record(self) -> Event:
        """An event behind everything so far."""
        return OpenClEvent(self, self.call("mark the queue", self._cl.enqueue_marker, self._queue))

    # Programs

    def load(self, code: bytes, kernels: Sequence[KernelInfo], trap: int) -> CallbackProgram:
        """Compiles OpenCL C, or finds what the driver made of it in the disk cache."""
        program = self._find(code) or self._build(code)
        by_name = {kernel.function_name: kernel for kernel in self.call("find kernels", program.all_kernels)}
        compiled = tuple(by_name[info.name] for info in kernels)
        pairs = zip(compiled, kernels, strict=True)
        takes = tuple(kernel.num_args > len(info.arguments) for kernel, info in pairs)
        return CallbackProgram(self, kernels, trap, Code(compiled, takes))

    def build_options(self, code: bytes) -> list[str]:
        """Return the options of the driver's compiler: no contraction, and division and roots that round right."""
        device = self._device
        options = [f"-cl-std=CL{_language(device) if FENCE not in code else _newest(device)}"]
        if device.single_fp_config & self._cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT:
            options.append("-cl-fp32-correctly-rounded-divide-sqrt")
        return options

    def _build(self, code: bytes) -> Any:
        program = self._cl._cl._Program(self._context, code.decode())
        try:
            self._run_build(program, code)
        except self._cl.RuntimeError:
            raise failures.not_built(self.name, self._log(program)) from None
        disk_cache().put(self._key(code), *program.get_info(self._cl.program_info.BINARIES))
        return program

    def _find(self, code: bytes) -> Any:
        return disk_cache().read(self._key(code), lambda binary: self._program_of(binary, code))

    def _program_of(self, binary: bytes, code: bytes) -> Any:
        """Return the program of a binary; None where another version of the driver, of the same name, made it."""
        with suppress(self._cl.Error):
            program = self._cl._cl._Program(self._context, [self._device], [binary])
            self._run_build(program, code)
            return program

    def _run_build(self, program: Any, code: bytes) -> None:
        # Not by pyopencl's own program, which has a cache of its own and warns of each remark of the compiler.
        program._build(" ".join(self.build_options(code)).encode(), [self._device])

    def build_log(self, code: bytes) -> str:
        """Return what the driver's compiler says of OpenCL C, warnings too; for tests."""
        program = self._cl._cl._Program(self._context, code.decode())
        self._run_build(program, code)
        return self._log(program)

    def _log(self, program: Any) -> str:
        return program.get_build_info(self._device, self._cl.program_build_info.LOG)

    def _key(self, code: bytes) -> str:
        device = self._device
        return key_of("opencl", device.name, device.version, device.driver_version, *self.build_options(code), code)

    def start(self, dispatch: Dispatch) -> Again:
        """Enqueues a kernel, which has its arguments until it gets others."""
        failures.check_blocks(self.name, dispatch.kernel.name, dispatch.grid)
        code: Code = dispatch.program.code
        kernel, values = code.kernels[dispatch.number], dispatch.values
        # A kernel holds its arguments from the launch on: until then the parts of memory must not go.
        given = [self._argument(value) if isinstance(value, int) else value for value in values]
        if code.takes_shared[dispatch.number]:
            given.append(self._cl.LocalMemory(max(dispatch.shared, 1)))
        lanes = tuple(n * m for n, m in zip(dispatch.grid, dispatch.block, strict=True))
        what = f"launch '{dispatch.kernel.name}'"
        whole = all(value in self.live for value in values if isinstance(value, int))

        def enqueue() -> None:
            if code.given.get(dispatch.number) is not given:
                code.given.pop(dispatch.number, None)
                for index, value in enumerate(given):
                    self.call("set an argument", kernel.set_arg, index, value)
                if whole:  # A part of memory that a kernel has keeps all of it from being freed.
                    code.given[dispatch.number] = given
            self.call(what, self._cl.enqueue_nd_range_kernel, self._queue, kernel, lanes, dispatch.block)

        enqueue()
        return enqueue

    def _argument(self, address: int) -> Any:
        """The buffer that begins at an address."""
        place = self.memory.place(address)
        if not place.offset or not place.left:  # Where an array of no bytes lies does not matter.
            return place.handle
        return self.call("take a part of memory", place.handle.get_sub_region, place.offset, place.left)


def _language(device: Any) -> str:
    """The version of OpenCL C to compile for: the driver's own, of which 3.0 takes all that 1.2 has."""
    version = device.opencl_c_version.split()[2]
    return version if version in ("1.1", "1.2", "2.0", "3.0") else "1.2"


def _newest(device: Any) -> str:
    """The newest version of OpenCL C that its compiler takes."""
    if _version(device) < 3:
        return _language(device)
    newest = max(language.version for language in device.opencl_c_all_versions)
    return f"{newest >> 22}.{newest >> 12 & 1023}"


def _version(device: Any) -> float:
    return float(device.version.split()[1])


def _has_fences(device: Any) -> bool:
    """Return whether a fence orders writes for other blocks, as on devices of 2.0; those of 3.0 may."""
    if _version(device) < 3:
        return _version(device) >= 2
    return _FENCES <= {feature.name for feature in device.opencl_c_features}


def _limits(device: Any) -> Limits:
    cl = _library()
    extensions = device.extensions.split()
    features = {name for extension in extensions for name in EXTENSIONS.get(extension, ())}
    features |= {"fences"} if _has_fences(device) else set()
    fused = device.single_fp_config & cl.device_fp_config.FMA
    block = tuple(device.max_work_item_sizes[:3])
    most = (1 << min(device.address_bits, 63)) - 1
    return Limits(
        threads=device.max_work_group_size,
        block=(block[0], block[1], block[2]),
        grid=(most, most, most) if not device.type & cl.device_type.GPU else (2**31 - 1, 65535, 65535),
        shared=device.local_mem_size,
        memory=device.global_mem_size,
        allocation=device.max_mem_alloc_size,
        binding=device.max_mem_alloc_size,
        features=frozenset(features | {"i8", "i16", "i64"} | ({"fma"} if fused else set[str]())),
    )
