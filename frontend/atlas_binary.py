"""Reads the binary container (`.atlasb`). It is validated in full, and refused if any byte is not as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from hologram.dialects.atlas.types import DTYPES
from hologram.dialects.machine import container as c
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.from_listing import module_of
from hologram.dialects.machine.listing import (
    CONTROL,
    Address,
    Array,
    ArrayLine,
    Arrays,
    Code,
    Item,
    Jump,
    Line,
    Listing,
    Operand,
    Pool,
    Scalar,
)
from hologram.dialects.machine.numbers import numbers
from hologram.dialects.machine.table import FORMS
from hologram.errors import HologramError, InputError, Where
from hologram.frontend.atlas_binary_arrays import ArraysReader, name_regions
from hologram.frontend.binary_reader import Reader

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.dialects.atlas.form import Field


def parse_binary(data: bytes, name: str, ctx: Context | None = None) -> ModuleOp:
    """Reads a container, which errors call `name`, into a module of the machine form.

    Raises InputError if anything in it is not what the writer of this version writes; the program is valid then, as
    far as the container goes, and the verifier checks the rest.
    """
    from hologram.dialects.machine.to_listing import listing_of
    from hologram.lowering.emit.atlas_binary import encode_listing

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
        self.arrays = ArraysReader(reader, self.types, self.regions)

    def items(self) -> Listing:
        """All items; calls get the names of their functions."""
        listing = self.reader.many(self._item)
        functions = dict(enumerate(item.name for item in listing if isinstance(item, Code) and item.is_function))
        names = [item.name for item in listing if not isinstance(item, Pool)]
        if len(names) != len(set(names)):
            self.reader.refuse("two programs or functions of one name")
        for call in self.calls:
            call.target = self.reader.pick(functions, cast("int", call.target), "function")
        name_regions(self.regions, lambda number: self.reader.pick(functions, number, "function"))
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
        program = Arrays(reader.string(), reader.many(self._parameter), self.arrays.temporaries())
        program.lines = reader.many(self._array_line)
        return program

    def _array_line(self) -> Line | ArrayLine:
        name = self._listed()
        if name in ARRAY_FORMS:
            return self.arrays.line(name)
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
        space = self.reader.pick(dict(enumerate(c.POINTER_SPACES)), self.reader.byte(), "space")
        return Scalar(f"ptr<{element}, {space}>", self.reader.byte())

    def _parameter(self) -> Scalar | Array:
        kind = self.reader.byte()
        if kind not in (c.ARRAY, c.SCALAR):
            self.reader.refuse(f"there is no parameter of kind {kind}")
        return self._array() if kind == c.ARRAY else self._scalar()

    def _declared(self) -> tuple[str, Array]:
        space = self.reader.pick(dict(enumerate(c.SPACES)), self.reader.byte(), "space")
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
        modifiers = tuple(
            self.reader.pick(dict(enumerate(m.choices)), self.reader.byte(), m.name) for m in form.modifiers
        )
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
        zigzag = reader.varint()
        return Address(base, registers, index, (zigzag >> 1) if not zigzag & 1 else -((zigzag + 1) >> 1))
