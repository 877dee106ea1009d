"""The artifacts that can be made of a source, and the keys that tell them apart."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, cast

from hologram.driver.source import ATLAS_MAGIC, Source
from hologram.driver.targets import HOST, Target
from hologram.errors import HologramError, InputError, UsageError
from hologram.errors.limits import limit
from hologram.lowering.targets.objects.elf import HEADER, MACHINES, symbol_data
from hologram.lowering.targets.objects.elf import MAGIC as ELF
from hologram.plugins import fingerprint
from hologram.runtime.archive.records import HOSTED
from hologram.runtime.cache import is_key, key_of
from hologram.runtime.devices.module import OBJECT_MAGIC
from hologram.runtime.entry import SYMBOL, Entry, parse_entries
from hologram.runtime.fingerprint import compiler_fingerprint
from hologram.runtime.host import prepare_host
from hologram.runtime.settings import Settings, current
from hologram.support.host_target import host_target
from hologram.support.record import Record

VERSION = "pieces-3"
"""Changes with what artifacts hold: those of another version are not found."""
OBJECT, ENTRIES, LOADABLE, DEVICE = "object", "entries", "loadable", "device"
"""Of a target: the object file; its entry records; the form of it that archives hold; the code for the device in it."""
LOCATED, PLAIN, ISA, ATLAS, ASSEMBLY, DOCUMENT = "located", "ir", "atlas-binary", "atlas", "atlas-asm", "json"
LLVM, OPTIMISED, NATIVE = "llvm", "llvm-opt", "asm"
CHECKED = "checked"
"""Of a target: nothing but that the source can be compiled for it."""
MACHINE_FORMS = (ISA, ASSEMBLY)
GUARDED = (*MACHINE_FORMS, ATLAS)
"""The forms without a target that pass the guards."""
_LENGTHS = struct.Struct("<IQ")
"""Of what is said of an artifact, and of its data."""


class Request(Record):
    """An artifact that is asked for."""

    form: str
    target: Target | None = None
    """Of code: whose."""
    is_trusted: bool = False
    """Of a form without a target that passes the guards: whether the program is trusted, and has none."""

    @property
    def unsafe_memory(self) -> bool:
        """Return whether the program is compiled without guards."""
        return self.is_trusted if self.target is None else self.target.unsafe_memory


def untargeted(form: str, *, unsafe_memory: bool) -> Request:
    """The request of a form that no target decides."""
    return Request(form, is_trusted=unsafe_memory and form in GUARDED)


class Artifact(Record):
    """One outcome."""

    data: bytes
    about: Mapping[str, Any] = MappingProxyType({})
    """What is said of it: `format` of loadable and of device code; `missing`, why there is none."""
    equal: str = ""
    """Of an object: the key of the programs that have it."""
    is_known: bool = False
    """Whether an equal program had it before."""

    def packed(self) -> bytes:
        """The artifact as the cache keeps it."""
        about = json.dumps(self.about, separators=(",", ":"), sort_keys=True).encode() if self.about else b""
        return _LENGTHS.pack(len(about), len(self.data)) + about + self.data

    @staticmethod
    def unpacked(content: bytes) -> Artifact | None:
        """The artifact that was kept; None where that is no artifact."""
        try:
            length, size = _LENGTHS.unpack_from(content)
            end = _LENGTHS.size + length
            about: Any = json.loads(content[_LENGTHS.size : end]) if length else {}
        except (struct.error, ValueError, RecursionError):
            return None
        if not isinstance(about, dict) or len(content) != end + size:
            return None
        about = cast("dict[str, Any]", about)
        return Artifact(content[end:], about) if is_key(about.get("same", "0" * 64)) else None

    def fits(self, want: Request) -> bool:
        """Return whether this may be what is wanted, as far as its form shows; what was found in a cache may not be."""
        if self.is_missing or want.form == CHECKED:
            return type(self.about.get("missing", "")) is str
        try:
            match want.form:
                case "entries":
                    return bool(self.entries)
                case "object" | "loadable" | "device":
                    return _is_code(self, want)
                case "atlas-binary":
                    return self.data.startswith(ATLAS_MAGIC)
                case "json":
                    json.loads(self.data)
                case _:
                    self.data.decode()
        except (HologramError, ValueError, RecursionError):
            return False
        return bool(self.data)

    @property
    def is_missing(self) -> bool:
        """True if there is none; `about` says why."""
        return "missing" in self.about

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The records, of an artifact that holds them."""
        return parse_entries(self.data)


def _is_code(artifact: Artifact, want: Request) -> bool:
    """Return whether an artifact looks like code for the target, if there is one: an object for this machine with its
    entry records."""
    if want.form == DEVICE:
        return bool(artifact.data) and type(artifact.about.get("format")) is str
    if (want.form == LOADABLE) != (artifact.about.get("format") in HOSTED):
        return False
    if not artifact.data.startswith(ELF):
        return artifact.data.startswith(OBJECT_MAGIC)
    machine = MACHINES.get(HEADER.unpack_from(artifact.data.ljust(HEADER.size))[2], "").replace("-", "_")
    text = symbol_data(artifact.data, SYMBOL, want.form)
    if not host_target().triple.startswith(machine or "none") or text is None:
        return False
    kinds = {entry.device.kind if entry.device else HOST for entry in parse_entries(text.rstrip(b"\0"))}
    return want.target is None or kinds == {want.target.device}


Artifacts = Iterator[tuple[Request, Artifact]]
FindEqual = Callable[[str], "Artifact | None"]
"""What there is under the key of equal programs."""


@dataclass(frozen=True)
class Inputs:
    """One source with the options that decide what becomes of it, and the keys that they make."""

    source: Source
    settings: Settings = field(default_factory=current)
    opt_level: int = 3
    """LLVM's."""
    cache: bool = True
    """Whether caches are read and written."""
    note: Callable[[str, float], None] = lambda whose, seconds: None
    """Hears how long was worked for which targets."""

    def __post_init__(self) -> None:
        if type(self.opt_level) is not int or not 0 <= self.opt_level <= 3:
            message = f"opt_level is {self.opt_level!r}, expected 0, 1, 2 or 3"
            raise UsageError("compile-opt-level", message, hint="3 is the default")

    def say(self, level: int, text: str) -> None:
        """Writes a line to standard error if HOLOGRAM_DEBUG is at least `level`."""
        if self.settings.debug >= level:
            sys.stderr.write(f"hologram: {text}\n")

    def tell(self, whose: str, what: str, seconds: float) -> None:
        """Says what was done for which targets, and how long it took."""
        self.note(whose, seconds)
        self.say(2, f"  {what}: {seconds * 1e3:.1f} ms")

    # Keys

    def key(self, want: Request) -> str:
        """Return the key of an artifact: of the source's content, with that of the files that it imports, and more."""
        return self._key(want, *self.source_parts)

    def equal_key(self, want: Request, digest: str) -> str:
        """The key of what all programs have that are equal by a digest of their IR."""
        return self._key(want, "equal", digest)

    def _key(self, want: Request, *program: str | bytes) -> str:
        what = f"{VERSION} {want.form} of {self.source.kind}" + (" unsafe-memory" if want.unsafe_memory else "")
        if (target := want.target) is None:
            return key_of(what, compiler_fingerprint(), *fingerprint(), *program)
        host = prepare_host()
        what += f" {self.opt_level} {limit('optimised_instructions')}"
        what += f" [{target.layout}] [{target.pipeline}] {target.name}"
        return key_of(what, host.triple, host.cpu, host.features, compiler_fingerprint(), *fingerprint(), *program)

    @cached_property
    def source_parts(self) -> tuple[str | bytes, ...]:
        """The part of keys that is of the source."""
        return self.source.parts

    def check_unchanged(self) -> None:
        """Raises an InputError where a file that the source imports is not what the keys were made of."""
        if self.source.kind == "py" and self.source.parts != self.source_parts:
            message = f"a file that '{self.source.name}' imports changed while it was compiled"
            raise InputError("compile-changed", message, hint="compile it again")
