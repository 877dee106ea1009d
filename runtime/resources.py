"""Code of the runtime's own, kept as LLVM IR text in Python files: its object code, from the disk cache or made now."""

from __future__ import annotations

import os
import threading

from blake3 import blake3

from hologram.lowering.emit.native import host_target, to_object
from hologram.runtime.cache import DiskCache
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
    settings = current()
    host = host_target()
    digest = blake3()
    for part in (name, ir, host.triple, host.cpu, host.features, package_version("llvmlite")):
        digest.update(f"{len(part)}:{part}".encode())
    key = digest.hexdigest()
    disk = DiskCache(settings.cache_dir, settings.cache_bytes)
    image = disk.get(key)
    if image is None:
        # The optimiser would take twice the time of the rest; the texts are written so that it wins a few nanoseconds.
        image = to_object(ir, host, 1)
        disk.put(key, image)
    return image
