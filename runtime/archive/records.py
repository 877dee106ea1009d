"""What an archive says of itself, of its programs, their entries and their codes: what loading one reads.

Named tuples are made in a fifth of the time that data classes take, which counts where a kernel is loaded in 5 ms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hologram.runtime.entry import Argument, Entry, Shape, parse_entry

HOSTED = ("object", "shared")
"""The formats of codes that hold code for the processor: `object` is a relocatable object file with entry records (and
a device's code in it), `shared` the same as a shared object, which is loaded without LLVM."""
_NOT_SAID: dict[str, Any] = {"symbol": "", "trap": False, "sites": []}
"""The fields of entry records that are of one code, not of the program."""


class Host(NamedTuple):
    """The processor that code of a format in `HOSTED` needs."""

    triple: str
    cpu: str
    """What it was compiled on, for people."""
    features: tuple[str, ...]
    """LLVM's names of what it may use, ascending; a processor needs all of them."""

    @staticmethod
    def here() -> Host:
        """This machine."""
        from hologram.lowering.emit.native import host_target

        target = host_target()
        features = sorted(name[1:] for name in target.features.split(",") if name.startswith("+"))
        return Host(target.triple, target.cpu, tuple(features))


@dataclass(frozen=True)
class Code:
    """Code of a program for one target."""

    target: str
    """`cpu`, `sm_90`, `vulkan`, `webgpu`, `opencl`, `wasm`, `metal`, or a plugin's kind of devices."""
    format: str
    """`object`, `shared`, or that of code that other programs load (`ptx`, `spirv`, `wgsl`, ...). A program has one
    code of each target and format for each processor and choice of options."""
    data: bytes = field(repr=False)
    host: Host | None = None
    """Of the formats in `HOSTED`: the processor that it needs."""
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    """The options of the target's pipeline that it was made with (`{"limb": "32"}`); those left out have their
    default."""

    @property
    def order(self) -> tuple[str, str, str, tuple[str, ...], tuple[tuple[str, str], ...]]:
        """What tells codes of a program apart, and orders them."""
        triple, features = ("", ()) if self.host is None else (self.host.triple, self.host.features)
        return self.target, self.format, triple, features, tuple(sorted(self.options.items()))


def object_code(target: str, image: bytes, options: Mapping[str, str] | None = None) -> Code:
    """The code that an object file is which was made for this machine; device code stands in it."""
    return Code(target, "object", image, Host.here(), dict(options or {}))


class EntryRecord(NamedTuple):
    """What can be said of an entry for all targets: the part of its entry record that callers need."""

    name: str
    arguments: tuple[Argument, ...]
    constraints: tuple[str, ...] = ()
    launch: str = "call"
    shape: Shape | None = None
    """How it is launched, if it launches one program as it is told."""
    classes: str | None = None
    resonance: str | None = None

    @staticmethod
    def of(entry: Entry) -> EntryRecord:
        """What a code's entry record says that holds for every code."""
        return EntryRecord(
            entry.name, entry.arguments, entry.constraints, entry.launch, entry.shape, entry.classes, entry.resonance
        )

    @property
    def entry(self) -> Entry:
        """As an entry without code."""
        return Entry(
            self.name, "", self.arguments, self.constraints, launch=self.launch, shape=self.shape,
            classes=self.classes, resonance=self.resonance,
        )  # fmt: skip

    @property
    def signature(self) -> str:
        """`main(a: f32[?x4], n: i64) -> (c: f32[?x4])`."""
        return self.entry.signature

    def to_json(self) -> dict[str, Any]:
        """The record as JSON data."""
        return {key: value for key, value in self.entry.to_json().items() if key not in _NOT_SAID}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> EntryRecord:
        """The record of JSON data; an InputError if it does not hold together."""
        return EntryRecord.of(parse_entry({**data, **_NOT_SAID}))


class Manifest(NamedTuple):
    """What an archive says of itself."""

    compiler: str
    provenance: Mapping[str, str]
    programs: tuple[tuple[str, tuple[str, ...]], ...]
    """The names of the programs, and of the entries of each."""
    targets: tuple[str, ...]
    """All that any of the programs has code for."""
    extensions: tuple[str, ...]

    @property
    def kernels(self) -> dict[str, tuple[int, str]]:
        """The program's number and the entry's name by the name that a kernel has in this archive."""
        return {name: place for name, place in kernel_names(self.programs)}


def kernel_names(programs: Sequence[tuple[str, tuple[str, ...]]]) -> list[tuple[str, tuple[int, str]]]:
    """Kernels have the names of their entries; those called `main`, and those that share theirs, that of the program,
    in the latter case before it."""
    plain = [program if entry == "main" else entry for program, entries in programs for entry in entries]
    times = Counter(plain)
    places = [(number, entry) for number, (_, entries) in enumerate(programs) for entry in entries]
    found: list[tuple[str, tuple[int, str]]] = []
    for name, (number, entry) in zip(plain, places, strict=True):
        shared = times[name] > 1
        found.append((f"{programs[number][0]}.{entry}" if shared else name, (number, entry)))
    return found


class ProgramRecord(NamedTuple):
    """What an archive says of one program."""

    name: str
    source_name: str
    source_digest: str
    entries: tuple[EntryRecord, ...]
    codes: tuple[Code, ...]
    """Without their data."""
