"""The content of an archive. `hologram.runtime.archive.writer.write` makes its bytes, `reader.open` reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hologram.runtime.archive.records import CodeRecord
from hologram.runtime.archive.records import Host as Host
from hologram.runtime.entry import Entry
from hologram.runtime.fingerprint import VERSION, llvm_version


def compiler_name() -> str:
    """The compiler that makes archives here; equal ones make equal code of a program."""
    return f"hologram {VERSION}, {llvm_version().removesuffix('.dist-info').replace('-', ' ')}"


@dataclass(frozen=True)
class Code:
    """Code of a program for one target."""

    target: str
    """This, the format, the processor and the options are those of its record."""
    format: str
    data: bytes = field(repr=False)
    host: Host | None = None
    options: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def record(self) -> CodeRecord:
        """The description of it in archives."""
        return CodeRecord(self.target, self.format, self.host, self.options)


@dataclass(frozen=True)
class Program:
    """A program: what it was made from, what it can be compiled from, and what it was compiled to."""

    name: str
    source_name: str
    """For people: the path within what was compiled, with slashes."""
    source_digest: str
    """BLAKE3 of the source, 64 hexadecimal digits; empty if it had none."""
    ir: bytes = field(repr=False)
    """MLIR text that `hologram.compile` takes."""
    isa: bytes | None = field(repr=False)
    """The program in the binary form of the Atlas ISA, where it has one."""
    entries: tuple[Entry, ...]
    """What they say of one code alone is not written."""
    codes: tuple[Code, ...] = ()


@dataclass(frozen=True)
class Constant:
    """A tensor, in C order."""

    name: str
    dtype: str
    """One of the launch ABI's, `index` and wide integers aside."""
    shape: tuple[int, ...]
    data: bytes | memoryview = field(repr=False)


@dataclass(frozen=True)
class Extension:
    """Bytes that mean something to whoever knows their name."""

    name: str
    """Such as `org.example.tuning`."""
    data: bytes = field(repr=False)
    essential: bool = False
    """Whether a program that does not know it may not use the archive."""


@dataclass(frozen=True)
class Archive:
    """All that an archive holds. The order of programs, codes, constants and extensions says nothing."""

    programs: tuple[Program, ...]
    constants: tuple[Constant, ...] = ()
    extensions: tuple[Extension, ...] = ()
    compiler: str = field(default_factory=compiler_name)
    provenance: Mapping[str, str] = field(default_factory=dict[str, str])
    """What whoever made it says of where it comes from."""
