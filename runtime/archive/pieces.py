"""What one source becomes ahead of time: its IR, and code for targets that need not be there, by way of the disk cache.

Each outcome is a piece with a key of its own, made of the source's content and of what else decides it. A source of
which all pieces are in the cache is not read into IR at all. Those that are missing are made together: the stages that
several targets begin with are run once.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hologram.errors import InputError
from hologram.host_target import host_target
from hologram.runtime.archive.sources import Place
from hologram.runtime.archive.targets import Target
from hologram.runtime.cache import STATS, DiskCache, key_of
from hologram.runtime.entry import Entry, parse_entries
from hologram.runtime.fingerprint import compiler_fingerprint

VERSION = "pieces-1"
"""Changes with what pieces hold: those of another version are not found."""
CODE, LOADABLE, DEVICE = "code", "loadable", "device"
"""Of a target: the object; the form of it that archives hold; and the code for the device that it holds."""
LOCATED, PLAIN, ISA, ATLAS, ASSEMBLY, DOCUMENT = "located", "ir", "atlas-binary", "atlas", "atlas-asm", "json"
LLVM, OPTIMISED, NATIVE = "llvm", "llvm-opt", "asm"
CHECKED = "checked"
"""Of a target: nothing but that the source can be compiled for it."""
MACHINE_FORMS = (ISA, ASSEMBLY)
_LENGTH = struct.Struct("<I")


@dataclass(frozen=True)
class Piece:
    """One outcome."""

    data: bytes
    about: dict[str, Any] = field(default_factory=dict[str, Any])
    """What is said of it: `entries` of code, the records; `format` of loadable and of device code; `missing`, why there
    is none."""

    def packed(self) -> bytes:
        """The piece as the cache keeps it."""
        about = json.dumps(self.about, separators=(",", ":"), sort_keys=True).encode()
        return _LENGTH.pack(len(about)) + about + self.data

    @staticmethod
    def unpacked(content: bytes) -> Piece:
        """The piece that was kept."""
        (length,) = _LENGTH.unpack_from(content)
        end = _LENGTH.size + length
        return Piece(content[end:], json.loads(content[_LENGTH.size : end]))

    @property
    def is_missing(self) -> bool:
        """Whether there is none; `about` says why."""
        return "missing" in self.about

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The records of code."""
        return parse_entries(json.dumps(self.about["entries"]))


@dataclass(frozen=True)
class Want:
    """A piece that is asked for."""

    form: str
    target: Target | None = None
    """Of code: whose."""


@dataclass(frozen=True)
class Pieces:
    """The pieces of one source."""

    place: Place
    cache: DiskCache
    opt_level: int = 3
    """LLVM's."""
    isolate: bool = False
    """Whether LLVM compiles in a helper process."""
    note: Callable[[str, float], None] = lambda what, seconds: None
    """Hears what was done, and how long it took."""

    def find(self, wanted: Sequence[Want]) -> dict[Want, Piece]:
        """Those that the cache holds."""
        found: dict[Want, Piece] = {}
        for want in wanted:
            if (content := self.cache.get(self.key(want))) is not None:
                STATS.disk_hits += 1
                found[want] = Piece.unpacked(content)
        return found

    def keep(self, want: Want, piece: Piece) -> None:
        """Puts a piece that was made into the cache."""
        self.cache.put(self.key(want), piece.packed())

    def key(self, want: Want) -> str:
        """Everything that decides a piece."""
        parts: list[str | bytes] = [VERSION, want.form, compiler_fingerprint()]
        if want.target is not None:
            host = host_target()
            parts += [want.target.name, str(self.opt_level), host.triple, host.cpu, host.features]
        return key_of(*parts, *self.source_parts)

    @cached_property
    def source_parts(self) -> tuple[str | bytes, ...]:
        """The source's content, with that of the files that it imports, as keys have it."""
        return self.place.parts

    def check_unchanged(self) -> None:
        """Raises an InputError where a file that the source imports is not what the keys were made of."""
        if self.place.parts != self.source_parts:
            message = f"a file that '{self.place.source.name}' imports changed while it was compiled"
            raise InputError("compile-changed", message, hint="compile it again")
