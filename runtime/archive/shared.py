"""Object files as shared objects that load without LLVM, linked here: what an archive had best hold."""

from __future__ import annotations

from collections.abc import Mapping

from hologram.lowering.emit.elf import link_shared
from hologram.lowering.emit.native import host_target, to_object
from hologram.runtime.archive.records import Code, Host, object_code
from hologram.runtime.c.library import program_shared
from hologram.runtime.devices import cpu_builtins
from hologram.runtime.devices.cpu_shared import device_functions_ir
from hologram.runtime.entry import Entry


def host_code(
    target: str, image: bytes, entries: tuple[Entry, ...], name: str, options: Mapping[str, str] | None = None
) -> Code:
    """The code that the object file `image` is, in the form that loads fastest on this system.

    `entries` are those of its entry record, `name` that of the program, and `options` those of the target's pipeline.
    """
    if not image.startswith(b"\x7fELF"):
        return object_code(target, image, options)
    return Code(target, "shared", shared_object(image, entries, name), Host.here(), dict(options or {}))


def shared_object(image: bytes, entries: tuple[Entry, ...], name: str) -> bytes:
    """An object file as a shared object. That of a program for the processor has the tables which the C library
    reads; one for a device reaches the functions of its device by a table."""
    soname = f"{name}.so"
    if not any(entry.device for entry in entries):
        return program_shared(image, entries, name, soname)
    table = to_object(device_functions_ir(), host_target(), 1)
    halves = ("the conversions of half floats", to_object(cpu_builtins.IR, host_target(), 1))
    return link_shared([(name, image), ("its device's functions", table)], soname, [halves])
