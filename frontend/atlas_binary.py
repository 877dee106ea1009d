"""Reads the binary container (`.atlasb`). It is validated in full, and refused if any byte is not as it was written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from hologram.dialects.atlas.arrays.base import KIND_NAMES
from hologram.dialects.atlas.arrays.form import ArrayForm, Setting
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.machine import container as c
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.from_listing import module_of
from hologram.dialects.machine.index_maps import DEEPEST, LARGEST
from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.listing import (
    CONTROL,
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
from hologram.errors import HologramError, InputError, Where

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.dialects.atlas.instructions.form import Field


KeyT = TypeVar("KeyT")
ItemT = TypeVar("ItemT")
LARGEST_VARINT = 1 << 64


class Reader:
    """Reads values between two offsets."""

    def __init__(self, data: bytes, start: int, end: int, name: str):
        self.data = data
        self.at = start
        self.end = end
        self.name = name

    def refuse(self, reason: str) -> NoReturn:
        """Raises the error of a value that can't be."""
        raise InputError("binary-value", f"at byte {self.at}: {reason}", where=Where(self.name))

    def take(self, count: int) -> bytes:
        """The next bytes."""
        if count > self.end - self.at:
            self.refuse("the section ends too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def byte(self) -> int:
        """The next byte."""
        return self.take(1)[0]

    def varint(self) -> int:
        """A number of base-128 digits, below 2^64."""
        value = shift = 0
        while True:
            digit = self.byte()
            value |= (digit & 0x7F) << shift
            if value >= LARGEST_VARINT:
                self.refuse("a number of more than 64 bits")
            if digit < 0x80:
                return value
            shift += 7

    def signed(self) -> int:
        """A number whose last binary digit says whether it is below zero."""
        zigzag = self.varint()
        return (zigzag >> 1) if not zigzag & 1 else -((zigzag + 1) >> 1)

    def count(self) -> int:
        """The number of things that follow, each at least a byte long."""
        count = self.varint()
        if count > self.end - self.at:
            self.refuse(f"{count} things can't follow in {self.end - self.at} bytes")
        return count

    def string(self) -> str:
        """A text."""
        try:
            return self.take(self.count()).decode()
        except UnicodeDecodeError:
            self.refuse("a name that is no UTF-8")

    def pick(self, table: dict[KeyT, ItemT], key: KeyT, what: str) -> ItemT:
        """What a number stands for."""
        if key not in table:
            self.refuse(f"there is no {what} {key}")
        return table[key]

    def choice(self, choices: Iterable[ItemT], what: str) -> ItemT:
        """What the next byte chooses."""
        return self.pick(dict(enumerate(choices)), self.byte(), what)

    def many(self, read: Callable[[], ItemT]) -> list[ItemT]:
        """A count, then so many things."""
        return [read() for _ in range(self.count())]

    def finish(self) -> None:
        """Nothing is left over."""
        if self.at != self.end:
            self.refuse(f"{self.end - self.at} bytes are left over")


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
        reader = Reader(self.data, *sections[c.CODE], self.name)
        opcodes = self._opcodes(Reader(self.data, *sections[c.OPCODES], self.name))
        listing = CodeReader(reader, opcodes).items()
        reader.finish()
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
        found: dict[bytes, tuple[int, int]] = {}
        if at <= len(self.data):
            for number in range(count):
                name, zero, start, length = c.SECTION.unpack_from(self.data, c.HEADER + number * c.SECTION.size)
                if zero or start != at or start + length > len(self.data) or name in found:
                    break
                found[name] = (start, start + length)
                at = start + length
        known = [n for n in (c.OPCODES, c.CODE, c.NAMES) if n in found]
        if at != len(self.data) or len(found) != count or list(found) != known or len(known) < 2:
            raise InputError("binary-sections", "the table of sections is not in order", where=Where(self.name))
        return found

    def _opcodes(self, reader: Reader) -> dict[int, str]:
        """The instructions that the container uses, by number; each must mean what it means here."""
        table = numbers()
        found: dict[int, str] = {}
        for _ in range(reader.count()):
            number, name, signature = reader.varint(), reader.string(), reader.string()
            if table.opcodes.get(name) != number or table.signatures[name] != signature:
                raise InputError(
                    "binary-instruction", f"the instruction {number}, '{name}', is not known in this form",
                    hint=f"it is written for a version that has: {signature}", where=Where(self.name),
                )  # fmt: skip
            found[number] = name
        reader.finish()
        return found


class CodeReader:
    """Reads the code section."""

    def __init__(self, reader: Reader, opcodes: dict[int, str]):
        self.reader = reader
        self.opcodes = opcodes
        table = numbers()
        self.types = {number: name for name, number in table.types.items()}
        self.specials = {number: name for name, number in table.specials.items()}
        self.objects = {number: name for name, number in table.objects.items()}
        self.calls: list[Jump] = []
        self.regions: list[tuple[ArrayLine, int]] = []
        """Lines, and the place of a setting in each that gets the name of its function when all are known."""

    def items(self) -> Listing:
        """All items; calls get the names of their functions."""
        listing = self.reader.many(self._item)
        functions = dict(enumerate(item.name for item in listing if isinstance(item, Code) and item.is_function))
        names = [item.name for item in listing if not isinstance(item, Pool)]
        if len(names) != len(set(names)):
            self.reader.refuse("two programs or functions of one name")
        for call in self.calls:
            call.target = self.reader.pick(functions, cast("int", call.target), "function")
        for line, place in self.regions:
            settings: list[Any] = list(line.settings)
            settings[place] = self.reader.pick(functions, settings[place], "function")
            line.settings = tuple(settings)
        return listing

    def _item(self) -> Item:
        kind = self.reader.byte()
        if kind == c.POOL:
            return Pool(self._array())
        if kind == c.ARRAYS:
            return self._arrays()
        if kind not in (c.PROGRAM, c.FUNCTION):
            self.reader.refuse(f"there is no item of kind {kind}")
        return self._code(kind == c.FUNCTION)

    def _code(self, is_function: bool) -> Code:
        reader = self.reader
        code = Code(reader.string(), is_function)
        code.parameters = reader.many(self._parameter)
        if is_function:
            code.outs = reader.many(self._scalar)
        else:
            self._launch(code)
        code.arrays = reader.many(self._declared)
        code.labels = [(line, "") for line in reader.many(reader.varint)]
        code.lines = reader.many(lambda: self._line(len(code.labels)))
        self._check_flow(code)
        return code

    def _arrays(self) -> Arrays:
        reader = self.reader
        program = Arrays(reader.string(), reader.many(self._parameter), reader.many(self._temporary))
        program.lines = reader.many(self._array_line)
        return program

    def _array_line(self) -> Line | ArrayLine:
        name = self._listed()
        if name in ARRAY_FORMS:
            return self._array_instruction(name)
        if name != "mov_imm":
            self.reader.refuse(f"'{name}' has no place in an array-level program")
        return self._instruction(name)

    def _listed(self) -> str:
        """The name of an instruction, which OPCS lists."""
        return self.reader.pick(self.opcodes, int.from_bytes(self.reader.take(2), "little"), "listed instruction")

    def _check_flow(self, code: Code) -> None:
        """Labels ascend and stand before lines; the last line ends."""
        places = [line for line, _ in code.labels]
        if places != sorted(places) or (places and places[-1] >= len(code.lines)):
            self.reader.refuse("labels are out of order or after the last line")
        last = code.lines[-1] if code.lines else None
        ends = isinstance(last, Jump) and (last.name in ("exit", "ret") or (last.name == "bra" and last.register < 0))
        if not ends:
            self.reader.refuse("the code does not end in exit, ret or a branch")

    def _launch(self, code: Code) -> None:
        reader = self.reader
        flags = reader.byte()
        if flags > 7:
            reader.refuse(f"there are no launch flags {flags}")
        if flags & c.HAS_BLOCK:
            code.block = (reader.varint(), reader.varint(), reader.varint())
        if flags & c.HAS_GRID:
            code.grid = (reader.varint(), reader.varint(), reader.varint())
        if flags & c.HAS_SHARED:
            code.shared = reader.varint()

    def _type(self) -> str:
        return self.reader.pick(self.types, self.reader.byte(), "type")

    def _array(self) -> Array:
        dtype = self._type()
        return Array(dtype, tuple(n - 1 for n in self.reader.many(self.reader.varint)))

    def _scalar(self) -> Scalar:
        number = self.reader.byte()
        if number != c.POINTER:
            return Scalar(self.reader.pick(self.types, number, "type"), self.reader.byte())
        element = self._type()
        space = self.reader.choice(c.POINTER_SPACES, "space")
        return Scalar(f"ptr<{element}, {space}>", self.reader.byte())

    def _parameter(self) -> Scalar | Array:
        kind = self.reader.byte()
        if kind not in (c.ARRAY, c.SCALAR):
            self.reader.refuse(f"there is no parameter of kind {kind}")
        return self._array() if kind == c.ARRAY else self._scalar()

    def _declared(self) -> tuple[str, Array]:
        space = self.reader.choice(c.SPACES, "space")
        return space, self._array()

    # Lines

    def _line(self, labels: int) -> Line | Jump:
        name = self._listed()
        if name in ARRAY_FORMS:
            self.reader.refuse(f"'{name}' has no place in a program of lanes")
        return self._jump(name, labels) if name in CONTROL else self._instruction(name)

    def _jump(self, name: str, labels: int) -> Jump:
        reader = self.reader
        jump = Jump(name)
        if name == "bra":
            guard = reader.byte()
            if guard > c.NEGATED:
                reader.refuse(f"there is no guard of kind {guard}")
            if guard:
                jump.register, jump.negated = reader.byte(), guard == c.NEGATED
        elif name == "loop":
            jump.type, jump.register = self._type(), reader.byte()
        elif name == "call":
            jump.target = reader.varint()
            self.calls.append(jump)
        if name in ("bra", "loop"):
            jump.target = reader.varint()
            if jump.target >= labels:
                reader.refuse(f"there is no label {jump.target}")
        return jump

    def _instruction(self, name: str) -> Line:
        form = FORMS[name]
        modifiers = tuple(self.reader.choice(m.choices, m.name) for m in form.modifiers)
        types = tuple(self._type() for _ in form.types)
        return Line(name, modifiers, types, tuple(self._operand(f, types) for f in form.fields))

    def _operand(self, field: Field, types: tuple[str, ...]) -> Operand:
        reader = self.reader
        match field.kind:
            case "register":
                return reader.byte()
            case "address":
                return self._address()
            case "constant":
                return int.from_bytes(reader.take(-(-DTYPES[types[0]].bits // 8)), "little")
            case "special":
                return reader.pick(self.specials, reader.byte(), "special register")
            case "text":
                return reader.string()
            case "pool":
                return f"pool{reader.varint()}"
            case _:
                return reader.varint()

    def _address(self) -> Address:
        reader = self.reader
        kind = reader.byte()
        letters: Any = reader.pick(self.objects, kind & 0x7F, "object")
        count = {"reg": 1, "phi": 3}.get(letters)
        base = letters if count else f"{letters}{reader.varint()}"
        registers = tuple(reader.take(count or 0))
        index = reader.byte() if kind & 0x80 else None
        return Address(base, registers, index, reader.signed())

    # Array-level programs

    def _temporary(self) -> Temporary:
        return Temporary(self._type(), tuple(self.reader.many(self._size)))

    def _size(self) -> int | str:
        reader = self.reader
        size = reader.varint()
        return size if size else f"buf{reader.varint()}.{reader.varint()}"

    def _array_instruction(self, name: str) -> ArrayLine:
        form = ARRAY_FORMS[name]
        choice = self._choice(form)
        count = self.reader.byte() if len(form.types) > form.needed_types else len(form.types)
        if not form.needed_types <= count <= len(form.types):
            self.reader.refuse(f"'{name}' has no {count} types")
        types = tuple(self._type() for _ in range(count))
        groups = tuple(tuple(self.reader.many(self._array_operand)) for _ in form.groups)
        line = ArrayLine(name, choice, types, groups)
        line.settings = tuple(self._setting(s, line, n) for n, s in enumerate(form.settings))
        return line

    def _choice(self, form: ArrayForm) -> str:
        reader = self.reader
        if form.choice is None:
            return ""
        if not form.choice.is_instruction:
            return reader.choice(form.choice.choices, form.choice.name)
        name = reader.pick(numbers().names, int.from_bytes(reader.take(2), "little"), "instruction")
        if name not in form.choice.choices:
            reader.refuse(f"'{form.name}' can't apply '{name}'")
        return name

    def _array_operand(self) -> str:
        reader = self.reader
        letters = reader.choice(c.ARRAY_OPERANDS, "operand")
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
                return self.reader.signed()
            case "float":
                return int.from_bytes(reader.take(8), "little")
            case "integers":
                return tuple(reader.many(self.reader.signed))
            case "kinds":
                return tuple(reader.many(lambda: reader.choice(KIND_NAMES, "kind")))
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
        kind = reader.choice(c.INDICES, "part of a map")
        if kind == "d":
            number = reader.varint()
            if number >= loops:
                reader.refuse(f"there is no loop d{number}")
            return "d", number
        if kind == "c":
            number = self.reader.signed()
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
