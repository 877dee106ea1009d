"""The code of `own_code` in this process: from the disk cache, or made now."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Mapping, Sequence

from hologram.host_target import host_target
from hologram.runtime import own_code
from hologram.runtime.cache import DiskCache, key_of
from hologram.runtime.devices import cpu_shared
from hologram.runtime.devices.module import CpuModule
from hologram.runtime.fingerprint import files_of, package_version
from hologram.runtime.settings import current

Text = Callable[[], str]
"""Gives the text of code, which is not asked for where code that was made of it is known."""

_made: dict[str, bytes] = {}
_locks: dict[str, threading.Lock] = {}


def object_of(name: str, text: Text) -> bytes:
    """The object code of a text for this machine, made once; `name` tells such texts apart."""
    with _locks.setdefault(name, threading.Lock()):
        if name not in _made:
            _made[name] = _found("object", name, lambda: _compiled(text()))
        return _made[name]


def prepare(name: str, text: Text) -> None:
    """Makes the object code in a thread, for a later `object_of`."""
    if name not in _made:
        # Not a daemon: LLVM must not be at work when the process ends.
        threading.Thread(target=object_of, args=(name, text), name=f"hologram-{name}").start()


if hasattr(os, "register_at_fork"):
    # A child has one thread: whoever else was making code is gone.
    os.register_at_fork(after_in_child=_locks.clear)


def _found(form: str, name: str, make: Callable[[], bytes]) -> bytes:
    """What the disk cache has of a name in a form for this machine, or what is made now."""
    settings, host = current(), host_target()
    disk = DiskCache(settings.cache_dir, settings.cache_bytes)
    key = key_of(form, name, host.triple, host.cpu, host.features, _texts(), package_version("llvmlite"))
    image = disk.get(key)
    if image is None:
        image = make()
        disk.put(key, image)
    return image


@functools.cache
def _texts() -> str:
    """What tells whether a text has changed."""
    return "\n".join(files_of(*own_code.__path__))


def _compiled(text: str) -> bytes:
    from hologram.lowering.emit.native import to_object

    # The optimiser would take twice the time of the rest; the texts are written so that it wins a few nanoseconds.
    return to_object(text, host_target(), 1)


def load(name: str, text: Text, functions: Mapping[str, int], symbols: Sequence[str]) -> CpuModule:
    """The code of a text in this process. It calls functions at given addresses; `symbols` of it are used.

    The system's own loader takes it as a shared object, in a third of LLVM's time, if it finds the functions by itself.
    """
    if cpu_shared.can_load():
        found = cpu_shared.load_own(_found("shared", name, lambda: _linked(name, text)))
        if found is not None:
            return found
    from hologram.runtime.devices import cpu

    return cpu.load_with(object_of(name, text), name, functions, symbols)


def _linked(name: str, text: Text) -> bytes:
    from hologram.lowering.emit.elf import link_shared

    return link_shared([(name, object_of(name, text))], f"hologram-{name}.so")
