"""The code section of the binary container: each part is described once, as a codec that writes it and reads it again.

`docs/isa/binary.mdx` describes every byte. What is read is checked as far as the section goes: a reader refuses what no
writer would have written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Generic, NoReturn, TypeVar, cast

from hologram.dialects.atlas.arrays.base import KIND_NAMES
from hologram.dialects.atlas.arrays.form import Choice, Setting
from hologram.dialects.atlas.instructions.form import Field, Form
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.machine import container as c
from hologram.dialects.machine import listing as ls
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.array_program import axis_of
from hologram.dialects.machine.index_maps import DEEPEST, LARGEST
from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.numbers import numbers
from hologram.dialects.machine.registers import POINTER
from hologram.errors import InputError, InternalError, Where
from hologram.plugins.tables import KINDS

T = TypeVar("T")
U = TypeVar("U")
LARGEST_VARINT = 1 << 64


class Writer:
    """The bytes that are written. `functions` has the number of each function by its name, `outside` that of each
    instruction of a plug-in."""

    def __init__(self, functions: Mapping[str, int] | None = None, outside: Mapping[str, int] | None = None):
        self.out = bytearray()
        self.functions = functions or {}
        self.outside = outside or {}

    def number(self, value: int, size: int = 1) -> None:
        """Writes an unsigned number of so many bytes, the least first."""
        self.out += value.to_bytes(size, "little")

    def varint(self, value: int) -> None:
        """Writes an unsigned number in base 128, the least digit first; all but the last have their high bit set."""
        while value > 0x7F:
            self.out.append(value & 0x7F | 0x80)
            value >>= 7
        self.out.append(value)

    def string(self, text: str) -> None:
        """Writes the length of a text in UTF-8, then its bytes."""
        data = text.encode()
        self.varint(len(data))
        self.out += data


class Reader:
    """Reads values between two offsets. `opcodes` has the instructions that the container lists, by number."""

    def __init__(self, data: bytes, start: int, end: int, name: str, opcodes: dict[int, str] | None = None):
        self.data = data
        self.at = start
        self.end = end
        self.name = name
        self.opcodes = opcodes or {}

    def refuse(self, reason: str) -> NoReturn:
        """Raises the error of a value that can't be."""
        raise InputError("binary-value", f"at byte {self.at}: {reason}", where=Where(self.name))

    def take(self, count: int) -> bytes:
        """Returns the next bytes."""
        if count > self.end - self.at:
            self.refuse("the section ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, size: int = 1) -> int:
        """Reads an unsigned number of so many bytes, the least first."""
        return int.from_bytes(self.take(size), "little")

    def varint(self) -> int:
        """Reads a number of base-128 digits, below 2^64."""
        value = shift = 0
        while True:
            digit = self.number()
            value |= (digit & 0x7F) << shift
            if value >= LARGEST_VARINT:
                self.refuse("a number of more than 64 bits")
            if digit < 0x80:
                return value
            shift += 7

    def count(self) -> int:
        """Reads the number of things that follow, each at least a byte long."""
        count = self.varint()
        if count > self.end - self.at:
            self.refuse(f"{count} things can't follow in {self.end - self.at} bytes")
        return count

    def string(self) -> str:
        """Reads a text."""
        try:
            return self.take(self.count()).decode()
        except UnicodeDecodeError:
            self.refuse("a name that is no UTF-8")

    def pick(self, table: Mapping[int, T], key: int, what: str) -> T:
        """Returns what a number stands for."""
        if key not in table:
            self.refuse(f"there is no {what} {key}")
        return table[key]

    def finish(self) -> None:
        """Refuses bytes that are left over."""
        if self.at != self.end:
            self.refuse(f"{self.end - self.at} bytes are left over")


class Codec(Generic[T]):
    """A part of the form: how it is written, and how it is read again."""

    def __init__(self, write: Callable[[Writer, T], object], read: Callable[[Reader], T]):
        self.write = write
        self.read = read

    def mapped(self, to: Callable[[U], T], back: Callable[[T], U]) -> Codec[U]:
        """The codec of values that are written as what `to` makes of them."""
        return Codec(lambda w, value: self.write(w, to(value)), lambda r: back(self.read(r)))

    def many(self) -> Codec[list[T]]:
        """A count, then so many of these."""

        def write(w: Writer, values: list[T]) -> None:
            w.varint(len(values))
            for value in values:
                self.write(w, value)

        return Codec(write, lambda r: [self.read(r) for _ in range(r.count())])

    def row(self) -> Codec[tuple[T, ...]]:
        """The same as a tuple."""
        return self.many().mapped(list, tuple)


def fixed(size: int) -> Codec[int]:
    """An unsigned number of so many bytes."""
    return Codec(lambda w, value: w.number(value, size), lambda r: r.number(size))


def each(codecs: Sequence[Codec[Any]]) -> Codec[tuple[Any, ...]]:
    """Values of several codecs, one after the other."""

    def write(w: Writer, values: tuple[Any, ...]) -> None:
        for codec, value in zip(codecs, values, strict=True):
            codec.write(w, value)

    return Codec(write, lambda r: tuple(codec.read(r) for codec in codecs))


def record(make: Callable[..., T], **fields: Codec[Any]) -> Codec[T]:
    """The fields of a record, one after the other."""
    parts = each(list(fields.values()))
    return parts.mapped(
        lambda value: tuple(getattr(value, name) for name in fields),
        lambda values: make(**dict(zip(fields, values, strict=True))),
    )


def word(words: Sequence[str] | Mapping[str, int], what: str) -> Codec[str]:
    """A word as its number in a byte: its place among `words`, or what these say."""
    table = words if isinstance(words, Mapping) else {name: number for number, name in enumerate(words)}
    names = {number: name for name, number in table.items()}
    return Codec(lambda w, name: w.number(table[name]), lambda r: r.pick(names, r.number(), what))


def tagged(what: str, cases: Mapping[int, tuple[Callable[[Any], bool], Codec[Any]]]) -> Codec[Any]:
    """One of several things: a byte that says which one, then that. A case has what tells its values, and its codec."""

    def write(w: Writer, value: Any) -> None:
        tag, codec = next((tag, codec) for tag, (tells, codec) in cases.items() if tells(value))
        w.number(tag)
        codec.write(w, value)

    def read(r: Reader) -> Any:
        tag = r.number()
        if tag not in cases:
            r.refuse(f"there is no {what} of kind {tag}")
        return cases[tag][1].read(r)

    return Codec(write, read)


BYTE = fixed(1)
VARINT = Codec(Writer.varint, Reader.varint)
STRING = Codec(Writer.string, Reader.string)
SIGNED = VARINT.mapped(lambda n: n << 1 if n >= 0 else (-n << 1) - 1, lambda z: -((z + 1) >> 1) if z & 1 else z >> 1)
TYPE = word(numbers().types, "type")


def numbered(letters: str) -> Codec[str]:
    """A name of these letters and a number."""
    return VARINT.mapped(lambda name: int(name.removeprefix(letters)), lambda number: f"{letters}{number}")


# Arrays and parameters


def _write_scalar(w: Writer, value: ls.Scalar) -> None:
    if (pointer := POINTER.match(value.dtype)) is None:
        TYPE.write(w, value.dtype)
    else:
        w.number(c.POINTER)
        TYPE.write(w, pointer[1])
        _SPACE.write(w, pointer[2])
    w.number(value.register)


def _read_scalar(r: Reader) -> ls.Scalar:
    number = r.number()
    if number != c.POINTER:
        return ls.Scalar(r.pick(_TYPE_NAMES, number, "type"), r.number())
    element, space = TYPE.read(r), _SPACE.read(r)
    return ls.Scalar(f"ptr<{element}, {space}>", r.number())


_SPACE = word(c.POINTER_SPACES, "space")
_TYPE_NAMES = {number: name for name, number in numbers().types.items()}
SCALAR = Codec(_write_scalar, _read_scalar)
ARRAY = record(ls.Array, dtype=TYPE, sizes=VARINT.mapped(lambda n: n + 1, lambda n: n - 1).row())
PARAMETERS = tagged(
    "parameter",
    {
        c.ARRAY: (lambda value: isinstance(value, ls.Array), ARRAY),
        c.SCALAR: (lambda value: isinstance(value, ls.Scalar), SCALAR),
    },
).many()


def _write_size(w: Writer, size: int | str) -> None:
    axis = axis_of(size) if isinstance(size, str) else None
    if axis is None:
        return w.varint(cast("int", size))
    w.number(0)
    numbered("buf").write(w, axis[0])
    w.varint(axis[1])


def _read_size(r: Reader) -> int | str:
    return r.varint() or f"{numbered('buf').read(r)}.{r.varint()}"


TEMPORARY = record(ls.Temporary, dtype=TYPE, sizes=Codec(_write_size, _read_size).row())


# Instructions


def _write_opcode(w: Writer, name: str) -> None:
    w.number(w.outside[name] if name in w.outside else number_of(name), 2)


def outside_numbers(listing: ls.Listing) -> dict[str, int]:
    """The numbers that a container gives the instructions of plug-ins in it."""
    lines = [line for item in listing if isinstance(item, ls.Code | ls.Arrays) for line in item.lines]
    names = {line.name for line in lines} | {line.choice for line in lines if isinstance(line, ls.ArrayLine)}
    return {name: c.OUTSIDE + n for n, name in enumerate(sorted(names & KINDS["instruction"].rows.keys()))}


OPCODE = Codec(_write_opcode, lambda r: r.pick(r.opcodes, r.number(2), "listed instruction"))
"""The number of an instruction, which the section of opcodes lists."""


def number_of(name: str) -> int:
    """The number of an instruction."""
    number = numbers().opcodes.get(name)
    if number is None:
        raise InternalError(
            "binary-number-missing", f"the instruction '{name}' has no number yet", hint="'make docs' gives it one"
        )
    return number


_INDEXED = 0x80
"""In the byte of an address's object: a register adds to its offset."""


def _write_address(w: Writer, address: ls.Address) -> None:
    letters = address.base.rstrip("0123456789")
    w.number(numbers().objects[letters] | (0 if address.index is None else _INDEXED))
    if letters != address.base:
        numbered(letters).write(w, address.base)
    for register in (*address.registers, *(() if address.index is None else (address.index,))):
        w.number(register)
    SIGNED.write(w, address.offset)


def _read_address(r: Reader) -> ls.Address:
    kind = r.number()
    letters = r.pick({n: name for name, n in numbers().objects.items()}, kind & ~_INDEXED, "object")
    count = {"reg": 1, "phi": 3}.get(letters)
    base = letters if count else numbered(letters).read(r)
    registers = tuple(r.take(count or 0))
    return ls.Address(base, registers, r.number() if kind & _INDEXED else None, SIGNED.read(r))


_OPERANDS: dict[str, Codec[Any]] = {
    "address": Codec(_write_address, _read_address),
    "immediate": VARINT,
    "pool": numbered("pool"),
    "register": BYTE,
    "special": word(numbers().specials, "special register"),
    "text": STRING,
}
"""The operands of an instruction by the kind of their field; a constant takes the bytes of its type."""


def _operand(field: Field, types: Sequence[str]) -> Codec[Any]:
    return fixed(-(-DTYPES[types[0]].bits // 8)) if field.kind == "constant" else _OPERANDS[field.kind]


@cache
def _line(name: str) -> Codec[ls.Line]:
    """An instruction of the table, after its number."""
    form: Form = FORMS[name]
    modifiers = each([word(m.choices, m.name) for m in form.modifiers])
    suffixes = each([TYPE] * len(form.types))

    def operands(types: Sequence[str]) -> Codec[tuple[ls.Operand, ...]]:
        return each([_operand(field, types) for field in form.fields])

    def write(w: Writer, line: ls.Line) -> None:
        modifiers.write(w, line.modifiers)
        suffixes.write(w, line.types)
        operands(line.types).write(w, line.operands)

    def read(r: Reader) -> ls.Line:
        chosen, types = modifiers.read(r), suffixes.read(r)
        return ls.Line(name, chosen, types, operands(types).read(r))

    return Codec(write, read)


def _write_jump(w: Writer, jump: ls.Jump) -> None:
    match jump.name:
        case "bra":
            guard = c.UNGUARDED if jump.register < 0 else c.NEGATED if jump.negated else c.GUARDED
            w.number(guard)
            if guard:
                w.number(jump.register)
        case "loop":
            TYPE.write(w, jump.type)
            w.number(jump.register)
        case _:
            pass
    if jump.name in ("bra", "loop", "call"):
        w.varint(w.functions[str(jump.target)] if jump.name == "call" else cast("int", jump.target))


def _read_jump(r: Reader, name: str, labels: int) -> ls.Jump:
    jump = ls.Jump(name)
    if name == "bra":
        guard = r.number()
        if guard > c.NEGATED:
            r.refuse(f"there is no guard of kind {guard}")
        if guard:
            jump.register, jump.negated = r.number(), guard == c.NEGATED
    elif name == "loop":
        jump.type, jump.register = TYPE.read(r), r.number()
    if name in ("bra", "loop", "call"):
        jump.target = r.varint()
        if name != "call" and jump.target >= labels:
            r.refuse(f"there is no label {jump.target}")
    return jump


# Array-level instructions


def _write_index(w: Writer, index: ls.Index) -> None:
    _INDEX.write(w, index[0])
    if len(index) == 3:
        _write_index(w, index[1])
        _write_index(w, index[2])
    else:
        (VARINT if index[0] == "d" else SIGNED).write(w, index[1])


def _read_index(r: Reader, loops: int, depth: int) -> ls.Index:
    kind = _INDEX.read(r)
    if kind == "d":
        number = r.varint()
        if number >= loops:
            r.refuse(f"there is no loop d{number}")
        return "d", number
    if kind == "c":
        number = SIGNED.read(r)
        if abs(number) >= LARGEST:
            r.refuse(f"{number} is too great for a map")
        return "c", number
    if not depth:
        r.refuse("a map is nested too deeply")
    left, right = _read_index(r, loops, depth - 1), _read_index(r, loops, depth - 1)
    number = right[1] if len(right) == 2 and right[0] == "c" else None
    if kind != "+" and (number is None or (kind != "*" and number < 1)):
        r.refuse(f"'{kind}' in a map by what is no fitting number")
    return kind, left, right


def _write_map(w: Writer, map: ls.IndexMap) -> None:
    w.varint(map.loops)
    w.varint(len(map.indices))
    for index in map.indices:
        _write_index(w, index)


def _read_map(r: Reader) -> ls.IndexMap:
    loops = r.varint()
    if loops > 64:
        r.refuse(f"a map of {loops} loops")
    return ls.IndexMap(loops, tuple(_read_index(r, loops, DEEPEST) for _ in range(r.count())))


_INDEX = word(c.INDICES, "part of a map")
_SETTINGS: dict[str, Codec[Any]] = {
    "integer": SIGNED,
    "float": fixed(8),
    "function": Codec(lambda w, name: w.varint(w.functions[name]), Reader.varint),
    "integers": SIGNED.row(),
    "kinds": word(KIND_NAMES, "kind").row(),
    "types": TYPE.row(),
    "maps": Codec(_write_map, _read_map).row(),
}
"""The values of settings by their kind. Of a function its number is read; it gets its name when all are known."""


def _setting(setting: Setting) -> Codec[ls.Value]:
    if not setting.is_switch and not setting.optional:
        return _SETTINGS[setting.kind]

    def write(w: Writer, value: ls.Value) -> None:
        w.number(int(value is not None))
        if value is not None and not setting.is_switch:
            _SETTINGS[setting.kind].write(w, value)

    def read(r: Reader) -> ls.Value:
        given = r.number()
        if given > 1:
            r.refuse(f"'{setting.printed}' is there or not, found {given}")
        return None if not given else 1 if setting.is_switch else _SETTINGS[setting.kind].read(r)

    return Codec(write, read)


def _choice(form: str, choice: Choice | None) -> Codec[str]:
    """The word that is joined to an instruction's name."""
    if choice is None:
        return Codec(lambda w, text: None, lambda r: "")
    if not choice.is_instruction:
        return word(choice.choices, choice.name)

    def read(r: Reader) -> str:
        name = r.pick(numbers().names | r.opcodes, r.number(2), "instruction")
        if name not in choice.choices:
            r.refuse(f"'{form}' can't apply '{name}'")
        return name

    return Codec(_write_opcode, read)


def _write_operand(w: Writer, name: str) -> None:
    letters = name.rstrip("0123456789")
    _ARRAY_OPERAND.write(w, letters)
    numbered(letters).write(w, name)


_ARRAY_OPERAND = word(c.ARRAY_OPERANDS, "operand")
_OPERAND_GROUP = Codec(_write_operand, lambda r: numbered(_ARRAY_OPERAND.read(r)).read(r)).row()


@cache
def _array_line(name: str) -> Codec[ls.ArrayLine]:
    """An array-level instruction, after its number."""
    form = ARRAY_FORMS[name]
    least, most = form.needed_types, len(form.types)
    choice, groups = _choice(name, form.choice), each([_OPERAND_GROUP] * len(form.groups))
    settings = each([_setting(setting) for setting in form.settings])

    def write_types(w: Writer, types: tuple[str, ...]) -> None:
        if most > least:
            w.number(len(types))
        each([TYPE] * len(types)).write(w, types)

    def read_types(r: Reader) -> tuple[str, ...]:
        count = r.number() if most > least else most
        if not least <= count <= most:
            r.refuse(f"'{name}' has no {count} types")
        return each([TYPE] * count).read(r)

    def make(**fields: Any) -> ls.ArrayLine:
        return ls.ArrayLine(name, **fields)

    return record(make, choice=choice, types=Codec(write_types, read_types), groups=groups, settings=settings)


# Programs


def _write_line(w: Writer, line: ls.Line | ls.Jump | ls.ArrayLine) -> None:
    OPCODE.write(w, line.name)
    match line:
        case ls.Jump():
            _write_jump(w, line)
        case ls.ArrayLine():
            _array_line(line.name).write(w, line)
        case ls.Line():
            _line(line.name).write(w, line)


def _read_array_line(r: Reader) -> ls.Line | ls.ArrayLine:
    name = OPCODE.read(r)
    if name in ARRAY_FORMS:
        return _array_line(name).read(r)
    if name != "mov_imm":
        r.refuse(f"'{name}' has no place in an array-level program")
    return _line(name).read(r)


def _read_lane_line(r: Reader, labels: int) -> ls.Line | ls.Jump:
    name = OPCODE.read(r)
    if name in ARRAY_FORMS:
        r.refuse(f"'{name}' has no place in a program of lanes")
    return _read_jump(r, name, labels) if name in ls.CONTROL else _line(name).read(r)


_POINT = each([VARINT] * 3)
_DECLARED = each([word(c.SPACES, "space"), ARRAY]).many()
_OUTS = SCALAR.many()


def _write_launch(w: Writer, code: ls.Code) -> None:
    """Writes flags, then what is fixed of the launch."""
    flags = (c.HAS_BLOCK if code.block else 0) | (c.HAS_GRID if code.grid else 0)
    w.number(flags | (0 if code.shared is None else c.HAS_SHARED))
    for sizes in filter(None, (code.block, code.grid)):
        _POINT.write(w, sizes)
    if code.shared is not None:
        w.varint(code.shared)


def _read_launch(r: Reader, code: ls.Code) -> None:
    flags = r.number()
    if flags > (c.HAS_BLOCK | c.HAS_GRID | c.HAS_SHARED):
        r.refuse(f"there are no launch flags {flags}")
    code.block = cast("Any", _POINT.read(r)) if flags & c.HAS_BLOCK else None
    code.grid = cast("Any", _POINT.read(r)) if flags & c.HAS_GRID else None
    code.shared = r.varint() if flags & c.HAS_SHARED else None


def _write_code(w: Writer, code: ls.Code) -> None:
    w.string(code.name)
    PARAMETERS.write(w, code.parameters)
    if code.is_function:
        _OUTS.write(w, code.outs)
    else:
        _write_launch(w, code)
    _DECLARED.write(w, cast("Any", code.arrays))
    VARINT.many().write(w, [line for line, _ in code.labels])
    w.varint(len(code.lines))
    for line in code.lines:
        _write_line(w, line)


def _read_code(r: Reader, is_function: bool) -> ls.Code:
    code = ls.Code(r.string(), is_function, PARAMETERS.read(r))
    if is_function:
        code.outs = _OUTS.read(r)
    else:
        _read_launch(r, code)
    code.arrays = cast("Any", _DECLARED.read(r))
    code.labels = [(line, "") for line in VARINT.many().read(r)]
    code.lines = [_read_lane_line(r, len(code.labels)) for _ in range(r.count())]
    places = [line for line, _ in code.labels]
    if places != sorted(places) or (places and places[-1] >= len(code.lines)):
        r.refuse("labels are out of order or after the last line")
    last = code.lines[-1] if code.lines else None
    ends = isinstance(last, ls.Jump) and (last.name in ("exit", "ret") or (last.name == "bra" and last.register < 0))
    if not ends:
        r.refuse("the code does not end in exit, ret or a branch")
    return code


ARRAYS = record(
    ls.Arrays,
    name=STRING,
    parameters=PARAMETERS,
    temporaries=TEMPORARY.many(),
    lines=Codec(_write_line, _read_array_line).many(),
)
ITEMS: Codec[ls.Listing] = tagged(
    "item",
    {
        c.POOL: (lambda item: isinstance(item, ls.Pool), record(ls.Pool, array=ARRAY)),
        c.PROGRAM: (
            lambda item: isinstance(item, ls.Code) and not item.is_function,
            Codec(_write_code, lambda r: _read_code(r, False)),
        ),
        c.FUNCTION: (
            lambda item: isinstance(item, ls.Code) and item.is_function,
            Codec(_write_code, lambda r: _read_code(r, True)),
        ),
        c.ARRAYS: (lambda item: isinstance(item, ls.Arrays), ARRAYS),
    },
).many()
"""The code section."""


def write_code(listing: ls.Listing) -> bytes:
    """The bytes of the code section."""
    names = [item.name for item in listing if isinstance(item, ls.Code) and item.is_function]
    writer = Writer({name: number for number, name in enumerate(names)}, outside_numbers(listing))
    ITEMS.write(writer, listing)
    return bytes(writer.out)


def read_code(reader: Reader) -> ls.Listing:
    """Reads the code section to its end; calls and regions get the names of their functions."""
    listing = ITEMS.read(reader)
    names = [item.name for item in listing if not isinstance(item, ls.Pool)]
    if len(names) != len(set(names)):
        reader.refuse("two programs or functions of one name")
    functions = dict(enumerate(item.name for item in listing if isinstance(item, ls.Code) and item.is_function))

    def named(number: Any) -> str:
        return reader.pick(functions, number, "function")

    for line in (line for item in listing if not isinstance(item, ls.Pool) for line in item.lines):
        if isinstance(line, ls.Jump) and line.name == "call":
            line.target = named(line.target)
        elif isinstance(line, ls.ArrayLine):
            pairs = zip(ARRAY_FORMS[line.name].settings, line.settings, strict=True)
            line.settings = tuple(named(v) if s.kind == "function" and v is not None else v for s, v in pairs)
    reader.finish()
    return listing
