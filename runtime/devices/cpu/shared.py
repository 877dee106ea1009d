"""Shared objects that `hologram.lowering.targets.objects.elf` linked, loaded by Linux's own loader: LLVM is not needed.

The image need not be a file: it is put into memory that has a name for the loader.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import os
import struct
import sys
import weakref
from collections.abc import Iterable, Mapping
from typing import Any

from hologram.errors import InputError
from hologram.runtime import entry as records
from hologram.runtime.devices.module import CpuModule
from hologram.runtime.fingerprint import LLVM, is_installed
from hologram.runtime.native import HALF_FLOATS, HALF_SYMBOLS
from hologram.support.host_target import host_target

FUNCTIONS = "hologram_device_functions"
"""The table of a program for a device that leads to the functions of its device."""
_TABLE = {
    "hologram_device_launch": ("void", "i64, i32, i64, i64, i64, i64, i64, i64, i64, ptr"),
    "hologram_device_alloc": ("i64", "i64, i64"),
    "hologram_device_free": ("void", "i64, i64"),
    "hologram_device_copy": ("void", "i64, i64, i64, i64"),
    "hologram_device_read": ("i64", "i64, i64, i64"),
    "cuTensorMapEncodeTiled": ("i32", "ptr, i32, i32, ptr, ptr, ptr, ptr, ptr, i32, i32, i32, i32"),
}
"""The functions in the table, in order: results and parameters."""
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_NEEDED = (1, 2)
"""The kinds of segments that are read: what is loaded, and the tables for the loader."""
_count = itertools.count(1)


def can_load() -> bool:
    """Return whether shared objects can be loaded here."""
    return sys.platform == "linux" and hasattr(os, "memfd_create")


def device_functions_ir() -> str:
    """LLVM IR of functions that lead to those of a device through the table: the loader knows no device."""
    lines = [f"@{FUNCTIONS} = global [{len(_TABLE)} x ptr] zeroinitializer"]
    for place, (name, (result, parameters)) in enumerate(_TABLE.items()):
        types = parameters.split(", ")
        values = ", ".join(f"{type} %a{i}" for i, type in enumerate(types))
        lines += [
            f"define {result} @{name}({values}) {{",
            f"  %at = getelementptr ptr, ptr @{FUNCTIONS}, i64 {place}",
            "  %f = load ptr, ptr %at",
            f"  {'' if result == 'void' else '%r = '}musttail call {result} %f({values})",
            f"  ret {result if result == 'void' else f'{result} %r'}",
            "}",
        ]
    return "\n".join(lines)


class SharedModule(CpuModule):
    """A shared object in this process; it stays mapped as long as this object lives."""

    def __init__(self, library: Any):
        self._loaded = library
        weakref.finalize(self, _dlclose(), library._handle).atexit = False

    def find(self, symbol: str) -> int | None:
        """Return the address of `symbol`, or None if the module has no such symbol."""
        try:
            return ctypes.addressof(ctypes.c_char.in_dll(self._loaded, symbol))
        except ValueError:
            return None

    def entries(self) -> bytes:
        """The text of the entry records."""
        return self.data(records.SYMBOL, None)


@functools.cache
def _dlclose() -> Any:
    function = ctypes.CDLL(None).dlclose
    function.argtypes = [ctypes.c_void_p]
    return function


def is_shared(image: bytes) -> bool:
    """Return whether it is a shared object of Linux, which the system's own loader takes."""
    return image[:4] == b"\x7fELF" and image[16:18] == b"\x03\x00"


def load(image: bytes, name: str, functions: Mapping[str, int] | None = None) -> CpuModule:
    """Maps object code into the process, the bytes of a .o file or of a shared object. `name` is for messages.

    `functions` are the addresses of what it calls besides the functions of this process: those of a device.
    """
    if is_shared(image):
        return load_shared(image, name, functions)
    if not is_installed(LLVM) and can_load() and functions is None:
        return load_shared(_linked(image, name), name)
    from hologram.runtime.devices.cpu import device as cpu

    return cpu.load(image, name, functions)


def load_shared(image: bytes, name: str, functions: Mapping[str, int] | None = None) -> SharedModule:
    """Loads the bytes of a shared object, which messages call `name`; `functions` are those of its device."""
    if not can_load():
        message = f"'{name}' is a shared object of Linux, which this system can't load"
        raise InputError("shared-system", message, hint="compile its source again")
    try:
        module = SharedModule(_dlopen(image))
    except OSError as error:
        message = f"'{name}' can't be loaded: {str(error).partition(': ')[2] or error}"
        hint = f"it must be a shared object for {host_target().triple}"
        raise InputError("shared-broken", message, hint=hint) from None
    if module.find(records.SYMBOL) is None:
        message = f"'{name}' has no entry record: the symbol '{records.SYMBOL}' is missing"
        raise InputError("shared-no-record", message, hint="hologram-compile makes shared objects that have one")
    table = module.find(FUNCTIONS)
    if functions is not None and table is not None:
        words = (ctypes.c_size_t * len(_TABLE)).from_address(table)
        words[:] = [functions.get(function, 0) for function in _TABLE]
    return module


def _linked(image: bytes, name: str) -> bytes:
    """An object file as a shared object, linked without LLVM."""
    from hologram.lowering.targets.objects.elf import link_shared, read_object
    from hologram.runtime.devices.cpu import resources

    needed = {symbol.name for symbol in read_object(image, name).symbols if symbol.section is None}
    halves = [("half floats", resources.object_of(HALF_FLOATS))] if needed & {*HALF_SYMBOLS} else []
    return link_shared([(name, image)], "program.so", halves)


def load_own(image: bytes, symbols: Iterable[str]) -> SharedModule | None:
    """Loads a shared object of ours that calls functions of this process; None where it does not find them, or has
    not all of `symbols`."""
    try:
        module = SharedModule(_dlopen(image))
    except OSError:
        return None
    return module if all(module.find(symbol) is not None for symbol in symbols) else None


def _why_broken(image: bytes) -> str:
    """Return why a file is not whole; empty if it is. The system's loader ends the process on segments that are not
    all there."""
    try:
        table, size, count = (_HEADER.unpack_from(image)[n] for n in (5, 9, 10))
        for n in range(count):
            kind, _, offset, _, _, in_file, in_memory, _ = _SEGMENT.unpack_from(image, table + n * size)
            if kind in _NEEDED and not offset + in_file <= len(image) or in_file > in_memory:
                return "a part of it is missing"
    except struct.error:
        return "it ends in its header"
    return ""


def _dlopen(image: bytes) -> Any:
    if reason := _why_broken(image):
        raise OSError(f"image: {reason}")
    handle = os.memfd_create("hologram")
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(os.fdopen(handle, "wb", closefd=False)).write(image)
        return ctypes.CDLL(_path(handle), mode=os.RTLD_NOW | os.RTLD_LOCAL)
    finally:
        os.close(handle)


def _path(handle: int) -> str:
    """A path to an open file that was never used before: the loader takes equal paths for one library."""
    steps = "".join("./" if bit == "1" else "/" for bit in f"{next(_count):b}")
    return f"/proc/self/fd/{steps}{handle}"
