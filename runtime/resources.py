"""Code of the runtime's own, kept as LLVM IR text in Python files: its object code, from the disk cache or made now."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence

from hologram.lowering.emit.native import host_target, to_object
from hologram.runtime.cache import DiskCache, key_of
from hologram.runtime.devices import cpu, cpu_shared
from hologram.runtime.fingerprint import package_version
from hologram.runtime.settings import current

_made: dict[str, bytes] = {}
_locks: dict[str, threading.Lock] = {}


def object_of(name: str, ir: str) -> bytes:
    """The object code of the text `ir` for this machine, made once; `name` tells such texts apart."""
    with _locks.setdefault(name, threading.Lock()):
        if name not in _made:
            _made[name] = _find_or_make(name, ir)
        return _made[name]


def prepare(name: str, ir: str) -> None:
    """Makes the object code in a thread, for a later `object_of`."""
    if name not in _made:
        # Not a daemon: LLVM must not be at work when the process ends.
        threading.Thread(target=object_of, args=(name, ir), name=f"hologram-{name}").start()


if hasattr(os, "register_at_fork"):
    # A child has one thread: whoever else was making code is gone.
    os.register_at_fork(after_in_child=_locks.clear)


def _find_or_make(name: str, ir: str) -> bytes:
    disk, key = _place(name, ir)
    image = disk.get(key)
    if image is None:
        # The optimiser would take twice the time of the rest; the texts are written so that it wins a few nanoseconds.
        image = to_object(ir, host_target(), 1)
        disk.put(key, image)
    return image


def _place(name: str, text: str) -> tuple[DiskCache, str]:
    """The disk cache, and the key there of what is made of a text for this machine."""
    settings = current()
    host = host_target()
    key = key_of(name, text, host.triple, host.cpu, host.features, package_version("llvmlite"))
    return DiskCache(settings.cache_dir, settings.cache_bytes), key


def load(name: str, ir: str, functions: Mapping[str, int], symbols: Sequence[str]) -> cpu.CpuModule:
    """The code of the text `ir` in this process. It calls functions at given addresses; `symbols` of it are used.

    Where LLVM is not loaded yet, the system's own loader takes a shared object of it from the disk cache, if there is
    one and it finds the functions by itself.
    """
    if cpu_shared.can_load() and not cpu.is_loaded():
        found = cpu_shared.load_own(_shared_of(name, ir))
        if found is not None:
            return found
    return cpu.load_with(object_of(name, ir), name, functions, symbols)


def _shared_of(name: str, ir: str) -> bytes:
    """The object as a shared object, from the disk cache or linked now."""
    disk, key = _place(name, f"shared {ir}")
    image = disk.get(key)
    if image is None:
        from hologram.lowering.emit.elf import link_shared

        image = link_shared([(name, object_of(name, ir))], f"hologram-{name}.so")
        disk.put(key, image)
    return image
