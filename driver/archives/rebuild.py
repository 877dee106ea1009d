"""Holds the code of an archive against what its IR compiles to: whoever changes one can make the digests anew."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from hologram.driver.archives.load import UNSAFE
from hologram.driver.artifacts import ISA, LOADABLE, Request
from hologram.driver.graph import Build
from hologram.driver.source import Source
from hologram.driver.targets import target_with
from hologram.errors import HologramError, InputError, Where
from hologram.runtime.archive.model import compiler_name
from hologram.runtime.archive.reader import OpenArchive, open
from hologram.runtime.archive.records import HOSTED, CodeRecord, Host

LEVELS = (3, 2, 1, 0)
"""LLVM's levels in the order in which they are tried: an archive does not say which it was made with."""


@dataclass(frozen=True)
class Rebuilt:
    """What was found, where nothing is wrong."""

    same: int
    """How many codes are what their IR compiles to."""
    unknown: tuple[str, ...]
    """Of the others: why that can't be told."""

    def __str__(self) -> str:
        found = f"{self.same} codes are what their IR compiles to"
        return "; ".join([found, *(f"can't tell: {reason}" for reason in self.unknown)])


def rebuild(path: str | os.PathLike[str] | bytes) -> Rebuilt:
    """Compiles the programs of an archive again, without caches, and compares. Raises an InputError where a code is not
    what its IR compiles to."""
    archive = open(path)
    made_by, here = archive.manifest.compiler, compiler_name()
    if made_by != here:
        return Rebuilt(0, (f"it was made by {made_by}, and this is {here}",))
    same, unknown = 0, dict[str, None]()
    for number in range(len(archive.programs)):
        for reason in _compared(archive, number):
            same += not reason
            unknown |= {reason: None} if reason else {}
    return Rebuilt(same, tuple(unknown))


def _compared(archive: OpenArchive, number: int) -> Iterator[str]:
    """For each code, and the binary of the ISA: why it can't be told, or nothing."""
    record, isa = archive.record(number), archive.isa(number)
    source = Source("mlir", record.source_name or f"{record.name}.mlir", bytes(archive.ir(number)))
    if isa is not None:
        artifact = _made(source, Request(ISA), 3)
        if artifact != bytes(isa):
            _differ(archive, record.name, "the ISA")
    for part, code in enumerate(record.codes):
        reason = _why_unknown(code)
        if not reason:
            data = bytes(archive.code(number, part))
            want = Request(LOADABLE, target_with(code.target, code.options))
            if all(_made(source, want, level) != data for level in LEVELS):
                _differ(archive, record.name, code.target)
        yield reason


def _why_unknown(code: CodeRecord) -> str:
    if code.format not in HOSTED:
        return f"code in the form {code.format} is not made here"
    if code.host != Host.here():
        return "there is code for another processor"
    try:
        target_with(code.target, code.options)
    except HologramError as error:
        return error.message
    return ""


def _made(source: Source, want: Request, level: int) -> bytes | None:
    """What a source compiles to, with guards or, where it says so, trusted; None where it does not."""
    if source.data.startswith(UNSAFE):
        want = want.changed(target=want.target and want.target.changed(unsafe_memory=True), is_trusted=not want.target)
    try:
        return Build(source, opt_level=level, cache=False).get([want])[want].data
    except HologramError:
        return None


def _differ(archive: OpenArchive, program: str, target: str) -> None:
    message = f"the code of program '{program}' for {target} is not what its IR compiles to"
    hint = "one of them was changed; do not run it unless you trust who made it"
    raise InputError("archive-rebuilt", message, hint=hint, where=Where(archive.name))
