"""WebAssembly, run by wasmtime: one memory of up to 4 GiB, in which arrays lie and programs keep their data.

Each program is linked to a place of that memory when it is loaded. What wasmtime compiles it to is kept in the disk
cache. Calls do their work before they return, so that every event is reached.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from hologram.errors import DeviceError
from hologram.lowering.targets.objects.wasm_link import (
    ALIGNMENT,
    MEMORY,
    PAGE,
    STACK,
    STACK_POINTER,
    Place,
    link,
    size_of,
)
from hologram.lowering.targets.objects.wasm_object import read_object
from hologram.runtime.cache import disk_cache, key_of
from hologram.runtime.devices import failures
from hologram.runtime.devices.callbacks import CallbackDevice, CallbackProgram, Dispatch
from hologram.runtime.devices.linear_memory import LinearMemory
from hologram.runtime.devices.protocol import Device, Done, Event, KernelInfo, Limits
from hologram.runtime.fingerprint import installed_version

MOST = (1 << 32) - PAGE
"""The bytes of memory; the last page is left out so that every end of an array has an address."""
WORDS = 64 * 1024
"""The bytes of the place that launches write their arguments to."""
_EXTENT = 2**31 - 1


def count() -> int:
    """There is one."""
    return 1


def open_device(number: int) -> Device:
    """The device; a new one, with a memory of its own."""
    return WasmDevice(number)


@dataclass
class Code:
    """A program in the engine."""

    base: int
    """Where its data lies."""
    entries: tuple[Any, ...]
    """The packed form of each kernel."""
    stack_pointer: Any


class WasmDevice(CallbackDevice):
    """A memory and the programs that work on it."""

    def __init__(self, number: int):
        super().__init__()
        wasmtime = self._engine_library = import_module("wasmtime")
        self.name = f"wasm:{number}"
        self.title = "WebAssembly with 128-bit vectors, by wasmtime"
        self.version = f"wasmtime {installed_version('wasmtime') or 'of unknown version'}"
        self.is_gpu = False
        self.limits = Limits(
            threads=1, block=(1, 1, 1), grid=(_EXTENT, _EXTENT, _EXTENT), shared=0, memory=MOST,
            allocation=MOST - STACK, binding=MOST, features=frozenset({"f64", "i8", "i16", "i64"}),
        )  # fmt: skip
        self._engine = wasmtime.Engine(wasmtime.Config())
        self._store = wasmtime.Store(self._engine)
        limits = wasmtime.Limits(-(-(STACK + WORDS) // PAGE), MOST // PAGE)
        self._memory = wasmtime.Memory(self._store, wasmtime.MemoryType(limits))
        self.heap = LinearMemory(STACK, self._memory.data_len(self._store), MOST, self._grow)
        self._words = self.heap.allocate(WORDS) or 0
        self._taken: set[int] = set()
        """What the running program has allocated."""
        self._linker = self._make_linker()

    def _make_linker(self) -> Any:
        wasmtime = self._engine_library
        linker = wasmtime.Linker(self._engine)
        linker.define(self._store, "env", MEMORY, self._memory)
        i32, i64 = wasmtime.ValType.i32(), wasmtime.ValType.i64()
        linker.define_func("env", "aligned_alloc", wasmtime.FuncType([i64, i64], [i32]), self._take)
        linker.define_func("env", "free", wasmtime.FuncType([i32], []), self._give)
        return linker

    # Memory

    def _grow(self, nbytes: int) -> int:
        """More memory, if there is; the bytes that there are then."""
        with suppress(self._engine_library.WasmtimeError):
            self._memory.grow(self._store, -(-nbytes // PAGE))
        return self._memory.data_len(self._store)

    def _take(self, alignment: int, nbytes: int) -> int:
        """Memory for a running program, or 0, which it tells as a trap. No array asks for more than 256."""
        address = self.heap.allocate(nbytes % (1 << 64)) or 0 if alignment <= ALIGNMENT else 0
        self._taken.add(address)
        return address - (1 << 32) if address >= 1 << 31 else address

    def _give(self, address: int) -> None:
        address %= 1 << 32
        if address:
            self._taken.discard(address)
            self.heap.free(address)

    def _at(self, address: int, nbytes: int) -> int:
        """Return the address of a range of memory in this process; it may move when memory grows."""
        self.check_open()
        if not self.heap.holds(address, nbytes):
            raise failures.bad_address(self.name, address)
        pointer = ctypes.cast(self._memory.data_ptr(self._store), ctypes.c_void_p).value or 0
        return pointer + address

    def allocate(self, nbytes: int) -> int:
        """The address of new memory."""
        self.check_open()
        if nbytes > self.limits.allocation:
            raise failures.too_large(self.name, nbytes, self.limits.allocation)
        address = self.heap.allocate(nbytes)
        if address is None:
            raise failures.memory_full(self.name, nbytes)
        return address

    def free(self, address: int) -> None:
        """Gives memory back."""
        if not self.heap.free(address):
            raise failures.bad_address(self.name, address)

    def trim(self) -> None:
        """Nothing: WebAssembly's memories do not shrink."""

    def write(self, address: int, data: memoryview) -> Event:
        """Copies bytes to the memory."""
        if data.nbytes:
            source = np.frombuffer(data, np.uint8)
            ctypes.memmove(self._at(address, source.nbytes), source.ctypes.data, source.nbytes)
        return Done()

    def read(self, address: int, data: memoryview) -> Event:
        """Copies bytes from the memory."""
        if data.nbytes:
            target = (ctypes.c_char * data.nbytes).from_buffer(data)
            ctypes.memmove(target, self._at(address, data.nbytes), data.nbytes)
        return Done()

    def copy(self, target: int, source: int, nbytes: int) -> None:
        """Copies bytes within the memory."""
        if nbytes:
            ctypes.memmove(self._at(target, nbytes), self._at(source, nbytes), nbytes)

    def fill(self, address: int, value: int, nbytes: int) -> None:
        """Sets bytes."""
        if nbytes:
            ctypes.memset(self._at(address, nbytes), value, nbytes)

    def record(self) -> Event:
        """Everything is done already."""
        return Done()

    def close(self) -> None:
        """Lets go of the memory."""
        self.is_lost = True

    # Programs

    def load(self, code: bytes, kernels: Sequence[KernelInfo], trap: int) -> CallbackProgram:
        """Links an object to a place in the memory, and has wasmtime compile it."""
        base = self.allocate(max(size_of(read_object(code)), 1))
        try:
            module = self.machine_code(link(code, Place(base, shared=True)))
            instance = self._linker.instantiate(self._store, module)
        except BaseException as error:
            self.free(base)
            if isinstance(error, self._engine_library.WasmtimeError):
                raise failures.not_built(self.name, str(error)) from None
            raise
        exports = instance.exports(self._store)
        entries = tuple(exports[f"hologram_call_{kernel.name}"] for kernel in kernels)
        return CallbackProgram(self, kernels, trap, Code(base, entries, exports[STACK_POINTER]))

    def machine_code(self, linked: bytes) -> Any:
        """A module as machine code: found on disk, or made."""
        disk, key = disk_cache(), key_of("wasm", self.version, linked)
        module = disk.read(key, self._parse_module)
        if module is None:
            module = self._engine_library.Module(self._engine, linked)
            disk.put(key, bytes(module.serialize()))
        return module

    def _parse_module(self, serialized: bytes) -> Any:
        with suppress(self._engine_library.WasmtimeError):
            return self._engine_library.Module.deserialize(self._engine, serialized)

    def unload(self, program: CallbackProgram) -> None:
        """Gives back where a program's data lies."""
        if not self.is_lost:
            self.free(program.code.base)

    def start(self, dispatch: Dispatch) -> None:
        """Runs a kernel. Its parameters are words in memory; integers of more than a word lie behind them."""
        code: Code = dispatch.program.code
        values = dispatch.values
        words, behind = bytearray(), bytearray()
        after = self._words + 8 * len(values)
        for value in values:
            if isinstance(value, int):
                words += struct.pack("<Q", value)
            elif len(value) <= 8:
                words += value.ljust(8, b"\0")
            else:
                words += struct.pack("<Q", after + len(behind))
                behind += value
        if len(words) + len(behind) > WORDS:
            raise failures.failed(self.name, "launch", f"its arguments take more than {WORDS} bytes")
        self.write(self._words, memoryview(bytes(words + behind)))
        self._call(dispatch.kernel.name, code, dispatch.number)

    def _call(self, name: str, code: Code, number: int) -> None:
        wasmtime = self._engine_library
        try:
            code.entries[number](self._store, self._words)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            left = code.stack_pointer.value(self._store)
            # What was on the stack stays there otherwise.
            code.stack_pointer.set_value(self._store, STACK)
            reason = str(error).strip().splitlines()[-1].strip()
            if left < 0 or "call stack exhausted" in reason:
                raise failures.stack_full(self.name, name, STACK) from None
            raise failures.failed(self.name, f"run '{name}'", reason) from None
        finally:
            while self._taken:
                if left := self._taken.pop():
                    self.heap.free(left)


__all__ = ["DeviceError", "WasmDevice", "count", "open_device"]
