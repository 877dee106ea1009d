"""Links relocatable ELF objects into a shared object, so that C programs load what we compile with no linker installed.

The objects are those that LLVM writes for x86-64 and aarch64: 64-bit little-endian files as in the System V ABI,
chapters 4 and 5, with position-independent code. The image has three segments: what is only read (tables of the loader,
constants), code, and what is written (slots for addresses, data). Symbols that no object defines are left to the
loader, which binds them before any code runs; defined ones are bound here, so that another library of the process can't
put its own in their place.

Relocations follow the processor supplements of the System V ABI: S is where the symbol lies, A the addend, P the place
that changes, GOT the slot that holds the symbol's address at run time, and Page(x) is x with 12 low bits cleared.

`defined_symbols` and `symbol_data` read the symbols of any 64-bit little-endian ELF file.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from hologram.errors import InputError

MAGIC = b"\x7fELF\x02\x01"
"""The start of a 64-bit little-endian file."""
X86_64, AARCH64 = 62, 183
MACHINES = {X86_64: "x86-64", AARCH64: "aarch64"}
HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
RELOCATION = struct.Struct("<QQq")
PROGBITS, SYMTAB, RELA, NOTE, NOBITS, DYNSYM = 1, 2, 4, 7, 8, 11
_FUNCTION = 2
"""The kind of a symbol of code."""
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
        """Return whether it is zeros that no file holds."""
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
    """The parts of an object file that the linker needs."""

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
        if not self.image.startswith(MAGIC):
            _refuse(self.name, "it is no 64-bit little-endian ELF file")
        fields: tuple[int, ...] = HEADER.unpack_from(self.image)
        kind, machine, size = fields[1], fields[2], fields[11]
        if kind != 1 or machine not in MACHINES or size != SECTION.size:
            _refuse(self.name, f"it is no relocatable object for {' or '.join(MACHINES.values())}")
        self.headers = _section_headers(self.image)
        names = _bytes(self.image, self.headers[fields[13]])
        sections = [self._section(h, _string(names, h[0])) for h in self.headers]
        symbols: list[Symbol] = []
        for header in self.headers:
            if header[1] == SYMTAB:
                symbols = self._symbols(header, sections)
        for header in self.headers:
            if header[1] == RELA and (target := sections[header[7]]) is not None:
                target.relocations = self._relocations(header, symbols)
        return Object(machine, [s for s in sections if s is not None], symbols)

    def _section(self, header: tuple[int, ...], name: str) -> Section | None:
        """A section that is loaded, or None."""
        kind, flags, size, alignment = header[1], header[2], header[5], header[8]
        if not flags & ALLOC or kind == NOTE or name == ".eh_frame":
            # Nothing is thrown through our code, which calls nothing that throws.
            return None
        if kind not in (PROGBITS, NOBITS, UNWIND) or flags & TLS:
            _refuse(self.name, f"its section '{name}' is of a kind that our code has not")
        data = b"" if kind == NOBITS else _bytes(self.image, header)
        return Section(name, flags, data, size, max(alignment, 1))

    def _symbols(self, header: tuple[int, ...], sections: list[Section | None]) -> list[Symbol]:
        names = _bytes(self.image, self.headers[header[6]])
        symbols: list[Symbol] = []
        for name, info, other, index, value, size in _rows(SYMBOL, self.image, header):
            text = _string(names, name)
            if index == COMMON:
                _refuse(self.name, f"it leaves the place of '{text}' to the linker")
            # Files and other absolute values are for debuggers.
            section: Section | None = None if index in (UNDEFINED, ABSOLUTE) else sections[index]
            symbols.append(Symbol(text, info >> 4, info & 15, other & 3, section, value, size))
        return symbols

    def _relocations(self, header: tuple[int, ...], symbols: list[Symbol]) -> list[Relocation]:
        rows = _rows(RELOCATION, self.image, header)
        return [Relocation(offset, info & 0xFFFFFFFF, symbols[info >> 32], addend) for offset, info, addend in rows]


def _section_headers(image: bytes) -> list[tuple[int, ...]]:
    fields = HEADER.unpack_from(image)
    table, size, count = fields[6], fields[11], fields[12]
    return [SECTION.unpack_from(image, table + i * size) for i in range(count)]


def _bytes(image: bytes, header: Sequence[int]) -> bytes:
    """The bytes of a section; an IndexError if the file ends before."""
    start, size = header[4], header[5]
    if start + size > len(image):
        raise IndexError
    return image[start : start + size]


def _rows(form: struct.Struct, image: bytes, header: Sequence[int]) -> list[tuple[int, ...]]:
    """The records of a section."""
    return [*form.iter_unpack(_bytes(image, header))]


def _string(table: bytes, start: int) -> str:
    return table[start : table.index(0, start)].decode() if table else ""


Patch = Callable[[bytearray, int, int], None]
"""`(section bytes, offset, value)`."""


@dataclass(frozen=True)
class Rule:
    """The computation of one kind of relocation, and the place of its value."""

    base: str
    """`S` the symbol, `GOT` its slot, `PLT` code that jumps to it if another object has it, `absolute` an address that
    is only known when the object is loaded."""
    relative: str
    """`P`, `page` (Page(S + A) - Page(P)), `low` (the low 12 bits), or empty."""
    patch: Patch


def _word(code: str) -> Patch:
    form = struct.Struct("<" + code)
    return form.pack_into


def _field(low: int, bits: int, shift: int) -> Patch:
    """A field of an aarch64 instruction: `value >> shift`, put at bit `low`."""

    def patch(data: bytearray, offset: int, value: int) -> None:
        (word,) = struct.unpack_from("<I", data, offset)
        mask = ((1 << bits) - 1) << low
        struct.pack_into("<I", data, offset, word & ~mask | (value >> shift) << low & mask)

    return patch


def _page(data: bytearray, offset: int, value: int) -> None:
    """ADRP: the two low bits of the page number stand apart from the 19 others."""
    _field(29, 2, 12)(data, offset, value)
    _field(5, 19, 14)(data, offset, value)


_low = {size: _field(10, 12, size) for size in range(5)}

RULES: dict[int, dict[int, Rule]] = {
    X86_64: {
        1: Rule("absolute", "", _word("Q")),
        2: Rule("S", "P", _word("i")),
        4: Rule("PLT", "P", _word("i")),
        9: Rule("GOT", "P", _word("i")),
        24: Rule("S", "P", _word("q")),
        41: Rule("GOT", "P", _word("i")),
        42: Rule("GOT", "P", _word("i")),
    },
    AARCH64: {
        257: Rule("absolute", "", _word("Q")),
        260: Rule("S", "P", _word("q")),
        261: Rule("S", "P", _word("i")),
        275: Rule("S", "page", _page),
        277: Rule("S", "low", _low[0]),
        278: Rule("S", "low", _low[0]),
        284: Rule("S", "low", _low[1]),
        285: Rule("S", "low", _low[2]),
        286: Rule("S", "low", _low[3]),
        299: Rule("S", "low", _low[4]),
        282: Rule("PLT", "P", _field(0, 26, 2)),
        283: Rule("PLT", "P", _field(0, 26, 2)),
        311: Rule("GOT", "page", _page),
        312: Rule("GOT", "low", _low[3]),
    },
}
LOAD_SYMBOL = {X86_64: 6, AARCH64: 1025}
"""GLOB_DAT: the loader writes the address of a symbol."""
LOAD_ABSOLUTE = {X86_64: 1, AARCH64: 257}
"""The loader writes the address of a symbol and an addend."""
LOAD_BASE = {X86_64: 8, AARCH64: 1027}
"""RELATIVE: the loader writes where the object starts, and an addend."""


def jump_through(machine: int, place: int, slot: int) -> bytes:
    """Sixteen bytes of code at `place` that jump to the address in `slot`."""
    if machine == X86_64:
        return b"\xff\x25" + struct.pack("<i", slot - place - 6) + b"\xcc" * 10
    code = bytearray(struct.pack("<4I", 0x90000010, 0xF9400211, 0xD61F0220, 0xD503201F))
    _page(code, 0, (slot & -4096) - (place & -4096))
    _low[3](code, 4, slot & 4095)
    return bytes(code)


PAGE = 0x10000
"""Segments start on pages of the largest size that aarch64 systems use."""
PROGRAM = struct.Struct("<IIQQQQQQ")
_LOAD, _DYNAMIC, _STACK = 1, 2, 0x6474E551
_READ, _CODE, _DATA = 4, 5, 6
"""What a segment allows."""


Image = tuple[str, bytes]
"""An object file: a name for messages, and its bytes."""


def link_shared(
    images: Sequence[Image], soname: str, archive: Sequence[Image] = (), once: Collection[str] = ()
) -> bytes:
    """A shared object of all `images`, and of those of the `archive` that define what is missing.

    Of the names in `once` the last definition counts.

    Raises an InputError where an object is none, is for another machine, or defines what another one does.
    """
    objects = [read_object(image, name) for name, image in images]
    for name in once:
        _keep_last(objects, name)
    for name, image in archive:
        wanted = {s.name for o in objects for s in o.symbols if s.section is None}
        if not wanted.isdisjoint(_definitions((member := read_object(image, name)).symbols)):
            objects.append(member)
    machines = {o.machine for o in objects}
    if len(machines) != 1:
        raise InputError("elf-machines", "the objects are for different machines", hint="compile all for one target")
    return _Linker(machines.pop(), objects, soname).link()


def _keep_last(objects: Sequence[Object], name: str) -> None:
    """Takes a name from all objects but the last that defines it."""
    having = [o for o in objects if any(s.name == name and s.section is not None for s in o.symbols)]
    for earlier in having[:-1]:
        earlier.symbols = [symbol for symbol in earlier.symbols if symbol.name != name]


@dataclass(eq=False)
class _Part:
    """A section of the image."""

    name: str
    kind: int
    flags: int
    data: bytearray
    size: int
    alignment: int
    link: str = ""
    entry: int = 0
    info: int = 0
    address: int = 0
    offset: int = 0


class _Linker:
    def __init__(self, machine: int, objects: Sequence[Object], soname: str):
        self.machine = machine
        self.soname = soname
        self.sections = [s for o in objects for s in o.sections if s.size]
        self.defined = _definitions(s for o in objects for s in o.symbols)
        self.exported = [s for s in self.defined.values() if not s.visibility]
        used = [self._target(r.symbol) for s in self.sections for r in s.relocations]
        self.wanted = {s.name: s for s in used if s.section is None}
        """What the loader must find, by name."""
        self.slots: dict[int, int] = {}
        """The slot of each symbol that has one."""
        self.jumps: dict[str, int] = {}
        """The code that jumps to each function of another object."""
        self.symbols_of_slots: list[Symbol] = []
        for section in self.sections:
            for relocation in section.relocations:
                self._reserve(self._target(relocation.symbol), self._rule(relocation.kind))

    # What there is

    def _rule(self, kind: int) -> Rule:
        rule = RULES[self.machine].get(kind)
        if rule is None:
            message = f"relocation {kind} of {MACHINES[self.machine]} is none of position-independent code"
            raise InputError("elf-relocation", message, hint="compile it with relocation model 'pic'")
        return rule

    def _target(self, symbol: Symbol) -> Symbol:
        """The symbol that a name means: another object may define it."""
        return symbol if symbol.section is not None else self.defined.get(symbol.name, symbol)

    def _reserve(self, symbol: Symbol, rule: Rule) -> None:
        """Makes room for a slot and a jump where a relocation needs them."""
        outside = symbol.section is None
        if rule.base == "S" and outside:
            raise InputError("elf-undefined", f"'{symbol.name}' is used as data, and no object defines it")
        if (rule.base == "GOT" or rule.base == "PLT" and outside) and id(symbol) not in self.slots:
            self.slots[id(symbol)] = len(self.symbols_of_slots)
            self.symbols_of_slots.append(symbol)
        if rule.base == "PLT" and outside:
            self.jumps.setdefault(symbol.name, len(self.jumps))

    # The image

    def link(self) -> bytes:
        """Lays the sections out, writes the loader's tables, and applies the relocations."""
        parts = self._parts()
        by_name = {p.name: p for p in parts}
        end = _lay_out(parts)
        dynamic: list[tuple[int, int, int]] = []
        self._fill_slots(by_name, dynamic)
        for section in self.sections:
            self._apply(section, by_name, dynamic)
        _pack_all(by_name[".rela.dyn"], "<QQq", dynamic)
        self._fill_symbols(by_name, parts)
        self._fill_dynamic(by_name)
        return self._image(parts, end)

    def _parts(self) -> list[_Part]:
        """The sections of the image in order, with room for what is filled in later."""
        names = sorted([s.name for s in self.exported] + list(self.wanted))
        self.strings = b"\0" + b"".join(n.encode() + b"\0" for n in [*names, self.soname])
        self.dynamic_symbols = [*self.wanted.values(), *self.exported]
        count = len(self.dynamic_symbols) + 1
        relocations = len(self.slots) + sum(
            self._rule(r.kind).base == "absolute" for s in self.sections for r in s.relocations
        )
        merged = {name: self._merged(name) for name in (".text", ".rodata", ".data", ".bss")}
        parts = [
            _Part(".hash", 5, ALLOC, bytearray(), 8 + 4 * (1 + count), 8, ".dynsym", 4),
            _Part(".dynsym", DYNSYM, ALLOC, bytearray(), SYMBOL.size * count, 8, ".dynstr", SYMBOL.size, 1),
            _Part(".dynstr", 3, ALLOC, bytearray(self.strings), len(self.strings), 1),
            _Part(".rela.dyn", 4, ALLOC, bytearray(), RELOCATION.size * relocations, 8, ".dynsym", 24),
            merged[".rodata"],
            merged[".text"],
            _Part(".plt", 1, ALLOC | EXECUTE, bytearray(), 16 * len(self.jumps), 16, "", 16),
            _Part(".dynamic", 6, ALLOC | WRITE, bytearray(), 16 * 11, 8, ".dynstr", 16),
            _Part(".got", 1, ALLOC | WRITE, bytearray(), 8 * len(self.slots), 8, "", 8),
            merged[".data"],
            merged[".bss"],
        ]
        return [p for p in parts if p.size or p.name == ".rela.dyn"]

    def _merged(self, name: str) -> _Part:
        """All sections that go into one of the image; their addresses are offsets in it until it has its place."""
        flags = {".text": EXECUTE, ".rodata": 0, ".data": WRITE, ".bss": WRITE}[name] | ALLOC
        alignment, end = 16, 0
        data = bytearray()
        for section in self.sections:
            if _part_of(section) != name:
                continue
            end = -(-end // section.alignment) * section.alignment
            section.address, alignment = end, max(alignment, section.alignment)
            end += section.size
            if name != ".bss":
                data += bytes(section.address - len(data)) + section.data
        return _Part(name, NOBITS if name == ".bss" else PROGBITS, flags, data, end, alignment)

    def _address(self, symbol: Symbol) -> int:
        """The place of a defined symbol, from the start of the image."""
        assert symbol.section is not None
        return self.base[_part_of(symbol.section)] + symbol.section.address + symbol.value

    def _fill_slots(self, parts: dict[str, _Part], dynamic: list[tuple[int, int, int]]) -> None:
        self.base = {name: part.address for name, part in parts.items()}
        self.number = {s.name: i + 1 for i, s in enumerate(self.dynamic_symbols)}
        for i, symbol in enumerate(self.symbols_of_slots):
            place = self.base[".got"] + 8 * i
            if symbol.section is None:
                dynamic.append((place, self.number[symbol.name] << 32 | LOAD_SYMBOL[self.machine], 0))
            else:
                dynamic.append((place, LOAD_BASE[self.machine], self._address(symbol)))
        if ".got" in parts:
            parts[".got"].data = bytearray(parts[".got"].size)
        for name, i in self.jumps.items():
            symbol = self.wanted[name]
            slot = self.base[".got"] + 8 * self.slots[id(symbol)]
            parts[".plt"].data += jump_through(self.machine, self.base[".plt"] + 16 * i, slot)

    def _apply(self, section: Section, parts: dict[str, _Part], dynamic: list[tuple[int, int, int]]) -> None:
        part = parts[_part_of(section)]
        for relocation in section.relocations:
            symbol, rule = self._target(relocation.symbol), self._rule(relocation.kind)
            offset = section.address + relocation.offset
            place = part.address + offset
            if rule.base == "absolute":
                dynamic.append(self._absolute(symbol, place, relocation.addend))
                continue
            if rule.base == "GOT":
                target = self.base[".got"] + 8 * self.slots[id(symbol)]
            elif symbol.section is None:
                target = self.base[".plt"] + 16 * self.jumps[symbol.name]
            else:
                target = self._address(symbol)
            target += relocation.addend
            pages = (target & -4096) - (place & -4096)
            rule.patch(part.data, offset, {"P": target - place, "page": pages, "low": target & 4095}[rule.relative])

    def _absolute(self, symbol: Symbol, place: int, addend: int) -> tuple[int, int, int]:
        if symbol.section is None:
            return place, self.number[symbol.name] << 32 | LOAD_ABSOLUTE[self.machine], addend
        return place, LOAD_BASE[self.machine], self._address(symbol) + addend

    # The loader's tables

    def _fill_symbols(self, parts: dict[str, _Part], order: Sequence[_Part]) -> None:
        """The symbols that the loader sees, and a hash table of one bucket: few names are looked up, and once."""
        index = {part.name: i + 1 for i, part in enumerate(order)}
        rows: list[tuple[int, ...]] = [(0, 0, 0, 0, 0, 0)]
        for symbol in self.dynamic_symbols:
            name = self.strings.index(b"\0" + symbol.name.encode() + b"\0") + 1
            if symbol.section is None:
                rows.append((name, symbol.binding << 4, 0, 0, 0, 0))
            else:
                info = symbol.binding << 4 | symbol.kind
                rows.append((name, info, 0, index[_part_of(symbol.section)], self._address(symbol), symbol.size))
        _pack_all(parts[".dynsym"], "<IBBHQQ", rows)
        count = len(rows)
        chain = [*range(2, count), 0] if count > 1 else []
        _pack_all(parts[".hash"], "<I", [(n,) for n in (1, count, 1 if count > 1 else 0, 0, *chain)])

    def _fill_dynamic(self, parts: dict[str, _Part]) -> None:
        soname = self.strings.index(b"\0" + self.soname.encode() + b"\0") + 1
        rows = [
            (14, soname),
            (4, parts[".hash"].address),
            (5, parts[".dynstr"].address),
            (6, parts[".dynsym"].address),
            (10, parts[".dynstr"].size),
            (11, SYMBOL.size),
            (7, parts[".rela.dyn"].address),
            (8, parts[".rela.dyn"].size),
            (9, RELOCATION.size),
            (0x1E, 8),  # bind all symbols when it is loaded
            (0, 0),
        ]
        _pack_all(parts[".dynamic"], "<QQ", rows)

    def _image(self, parts: Sequence[_Part], end: int) -> bytes:
        names = b"\0" + b"".join(p.name.encode() + b"\0" for p in parts) + b".shstrtab\0"
        numbers = {p.name: i + 1 for i, p in enumerate(parts)}

        def name_at(name: str) -> int:
            return names.index(b"\0" + name.encode() + b"\0") + 1

        headers = [(0,) * 10]
        for p in parts:
            link = numbers.get(p.link, 0)
            row = (name_at(p.name), p.kind, p.flags, p.address, p.offset, p.size, link, p.info, p.alignment, p.entry)
            headers.append(row)
        table = -(-(end + len(names)) // 8) * 8
        headers.append((name_at(".shstrtab"), 3, 0, 0, end, len(names), 0, 0, 1, 0))
        segments = _segments(parts)
        image = bytearray(table + len(headers) * SECTION.size)
        fields = (3, self.machine, 1, 0, 64, table, 0, 64, PROGRAM.size, len(segments), SECTION.size, len(headers))
        HEADER.pack_into(image, 0, (MAGIC + b"\1").ljust(16, b"\0"), *fields, len(headers) - 1)
        for i, segment in enumerate(segments):
            PROGRAM.pack_into(image, 64 + i * PROGRAM.size, *segment)
        for part in parts:
            image[part.offset : part.offset + len(part.data)] = part.data
        image[end : end + len(names)] = names
        for i, header in enumerate(headers):
            SECTION.pack_into(image, table + i * SECTION.size, *header)
        return bytes(image)


def _definitions(symbols: Iterable[Symbol]) -> dict[str, Symbol]:
    """The symbols that other objects may use; of weak ones the first."""
    definitions: dict[str, Symbol] = {}
    for symbol in symbols:
        if symbol.binding == LOCAL or symbol.section is None:
            continue
        other = definitions.get(symbol.name)
        if other is None or other.binding == WEAK != symbol.binding:
            definitions[symbol.name] = symbol
        elif symbol.binding == GLOBAL:
            raise InputError("elf-duplicate", f"two objects define '{symbol.name}'", hint="rename one of the entries")
    return definitions


def _part_of(section: Section) -> str:
    """The section of the image that an object's section goes into."""
    if section.flags & EXECUTE:
        return ".text"
    if not section.flags & WRITE:
        return ".rodata"
    return ".bss" if section.empty else ".data"


_HEADERS = 64 + 5 * PROGRAM.size


def _lay_out(parts: Sequence[_Part]) -> int:
    """Gives each part its place in the file and in memory, which are the same but for pages; returns the file's end."""
    offset = address = _HEADERS
    allowed = _READ
    for part in parts:
        if (wanted := _allowed(part)) != allowed:
            # The file goes on where it is; memory on the next page, at the same place within it.
            address = -(-address // PAGE) * PAGE + offset % PAGE
            allowed = wanted
        step = -address % part.alignment
        offset, address = offset + step, address + step
        part.offset, part.address = offset, address
        offset += 0 if part.kind == NOBITS else part.size
        address += part.size
    return offset


def _allowed(part: _Part) -> int:
    return _CODE if part.flags & EXECUTE else _DATA if part.flags & WRITE else _READ


def _segments(parts: Sequence[_Part]) -> list[tuple[int, ...]]:
    """The program headers: what is only read, behind the headers; code; data; the loader's table; the stack."""
    rows: list[tuple[int, ...]] = []
    for allowed in (_READ, _CODE, _DATA):
        group = [p for p in parts if _allowed(p) == allowed]
        if not group:
            continue
        first = (0, 0) if allowed == _READ else (group[0].offset, group[0].address)
        last = group[-1]
        filed = [p for p in group if p.kind != NOBITS]
        in_file = filed[-1].offset + filed[-1].size - first[0] if filed else 0
        rows.append((_LOAD, allowed, *first, first[1], in_file, last.address + last.size - first[1], PAGE))
    dynamic = next(p for p in parts if p.name == ".dynamic")
    rows.append((_DYNAMIC, _DATA, dynamic.offset, dynamic.address, dynamic.address, dynamic.size, dynamic.size, 8))
    rows.append((_STACK, _DATA, 0, 0, 0, 0, 0, 16))
    return rows


def _pack_all(part: _Part, form: str, rows: Iterable[Sequence[int]]) -> None:
    packer = struct.Struct(form)
    part.data = bytearray(b"".join(packer.pack(*row) for row in rows))
    assert len(part.data) == part.size, part.name


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
    entry = next((s for s in defined_symbols(image, name) if s.name == symbol), None)
    return None if entry is None else image[entry.offset : entry.offset + entry.size]


def _symbols(image: bytes) -> Iterator[Defined]:
    if not image.startswith(MAGIC):
        raise ValueError
    headers = _section_headers(image)
    for header in headers:
        if header[1] not in (SYMTAB, DYNSYM):
            continue
        names = _bytes(image, headers[header[6]])
        for start, info, _, index, value, length in _rows(SYMBOL, image, header)[1:]:
            if index in (UNDEFINED, ABSOLUTE, COMMON) or headers[index][1] == NOBITS:
                continue
            section = headers[index]
            offset = value - section[3]
            if not 0 <= offset <= offset + length <= section[5] or section[4] + section[5] > len(image):
                raise ValueError
            text = _string(names, start)
            if text and info & 15 in (0, 1, _FUNCTION):
                yield Defined(text, info & 15 == _FUNCTION, section[4] + offset, length)
