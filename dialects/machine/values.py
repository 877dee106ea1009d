"""What a register holds at the border of a function: a value of an ISA type, or a typed pointer."""

from __future__ import annotations

import re
from functools import cache
from typing import TypeAlias, cast

from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.atlas.instruction import parse_dtype
from hologram.dialects.atlas.types import DTYPES, DTypeAttr, PtrType, Space, dtype_of
from hologram.dialects.machine.registers import Register, RegType, register_type

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
