"""This machine's processor: loading object code through LLVM's JIT linker."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from hologram.errors import InputError
from hologram.runtime import entry as records
from hologram.runtime.devices.cpu import resources
from hologram.runtime.devices.module import CpuModule
from hologram.runtime.native import HALF_FLOATS, HALF_SYMBOLS
from hologram.support import forks
from hologram.support.host_target import host_target, llvm_binding

UNRESOLVED = "Failed to materialize symbols"
_NOT_MAPPED = "LLVM can't map machine code"

_names = itertools.count()
_lock = forks.lock()
_kept: list[Any] = []
"""Trackers of libraries that stay loaded."""


@forks.once
def _jit(quiet: bool = True) -> Any:
    """The one JIT of the process. Loaded modules hold on to it. Unless `quiet`, it writes to standard error itself.

    LLVM's older linker, its default, maps modules piece by piece. Libraries of devices reserve so many addresses that
    the pieces can lie too far apart; JITLink maps a module at once.
    """
    llvm = llvm_binding()
    machine = llvm.Target.from_triple(host_target().triple).create_target_machine(reloc="pic", codemodel="small")
    return llvm.create_lljit_compiler(machine, use_jit_link=True, suppress_errors=quiet)


class JitModule(CpuModule):
    """Object code that LLVM linked."""

    def __init__(self, tracker: Any, library: str, jit: Any):
        self._tracker = tracker
        self._library = library
        self._jit = jit
        self._symbols: list[Any] = []

    def find(self, symbol: str) -> int | None:
        """Return the address of `symbol`, or None if the module has no such symbol."""
        try:
            with _lock:
                tracker = self._jit.lookup(self._library, symbol)
        except RuntimeError:
            return None
        self._symbols.append(tracker)
        return tracker[symbol]

    def entries(self) -> bytes:
        """The text of the entry records."""
        return ctypes.string_at(self._tracker[records.SYMBOL])


def load(image: bytes, name: str, functions: Mapping[str, int] | None = None) -> CpuModule:
    """Maps object code (the bytes of a .o file) into the process. `name` is for messages.

    `functions` are the addresses of what it calls besides the functions of this process: those of a device.
    """
    if functions is not None:
        return _load_for_device(image, name, functions)
    try:
        return _link(image, _jit())
    except RuntimeError as error:
        if UNRESOLVED not in str(error):
            _explain(str(error), name)
    if b"hologram_device_launch" in image:
        from hologram.runtime.devices.protocol import HOST_FUNCTIONS

        # With addresses that are never called it can be looked at; whoever would run it refuses it.
        return _load_for_device(image, name, dict.fromkeys(HOST_FUNCTIONS, 1))
    try:
        return _link(image, _jit(), _builtins())
    except RuntimeError:
        message = f"'{name}' needs functions that this process has not: {_missing_symbols(image, name)}"
        raise InputError("object-unresolved", message, hint="define them in the module") from None


def _load_for_device(image: bytes, name: str, functions: Mapping[str, int]) -> CpuModule:
    with contextlib.suppress(RuntimeError):
        return _link(image, _jit(), functions=functions)
    try:
        # Code of the host that passes bf16 on calls functions for it.
        return _link(image, _jit(), _builtins(), functions=functions)
    except RuntimeError as error:
        _explain(str(error), name)


def load_with(image: bytes, name: str, functions: Mapping[str, int], symbols: Iterable[str]) -> CpuModule:
    """Maps object code of ours that calls functions at given addresses, and of which `symbols` are used.

    Raises MemoryError: it is in order, so nothing but memory can be missing.
    """
    try:
        return _linked(llvm_binding().JITLibraryBuilder(), image, name, _jit(), functions, symbols)
    except RuntimeError as error:
        raise MemoryError(_NOT_MAPPED) from error


def _link(image: bytes, jit: Any, *libraries: str, functions: Mapping[str, int] | None = None) -> CpuModule:
    builder = llvm_binding().JITLibraryBuilder().add_current_process()
    for library in libraries:
        builder.add_jit_library(library)
    return _linked(builder, image, "program", jit, functions or {}, [records.SYMBOL])


def _linked(
    builder: Any, image: bytes, name: str, jit: Any, functions: Mapping[str, int], symbols: Iterable[str]
) -> CpuModule:
    builder.add_object_img(image)
    for symbol, address in functions.items():
        builder.import_symbol(symbol, address)
    for symbol in symbols:
        builder.export_symbol(symbol)
    with _lock:
        library = f"hologram-{name}-{next(_names)}"
        return JitModule(builder.link(jit, library), library, jit)


@forks.once
def _builtins() -> str:
    """Return the name of the library of half float conversions, linked when the first program asks for it."""
    builder = llvm_binding().JITLibraryBuilder().add_object_img(resources.object_of(HALF_FLOATS))
    for symbol in HALF_SYMBOLS:
        builder.export_symbol(symbol)
    with _lock:
        _kept.append(builder.link(_jit(), f"hologram-{HALF_FLOATS}"))
    return f"hologram-{HALF_FLOATS}"


def _explain(reason: str, name: str) -> NoReturn:
    """Raises the InputError for what the JIT linker said."""
    if records.SYMBOL in reason:
        message = f"'{name}' has no entry record: the symbol '{records.SYMBOL}' is missing"
        raise InputError("object-no-record", message, hint="hologram-opt -t llvm-ir or -t obj writes one")
    message = f"'{name}' can't be loaded: {reason}"
    raise InputError("object-broken", message, hint=f"it must be an object file for {host_target().triple}")


def _missing_symbols(image: bytes, name: str) -> str:
    """The functions that could not be found. LLVM says it on standard error alone, so another process is asked.

    Raises the error for any other reason, of which a lack of memory may leave no trace in that process.
    """
    code = "import sys; from hologram.runtime.devices.cpu import device; device.link_loudly(sys.stdin.buffer.read())"
    import subprocess  # Few compiles need it.

    done = subprocess.run([sys.executable, "-P", "-c", code], input=image, capture_output=True)
    reasons = done.stderr.decode(errors="replace")
    if match := re.search(r"Symbols not found: \[ (.*?) \]", reasons):
        return match[1]
    reason = re.search(r"JIT session error: (.*)", reasons)
    if reason is None or "Cannot allocate" in reason[1]:
        raise MemoryError(_NOT_MAPPED)
    _explain(reason[1], name)


def link_loudly(image: bytes) -> None:
    """Links with LLVM's own messages on standard error; for `_missing_symbols`."""
    with contextlib.suppress(RuntimeError):
        _link(image, _jit(quiet=False))
