"""Array-level programs in the binary container."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from hologram.dialects.atlas.array_base import KIND_NAMES
from hologram.dialects.atlas.array_form import ArrayForm, Setting
from hologram.dialects.machine import container as c
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.array_program import axis_of
from hologram.dialects.machine.listing import ArrayLine, Arrays, Index, IndexMap, Temporary, Value
from hologram.dialects.machine.numbers import numbers


class ArraysWriter:
    """Writes array-level programs; `varint` writes a number, `functions` has those of the functions."""

    def __init__(self, varint: Callable[[int], bytes], functions: Mapping[str, int]):
        self.varint = varint
        self.functions = functions
        self.types = numbers().types

    def temporaries(self, program: Arrays) -> bytes:
        """The temporary arrays."""
        return self._list([self._temporary(t) for t in program.temporaries])

    def _temporary(self, temporary: Temporary) -> bytes:
        sizes: list[bytes] = []
        for size in temporary.sizes:
            named = axis_of(size) if isinstance(size, str) else None
            if named is None:
                sizes.append(self.varint(cast("int", size)))
            else:
                sizes.append(b"\0" + self.varint(int(named[0].removeprefix("buf"))) + self.varint(named[1]))
        return bytes([self.types[temporary.dtype]]) + self._list(sizes)

    def line(self, line: ArrayLine) -> bytes:
        """An instruction after its number."""
        form = ARRAY_FORMS[line.name]
        out = bytearray(self._choice(form, line.choice))
        if len(form.types) > form.needed_types:
            out.append(len(line.types))
        out += bytes(self.types[t] for t in line.types)
        for group in line.groups:
            out += self._list([self._operand(name) for name in group])
        for setting, value in zip(form.settings, line.settings, strict=True):
            out += self._setting(setting, value)
        return bytes(out)

    def _choice(self, form: ArrayForm, word: str) -> bytes:
        if form.choice is None:
            return b""
        if form.choice.is_instruction:
            return numbers().opcodes[word].to_bytes(2, "little")
        return bytes([form.choice.choices.index(word)])

    def _operand(self, name: str) -> bytes:
        letters = name.rstrip("0123456789")
        return bytes([c.ARRAY_OPERANDS.index(letters)]) + self.varint(int(name[len(letters) :]))

    def _setting(self, setting: Setting, value: Value) -> bytes:
        if setting.is_switch:
            return bytes([int(value is not None)])
        if value is None:
            return b"\0"
        return (b"\1" if setting.optional else b"") + b"".join(self._value(setting.kind, value))

    def _value(self, kind: str, value: Any) -> Iterator[bytes]:
        match kind:
            case "integer":
                yield self._signed(value)
            case "float":
                yield value.to_bytes(8, "little")
            case "function":
                yield self.varint(self.functions[value])
            case "integers":
                yield self._list([self._signed(n) for n in value])
            case "kinds":
                yield self._list([bytes([KIND_NAMES.index(k)]) for k in value])
            case "types":
                yield self._list([bytes([self.types[t]]) for t in value])
            case _:
                yield self._list([self._map(m) for m in value])

    def _map(self, map: IndexMap) -> bytes:
        return self.varint(map.loops) + self._list([self._index(i) for i in map.indices])

    def _index(self, index: Index) -> bytes:
        if len(index) == 3:
            kind, left, right = index
            return bytes([c.INDICES.index(kind)]) + self._index(left) + self._index(right)
        number = self.varint(index[1]) if index[0] == "d" else self._signed(index[1])
        return bytes([c.INDICES.index(index[0])]) + number

    def _signed(self, value: int) -> bytes:
        return self.varint(value << 1 if value >= 0 else (-value << 1) - 1)

    def _list(self, parts: list[bytes]) -> bytes:
        return self.varint(len(parts)) + b"".join(parts)


__all__ = ["ArraysWriter"]
