"""Reads the binary container (`.atlasb`). It is validated in full, and refused if any byte is not as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hologram.dialects.machine import container as c
from hologram.dialects.machine.binary_form import Reader, read_code
from hologram.dialects.machine.from_listing import module_of
from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.listing import Code, Listing
from hologram.dialects.machine.numbers import numbers
from hologram.errors import HologramError, InputError, Where
from hologram.plugins.tables import KINDS

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


def parse_binary(data: bytes, name: str, ctx: Context | None = None) -> ModuleOp:
    """Reads a container, which errors call `name`, into a module of the machine form.

    Raises InputError if anything in it is not what the writer of this version writes; the program is valid then, as
    far as the container goes, and the verifier checks the rest.
    """
    from hologram.dialects.machine.to_listing import listing_of
    from hologram.lowering.machine.binary import encode_listing

    listing = _Container(data, name).listing()
    try:
        module = module_of(listing)
        same = encode_listing(listing_of(module)) == data
    except HologramError as error:
        raise InputError(
            "binary-program", f"the container holds no valid program: {error.message}", where=Where(name)
        ) from None
    if not same:
        raise InputError(
            "binary-canonical", "the container says in another way what it could say in one", where=Where(name),
            hint="it was not written by this assembler",
        )  # fmt: skip
    return module


class _Container:
    """Checks the frame: header, digest, sections."""

    def __init__(self, data: bytes, name: str):
        self.data = data
        self.name = name

    def listing(self) -> Listing:
        count = self._check_head()
        sections = self._sections(count)
        opcodes = self._opcodes(Reader(self.data, *sections[c.OPCODES], self.name))
        listing = read_code(Reader(self.data, *sections[c.CODE], self.name, opcodes))
        names = Reader(self.data, *sections[c.NAMES], self.name) if c.NAMES in sections else None
        if names is not None:
            for item in listing:
                if isinstance(item, Code):
                    item.labels = [(line, names.string()) for line, _ in item.labels]
            names.finish()
        return listing

    def _check_head(self) -> int:
        """Checks what stands before the sections; gives their number."""
        data, where = self.data, Where(self.name)
        if len(data) < c.HEADER or data[: len(c.MAGIC)] != c.MAGIC:
            raise InputError(
                "binary-magic", "this is no Atlas binary: it does not begin as one", where=where,
                hint="assembly text has the suffix .atlas",
            )  # fmt: skip
        _, major, minor, count, length = c.HEAD.unpack_from(data)
        if major != c.MAJOR or minor > c.MINOR:
            raise InputError(
                "binary-version", f"version {major}.{minor} is not known here", where=where,
                hint=f"this reads {c.MAJOR}.0 to {c.MAJOR}.{c.MINOR}",
            )  # fmt: skip
        if length != len(data):
            raise InputError(
                "binary-length", f"the header says {length} bytes, the file has {len(data)}", where=where,
                hint="the file was cut off, or something was appended",
            )  # fmt: skip
        if c.digest_of(data) != data[c.HEAD.size : c.HEADER]:
            raise InputError(
                "binary-digest", "the digest does not fit the contents: the file was damaged or changed", where=where
            )
        return count

    def _sections(self, count: int) -> dict[bytes, tuple[int, int]]:
        """The place of each section; they follow each other without gaps."""
        at = c.HEADER + count * c.SECTION.size
        sections: dict[bytes, tuple[int, int]] = {}
        if at <= len(self.data):
            for number in range(count):
                name, zero, start, length = c.SECTION.unpack_from(self.data, c.HEADER + number * c.SECTION.size)
                if zero or start != at or start + length > len(self.data) or name in sections:
                    break
                sections[name] = (start, start + length)
                at = start + length
        known = [n for n in (c.OPCODES, c.CODE, c.NAMES) if n in sections]
        if at != len(self.data) or len(sections) != count or list(sections) != known or len(known) < 2:
            raise InputError("binary-sections", "the table of sections is not in order", where=Where(self.name))
        return sections

    def _opcodes(self, reader: Reader) -> dict[int, str]:
        """The instructions that the container uses, by number; each must mean what it means here."""
        table = numbers()
        opcodes: dict[int, str] = {}
        for _ in range(reader.count()):
            number, name, signature = reader.varint(), reader.string(), reader.string()
            known, wanted = table.opcodes.get(name), table.signatures.get(name)
            if number >= c.OUTSIDE:
                known, wanted = number, self._outside(name)
            if known != number or wanted != signature:
                raise InputError(
                    "binary-instruction", f"the instruction {number}, '{name}', is not known in this form",
                    hint=f"it is written for a version that has: {signature}", where=Where(self.name),
                )  # fmt: skip
            opcodes[number] = name
        reader.finish()
        return opcodes

    def _outside(self, name: str) -> str:
        """The signature of an instruction of a plug-in."""
        if KINDS["instruction"].find(name) is None or name not in FORMS:
            plugin = name.partition(".")[0]
            raise InputError(
                "binary-plugin",
                f"the instruction '{name}' is of the plug-in '{plugin}', and nothing that is loaded brings it",
                hint=f"install the package of the plug-in '{plugin}', or load its file by --load-plugin",
                where=Where(self.name),
            )  # fmt: skip
        return FORMS[name].signature
