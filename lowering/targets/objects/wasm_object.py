"""Reads the WebAssembly objects that LLVM writes: sections, symbols and relocations (the tool conventions' "linking").

Only as much as linking one object takes: it knows function, data and global symbols, and no tables, no thread-local
data and no position-independent code, which our code has not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from hologram.errors import InternalError

MAGIC = b"\0asm\1\0\0\0"
CUSTOM, TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = range(13)
"""Numbers of sections."""
FUNCTION_SYMBOL, DATA_SYMBOL, GLOBAL_SYMBOL, SECTION_SYMBOL, TAG_SYMBOL, TABLE_SYMBOL = range(6)
"""Kinds of symbols."""
_LOCAL, _HIDDEN, _UNDEFINED, _NAMED = 0x02, 0x04, 0x10, 0x40
MEMORY_LEB, MEMORY_SLEB, MEMORY_WORD = 3, 4, 5
"""Relocations that hold an address."""
FUNCTION_LEB, TYPE_LEB, GLOBAL_LEB = 0, 6, 7
"""Relocations that hold an index, which stays."""
_SYMBOLS = 8
_VERSION = 2


@dataclass(frozen=True)
class Import:
    """One import. `type` is the number of a function's type."""

    module: str
    name: str
    kind: int
    """0 function, 1 table, 2 memory, 3 global."""
    type: int = 0


@dataclass(frozen=True)
class Symbol:
    """One symbol; `index` is the function's or global's number, or the data segment's."""

    kind: int
    flags: int
    name: str
    index: int = 0
    offset: int = 0
    """Of data: where in the segment."""

    @property
    def defined(self) -> bool:
        """Return whether it is in this object."""
        return not self.flags & _UNDEFINED

    @property
    def public(self) -> bool:
        """Return whether others may refer to it."""
        return self.defined and not self.flags & (_LOCAL | _HIDDEN)


@dataclass(frozen=True)
class Relocation:
    """A place in a section that holds the address of a symbol, plus an addend."""

    kind: int
    offset: int
    symbol: int
    addend: int


@dataclass(frozen=True)
class Segment:
    """Initial bytes of memory."""

    address: int
    start: int
    """Where they lie in the section."""
    data: bytes


@dataclass
class WasmObject:
    """An object in parts."""

    sections: dict[int, bytes] = field(default_factory=dict[int, bytes])
    """What is in each section that has a number."""
    imports: list[Import] = field(default_factory=list[Import])
    segments: list[Segment] = field(default_factory=list[Segment])
    symbols: list[Symbol] = field(default_factory=list[Symbol])
    relocations: dict[int, list[Relocation]] = field(default_factory=dict[int, list[Relocation]])
    """By the number of the section."""


class Reader:
    """Reads numbers and names from bytes."""

    def __init__(self, data: bytes, at: int = 0):
        self.data, self.at = data, at

    @property
    def done(self) -> bool:
        """Return whether nothing is left."""
        return self.at >= len(self.data)

    def byte(self) -> int:
        """One byte."""
        return self.take(1)[0]

    def take(self, count: int) -> bytes:
        """So many bytes."""
        if self.at + count > len(self.data):
            _damaged("it ends early")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self) -> int:
        """An unsigned LEB128 number."""
        result = shift = 0
        while True:
            byte = self.byte()
            result |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return result

    def signed(self) -> int:
        """A signed LEB128 number."""
        start = self.at
        result = self.number()
        bits = 7 * (self.at - start)
        return result - (1 << bits) if result >> (bits - 1) & 1 else result

    def name(self) -> str:
        """A name behind its length."""
        return self.take(self.number()).decode()


def leb(value: int, *, signed: bool = False) -> bytes:
    """A LEB128 number."""
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        last = value == (-1 if signed and byte & 0x40 else 0)
        out.append(byte | (0 if last else 0x80))
        if last:
            return bytes(out)


def named(text: str) -> bytes:
    """A name behind its length."""
    data = text.encode()
    return leb(len(data)) + data


def vector(items: Sequence[bytes]) -> bytes:
    """Items behind their number."""
    return leb(len(items)) + b"".join(items)


def section(number: int, content: bytes) -> bytes:
    """A section with its number and length."""
    return bytes([number]) + leb(len(content)) + content


def _damaged(reason: str) -> NoReturn:
    raise InternalError("wasm-object", f"LLVM's WebAssembly object can't be linked: {reason}")


def read_object(data: bytes) -> WasmObject:
    """The parts of an object."""
    if not data.startswith(MAGIC):
        _damaged("it does not begin as WebAssembly does")
    module, reader, order = WasmObject(), Reader(data, len(MAGIC)), list[int]()
    while not reader.done:
        number = reader.byte()
        content = reader.take(reader.number())
        order.append(number)
        if number == CUSTOM:
            _read_custom(module, content, order)
        else:
            module.sections[number] = content
    if IMPORT in module.sections:
        module.imports = _read_imports(Reader(module.sections[IMPORT]))
    if DATA in module.sections:
        module.segments = _read_segments(Reader(module.sections[DATA]))
    return module


def _read_custom(module: WasmObject, content: bytes, order: Sequence[int]) -> None:
    reader = Reader(content)
    name = reader.name()
    if name == "linking":
        module.symbols = _read_symbols(reader)
    elif name.startswith("reloc."):
        section = order[reader.number()]
        module.relocations[section] = [_read_relocation(reader) for _ in range(reader.number())]


def _read_symbols(reader: Reader) -> list[Symbol]:
    if (version := reader.number()) != _VERSION:
        _damaged(f"its linking section has version {version}")
    while not reader.done:
        kind, size = reader.byte(), reader.number()
        if kind == _SYMBOLS:
            return [_read_symbol(reader) for _ in range(reader.number())]
        reader.take(size)
    return []


def _read_symbol(reader: Reader) -> Symbol:
    kind, flags = reader.byte(), reader.number()
    undefined = bool(flags & _UNDEFINED)
    if kind == DATA_SYMBOL:
        name = reader.name()
        if undefined:
            return Symbol(kind, flags, name)
        index, offset, _ = reader.number(), reader.number(), reader.number()
        return Symbol(kind, flags, name, index, offset)
    index = reader.number()
    has_name = kind != SECTION_SYMBOL and (not undefined or flags & _NAMED)
    return Symbol(kind, flags, reader.name() if has_name else "", index)


def _read_relocation(reader: Reader) -> Relocation:
    kind, offset, symbol = reader.byte(), reader.number(), reader.number()
    if kind in (FUNCTION_LEB, TYPE_LEB, GLOBAL_LEB):
        return Relocation(kind, offset, symbol, 0)
    if kind not in (MEMORY_LEB, MEMORY_SLEB, MEMORY_WORD):
        _damaged(f"it has a relocation of kind {kind}")
    return Relocation(kind, offset, symbol, reader.signed())


def _read_imports(reader: Reader) -> list[Import]:
    imports: list[Import] = []
    for _ in range(reader.number()):
        module, name, kind = reader.name(), reader.name(), reader.byte()
        type = 0
        if kind == 0:
            type = reader.number()
        elif kind == 3:
            reader.take(2)
        else:
            if kind == 1:
                reader.byte()
            flags = reader.byte()
            _ = reader.number(), reader.number() if flags & 1 else 0
        imports.append(Import(module, name, kind, type))
    return imports


def _read_segments(reader: Reader) -> list[Segment]:
    segments: list[Segment] = []
    for _ in range(reader.number()):
        if reader.number() != 0 or reader.byte() != 0x41:
            _damaged("its data has no fixed place")
        address = reader.signed()
        if reader.byte() != 0x0B:
            _damaged("its data has no fixed place")
        size = reader.number()
        segments.append(Segment(address, reader.at, reader.take(size)))
    return segments
