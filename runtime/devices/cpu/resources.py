"""Machine code of the modules in C, in this process: from the disk cache, or made now."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from hologram.errors import InputError
from hologram.runtime import native
from hologram.runtime.cache import disk_cache, key_of
from hologram.runtime.devices.cpu import shared as cpu_shared
from hologram.runtime.devices.module import OBJECT_MAGIC, CpuModule
from hologram.runtime.fingerprint import llvm_version
from hologram.support import forks
from hologram.support.host_target import host_target

UsedT = TypeVar("UsedT")

_loaded: list[CpuModule] = []
"""What was loaded: its functions may be called until the process ends."""
_made: dict[str, bytes] = {}
_locks: dict[str, Any] = {}


def object_of(name: str) -> bytes:
    """The object code of a module for this machine, made once."""
    with _locks.setdefault(name, forks.lock()):
        if name not in _made:
            _made[name] = _found("object", name, lambda: _compiled(name), _whole_object) or _compiled(name)
        return _made[name]


def prepare(name: str) -> None:
    """Makes the object code in a thread, for a later `object_of`."""
    if name not in _made:
        # Not a daemon: LLVM must not be at work when the process ends.
        threading.Thread(target=object_of, args=(name,), name=f"hologram-{name}").start()


def _found(form: str, name: str, make: Callable[[], bytes], use: Callable[[bytes], UsedT | None]) -> UsedT | None:
    """Return what `use` makes of a module in a form for this machine: from the disk cache, or made now."""
    return disk_cache().find_or_make(_key(form, name), make, use)


def _key(form: str, name: str) -> str:
    host = host_target()
    return key_of(form, name, host.triple, host.cpu, host.features, _state(name), llvm_version())


def _whole_object(image: bytes) -> bytes | None:
    """An object file, if it is one with all that it should have."""
    from hologram.lowering.targets.objects.elf import MAGIC, defined_symbols

    try:
        is_whole = not image.startswith(MAGIC) or any(s.is_function for s in defined_symbols(image, "the cache"))
    except InputError:
        return None
    return image if is_whole and image.startswith(OBJECT_MAGIC) else None


def _state(name: str) -> str:
    """Return what changes with a module."""
    try:
        status = os.stat(native.ir_path(name))
    except FileNotFoundError:
        hint = "use Linux on x86-64 or aarch64, which have all"
        raise InputError(
            "native-platform", f"the runtime's module '{name}' is not compiled for {native.platform()}", hint=hint
        ) from None
    return f"{status.st_size} {status.st_mtime_ns}"


def _compiled(name: str) -> bytes:
    from hologram.lowering.targets.objects.native import to_object

    # The IR has been optimised when it was compiled from C.
    with open(native.ir_path(name), encoding="utf-8") as file:
        return to_object(file.read(), host_target(), 1)


def load(name: str, functions: Mapping[str, int], symbols: Sequence[str]) -> CpuModule:
    """The code of a module, once more in this process. It calls functions at given addresses; `symbols` of it are used.

    The system's own loader takes it as a shared object, in a third of LLVM's time, if it finds the functions by itself.
    """
    module: CpuModule | None = None
    if cpu_shared.can_load():
        module = _found("shared", name, lambda: _shared(name), lambda image: cpu_shared.load_own(image, symbols))
    if module is None:
        from hologram.runtime.devices.cpu import device as cpu

        module = cpu.load_with(object_of(name), name, functions, symbols)
    _loaded.append(module)
    return module


def _shared(name: str) -> bytes:
    from hologram.lowering.targets.objects.elf import link_shared

    return link_shared([(name, object_of(name))], f"hologram-{name}.so")
