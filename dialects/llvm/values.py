"""Constants, and operations on aggregates and vectors, of the llvm dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    SignlessIntegerConstraint,
    StringAttr,
    SymbolRefAttr,
    VectorType,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue, TypedAttribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure

from hologram.dialects.families import operation_of
from hologram.dialects.llvm.arithmetic import element_type
from hologram.dialects.llvm.memory import POINTER
from hologram.dialects.llvm.types import LLVMArrayType, LLVMStructType
from hologram.dialects.syntax import parse_typed, print_typed
from hologram.errors import parse_error


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A constant: an integer, float or string, a dense array or vector, or an array attribute for a struct's fields."""

    name = "llvm.mlir.constant"

    value = prop_def()
    result = result_def(AnyAttr())

    traits = traits_def(Pure(), ConstantLike())

    assembly_format = "`(` $value `)` attr-dict `:` type($result)"

    def __init__(self, value: Attribute, value_type: Attribute | None = None):
        """The type defaults to the attribute's own."""
        if value_type is None:
            assert isinstance(value, TypedAttribute)
            value_type = value.get_type()
        Operation.__init__(self, result_types=(value_type,), properties={"value": value})


class _NullaryOp(IRDLOperation):
    """A value that its type determines."""

    res = result_def(AnyAttr())

    traits = traits_def(Pure(), ConstantLike())

    assembly_format = "attr-dict `:` type($res)"

    def __init__(self, result_type: Attribute):
        Operation.__init__(self, result_types=(result_type,))


def _nullary(name: str, meaning: str) -> type[_NullaryOp]:
    return operation_of(_NullaryOp, f"llvm.mlir.{name}", meaning, module=__name__)


ZeroOp = _nullary("zero", "The zero, null or all-zero value of a type.")
UndefOp = _nullary("undef", "A value whose every use may be different.")
PoisonOp = _nullary("poison", "A value that must not matter.")


@irdl_op_definition
class AddressOfOp(IRDLOperation):
    """The address of a global or function."""

    name = "llvm.mlir.addressof"

    global_name = prop_def(SymbolRefAttr)
    result = result_def(LLVMPointerType)

    traits = traits_def(Pure(), ConstantLike())

    assembly_format = "$global_name attr-dict `:` type($result)"

    def __init__(self, global_name: str | SymbolRefAttr, result_type: LLVMPointerType = POINTER):
        name = SymbolRefAttr(StringAttr(global_name)) if isinstance(global_name, str) else global_name
        Operation.__init__(self, result_types=(result_type,), properties={"global_name": name})


# Aggregates


def _field(type: Attribute, position: Sequence[int]) -> Attribute | None:
    """The type at a position inside an aggregate type, or None if there is none."""
    for index in position:
        if isinstance(type, LLVMArrayType) and 0 <= index < type.size.data:
            type = type.type
        elif isinstance(type, LLVMStructType) and 0 <= index < len(type.types.data):
            type = type.types.data[index]
        else:
            return None
    return type


def _field_or_error(parser: Parser, type: Attribute, position: Sequence[int]) -> Attribute:
    field = _field(type, position)
    if field is None:
        parse_error(parser, "llvm-aggregate-position", f"{type} has nothing at position {list(position)}")
    return field


def _parse_position(parser: Parser) -> list[int]:
    return parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False, allow_negative=False)
    )


@irdl_op_definition
class ExtractValueOp(IRDLOperation):
    """A field of a struct or an element of an array, at a constant position."""

    name = "llvm.extractvalue"

    container = operand_def(AnyAttr())
    position = prop_def(DenseArrayBase.constr(i64))
    res = result_def(AnyAttr())

    traits = traits_def(Pure())

    def __init__(self, container: SSAValue, position: Sequence[int], result_type: Attribute | None = None):
        if result_type is None:
            result_type = _field(container.type, position)
            assert result_type is not None, "the position must be inside the aggregate"
        Operation.__init__(
            self,
            operands=(container,),
            result_types=(result_type,),
            properties={"position": DenseArrayBase.from_list(i64, position)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> ExtractValueOp:
        container = parser.parse_unresolved_operand()
        position = _parse_position(parser)
        attributes, type = parse_typed(parser)
        op = cls(parser.resolve_operand(container, type), position, _field_or_error(parser, type, position))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.container)
        printer.print_string(str(list(self.position.iter_values())))
        print_typed(printer, self.attributes, self.container.type)


@irdl_op_definition
class InsertValueOp(IRDLOperation):
    """An aggregate with one field or element replaced."""

    name = "llvm.insertvalue"

    T: ClassVar = VarConstraint("T", AnyAttr())

    container = operand_def(T)
    value = operand_def(AnyAttr())
    position = prop_def(DenseArrayBase.constr(i64))
    res = result_def(T)

    traits = traits_def(Pure())

    def __init__(self, container: SSAValue, value: SSAValue, position: Sequence[int]):
        Operation.__init__(
            self,
            operands=(container, value),
            result_types=(container.type,),
            properties={"position": DenseArrayBase.from_list(i64, position)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> InsertValueOp:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        container = parser.parse_unresolved_operand()
        position = _parse_position(parser)
        attributes, type = parse_typed(parser)
        field = _field_or_error(parser, type, position)
        op = cls(parser.resolve_operand(container, type), parser.resolve_operand(value, field), position)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list((self.value, self.container), printer.print_ssa_value)
        printer.print_string(str(list(self.position.iter_values())))
        print_typed(printer, self.attributes, self.container.type)


# Vectors


@irdl_op_definition
class ExtractElementOp(IRDLOperation):
    """One element of a vector."""

    name = "llvm.extractelement"

    T: ClassVar = VarConstraint("T", AnyAttr())

    vector = operand_def(VectorType.constr(T))
    position = operand_def(SignlessIntegerConstraint)
    res = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)"

    def __init__(self, vector: SSAValue, position: SSAValue):
        Operation.__init__(self, operands=(vector, position), result_types=(element_type(vector.type),))


def integer_constant(value: int, type: IntegerType) -> ConstantOp:
    """A constant of an integer type, wrapped into its signed range: the form that prints and parses again."""
    bits = type.width.data
    wrapped = ((value + (1 << (bits - 1))) % (1 << bits)) - (1 << (bits - 1)) if bits > 1 else value & 1
    return ConstantOp(IntegerAttr(wrapped, type), type)
