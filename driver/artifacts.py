"""The artifacts that can be made of a source, and the keys that tell them apart."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from hologram.driver.source import Source
from hologram.driver.targets import Target
from hologram.errors import InputError, UsageError
from hologram.plugins import fingerprint
from hologram.runtime.cache import key_of
from hologram.runtime.entry import Entry, parse_entries
from hologram.runtime.fingerprint import compiler_fingerprint
from hologram.runtime.settings import Settings, current
from hologram.support.host_target import host_target
from hologram.support.record import Record

VERSION = "pieces-2"
"""Changes with what artifacts hold: those of another version are not found."""
OBJECT, ENTRIES, LOADABLE, DEVICE = "object", "entries", "loadable", "device"
"""Of a target: the object file; its entry records; the form of it that archives hold; the code for the device in it."""
LOCATED, PLAIN, ISA, ATLAS, ASSEMBLY, DOCUMENT = "located", "ir", "atlas-binary", "atlas", "atlas-asm", "json"
LLVM, OPTIMISED, NATIVE = "llvm", "llvm-opt", "asm"
CHECKED = "checked"
"""Of a target: nothing but that the source can be compiled for it."""
MACHINE_FORMS = (ISA, ASSEMBLY)
_LENGTH = struct.Struct("<I")


class Request(Record):
    """An artifact that is asked for."""

    form: str
    target: Target | None = None
    """Of code: whose."""


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
        return _LENGTH.pack(len(about)) + about + self.data

    @staticmethod
    def unpacked(content: bytes) -> Artifact | None:
        """The artifact that was kept; None where that is no artifact."""
        try:
            (length,) = _LENGTH.unpack_from(content)
            end = _LENGTH.size + length
            return Artifact(content[end:], json.loads(content[_LENGTH.size : end]) if length else {})
        except (struct.error, ValueError):
            return None

    @property
    def is_missing(self) -> bool:
        """True if there is none; `about` says why."""
        return "missing" in self.about

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The records, of an artifact that holds them."""
        return parse_entries(self.data)


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
        what = f"{VERSION} {want.form} of {self.source.kind}"
        if (target := want.target) is None:
            return key_of(what, compiler_fingerprint(), *fingerprint(), *program)
        host = host_target()
        what += f" {self.opt_level} [{target.layout}] [{target.pipeline}] {target.name}"
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
