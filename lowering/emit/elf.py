"""Links relocatable ELF objects into a shared object, so that C programs load what we compile with no linker installed.

The image has three segments: what is only read (tables of the loader, constants), code, and what is written (slots for
addresses, data). Symbols that no object defines are left to the loader, which binds them before any code runs; defined
ones are bound here, so that another library of the process can't put its own in their place.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from hologram.errors import InputError
from hologram.lowering.emit import elf_object as elf
from hologram.lowering.emit.elf_object import Object, Section, Symbol
from hologram.lowering.emit.elf_relocations import (
    LOAD_ABSOLUTE,
    LOAD_BASE,
    LOAD_SYMBOL,
    RULES,
    Rule,
    jump_through,
)

PAGE = 0x10000
"""Segments start on pages of the largest size that aarch64 systems use."""
PROGRAM = struct.Struct("<IIQQQQQQ")
_LOAD, _DYNAMIC, _STACK = 1, 2, 0x6474E551
_STT_FUNC = 2
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
    objects = [elf.read_object(image, name) for name, image in images]
    for name in once:
        _keep_last(objects, name)
    for name, image in archive:
        wanted = {s.name for o in objects for s in o.symbols if s.section is None}
        if not wanted.isdisjoint(_definitions((found := elf.read_object(image, name)).symbols)):
            objects.append(found)
    machines = {o.machine for o in objects}
    if len(machines) != 1:
        raise InputError("elf-machines", "the objects are for different machines", hint="compile all for one target")
    return _Linker(machines.pop(), objects, soname).link()


def _keep_last(objects: Sequence[Object], name: str) -> None:
    """Takes a name from all objects but the last that defines it."""
    having = [o for o in objects if any(s.name == name and s.section is not None for s in o.symbols)]
    for found in having[:-1]:
        found.symbols = [symbol for symbol in found.symbols if symbol.name != name]


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
            message = f"relocation {kind} of {elf.MACHINES[self.machine]} is none of position-independent code"
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
            _Part(".hash", 5, elf.ALLOC, bytearray(), 8 + 4 * (1 + count), 8, ".dynsym", 4),
            _Part(".dynsym", 11, elf.ALLOC, bytearray(), elf.SYMBOL.size * count, 8, ".dynstr", elf.SYMBOL.size, 1),
            _Part(".dynstr", 3, elf.ALLOC, bytearray(self.strings), len(self.strings), 1),
            _Part(".rela.dyn", 4, elf.ALLOC, bytearray(), elf.RELOCATION.size * relocations, 8, ".dynsym", 24),
            merged[".rodata"],
            merged[".text"],
            _Part(".plt", 1, elf.ALLOC | elf.EXECUTE, bytearray(), 16 * len(self.jumps), 16, "", 16),
            _Part(".dynamic", 6, elf.ALLOC | elf.WRITE, bytearray(), 16 * 11, 8, ".dynstr", 16),
            _Part(".got", 1, elf.ALLOC | elf.WRITE, bytearray(), 8 * len(self.slots), 8, "", 8),
            merged[".data"],
            merged[".bss"],
        ]
        return [p for p in parts if p.size or p.name == ".rela.dyn"]

    def _merged(self, name: str) -> _Part:
        """All sections that go into one of the image; their addresses are offsets in it until it has its place."""
        flags = {".text": elf.EXECUTE, ".rodata": 0, ".data": elf.WRITE, ".bss": elf.WRITE}[name] | elf.ALLOC
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
        return _Part(name, elf.NOBITS if name == ".bss" else elf.PROGBITS, flags, data, end, alignment)

    def _address(self, symbol: Symbol) -> int:
        """Where a defined symbol lies, from the start of the image."""
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
            (11, elf.SYMBOL.size),
            (7, parts[".rela.dyn"].address),
            (8, parts[".rela.dyn"].size),
            (9, elf.RELOCATION.size),
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
        image = bytearray(table + len(headers) * elf.SECTION.size)
        fields = (3, self.machine, 1, 0, 64, table, 0, 64, PROGRAM.size, len(segments), elf.SECTION.size, len(headers))
        elf.HEADER.pack_into(image, 0, b"\x7fELF\x02\x01\x01".ljust(16, b"\0"), *fields, len(headers) - 1)
        for i, segment in enumerate(segments):
            PROGRAM.pack_into(image, 64 + i * PROGRAM.size, *segment)
        for part in parts:
            image[part.offset : part.offset + len(part.data)] = part.data
        image[end : end + len(names)] = names
        for i, header in enumerate(headers):
            elf.SECTION.pack_into(image, table + i * elf.SECTION.size, *header)
        return bytes(image)


def _definitions(symbols: Iterable[Symbol]) -> dict[str, Symbol]:
    """The symbols that other objects may use; of weak ones the first."""
    found: dict[str, Symbol] = {}
    for symbol in symbols:
        if symbol.binding == elf.LOCAL or symbol.section is None:
            continue
        other = found.get(symbol.name)
        if other is None or other.binding == elf.WEAK != symbol.binding:
            found[symbol.name] = symbol
        elif symbol.binding == elf.GLOBAL:
            raise InputError("elf-duplicate", f"two objects define '{symbol.name}'", hint="rename one of the entries")
    return found


def _part_of(section: Section) -> str:
    """The section of the image that an object's section goes into."""
    if section.flags & elf.EXECUTE:
        return ".text"
    if not section.flags & elf.WRITE:
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
        offset += 0 if part.kind == elf.NOBITS else part.size
        address += part.size
    return offset


def _allowed(part: _Part) -> int:
    return _CODE if part.flags & elf.EXECUTE else _DATA if part.flags & elf.WRITE else _READ


def _segments(parts: Sequence[_Part]) -> list[tuple[int, ...]]:
    """The program headers: what is only read, behind the headers; code; data; the loader's table; the stack."""
    rows: list[tuple[int, ...]] = []
    for allowed in (_READ, _CODE, _DATA):
        group = [p for p in parts if _allowed(p) == allowed]
        if not group:
            continue
        first = (0, 0) if allowed == _READ else (group[0].offset, group[0].address)
        last = group[-1]
        filed = [p for p in group if p.kind != elf.NOBITS]
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
