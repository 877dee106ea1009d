"""The attributes that name the ISA's types in IR; the types themselves stand in `dtypes`.

SSA values are signless, as upstream; an instruction's `type` property says how its operands are read.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float8E4M3FNType,
    Float8E5M2Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from hologram.dialects.atlas.instructions.dtypes import ALL as ALL
from hologram.dialects.atlas.instructions.dtypes import BOOL as BOOL
from hologram.dialects.atlas.instructions.dtypes import DTYPES as DTYPES
from hologram.dialects.atlas.instructions.dtypes import FLOATS as FLOATS
from hologram.dialects.atlas.instructions.dtypes import INTEGERS as INTEGERS
from hologram.dialects.atlas.instructions.dtypes import LARGEST as LARGEST
from hologram.dialects.atlas.instructions.dtypes import NUMBERS as NUMBERS
from hologram.dialects.atlas.instructions.dtypes import STORED as STORED
from hologram.dialects.atlas.instructions.dtypes import Array as Array
from hologram.dialects.atlas.instructions.dtypes import DType as DType
from hologram.dialects.atlas.instructions.dtypes import reduced_types as reduced_types
from hologram.dialects.atlas.instructions.dtypes import widened as widened
from hologram.dialects.atlas.instructions.dtypes import working_type as working_type
from hologram.dialects.syntax import Angled
from hologram.errors import parse_error


class DTypeName(StrEnum):
    """The names of the ISA's types, as they stand in assembly."""

    _ignore_ = "spelt"
    for spelt in DTYPES:
        vars()[spelt] = spelt


def dtype_of(type: Attribute, *, unsigned: bool = False) -> DType | None:
    """The ISA type of an SSA type (signed unless `unsigned`), or None if it has none. `index` counts as 64 bits."""
    match type:
        case IntegerType():
            name = "bool" if type.bitwidth == 1 else f"{'u' if unsigned else 'i'}{type.bitwidth}"
        case IndexType():
            name = "u64" if unsigned else "i64"
        case BFloat16Type():
            name = "bf16"
        case Float8E4M3FNType() | Float8E5M2Type():
            name = type.name
        case Float16Type() | Float32Type() | Float64Type():
            name = f"f{type.bitwidth}"
        case _:
            return None
    return DTYPES.get(name)


@irdl_attr_definition
class DTypeAttr(Angled, EnumAttribute[DTypeName]):
    """An ISA type: `#atlas.dtype<u32>`, printed bare (`u32`) inside instructions."""

    name = "atlas.dtype"

    @property
    def dtype(self) -> DType:
        return DTYPES[self.data]

    @staticmethod
    def of(dtype: DType) -> DTypeAttr:
        return DTypeAttr(DTypeName(dtype.name))


class Space(StrEnum):
    """The ISA's memory spaces."""

    global_ = "global"
    shared = "shared"
    local = "local"
    class_ = "class"
    pool = "pool"


@irdl_attr_definition
class SpaceAttr(Angled, EnumAttribute[Space]):
    """The memory space of a memref: `memref<128xf32, #atlas.space<shared>>`. No space means global."""

    name = "atlas.space"


@irdl_attr_definition
class PtrType(ParametrizedAttribute, TypeAttribute):
    """A typed pointer: an object (a buffer, a declared array, a pool, class memory) and a byte offset into it.

    `!atlas.ptr<f32, global>` is what `atlas.lea` makes and what loads, stores and atomics of its type take. It is never
    a bare integer, so an access is checked against the object that it came from.
    """

    name = "atlas.ptr"
    element: Attribute
    """The SSA type of what it points to."""
    space: SpaceAttr

    @staticmethod
    def of(dtype: DType, space: Space) -> PtrType:
        """A pointer to a value of `dtype`."""
        return PtrType(dtype.ir, SpaceAttr(space))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            start = parser.pos
            element = parser.parse_type()
            if dtype_of(element) is None or isinstance(element, IndexType):
                names = "a float of 8 to 64 bits, an integer of 8 to 4096 bits or i1"
                parse_error(parser, "atlas-pointer-element", f"a pointer is to {names}, not to {element}", at=start)
            parser.parse_punctuation(",")
            return [element, SpaceAttr(parser.parse_str_enum(Space))]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.element)
            printer.print_string(f", {self.space.data.value}")
