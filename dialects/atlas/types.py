"""The ISA's types (isa.md section 2) as one table, and the attributes that name them in IR.

SSA values are signless, as upstream; an instruction's `type` property says how its operands are read.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import auto
from functools import cached_property
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float8E4M3FNType,
    Float8E5M2Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    f8E4M3FN,
    f8E5M2,
    f16,
    f32,
    f64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from hologram.dialects.lazy import np
from hologram.errors import parse_error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


class DTypeName(StrEnum):
    """The names of the ISA's types, as they stand in assembly."""

    f16 = auto()
    bf16 = auto()
    f32 = auto()
    f64 = auto()
    i8 = auto()
    i16 = auto()
    i32 = auto()
    i64 = auto()
    i128 = auto()
    i256 = auto()
    i512 = auto()
    i1024 = auto()
    i2048 = auto()
    i4096 = auto()
    u8 = auto()
    u16 = auto()
    u32 = auto()
    u64 = auto()
    u128 = auto()
    u256 = auto()
    u512 = auto()
    u1024 = auto()
    u2048 = auto()
    u4096 = auto()
    bool = auto()
    f8E4M3FN = "f8E4M3FN"
    f8E5M2 = "f8E5M2"


_FLOATS: dict[str, TypeAttribute] = {
    "f16": f16, "bf16": BFloat16Type(), "f32": f32, "f64": f64, "f8E4M3FN": f8E4M3FN, "f8E5M2": f8E5M2,
}  # fmt: skip
_EXTENDED = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}
"""What ml_dtypes calls the types that numpy has not."""


@dataclass(frozen=True)
class DType:
    """One ISA type: its name (`f32`, `u64`, `bool`), its kind and its width in bits."""

    name: str
    kind: str
    """`float`, `signed`, `unsigned` or `bool`."""
    bits: int

    @cached_property
    def ir(self) -> TypeAttribute:
        """The signless SSA type."""
        if self.kind != "float":
            return IntegerType(self.bits)
        return _FLOATS[self.name]

    @property
    def bytes(self) -> int:
        """The bytes of a value in memory; bool takes one."""
        return max(self.bits // 8, 1)

    @property
    def alignment(self) -> int:
        """What the byte offset of an access is a multiple of."""
        return min(self.bytes, 8)

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def is_integer(self) -> bool:
        return self.kind in ("signed", "unsigned")

    @property
    def is_unsigned(self) -> bool:
        return self.kind in ("unsigned", "bool")

    @cached_property
    def numpy(self) -> Any:
        """The numpy dtype of the values as the instruction reads them; Python integers beyond 64 bits."""
        if self.name in _EXTENDED:
            import ml_dtypes

            return np.dtype(getattr(ml_dtypes, _EXTENDED[self.name]))
        if self.kind == "bool":
            return np.dtype(np.bool_)
        if self.bits > 64:
            return np.dtype(object)
        return np.dtype({"float": "f", "signed": "i", "unsigned": "u"}[self.kind] + str(self.bits // 8))

    @cached_property
    def least(self) -> int | float:
        """The identity of max: the least value, -inf for floats."""
        return -float("inf") if self.is_float else -(1 << (self.bits - 1)) if self.kind == "signed" else 0

    @cached_property
    def greatest(self) -> int | float:
        """The identity of min: the greatest value, +inf for floats."""
        if self.is_float:
            return float("inf")
        return (1 << (self.bits - 1)) - 1 if self.kind == "signed" else (1 << self.bits) - 1


def _parse(name: str) -> DType:
    if name == "bool":
        return DType(name, "bool", 1)
    if name.startswith("f8"):
        return DType(name, "float", 8)
    bits = int(name.lstrip("bfiu"))
    return DType(name, {"b": "float", "f": "float", "i": "signed", "u": "unsigned"}[name[0]], bits)


DTYPES: dict[str, DType] = {str(name): _parse(str(name)) for name in DTypeName}
"""Every ISA type by name."""

STORED = frozenset({"f8E4M3FN", "f8E5M2"})
"""Floats that are moved and converted, and widened in sums, products, softmax and norms; scalar instructions do not
compute with them, nor do reductions of a lane."""
FLOATS = frozenset(name for name, t in DTYPES.items() if t.is_float) - STORED
SIGNED = frozenset(name for name, t in DTYPES.items() if t.kind == "signed")
UNSIGNED = frozenset(name for name, t in DTYPES.items() if t.kind == "unsigned")
INTEGERS = SIGNED | UNSIGNED
NUMBERS = FLOATS | INTEGERS
BOOL = frozenset({"bool"})
ALL = NUMBERS | BOOL | STORED
SUMS = ("add", "mul")
"""The kinds of reductions that widen floats below 32 bits."""


LARGEST = {
    "f8E4M3FN": 448.0, "f8E5M2": 57344.0, "f16": 65504.0, "bf16": float.fromhex("0x1.fep127"),
    "f32": float.fromhex("0x1.fffffep127"), "f64": float.fromhex("0x1.fffffffffffffp1023"),
}  # fmt: skip
"""The greatest finite number of each float type."""


def widened(dtype: DType) -> DType:
    """What sums, products, softmax and norms of a type are computed in: f32 at least for floats (isa.md section 3)."""
    return DTYPES["f32"] if dtype.is_float and dtype.bits < 32 else dtype


def working_type(kind: str, dtype: DType) -> DType:
    """The type that a reduction by a kind (`add`, `min.nan`) combines elements of a type in."""
    return widened(dtype) if kind in SUMS else dtype


def reduced_types(kind: str) -> frozenset[str]:
    """The types that a reduction by a kind is defined for."""
    return NUMBERS | STORED if kind in SUMS else NUMBERS


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
class DTypeAttr(EnumAttribute[DTypeName]):
    """An ISA type: `#atlas.dtype<u32>`, printed bare (`u32`) inside instructions."""

    name = "atlas.dtype"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> DTypeName:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)

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
class SpaceAttr(EnumAttribute[Space]):
    """The memory space of a memref: `memref<128xf32, #atlas.space<shared>>`. No space means global."""

    name = "atlas.space"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Space:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


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
