"""What 64-bit little-endian ELF files say of their symbols: relocatable objects and shared ones alike."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from hologram.errors import InputError
from hologram.lowering.emit import elf_object as elf

_DYNSYM = 11
_FUNCTION = 2


@dataclass(frozen=True)
class Defined:
    """A symbol that the file defines, and where its bytes lie in the file."""

    name: str
    is_function: bool
    offset: int
    size: int


def defined_symbols(image: bytes, name: str) -> list[Defined]:
    """The symbols with bytes in the file, by name; an InputError that calls the file `name` if it is none."""
    try:
        return sorted(_symbols(image), key=lambda symbol: symbol.name)
    except (struct.error, IndexError, ValueError):
        raise InputError(
            "elf-symbols", f"'{name}' is no 64-bit little-endian ELF file, or it is damaged", hint="compile it again"
        ) from None


def symbol_data(image: bytes, symbol: str, name: str) -> bytes | None:
    """The bytes of a constant of a file; None if it has none of that name."""
    found = next((s for s in defined_symbols(image, name) if s.name == symbol), None)
    return None if found is None else image[found.offset : found.offset + found.size]


def _symbols(image: bytes) -> Iterator[Defined]:
    if image[:6] != b"\x7fELF\x02\x01":
        raise ValueError
    fields = elf.HEADER.unpack_from(image)
    table, size, count = fields[6], fields[11], fields[12]
    headers: list[tuple[int, ...]] = [elf.SECTION.unpack_from(image, table + i * size) for i in range(count)]
    for header in headers:
        if header[1] not in (elf.SYMTAB, _DYNSYM):
            continue
        names = _bytes(image, headers[header[6]])
        for place in range(elf.SYMBOL.size, header[5], elf.SYMBOL.size):
            row: tuple[int, ...] = elf.SYMBOL.unpack_from(image, header[4] + place)
            start, info, _, index, value, length = row
            if index in (elf.UNDEFINED, elf.ABSOLUTE, elf.COMMON) or headers[index][1] == elf.NOBITS:
                continue
            section = headers[index]
            offset = value - section[3]
            if not 0 <= offset <= offset + length <= section[5] or section[4] + section[5] > len(image):
                raise ValueError
            text = names[start : names.index(0, start)].decode()
            if text and info & 15 in (0, 1, _FUNCTION):
                yield Defined(text, info & 15 == _FUNCTION, section[4] + offset, length)


def _bytes(image: bytes, header: tuple[int, ...]) -> bytes:
    return image[header[4] : header[4] + header[5]]
