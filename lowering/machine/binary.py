"""The binary container of the machine form: `-t atlas-binary`. Equal modules give equal bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from xdsl.utils.target import Target

from hologram.dialects.machine import container as c
from hologram.dialects.machine.binary_form import Writer, number_of, outside_numbers, write_code
from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.listing import Arrays, Code, Listing
from hologram.dialects.machine.numbers import numbers
from hologram.dialects.machine.to_listing import listing_of
from hologram.errors import UsageError

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


@dataclass(frozen=True)
class AtlasBinaryTarget(Target):
    """Writes a module of the machine form as a binary container."""

    name = "atlas-binary"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        raise UsageError("atlas-binary-text", "a binary container is no text", hint="write it to a file with -o")

    def emit_binary(self, ctx: Context, module: ModuleOp) -> bytes:
        """The container."""
        return encode_listing(listing_of(module))


def encode_listing(listing: Listing) -> bytes:
    """The container of a listing."""
    sections = {c.OPCODES: _opcodes(listing), c.CODE: write_code(listing)}
    if any(name for item in listing if isinstance(item, Code) for _, name in item.labels):
        sections[c.NAMES] = _names(listing)
    table, contents = bytearray(), bytearray()
    start = c.HEADER + len(sections) * c.SECTION.size
    for name, data in sections.items():
        table += c.SECTION.pack(name, 0, start + len(contents), len(data))
        contents += data
    head = c.HEAD.pack(c.MAGIC, c.MAJOR, minor_version(listing), len(sections), start + len(contents))
    body = bytes(table + contents)
    return head + c.digest_of(head + bytes(c.DIGEST) + body) + body


def minor_version(listing: Listing) -> int:
    """The least minor version of the binary form that has all that a listing needs."""
    if outside_numbers(listing):
        return c.OUTSIDE_MINOR
    return c.ARRAYS_MINOR if any(isinstance(item, Arrays) for item in listing) else 0


def _opcodes(listing: Listing) -> bytes:
    """The instructions that are used: number, name, signature."""
    used = {line.name for item in listing if isinstance(item, Code | Arrays) for line in item.lines}
    outside = outside_numbers(listing)
    rows = sorted([*((number_of(name), name) for name in used - outside.keys()), *((n, o) for o, n in outside.items())])
    writer = Writer()
    writer.varint(len(rows))
    for number, name in rows:
        writer.varint(number)
        writer.string(name)
        writer.string(FORMS[name].signature if name in outside else numbers().signatures[name])
    return bytes(writer.out)


def _names(listing: Listing) -> bytes:
    """The names of all labels in order."""
    writer = Writer()
    for name in (name for item in listing if isinstance(item, Code) for _, name in item.labels):
        writer.string(name)
    return bytes(writer.out)
