"""Relocatable ELF objects, as LLVM writes them: sections, symbols and relocations.

The format is that of the System V ABI, chapters 4 and 5, in its 64-bit little-endian form.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import NoReturn

from hologram.errors import InputError

MACHINES = {62: "x86-64", 183: "aarch64"}
HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
RELOCATION = struct.Struct("<QQq")
PROGBITS, SYMTAB, STRTAB, RELA, NOBITS, NOTE = 1, 2, 3, 4, 8, 7
UNWIND = 0x70000001
"""x86-64's own type of `.eh_frame`."""
WRITE, ALLOC, EXECUTE, TLS = 1, 2, 4, 0x400
LOCAL, GLOBAL, WEAK = range(3)
UNDEFINED, ABSOLUTE, COMMON = 0, 0xFFF1, 0xFFF2


@dataclass(eq=False)
class Section:
    """A section that is loaded."""

    name: str
    flags: int
    data: bytes
    size: int
    alignment: int
    relocations: list[Relocation] = field(default_factory=lambda: [])
    address: int = 0
    """Where the linker puts it."""

    @property
    def empty(self) -> bool:
        """Whether it is zeros that no file holds."""
        return len(self.data) < self.size


@dataclass(eq=False)
class Symbol:
    """A name of an object; `section` is None where another object defines it."""

    name: str
    binding: int
    kind: int
    """2 a function, 1 data, 3 a section, 0 unknown."""
    visibility: int
    section: Section | None
    value: int
    size: int


@dataclass(frozen=True)
class Relocation:
    """A place of a section that depends on where a symbol lies."""

    offset: int
    kind: int
    symbol: Symbol
    addend: int


@dataclass
class Object:
    """What the linker needs of one object file."""

    machine: int
    sections: list[Section]
    symbols: list[Symbol]


def read_object(image: bytes, name: str) -> Object:
    """Reads an object file; an InputError that names it if it is none for a machine that is known."""
    try:
        return _Reader(image, name).read()
    except (struct.error, IndexError, UnicodeDecodeError):
        _refuse(name, "it ends early or is damaged")


def _refuse(name: str, reason: str) -> NoReturn:
    hint = "ELF objects for x86-64 and aarch64 are; on other systems write a .o and link it with cc -shared"
    raise InputError("elf-object", f"'{name}' can't be linked: {reason}", hint=hint)


class _Reader:
    def __init__(self, image: bytes, name: str):
        self.image = image
        self.name = name

    def read(self) -> Object:
        if self.image[:6] != b"\x7fELF\x02\x01":
            _refuse(self.name, "it is no 64-bit little-endian ELF file")
        fields = HEADER.unpack_from(self.image)
        kind, machine, table, size, count = fields[1], fields[2], fields[6], fields[11], fields[12]
        if kind != 1 or machine not in MACHINES or size != SECTION.size:
            _refuse(self.name, f"it is no relocatable object for {' or '.join(MACHINES.values())}")
        self.headers: list[tuple[int, ...]] = [SECTION.unpack_from(self.image, table + i * size) for i in range(count)]
        names = self._strings(fields[13])
        sections = [self._section(h, _string(names, h[0])) for h in self.headers]
        symbols: list[Symbol] = []
        for header in self.headers:
            if header[1] == SYMTAB:
                symbols = self._symbols(header, sections)
        for header in self.headers:
            if header[1] == RELA and (target := sections[header[7]]) is not None:
                target.relocations = self._relocations(header, symbols)
        return Object(machine, [s for s in sections if s is not None], symbols)

    def _bytes(self, header: tuple[int, ...]) -> bytes:
        start, size = header[4], header[5]
        if start + size > len(self.image):
            _refuse(self.name, "it ends early or is damaged")
        return self.image[start : start + size]

    def _strings(self, number: int) -> bytes:
        return self._bytes(self.headers[number])

    def _section(self, header: tuple[int, ...], name: str) -> Section | None:
        """A section that is loaded, or None."""
        kind, flags, size, alignment = header[1], header[2], header[5], header[8]
        if not flags & ALLOC or kind == NOTE or name == ".eh_frame":
            # Nothing is thrown through our code, which calls nothing that throws.
            return None
        if kind not in (PROGBITS, NOBITS, UNWIND) or flags & TLS:
            _refuse(self.name, f"its section '{name}' is of a kind that our code has not")
        data = b"" if kind == NOBITS else self._bytes(header)
        return Section(name, flags, data, size, max(alignment, 1))

    def _symbols(self, header: tuple[int, ...], sections: list[Section | None]) -> list[Symbol]:
        data, names = self._bytes(header), self._strings(header[6])
        found: list[Symbol] = []
        for place in range(0, len(data), SYMBOL.size):
            row: tuple[int, ...] = SYMBOL.unpack_from(data, place)
            name, info, other, index, value, size = row
            text = _string(names, name)
            if index == COMMON:
                _refuse(self.name, f"it leaves the place of '{text}' to the linker")
            # Files and other absolute values are for debuggers.
            section: Section | None = None if index in (UNDEFINED, ABSOLUTE) else sections[index]
            found.append(Symbol(text, info >> 4, info & 15, other & 3, section, value, size))
        return found

    def _relocations(self, header: tuple[int, ...], symbols: list[Symbol]) -> list[Relocation]:
        data = self._bytes(header)
        rows: list[tuple[int, ...]] = [*RELOCATION.iter_unpack(data)]
        return [Relocation(offset, info & 0xFFFFFFFF, symbols[info >> 32], addend) for offset, info, addend in rows]


def _string(table: bytes, start: int) -> str:
    return table[start : table.index(0, start)].decode() if table else ""
