"""Lane-level memory: typed loads and stores of each space, and the arrays that a program declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from xdsl.dialects.builtin import IndexType, MemRefType, i64
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.irdl import (
    EqAttrConstraint,
    IRDLOperation,
    Operand,
    VarOperand,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.atlas.form import Form
from hologram.dialects.atlas.instruction import parse_dtype
from hologram.dialects.atlas.types import ALL, DType, DTypeAttr, Space, SpaceAttr
from hologram.dialects.shapes import is_memref
from hologram.errors import VerifyError

INDEX = EqAttrConstraint(i64) | EqAttrConstraint(IndexType())
"""An index of a memory access: i64 or index."""


class MemoryOp(IRDLOperation):
    """The base of typed loads and stores of one space; indices count elements (i64 or index), one for each axis."""

    SPACE: ClassVar[Space]
    if TYPE_CHECKING:  # declared by each row
        type: DTypeAttr
        memref: Operand
        indices: VarOperand

    def verify_access(self) -> None:
        """The memref's element, rank and space fit."""
        memref, element = self.memref.type, self.type.dtype.ir
        if not is_memref(memref) or memref.element_type != element:
            raise VerifyError(
                "atlas-access-type", f"'{self.name}' of {self.type.data} needs a memref of {element}, found {memref}"
            )
        if len(self.indices) != len(memref.get_shape()):
            raise VerifyError("atlas-access-rank", f"'{self.name}' has {len(self.indices)} indices for {memref}")
        if space_of(memref) != self.SPACE:
            raise VerifyError(
                "atlas-access-space",
                f"'{self.name}' reaches {self.SPACE.value} memory, found {memref}",
                hint=f"the space is #atlas.space<{space_of(memref).value}>",
            )


def space_of(memref: MemRefType[Attribute]) -> Space:
    """The ISA's space of a memref; none means global."""
    return memref.memory_space.data if isinstance(memref.memory_space, SpaceAttr) else Space.global_


def _parse_place(parser: Parser) -> tuple[SSAValue, list[SSAValue]]:
    """Parses `%m[%i, %j : i64, index] : memref<...>`."""
    base = parser.parse_unresolved_operand()
    parser.parse_punctuation("[")
    indices: list[SSAValue] = []
    if parser.parse_optional_punctuation("]") is None:
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        parser.parse_punctuation(":")
        start = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        indices = list(parser.resolve_operands(names, types, start))
        parser.parse_punctuation("]")
    parser.parse_punctuation(":")
    return parser.resolve_operand(base, parser.parse_type()), indices


def _print_place(printer: Printer, base: SSAValue, indices: Sequence[SSAValue]) -> None:
    printer.print_ssa_value(base)
    printer.print_string("[")
    if indices:
        printer.print_list(indices, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([v.type for v in indices], printer.print_attribute)
    printer.print_string("] : ")
    printer.print_attribute(base.type)


class LoadOp(MemoryOp):
    """The base of `ldg`, `lds`, `ldl`."""

    if TYPE_CHECKING:
        result: OpResult

    def __init__(self, dtype: DType, memref: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(operands=[memref, indices], result_types=[dtype.ir], properties={"type": DTypeAttr.of(dtype)})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        dtype = parse_dtype(parser)
        base, indices = _parse_place(parser)
        op = cls(dtype, base, indices)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.type.data} ")
        _print_place(printer, self.memref, self.indices)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        self.verify_access()
        if self.result.type != self.type.dtype.ir:
            raise VerifyError(
                "atlas-load-type",
                f"'{self.name}' of {self.type.data} gives {self.type.dtype.ir}, not {self.result.type}",
            )


class StoreOp(MemoryOp):
    """The base of `stg`, `sts`, `stl`."""

    if TYPE_CHECKING:
        value: Operand

    def __init__(self, dtype: DType, value: SSAValue | Operation, memref: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(operands=[value, memref, indices], properties={"type": DTypeAttr.of(dtype)})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        dtype = parse_dtype(parser)
        value = parser.resolve_operand(parser.parse_unresolved_operand(), dtype.ir)
        parser.parse_punctuation(",")
        base, indices = _parse_place(parser)
        op = cls(dtype, value, base, indices)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.type.data} ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        _print_place(printer, self.memref, self.indices)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        self.verify_access()
        if self.value.type != self.type.dtype.ir:
            raise VerifyError(
                "atlas-store-type",
                f"'{self.name}' of {self.type.data} stores {self.type.dtype.ir}, found {self.value.type}",
            )


_PLACES = {True: "=d:T address:[{0}]", False: "address:[{0}] value:T"}


def _memory_op(name: str, base: type[MemoryOp], space: Space, doc: str) -> type[Any]:
    """Makes a load or store class: a row of the memory family."""
    is_load = issubclass(base, LoadOp)
    memref = "memref<?xf32>" if space is Space.global_ else f"memref<128xf32, #atlas.space<{space.value}>>"
    example = f"atlas.{name} f32 {'' if is_load else '%v, '}%m[%i : i64] : {memref}"
    namespace: dict[str, Any] = {
        "name": f"atlas.{name}",
        "__doc__": f"{doc}\n\nExample::\n\n    {'%v = ' if is_load else ''}{example}\n",
        "__module__": __name__,
        "SPACE": space,
        "FORM": Form(name, _PLACES[is_load].format(space.value), {"type": ALL}),
        "__annotations__": {"SPACE": ClassVar[Space], "FORM": ClassVar[Form]},
        "type": prop_def(DTypeAttr),
    }
    if not is_load:
        namespace["value"] = operand_def()
    namespace |= {"memref": operand_def(MemRefType), "indices": var_operand_def(INDEX)}
    if is_load:
        namespace["result"] = result_def()
    return irdl_op_definition(type(name.capitalize() + "Op", (base,), namespace))


LdgOp = _memory_op("ldg", LoadOp, Space.global_, "Loads from global memory.")
StgOp = _memory_op("stg", StoreOp, Space.global_, "Stores to global memory.")
LdsOp = _memory_op("lds", LoadOp, Space.shared, "Loads from the block's shared memory.")
StsOp = _memory_op("sts", StoreOp, Space.shared, "Stores to the block's shared memory.")
LdlOp = _memory_op("ldl", LoadOp, Space.local, "Loads from the lane's local memory.")
StlOp = _memory_op("stl", StoreOp, Space.local, "Stores to the lane's local memory.")


@irdl_op_definition
class AllocaOp(IRDLOperation):
    """Declares a typed array of shared memory (one a block) or local memory (one a lane), uninitialised.

    Example::

        %s = atlas.alloca : memref<128xf32, #atlas.space<shared>>
    """

    name = "atlas.alloca"
    result = result_def(MemRefType)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, type: MemRefType[Attribute]):
        super().__init__(result_types=[type])

    def verify_(self) -> None:
        memref = self.result.type
        static = is_memref(memref) and memref.has_static_shape()
        if not static or space_of(memref) not in (Space.shared, Space.local):
            raise VerifyError("atlas-alloca", f"'atlas.alloca' declares static shared or local memory, found {memref}")
