"""Addresses of the machine form (isa.md section 4): an object and a byte offset, which a register may be part of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hologram.errors import VerifyError, did_you_mean, parse_error

OBJECTS = {"buf": "global", "shared": "shared", "local": "local", "pool": "pool", "c": "class"}
"""The letters of what an address may start with, and the memory space of each; a number follows."""
POINTER = "reg"
"""The base of an address that a register holds: a typed pointer of any space."""
PHI = "phi"
"""The base of a class address whose class, page and byte lie in registers."""
CLASSES, CLASS_BYTES, PAGE_BYTES = 96, 12288, 256

_OBJECT = re.compile(r"(buf|shared|local|pool|c)(\d{1,6})$")


@irdl_attr_definition
class AddressAttr(ParametrizedAttribute):
    """An address: `#machine.address<buf2, index, 64>` is byte 64 past the offset that a register holds, in buffer 2.

    The base is an object (`buf0`, `shared1`, `local0`, `pool0`, the class `c21`), `reg` (a register holds a typed
    pointer) or `phi` (three registers hold class, page and byte). Registers are operands of the instruction, in this
    order: those of the base, then the index.
    """

    name = "machine.address"
    base: StringAttr
    index: IntAttr
    offset: IntAttr

    def __init__(self, base: str, has_index: bool = False, offset: int = 0):
        super().__init__(StringAttr(base), IntAttr(int(has_index)), IntAttr(offset))

    @property
    def has_index(self) -> bool:
        """Return whether a register adds a byte offset."""
        return bool(self.index.data)

    @property
    def bytes(self) -> int:
        """The constant byte offset."""
        return self.offset.data

    @property
    def base_registers(self) -> int:
        """The number of registers that the base takes."""
        return {POINTER: 1, PHI: 3}.get(self.base.data, 0)

    @property
    def registers(self) -> int:
        """The number of the instruction's operands that belong to the address."""
        return self.base_registers + self.has_index

    @property
    def object(self) -> tuple[str, int] | None:
        """The kind (`buf`, `shared`, `local`, `pool`, `c`) and number of the object; None if registers say it."""
        return object_of(self.base.data)

    @property
    def space(self) -> str | None:
        """The memory space; None for a pointer, whose own type says it."""
        base_object = self.object
        return "class" if self.base.data == PHI else None if base_object is None else OBJECTS[base_object[0]]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            base = parse_base(parser)
            parser.parse_punctuation(",")
            index = parser.parse_optional_keyword("index") is not None
            if index:
                parser.parse_punctuation(",")
            offset = parser.parse_integer(allow_boolean=False)
        return StringAttr(base), IntAttr(int(index)), IntAttr(offset)

    def print_parameters(self, printer: Printer) -> None:
        index = "index, " if self.has_index else ""
        printer.print_string(f"<{self.base.data}, {index}{self.bytes}>")

    def verify(self) -> None:
        base_object = self.object
        if base_object is None and self.base.data not in (POINTER, PHI):
            raise VerifyError("machine-address-base", f"'{self.base.data}' is no object of the machine form")
        if base_object is not None and base_object[0] == "c" and base_object[1] >= CLASSES:
            raise VerifyError(
                "machine-class-range", f"there is no class {base_object[1]}", hint=f"classes go from 0 to {CLASSES - 1}"
            )
        if not -(1 << 63) <= self.bytes < 1 << 63:
            raise VerifyError("machine-offset-range", f"the byte offset {self.bytes} does not fit into 64 bits")


def object_of(name: str) -> tuple[str, int] | None:
    """The kind and number of an object by its name (`pool0`); None for any other name."""
    match = _OBJECT.match(name)
    return (match[1], int(match[2])) if match else None


def parse_base(parser: AttrParser) -> str:
    """Parses the name of an object, `reg` or `phi`."""
    start = parser.pos
    name = parser.parse_optional_identifier() or ""
    if name not in (POINTER, PHI) and _OBJECT.match(name) is None:
        parse_error(
            parser, "machine-address-object", f"expected an object such as buf0, shared1 or c21, found '{name}'",
            hint=did_you_mean(name, [*(f"{o}0" for o in OBJECTS), POINTER, PHI]), at=start,
        )  # fmt: skip
    return name
