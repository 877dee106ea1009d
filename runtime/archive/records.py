"""The descriptions in an archive: of itself, its programs, their entries and their codes. Loading reads these alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from hologram.runtime.entry import Entry, parse_entry
from hologram.support.record import Record

HOSTED = ("object", "shared")
"""The formats of codes that hold code for the processor: `object` is a relocatable object file with entry records (and
a device's code in it), `shared` the same as a shared object, which is loaded without LLVM."""
_NOT_SAID: dict[str, Any] = {"symbol": "", "trap": False, "sites": []}
"""The fields of entry records that are of one code, not of the program."""


class Host(Record):
    """The processor that code of a format in `HOSTED` needs."""

    triple: str
    cpu: str
    """What it was compiled on, for people."""
    features: tuple[str, ...]
    """LLVM's names of what it may use, ascending; a processor needs all of them."""

    @staticmethod
    def here() -> Host:
        """This machine."""
        from hologram.support.host_target import host_target

        target = host_target()
        features = sorted(name[1:] for name in target.features.split(",") if name.startswith("+"))
        return Host(target.triple, target.cpu, tuple(features))


class CodeRecord(Record):
    """The description of code of a program for one target."""

    target: str
    """`cpu`, `sm_90`, `vulkan`, `webgpu`, `opencl`, `wasm`, `metal`, or a plugin's kind of devices."""
    format: str
    """One of `HOSTED`, or that of code that other programs load (`ptx`, `spirv`, `wgsl`, ...). A program has one code
    of each target and format for each processor and choice of options."""
    host: Host | None = None
    """Of the formats in `HOSTED`: the processor that it needs."""
    options: Mapping[str, str] = MappingProxyType({})
    """The options of the target's pipeline that it was made with (`{"limb": "32"}`). What we compile names all of them;
    of other writers' code those left out have their default."""

    @property
    def order(self) -> tuple[str, str, str, tuple[str, ...], tuple[tuple[str, str], ...]]:
        """The key that tells codes of a program apart, and orders them."""
        triple, features = ("", ()) if self.host is None else (self.host.triple, self.host.features)
        return self.target, self.format, triple, features, tuple(sorted(self.options.items()))


def said(entry: Entry) -> Entry:
    """Return the part of a code's entry record that holds for every code, which is what callers need."""
    return Entry(
        entry.name, "", entry.arguments, entry.constraints, launch=entry.launch, shape=entry.shape,
        classes=entry.classes, resonance=entry.resonance,
    )  # fmt: skip


def said_json(entry: Entry) -> dict[str, Any]:
    """The same as JSON data."""
    return {key: value for key, value in said(entry).to_json().items() if key not in _NOT_SAID}


def read_said(data: Mapping[str, Any]) -> Entry:
    """Read such JSON data; raises an InputError if it does not hold together."""
    return said(parse_entry({**data, **_NOT_SAID}))


class Manifest(Record):
    """The description of an archive as a whole."""

    compiler: str
    provenance: Mapping[str, str]
    programs: tuple[tuple[str, tuple[str, ...]], ...]
    """The names of the programs, and of the entries of each."""
    targets: tuple[str, ...]
    """All that any program has code for."""
    extensions: tuple[str, ...]

    @cached_property
    def kernels(self) -> dict[str, tuple[int, str]]:
        """The program's number and the entry's name by the name that a kernel has in this archive.

        Kernels have the names of their entries; those called `main`, and those that share theirs, that of the program,
        in the latter case before it.
        """
        plain = [program if entry == "main" else entry for program, entries in self.programs for entry in entries]
        places = [(number, entry) for number, (_, entries) in enumerate(self.programs) for entry in entries]
        times = Counter(plain)
        return {
            name if times[name] == 1 else f"{self.programs[place[0]][0]}.{place[1]}": place
            for name, place in zip(plain, places, strict=True)
        }


class ProgramRecord(Record):
    """The description of one program in an archive."""

    name: str
    source_name: str
    source_digest: str
    entries: tuple[Entry, ...]
    codes: tuple[CodeRecord, ...]
