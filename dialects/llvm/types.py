"""The types of the llvm dialect. Those that nest are ours: upstream prints what is inside them without its `!llvm.`
prefix, and knows packed and opaque structs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IntAttr,
    IntegerType,
    NoneAttr,
    Signedness,
    StringAttr,
    UnitAttr,
    VectorType,
)
from xdsl.dialects.llvm import LLVMPointerType, LLVMVoidType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hologram.errors import VerifyError, parse_error

_BARE = ("token", "metadata", "label", "x86_amx", "target")
"""The types of `metadata.py` that are written without `!llvm.` inside another one."""
_FLOATS = (Float16Type, BFloat16Type, Float32Type, Float64Type, Float80Type, Float128Type)


_COMPATIBLE = ("llvm.ptr", "llvm.array", "llvm.struct", "llvm.func", "llvm.ppc_fp128", *(f"llvm.{w}" for w in _BARE))


def parse_type(parser: AttrParser) -> Attribute:
    """Parse a type inside another llvm type, where `!llvm.` may be left out."""
    for kind in (LLVMVoidType, LLVMPointerType, LLVMArrayType, LLVMStructType, LLVMFunctionType):
        if parser.parse_optional_keyword(kind.name.removeprefix("llvm.")):
            return kind.new(kind.parse_parameters(parser))
    if (word := parser.parse_optional_keyword_in(_BARE)) is not None:
        found = parser.ctx.get_type(f"llvm.{word}")
        assert issubclass(found, ParametrizedAttribute)
        return found.new(found.parse_parameters(parser))
    return parser.parse_type()


def print_type(printer: Printer, type: Attribute) -> None:
    """Print a type inside another llvm type, without `!llvm.` as upstream does."""
    is_ours = isinstance(type, LLVMVoidType | LLVMPointerType | LLVMArrayType | LLVMStructType | LLVMFunctionType)
    if isinstance(type, ParametrizedAttribute) and (is_ours or type.name.removeprefix("llvm.") in _BARE):
        printer.print_string(type.name.removeprefix("llvm."))
        type.print_parameters(printer)
    else:
        printer.print_attribute(type)


@irdl_attr_definition
class LLVMArrayType(ParametrizedAttribute, TypeAttribute):
    """`!llvm.array<4 x f32>`."""

    name = "llvm.array"

    size: IntAttr = param_def(converter=IntAttr.get)
    type: Attribute

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.size.data} x ")
            print_type(printer, self.type)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> tuple[IntAttr, Attribute]:
        with parser.in_angle_brackets():
            size = IntAttr(parser.parse_integer(allow_boolean=False, allow_negative=False))
            parser.parse_shape_delimiter()
            return size, parse_type(parser)


@irdl_attr_definition
class LLVMStructType(ParametrizedAttribute, TypeAttribute):
    """`!llvm.struct<(i32, f32)>`, packed `!llvm.struct<packed (i8, i32)>`, named `!llvm.struct<"name", (i32)>`, or
    opaque `!llvm.struct<"name", opaque>`."""

    name = "llvm.struct"

    struct_name: StringAttr
    """Empty for a struct without a name."""
    types: ArrayAttr[Attribute]
    packed: UnitAttr | NoneAttr
    opaque: UnitAttr | NoneAttr

    def __init__(
        self,
        struct_name: StringAttr | str,
        types: ArrayAttr[Attribute] | Sequence[Attribute],
        packed: bool = False,
        opaque: bool = False,
    ):
        name = StringAttr(struct_name) if isinstance(struct_name, str) else struct_name
        fields = types if isinstance(types, ArrayAttr) else ArrayAttr(types)
        super().__init__(name, fields, UnitAttr() if packed else NoneAttr(), UnitAttr() if opaque else NoneAttr())

    @staticmethod
    def from_type_list(types: Sequence[Attribute], packed: bool = False) -> LLVMStructType:
        """Return a struct without a name."""
        return LLVMStructType("", types, packed)

    @property
    def is_packed(self) -> bool:
        return isinstance(self.packed, UnitAttr)

    @property
    def is_opaque(self) -> bool:
        return isinstance(self.opaque, UnitAttr)

    def verify(self) -> None:
        if self.is_opaque and (self.types.data or not self.struct_name.data):
            raise VerifyError("llvm-struct-opaque", "an opaque struct has a name and no fields")

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            if self.struct_name.data:
                printer.print_string_literal(self.struct_name.data)
                printer.print_string(", ")
            if self.is_opaque:
                printer.print_string("opaque")
                return
            if self.is_packed:
                printer.print_string("packed ")
            with printer.in_parens():
                printer.print_list(self.types.data, lambda t: print_type(printer, t))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            name = parser.parse_optional_str_literal()
            if name is not None:
                parser.parse_punctuation(",")
                if parser.parse_optional_keyword("opaque"):
                    return StringAttr(name), ArrayAttr[Attribute](()), NoneAttr(), UnitAttr()
            packed = parser.parse_optional_keyword("packed")
            fields = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parse_type(parser))
        return StringAttr(name or ""), ArrayAttr(fields), UnitAttr() if packed else NoneAttr(), NoneAttr()


@irdl_attr_definition
class LLVMFunctionType(ParametrizedAttribute, TypeAttribute):
    """`!llvm.func<f32 (ptr, i64, ...)>`."""

    name = "llvm.func"

    inputs: ArrayAttr[Attribute]
    output: Attribute
    variadic: UnitAttr | NoneAttr

    def __init__(
        self,
        inputs: Sequence[Attribute] | ArrayAttr[Attribute],
        output: Attribute | None = None,
        is_variadic: bool = False,
    ):
        super().__init__(
            inputs if isinstance(inputs, ArrayAttr) else ArrayAttr(inputs),
            LLVMVoidType() if output is None else output,
            UnitAttr() if is_variadic else NoneAttr(),
        )

    @property
    def is_variadic(self) -> bool:
        return isinstance(self.variadic, UnitAttr)

    def verify(self) -> None:
        for number, type in enumerate(self.inputs):
            if not is_compatible_type(type):
                raise VerifyError(
                    "llvm-function-argument-type", f"argument {number} of an llvm function can't be of type {type}"
                )
        if not isinstance(self.output, LLVMVoidType) and not is_compatible_type(self.output):
            raise VerifyError("llvm-function-result-type", f"an llvm function can't return type {self.output}")

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_type(printer, self.output)
            printer.print_string(" ")
            with printer.in_parens():
                printer.print_list(self.inputs, lambda t: print_type(printer, t))
                if self.is_variadic:
                    printer.print_string(", ..." if self.inputs.data else "...")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def parse_input() -> Attribute | None:
            return None if parser.parse_optional_punctuation("...") else parse_type(parser)

        with parser.in_angle_brackets():
            output = parse_type(parser)
            inputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_input)
        variadic = bool(inputs) and inputs[-1] is None
        fixed = [t for t in inputs if t is not None]
        if len(fixed) != len(inputs) - variadic:
            parse_error(parser, "llvm-variadic-not-last", "`...` must be the last of the arguments")
        return ArrayAttr(fixed), output, UnitAttr() if variadic else NoneAttr()


def is_compatible_type(type: Attribute) -> bool:
    """Return whether a value of the llvm dialect can have this type: upstream's `isCompatibleType`."""
    if isinstance(type, IntegerType):
        return cast("Any", type).signedness.data == Signedness.SIGNLESS
    if isinstance(type, VectorType):
        vector = cast("VectorType[Attribute]", type)
        return vector.get_num_dims() == 1 and is_compatible_type(vector.element_type)
    # By name, so that the types of the stock dialect count too.
    return isinstance(type, _FLOATS) or type.name in _COMPATIBLE
