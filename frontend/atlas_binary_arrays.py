"""Reads array-level programs of the binary container."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hologram.dialects.atlas.array_base import KIND_NAMES
from hologram.dialects.atlas.array_form import ArrayForm, Setting
from hologram.dialects.machine import container as c
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.index_maps import DEEPEST, LARGEST
from hologram.dialects.machine.listing import ArrayLine, Index, IndexMap, Temporary, Value
from hologram.dialects.machine.numbers import numbers
from hologram.frontend.binary_reader import Reader


class ArraysReader:
    """Reads what array-level programs have beside lanes' programs. `types` has the types by number; `regions` takes
    what must get the name of its function when all functions are known: a line and the place of its setting."""

    def __init__(self, reader: Reader, types: Mapping[int, str], regions: list[tuple[ArrayLine, int]]):
        self.reader = reader
        self.types = dict(types)
        self.regions = regions

    def temporaries(self) -> list[Temporary]:
        """The temporary arrays."""
        return self.reader.many(self._temporary)

    def _temporary(self) -> Temporary:
        return Temporary(self._type(), tuple(self.reader.many(self._size)))

    def _size(self) -> int | str:
        reader = self.reader
        size = reader.varint()
        return size if size else f"buf{reader.varint()}.{reader.varint()}"

    def _type(self) -> str:
        return self.reader.pick(self.types, self.reader.byte(), "type")

    def line(self, name: str) -> ArrayLine:
        """An instruction after its number."""
        form = ARRAY_FORMS[name]
        choice = self._choice(form)
        count = self.reader.byte() if len(form.types) > form.needed_types else len(form.types)
        if not form.needed_types <= count <= len(form.types):
            self.reader.refuse(f"'{name}' has no {count} types")
        types = tuple(self._type() for _ in range(count))
        groups = tuple(tuple(self.reader.many(self._operand)) for _ in form.groups)
        line = ArrayLine(name, choice, types, groups)
        line.settings = tuple(self._setting(s, line, n) for n, s in enumerate(form.settings))
        return line

    def _choice(self, form: ArrayForm) -> str:
        reader = self.reader
        if form.choice is None:
            return ""
        if not form.choice.is_instruction:
            return reader.pick(dict(enumerate(form.choice.choices)), reader.byte(), form.choice.name)
        name = reader.pick(numbers().names, int.from_bytes(reader.take(2), "little"), "instruction")
        if name not in form.choice.choices:
            reader.refuse(f"'{form.name}' can't apply '{name}'")
        return name

    def _operand(self) -> str:
        reader = self.reader
        letters = reader.pick(dict(enumerate(c.ARRAY_OPERANDS)), reader.byte(), "operand")
        return f"{letters}{reader.varint()}"

    def _setting(self, setting: Setting, line: ArrayLine, number: int) -> Value:
        reader = self.reader
        if setting.is_switch or setting.optional:
            given = reader.byte()
            if given > 1:
                reader.refuse(f"'{setting.printed}' is there or not, found {given}")
            if not given:
                return None
            if setting.is_switch:
                return 1
        return self._value(setting.kind, line, number)

    def _value(self, kind: str, line: ArrayLine, number: int) -> Value:
        reader = self.reader
        match kind:
            case "integer":
                return self._signed()
            case "float":
                return int.from_bytes(reader.take(8), "little")
            case "integers":
                return tuple(reader.many(self._signed))
            case "kinds":
                return tuple(reader.many(lambda: reader.pick(dict(enumerate(KIND_NAMES)), reader.byte(), "kind")))
            case "types":
                return tuple(reader.many(self._type))
            case "maps":
                return tuple(reader.many(self._map))
            case _:
                self.regions.append((line, number))
                return reader.varint()

    def _map(self) -> IndexMap:
        loops = self.reader.varint()
        if loops > 64:
            self.reader.refuse(f"a map of {loops} loops")
        return IndexMap(loops, tuple(self.reader.many(lambda: self._index(loops, DEEPEST))))

    def _index(self, loops: int, depth: int) -> Index:
        reader = self.reader
        kind = reader.pick(dict(enumerate(c.INDICES)), reader.byte(), "part of a map")
        if kind == "d":
            number = reader.varint()
            if number >= loops:
                reader.refuse(f"there is no loop d{number}")
            return "d", number
        if kind == "c":
            number = self._signed()
            if abs(number) >= LARGEST:
                reader.refuse(f"{number} is too great for a map")
            return "c", number
        if not depth:
            reader.refuse("a map is nested too deeply")
        left, right = self._index(loops, depth - 1), self._index(loops, depth - 1)
        number = right[1] if len(right) == 2 and right[0] == "c" else None
        if kind != "+" and (number is None or (kind != "*" and number < 1)):
            reader.refuse(f"'{kind}' in a map by what is no fitting number")
        return kind, left, right

    def _signed(self) -> int:
        zigzag = self.reader.varint()
        return (zigzag >> 1) if not zigzag & 1 else -((zigzag + 1) >> 1)


def name_regions(regions: list[tuple[ArrayLine, int]], pick: Callable[[Any], str]) -> None:
    """Puts the names of functions where their numbers were read."""
    for line, number in regions:
        settings = list(line.settings)
        settings[number] = pick(settings[number])
        line.settings = tuple(settings)


__all__ = ["ArraysReader", "name_regions"]
