"""The binary container of the machine form: `-t atlas-binary`. Equal modules give equal bytes.

Array-level programs in the binary container.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, cast

from xdsl.utils.target import Target

from hologram.dialects.atlas.arrays.base import KIND_NAMES
from hologram.dialects.atlas.arrays.form import ArrayForm, Setting
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.machine import container as c
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.array_program import axis_of
from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.listing import (
    Address,
    Array,
    ArrayLine,
    Arrays,
    Code,
    Index,
    IndexMap,
    Item,
    Jump,
    Line,
    Listing,
    Operand,
    Pool,
    Scalar,
    Temporary,
    Value,
)
from hologram.dialects.machine.numbers import numbers
from hologram.dialects.machine.registers import POINTER
from hologram.dialects.machine.to_listing import listing_of
from hologram.errors import InternalError, UsageError

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.dialects.atlas.instructions.form import Field


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
    sections = {c.OPCODES: _opcodes(listing), c.CODE: _Writer(listing).items()}
    if any(name for item in listing if isinstance(item, Code) for _, name in item.labels):
        sections[c.NAMES] = _names(listing)
    table, contents = bytearray(), bytearray()
    start = c.HEADER + len(sections) * c.SECTION.size
    for name, data in sections.items():
        table += c.SECTION.pack(name, 0, start + len(contents), len(data))
        contents += data
    minor = c.ARRAYS_MINOR if any(isinstance(item, Arrays) for item in listing) else 0
    head = c.HEAD.pack(c.MAGIC, c.MAJOR, minor, len(sections), start + len(contents))
    body = bytes(table + contents)
    return head + c.digest_of(head + bytes(c.DIGEST) + body) + body


def varint(value: int) -> bytes:
    """An unsigned number in base 128, the least digit first; every digit but the last has its high bit set."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def string(text: str) -> bytes:
    """The length of a text in UTF-8, then its bytes."""
    data = text.encode()
    return varint(len(data)) + data


def _number(name: str) -> int:
    found = numbers().opcodes.get(name)
    if found is None:
        raise InternalError(
            "binary-number-missing", f"the instruction '{name}' has no number yet", hint="'make docs' gives it one"
        )
    return found


def _opcodes(listing: Listing) -> bytes:
    """The instructions that are used: number, name, signature."""
    used = {line.name for item in listing if isinstance(item, Code | Arrays) for line in item.lines}
    rows = sorted((_number(name), name) for name in used)
    signatures = numbers().signatures
    return varint(len(rows)) + b"".join(varint(n) + string(name) + string(signatures[name]) for n, name in rows)


def _names(listing: Listing) -> bytes:
    """The names of all labels in order."""
    return b"".join(string(name) for item in listing if isinstance(item, Code) for _, name in item.labels)


class _Writer:
    """Writes the code section."""

    def __init__(self, listing: Listing):
        self.listing = listing
        names = [item.name for item in listing if isinstance(item, Code) and item.is_function]
        self.functions = {name: number for number, name in enumerate(names)}
        self.types = numbers().types

    def items(self) -> bytes:
        parts = map(self._item, self.listing)
        return varint(len(self.listing)) + b"".join(parts)

    def _item(self, item: Item) -> bytes:
        match item:
            case Pool():
                return bytes([c.POOL]) + self._array(item.array)
            case Arrays():
                return self._arrays(item)
            case _:
                return self._code(item)

    def _arrays(self, program: Arrays) -> bytes:
        writer = ArraysWriter(varint, self.functions)
        out = bytearray([c.ARRAYS]) + string(program.name) + self._parameters(program.parameters)
        out += writer.temporaries(program) + varint(len(program.lines))
        for line in program.lines:
            out += _number(line.name).to_bytes(2, "little")
            out += writer.line(line) if isinstance(line, ArrayLine) else self._line(line)
        return bytes(out)

    def _parameters(self, parameters: Sequence[Scalar | Array]) -> bytes:
        out = bytearray(varint(len(parameters)))
        for p in parameters:
            out += bytes([c.ARRAY]) + self._array(p) if isinstance(p, Array) else bytes([c.SCALAR]) + self._scalar(p)
        return bytes(out)

    def _code(self, code: Code) -> bytes:
        out = bytearray([c.FUNCTION if code.is_function else c.PROGRAM])
        out += string(code.name) + self._parameters(code.parameters)
        if code.is_function:
            out += varint(len(code.outs)) + b"".join(map(self._scalar, code.outs))
        else:
            out += _launch(code)
        out += varint(len(code.arrays))
        for space, array in code.arrays:
            out += bytes([c.SPACES.index(space)]) + self._array(array)
        out += varint(len(code.labels)) + b"".join(varint(line) for line, _ in code.labels)
        out += varint(len(code.lines))
        for line in code.lines:
            out += _number(line.name).to_bytes(2, "little")
            out += self._jump(line) if isinstance(line, Jump) else self._line(line)
        return bytes(out)

    def _array(self, array: Array) -> bytes:
        sizes = b"".join(varint(n + 1) for n in array.sizes)
        return bytes([self.types[array.dtype]]) + varint(len(array.sizes)) + sizes

    def _scalar(self, value: Scalar) -> bytes:
        pointer = POINTER.match(value.dtype)
        if pointer is None:
            return bytes([self.types[value.dtype], value.register])
        return bytes([c.POINTER, self.types[pointer[1]], c.POINTER_SPACES.index(pointer[2]), value.register])

    def _jump(self, jump: Jump) -> bytes:
        match jump.name:
            case "bra":
                guard = c.UNGUARDED if jump.register < 0 else c.NEGATED if jump.negated else c.GUARDED
                return bytes([guard, *([jump.register] if guard else [])]) + varint(cast("int", jump.target))
            case "loop":
                return bytes([self.types[jump.type], jump.register]) + varint(cast("int", jump.target))
            case "call":
                return varint(self.functions[str(jump.target)])
            case _:
                return b""

    def _line(self, line: Line) -> bytes:
        form = FORMS[line.name]
        out = bytearray(m.choices.index(choice) for m, choice in zip(form.modifiers, line.modifiers, strict=True))
        out += bytes(self.types[t] for t in line.types)
        for field, operand in zip(form.fields, line.operands, strict=True):
            out += self._operand(field, operand, line)
        return bytes(out)

    def _operand(self, field: Field, operand: Operand, line: Line) -> bytes:
        match operand:
            case Address():
                return self._address(operand)
            case str() if field.kind == "special":
                return bytes([numbers().specials[operand]])
            case str() if field.kind == "text":
                return string(operand)
            case str():
                return varint(int(operand.removeprefix("pool")))
            case _ if field.kind == "register":
                return bytes([operand])
            case _ if field.kind == "constant":
                return operand.to_bytes(-(-DTYPES[line.types[0]].bits // 8), "little")
            case _:
                return varint(operand)

    def _address(self, address: Address) -> bytes:
        letters = address.base.rstrip("0123456789")
        out = bytearray([numbers().objects[letters] | (0x80 if address.index is not None else 0)])
        if letters != address.base:
            out += varint(int(address.base[len(letters) :]))
        out += bytes(address.registers)
        out += b"" if address.index is None else bytes([address.index])
        return bytes(out) + varint(address.offset << 1 if address.offset >= 0 else (-address.offset << 1) - 1)


def _launch(code: Code) -> bytes:
    """Flags, then what is fixed of the launch."""
    flags = (c.HAS_BLOCK if code.block else 0) | (c.HAS_GRID if code.grid else 0)
    out = bytearray([flags | (0 if code.shared is None else c.HAS_SHARED)])
    for sizes in (code.block, code.grid):
        out += b"".join(map(varint, sizes or ()))
    return bytes(out) + (b"" if code.shared is None else varint(code.shared))


__all__ = ["ArraysWriter"]
