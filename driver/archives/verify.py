"""Checks an archive in full, without running or loading any code of it."""

from __future__ import annotations

import os
from dataclasses import dataclass

from hologram.errors import HologramError, InputError, Where
from hologram.runtime import entry as records
from hologram.runtime.archive.layout import FOREIGN
from hologram.runtime.archive.reader import OpenArchive, open
from hologram.runtime.archive.records import HOSTED, CodeRecord, said
from hologram.runtime.entry import Entry, parse_entries


@dataclass(frozen=True)
class Verified:
    """Counts of what was checked."""

    programs: int
    sections: int
    codes: int
    nbytes: int

    def __str__(self) -> str:
        counts = f"{self.programs} programs, {self.codes} codes, {self.sections} sections, {self.nbytes} bytes"
        return f"{counts}: all in order (code is not compared with its IR)"


def verify(path: str | os.PathLike[str] | bytes) -> Verified:
    """Checks everything of an archive: each digest, the documents, that nothing could have been written otherwise, that
    the IR and the ISA binaries are valid, and that codes have the entries that the records tell.

    Raises the error of the first thing that is wrong.
    """
    archive = open(path)
    for key in archive.frame.sections:
        archive.frame.read(*key)
    if not archive.frame.is_newer:
        _check_bytes(archive)
    codes = 0
    for number, name in enumerate(archive.programs):
        codes += len(archive.record(number).codes)
        _check_program(archive, number, name)
    return Verified(len(archive.programs), len(archive.frame.sections), codes, len(archive.frame.content))


def _check_bytes(archive: OpenArchive) -> None:
    """There is one way to write what an archive holds."""
    from hologram.runtime.archive.writer import write

    content = archive.frame.content
    if write(archive.contents()) != bytes(content.read(0, len(content))):
        message = "the archive says in another way what it could say in one"
        raise InputError("archive-canonical", message, hint=FOREIGN, where=Where(archive.name))


def _check_program(archive: OpenArchive, number: int, name: str) -> None:
    try:
        _check_ir(archive, number, name)
    except HologramError as error:
        message = f"program '{name}' is not valid: {error.message}"
        raise InputError("archive-invalid", message, hint=error.hint, where=Where(archive.name)) from None
    for part, code in enumerate(archive.record(number).codes):
        if code.format in HOSTED:
            _check_entries(archive, number, part, code)


def _check_ir(archive: OpenArchive, number: int, name: str) -> None:
    from hologram.dialects import make_context
    from hologram.driver.source import Source

    Source("mlir", f"{name}.mlir", bytes(archive.ir(number))).read(make_context())
    isa = archive.isa(number)
    if isa is not None:
        Source("atlasb", f"{name}.atlasb", bytes(isa)).read(make_context())


def _check_entries(archive: OpenArchive, number: int, part: int, code: CodeRecord) -> None:
    name = archive.record(number).name
    entries = entries_of(bytes(archive.code(number, part)), f"{name} for {code.target}")
    if tuple(map(said, entries)) != archive.record(number).entries:
        message = f"the code of '{name}' for {code.target} has other entries than the archive says"
        raise InputError("archive-code-entries", message, hint="make the archive again")


def entries_of(image: bytes, name: str) -> tuple[Entry, ...]:
    """The entries of object code, which is not loaded for it."""
    from hologram.lowering.targets.objects.elf import symbol_data

    text = symbol_data(image, records.SYMBOL, name)
    if text is None:
        raise InputError("archive-code-record", f"the code '{name}' has no entry record", hint=records.STALE)
    return parse_entries(text.rstrip(b"\0"))
