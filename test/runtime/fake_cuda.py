"""A stand-in for CUDA's driver library, in Python: memory is this machine's, and kernels are Python functions.

Its functions are C functions like the library's, so compiled code can call them. Everything is done at once.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from typing import Any

from hologram.runtime.devices.cuda.driver import OUT_OF_MEMORY, SIGNATURES

INVALID_VALUE, NOT_FOUND, INVALID_PTX, ILLEGAL_ADDRESS = 1, 500, 218, 700
NAMES = {1: b"CUDA_ERROR_INVALID_VALUE", 218: b"CUDA_ERROR_INVALID_PTX", 700: b"CUDA_ERROR_ILLEGAL_ADDRESS"}

Kernel = Callable[[tuple[int, ...], tuple[int, ...], int, list[int]], None]
"""Given the grid, the block, the shared bytes and the addresses of the arguments' values."""


class FakeCuda:
    """The library; `functions` can be called, and `calls` counts."""

    def __init__(self, memory: int = 1 << 30, capability: tuple[int, int] = (9, 0)):
        self.memory = memory
        self.capability = capability
        self.kernels: dict[str, Kernel] = {}
        self.blocks: dict[int, Any] = {}
        self.calls: Counter[str] = Counter()
        self.dead = 0
        """A status that every call but the reset gives, once it is set."""
        self.refuses = 0
        """The status that a launch returns, if not 0."""
        self.refuses_graphs = False
        self.used = 0
        self.recorded: dict[int, list[Any]] = {}
        """By graph, the action of its launch."""
        self._recording: tuple[int, list[Any]] | None = None
        self._handles: dict[int, Any] = {}
        self._keep: list[Any] = []
        for name, types in SIGNATURES.items():
            function = getattr(self, f"_{name}", None)
            kind = ctypes.CFUNCTYPE(ctypes.c_int, *types)
            setattr(self, name, kind(self._counted(name, function)))

    def _counted(self, name: str, function: Callable[..., int | None] | None) -> Callable[..., int]:
        def call(*args: Any) -> int:
            self.calls[name] += 1
            if self.dead and name not in ("cuGetErrorName", "cuGetErrorString", "cuDevicePrimaryCtxReset_v2"):
                return self.dead
            return (function(*args) or 0) if function is not None else 0

        return call

    def _handle(self, value: Any) -> int:
        number = 0x1000 + len(self._handles)
        self._handles[number] = value
        return number

    # Devices

    def _cuDriverGetVersion(self, found: int) -> None:
        _put(found, 13000, ctypes.c_int)

    def _cuDeviceGetCount(self, found: int) -> None:
        _put(found, 1, ctypes.c_int)

    def _cuDeviceGet(self, found: int, number: int) -> None:
        _put(found, number, ctypes.c_int)

    def _cuDeviceGetName(self, text: int, size: int, device: int) -> None:
        ctypes.memmove(text, b"Fake GPU\0", 9)

    def _cuDeviceGetAttribute(self, found: int, number: int, device: int) -> None:
        known = {1: 1024, 2: 1024, 3: 1024, 4: 64, 5: 2**31 - 1, 6: 65535, 7: 65535, 10: 32, 16: 2, 97: 100_000}
        known |= dict(zip((75, 76), self.capability, strict=True))
        _put(found, known[number], ctypes.c_int)

    def _cuDeviceTotalMem_v2(self, found: int, device: int) -> None:
        _put(found, self.memory, ctypes.c_size_t)

    def _cuDevicePrimaryCtxRetain(self, found: int, device: int) -> None:
        _put(found, 0xC0, ctypes.c_void_p)

    def _cuDevicePrimaryCtxReset_v2(self, device: int) -> None:
        self.dead = 0
        self.blocks.clear()
        self.used = 0

    def _cuStreamCreate(self, found: int, flags: int) -> None:
        _put(found, self._handle("stream"), ctypes.c_void_p)

    # Memory

    def _cuMemAlloc_v2(self, found: int, nbytes: int) -> int | None:
        if self.used + nbytes > self.memory:
            return OUT_OF_MEMORY
        block = ctypes.create_string_buffer(nbytes + 256)
        address = -(-ctypes.addressof(block) // 256) * 256
        self.blocks[address] = block, nbytes
        self.used += nbytes
        _put(found, address, ctypes.c_uint64)
        return None

    def _cuMemFree_v2(self, address: int) -> None:
        _, nbytes = self.blocks.pop(address)
        self.used -= nbytes

    def _cuPointerGetAttribute(self, found: int, attribute: int, address: int) -> int:
        for start, (_, nbytes) in self.blocks.items():
            if start <= address < start + nbytes:
                _put(found, {11: start, 12: nbytes}[attribute], ctypes.c_uint64)
                return 0
        return INVALID_VALUE

    def _cuMemGetInfo_v2(self, free: int, total: int) -> None:
        _put(free, self.memory - self.used, ctypes.c_size_t)
        _put(total, self.memory, ctypes.c_size_t)

    def _cuMemcpyHtoDAsync_v2(self, target: int, source: int, nbytes: int, stream: int) -> None:
        ctypes.memmove(target, source, nbytes)

    def _cuMemcpyDtoHAsync_v2(self, target: int, source: int, nbytes: int, stream: int) -> None:
        ctypes.memmove(target, source, nbytes)

    def _cuMemcpyDtoDAsync_v2(self, target: int, source: int, nbytes: int, stream: int) -> int | None:
        if not target:
            return INVALID_VALUE
        self._do(stream, lambda: ctypes.memmove(target, source, nbytes))
        return None

    def _cuMemsetD8Async(self, target: int, value: int, nbytes: int, stream: int) -> None:
        ctypes.memset(target, value, nbytes)

    # Streams and graphs

    def _do(self, stream: int, work: Callable[[], Any]) -> None:
        """Does something, or notes it if the stream records."""
        if self._recording is not None and self._recording[0] == stream:
            self._recording[1].append(work)
        else:
            work()

    def _cuStreamBeginCapture_v2(self, stream: int, mode: int) -> None:
        self._recording = stream, []

    def _cuStreamEndCapture(self, stream: int, found: int) -> None:
        assert self._recording is not None
        assert self._recording[0] == stream
        _put(found, self._handle(self._recording[1]), ctypes.c_void_p)
        self._recording = None

    def _cuGraphInstantiateWithFlags(self, found: int, graph: int, flags: int) -> int:
        if self.refuses_graphs:
            return INVALID_VALUE
        made = self._handle("graph")
        self.recorded[made] = self._handles[graph]
        _put(found, made, ctypes.c_void_p)
        return 0

    def _cuGraphLaunch(self, graph: int, stream: int) -> int:
        if self.refuses:
            return self.refuses
        for work in self.recorded[graph]:
            work()
        return 0

    def _cuGraphExecDestroy(self, graph: int) -> None:
        del self.recorded[graph]

    # Events

    def _cuEventCreate(self, found: int, flags: int) -> None:
        _put(found, self._handle("event"), ctypes.c_void_p)

    def _cuEventElapsedTime(self, found: int, start: int, end: int) -> None:
        _put(found, 2.5, ctypes.c_float)

    # Programs

    def _cuLinkCreate_v2(self, count: int, names: int, values: int, found: int) -> None:
        self._log = ctypes.c_void_p.from_address(values).value or 0
        options = zip(
            (ctypes.c_int * count).from_address(names), (ctypes.c_void_p * count).from_address(values), strict=True
        )
        self._target = dict(options).get(9)
        self._linked = b""
        _put(found, 0x11, ctypes.c_void_p)

    def _cuLinkAddData_v2(self, state: int, kind: int, data: int, size: int, *_: Any) -> int | None:
        self._linked = ctypes.string_at(data, size)
        if b"bad" in self._linked or (b"picky" in self._linked and self._target != 0x10000 + 90):
            ctypes.memmove(self._log, b"ptxas error: line 1\0", 20)
            return INVALID_PTX
        return None

    def _cuLinkComplete(self, state: int, code: int, size: int) -> None:
        cubin = ctypes.create_string_buffer(b"cubin of " + self._linked)
        self._keep.append(cubin)
        _put(code, ctypes.addressof(cubin), ctypes.c_void_p)
        _put(size, len(cubin), ctypes.c_size_t)

    def _cuModuleLoadData(self, found: int, data: int) -> int | None:
        text = ctypes.string_at(data)
        if not text.startswith(b"cubin of "):
            return INVALID_PTX
        _put(found, self._handle(text), ctypes.c_void_p)
        return None

    def _cuModuleGetFunction(self, found: int, module: int, name: bytes) -> int | None:
        if name.decode() not in self.kernels:
            return NOT_FOUND
        _put(found, self._handle(name.decode()), ctypes.c_void_p)
        return None

    def _cuFuncGetAttribute(self, found: int, number: int, function: int) -> None:
        _put(found, 0, ctypes.c_int)

    def _cuLaunchKernel(self, function: int, *rest: Any) -> int | None:
        grid, block, shared, arguments = rest[:3], rest[3:6], rest[6], rest[8]
        if self.refuses:
            return self.refuses
        if block[0] * block[1] * block[2] > 1024 or shared > 100_000:
            return INVALID_VALUE
        places = [ctypes.c_void_p.from_address(arguments + 8 * n).value or 0 for n in range(4)]
        # What an argument is counts when the kernel is launched.
        kernel = self.kernels[self._handles[function]]
        self._do(rest[7], lambda: kernel(grid, block, shared, places))
        return None

    # Errors

    def _cuGetErrorName(self, status: int, found: int) -> int | None:
        _put(found, NAMES.get(status, b"CUDA_ERROR_FAKE"), ctypes.c_char_p)
        return None

    def _cuGetErrorString(self, status: int, found: int) -> int | None:
        _put(found, b"said so", ctypes.c_char_p)
        return None


def _put(place: int, value: Any, kind: Any) -> None:
    kind.from_address(place).value = value
