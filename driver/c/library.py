"""Shared objects for C: programs with their tables, and the library that runs them, both linked by ourselves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files

from hologram.driver.c.table import program_table, string_constant
from hologram.errors import InputError
from hologram.lowering.targets.objects.elf import link_shared
from hologram.lowering.targets.objects.native import to_object
from hologram.runtime.devices.cpu import resources
from hologram.runtime.entry import SYMBOL, Entry
from hologram.runtime.native import C_LIBRARY, HALF_FLOATS
from hologram.support.host_target import host_target


def header(name: str = "hologram.h") -> str:
    """The text of `hologram.h`, or of `hologram_isa.h`."""
    return (files("hologram.driver.c") / name).read_text(encoding="utf-8")


def library_shared() -> bytes:
    """The library as a shared object for this machine."""
    return link_shared([("the C library", resources.object_of(C_LIBRARY))], "libhologram.so")


def programs_shared(programs: Sequence[tuple[str, bytes, tuple[Entry, ...]]], soname: str) -> bytes:
    """Programs as one shared object, with the tables of their entries: of each its name in messages, its object file
    and its entries.

    Raises an InputError where an entry has no packed form, or the objects can't be linked.
    """
    entries = tuple(entry for _, _, own in programs for entry in own)
    whose: dict[str, str] = {}
    for name, _, own in programs:
        for entry in own:
            if entry.packed is None:
                raise InputError("c-packed", f"'{entry.name}' of '{name}' has no packed form", hint="compile it again")
            if (other := whose.setdefault(entry.symbol, name)) != name:
                message = f"'{other}' and '{name}' both have an entry '{entry.name}', and a library has one of a name"
                raise InputError("c-two-entries", message, hint="call one of them otherwise, or make an archive")
    tables = program_table(entries)
    if len(programs) > 1:
        records = json.dumps([entry.to_json() for entry in entries], separators=(",", ":")).encode() + bytes(1)
        tables += f"@{SYMBOL} = constant {string_constant(records)}\n"
    images = [(name, image) for name, image, _ in programs]
    images.append(("its tables", to_object(tables, host_target(), 1)))
    halves = ("the conversions of half floats", resources.object_of(HALF_FLOATS))
    return link_shared(images, soname, [halves], once=(SYMBOL,))
