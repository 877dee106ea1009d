"""The registers of a lane as types: a value of `!machine.reg<r5>` lies in r5, one of `!machine.reg` nowhere yet.

At the border of a function a register holds a value of an ISA type, or a typed pointer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import ClassVar, TypeAlias, cast

from xdsl.dialects.builtin import IntAttr, NoneAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer

from hologram.dialects.atlas.instructions.instruction import parse_dtype
from hologram.dialects.atlas.instructions.types import DTYPES, DType, DTypeAttr, PtrType, Space, dtype_of
from hologram.errors import VerifyError, parse_error

REGISTERS = 256
"""General registers of a lane, of 64 bits each."""
PREDICATES = 16
"""Predicate registers of a lane."""


class _Register(ParametrizedAttribute, TypeAttribute):
    """The base of both kinds of register types."""

    LETTER: ClassVar[str]
    LIMIT: ClassVar[int]
    index: IntAttr | NoneAttr
    count: IntAttr

    @property
    def is_allocated(self) -> bool:
        """Return whether the value has its register."""
        return isinstance(self.index, IntAttr)

    @property
    def number(self) -> int:
        """The (first) register's number; only of an allocated one."""
        assert isinstance(self.index, IntAttr)
        return self.index.data

    @property
    def width(self) -> int:
        """The number of registers that the value takes."""
        return self.count.data

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        index, count = None, 1
        if parser.parse_optional_punctuation("<") is not None:
            count = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
            if count is None:
                index = parse_index(parser, cls.LETTER)
                comma = parser.parse_optional_punctuation(",")
                count = 1 if comma is None else parser.parse_integer(allow_boolean=False, allow_negative=False)
            parser.parse_punctuation(">")
        return NoneAttr() if index is None else IntAttr(index), IntAttr(count)

    def print_parameters(self, printer: Printer) -> None:
        parts = [f"{self.LETTER}{self.number}"] if self.is_allocated else []
        if self.width != 1:
            parts.append(str(self.width))
        if parts:
            printer.print_string(f"<{', '.join(parts)}>")

    def verify(self) -> None:
        first = self.number if self.is_allocated else 0
        if self.width < 1 or first < 0 or first + self.width > self.LIMIT:
            last = first + self.width - 1
            raise VerifyError(
                "machine-register-range",
                f"a lane has no registers {self.LETTER}{first} to {self.LETTER}{last}",
                hint=f"they are {self.LETTER}0 to {self.LETTER}{self.LIMIT - 1}",
            )


@irdl_attr_definition
class RegType(_Register):
    """A general register, `!machine.reg<r5>`, or consecutive ones that hold one value, `!machine.reg<r4, 2>` (r4, r5).

    `!machine.reg` and `!machine.reg<2>` have no register yet.
    """

    name = "machine.reg"
    LETTER: ClassVar[str] = "r"
    LIMIT: ClassVar[int] = REGISTERS
    index: IntAttr | NoneAttr
    count: IntAttr

    def __init__(self, index: int | None = None, count: int = 1):
        super().__init__(NoneAttr() if index is None else IntAttr(index), IntAttr(count))


@irdl_attr_definition
class PredType(_Register):
    """A predicate, `!machine.pred<p0>`, or consecutive ones; `!machine.pred` has none yet."""

    name = "machine.pred"
    LETTER: ClassVar[str] = "p"
    LIMIT: ClassVar[int] = PREDICATES
    index: IntAttr | NoneAttr
    count: IntAttr

    def __init__(self, index: int | None = None, count: int = 1):
        super().__init__(NoneAttr() if index is None else IntAttr(index), IntAttr(count))


Register: TypeAlias = RegType | PredType
"""The type of every value of the machine form."""


def parse_index(parser: AttrParser, letter: str) -> int:
    """Parses the name of a register: its letter and its number."""
    start = parser.pos
    name = parser.parse_optional_identifier() or ""
    if re.fullmatch(letter + r"\d{1,6}", name) is None:
        parse_error(parser, "machine-register-name", f"expected a register such as {letter}5, found '{name}'", at=start)
    return int(name[1:])


def registers_of(dtype: DType, times: int = 1) -> int:
    """Return the number of general registers that `times` values of a type take: one each up to 64 bits."""
    return times * max(1, -(-dtype.bits // 64))


@cache
def register_type(dtype: DType, index: int | None = None, times: int = 1) -> Register:
    """The type of a register that holds a value of the ISA type: a predicate for bool."""
    return (PredType if dtype.kind == "bool" else RegType)(index, registers_of(dtype, times))


Held: TypeAlias = DTypeAttr | PtrType
"""`#atlas.dtype<f32>` or `!atlas.ptr<f32, global>`, whose integers have no sign."""

POINTER = re.compile(r"ptr<(\w+), (\w+)>$")
"""A pointer's name in listings and in assembly."""
SPACES = tuple(space.value for space in Space)


@cache
def held(name: str) -> Held:
    """The type of a name, `f32` or `ptr<f32, global>`."""
    match = POINTER.match(name)
    return PtrType.of(DTYPES[match[1]], Space(match[2])) if match else DTypeAttr.of(DTYPES[name])


def held_name(type: Attribute) -> str:
    """The name of a type."""
    if isinstance(type, PtrType):
        return f"ptr<{element_name(type)}, {type.space.data.value}>"
    assert isinstance(type, DTypeAttr)
    return type.dtype.name


def element_name(pointer: PtrType) -> str:
    """The ISA type that a pointer points to; of integers the signed one."""
    element = dtype_of(pointer.element)
    assert element is not None
    return element.name


def held_register(type: Attribute, index: int | None = None) -> Register:
    """The type of the register (or registers) that holds it."""
    return register_type(type.dtype, index) if isinstance(type, DTypeAttr) else RegType(index)


def parse_held(parser: Parser) -> Held:
    """Parses `f32` or `ptr !atlas.ptr<f32, global>`."""
    if parser.parse_optional_keyword("ptr") is None:
        return DTypeAttr.of(parse_dtype(parser))
    return cast("PtrType", parser.parse_type())


def print_held(printer: Printer, type: Attribute) -> None:
    """Prints what `parse_held` reads."""
    if isinstance(type, DTypeAttr):
        printer.print_string(type.dtype.name)
    else:
        printer.print_string("ptr ")
        printer.print_attribute(type)
