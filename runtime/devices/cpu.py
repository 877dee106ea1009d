"""This machine's processor: loading object code through LLVM's JIT linker, and calling it."""

from __future__ import annotations

import ctypes
import functools
import itertools
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

from hologram.errors import InputError
from hologram.runtime import entry as records

llvm: Any = import_module("llvmlite.binding")
"""llvmlite has no types."""

_names = itertools.count()
_lock = threading.Lock()


@dataclass(frozen=True)
class Host:
    """What code is generated for."""

    triple: str
    cpu: str
    features: str
    llvm: str


@functools.cache
def host() -> Host:
    """This machine, as LLVM sees it."""
    version = ".".join(str(n) for n in llvm.llvm_version_info)
    return Host(llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), version)


@functools.cache
def _jit() -> Any:
    """The one JIT of the process. Loaded modules hold on to it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(host().triple).create_target_machine(
        cpu=host().cpu, features=host().features, opt=3, reloc="pic", codemodel="small"
    )
    return llvm.create_lljit_compiler(machine, suppress_errors=True)


class CpuModule:
    """Loaded code; it stays mapped as long as this object lives."""

    def __init__(self, tracker: Any, library: str, jit: Any):
        self._tracker = tracker
        self._library = library
        self._jit = jit
        self._symbols: list[Any] = []

    def address(self, symbol: str) -> int:
        """Where `symbol` lies."""
        try:
            with _lock:
                found = self._jit.lookup(self._library, symbol)
        except RuntimeError:
            message = f"the entry record names the function '{symbol}', which the module has not"
            raise InputError("object-symbol", message, hint=records.STALE) from None
        self._symbols.append(found)
        return found[symbol]

    def entries(self) -> bytes:
        """The text of the entry records."""
        return ctypes.string_at(self._tracker[records.SYMBOL])


def load(image: bytes, name: str) -> CpuModule:
    """Maps object code (the bytes of a .o file) into the process. `name` is for messages."""
    builder = llvm.JITLibraryBuilder().add_object_img(image).add_current_process().export_symbol(records.SYMBOL)
    library = f"hologram-{next(_names)}"
    try:
        with _lock:
            tracker = builder.link(_jit(), library)
    except RuntimeError as error:
        _explain(str(error), name)
    return CpuModule(tracker, library, _jit())


def _explain(reason: str, name: str) -> NoReturn:
    """Raises the InputError for what the JIT linker said."""
    if records.SYMBOL in reason:
        message = f"'{name}' has no entry record: the symbol '{records.SYMBOL}' is missing"
        raise InputError("object-no-record", message, hint="hologram-opt -t llvm-ir or -t object writes one")
    if "Symbols not found" in reason:
        message = f"'{name}' needs functions that this process has not: {reason.partition(':')[2].strip()}"
        raise InputError("object-unresolved", message, hint="define them in the module")
    message = f"'{name}' can't be loaded: {reason}"
    raise InputError("object-broken", message, hint=f"it must be an object file for {host().triple}")


class CpuLauncher:
    """Calls one entry by the launch ABI: pointers, sizes and strides, scalars, trap record."""

    def __init__(self, module: CpuModule, symbol: str, argument_types: Iterable[Any]):
        self._module = module
        self._call = ctypes.CFUNCTYPE(None, *argument_types)(module.address(symbol))

    def __call__(self, *values: Any) -> None:
        """Starts the program and waits for it."""
        self._call(*values)
