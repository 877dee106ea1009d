"""Memory operations of the llvm dialect: addresses, loads and stores with all of upstream's properties, atomics."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntAttr,
    IntegerAttr,
    SignlessIntegerConstraint,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.dialects.utils import parse_dynamic_index_list_without_types, print_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, Pure

from hologram.dialects.llvm.arithmetic import IntegerLike, PointerLike
from hologram.dialects.llvm.enums import (
    GEP_INBOUNDS,
    GEP_NUSW,
    GEP_NUW,
    GEP_USE_SSA_VAL,
)
from hologram.dialects.llvm.types import LLVMStructType
from hologram.errors import VerifyError

NOT_ATOMIC = IntegerAttr(0, i64)
POINTER = LLVMPointerType()


def pointer(space: int = 0) -> LLVMPointerType:
    """The pointer type of an address space."""
    return LLVMPointerType(IntAttr(space)) if space else LLVMPointerType()


@irdl_op_definition
class AllocaOp(IRDLOperation):
    """Memory on the stack for `array_size` values, until the function returns."""

    name = "llvm.alloca"

    array_size = operand_def(SignlessIntegerConstraint)
    alignment = opt_prop_def(IntegerAttr)
    elem_type = prop_def()
    inalloca = opt_prop_def(UnitAttr)
    res = result_def(LLVMPointerType)

    traits = traits_def(MemoryAllocEffect())

    def __init__(
        self,
        array_size: SSAValue,
        elem_type: Attribute,
        alignment: int | None = None,
        result_type: LLVMPointerType = POINTER,
    ):
        properties: dict[str, Attribute] = {"elem_type": elem_type}
        if alignment is not None:
            properties["alignment"] = IntegerAttr(alignment, i64)
        Operation.__init__(self, operands=(array_size,), result_types=(result_type,), properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> AllocaOp:
        inalloca = parser.parse_optional_keyword("inalloca")
        size = parser.parse_unresolved_operand()
        parser.parse_keyword("x")
        elem_type = parser.parse_type()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_function_type()
        properties: dict[str, Attribute] = {"elem_type": elem_type}
        if "alignment" in attributes:
            properties["alignment"] = attributes.pop("alignment")
        if inalloca:
            properties["inalloca"] = UnitAttr()
        operands = [parser.resolve_operand(size, type.inputs.data[0])]
        return cls.create(
            operands=operands, result_types=type.outputs.data, properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" inalloca " if self.inalloca is not None else " ")
        printer.print_ssa_value(self.array_size)
        printer.print_string(" x ")
        printer.print_attribute(self.elem_type)
        extra = {} if self.alignment is None else {"alignment": self.alignment}
        printer.print_op_attributes(self.attributes | extra)
        printer.print_string(" : ")
        printer.print_function_type([self.array_size.type], [self.res.type])


@irdl_op_definition
class GEPOp(IRDLOperation):
    """The address `indices` away from a pointer, in units of `elem_type` and then inside it; it reads no memory.

    Example::

        %q = llvm.getelementptr inbounds|nuw %p[%i, 3] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
    """

    name = "llvm.getelementptr"

    base = operand_def(PointerLike)
    dynamic_indices = var_operand_def(IntegerLike)
    raw_constant_indices = prop_def(DenseArrayBase.constr(i32), prop_name="rawConstantIndices")
    elem_type = prop_def()
    no_wrap_flags = prop_def(IntegerAttr, prop_name="noWrapFlags", default_value=IntegerAttr(0, i32))
    res = result_def(PointerLike)

    traits = traits_def(Pure())

    def __init__(
        self,
        base: SSAValue,
        indices: Sequence[int | SSAValue],
        elem_type: Attribute,
        flags: int = 0,
        result_type: Attribute | None = None,
    ):
        """`flags` are GEP_INBOUNDS, GEP_NUSW and GEP_NUW or'ed; the result has the base's type unless given."""
        raw = [index if isinstance(index, int) else GEP_USE_SSA_VAL for index in indices]
        Operation.__init__(
            self,
            operands=(base, *[index for index in indices if isinstance(index, SSAValue)]),
            result_types=(base.type if result_type is None else result_type,),
            properties={
                "rawConstantIndices": DenseArrayBase.from_list(i32, raw),
                "elem_type": elem_type,
                "noWrapFlags": IntegerAttr(flags, i32),
            },
        )

    def verify_(self) -> None:
        indices = self.raw_constant_indices.get_values()
        dynamic = sum(index == GEP_USE_SSA_VAL for index in indices)
        if dynamic != len(self.dynamic_indices):
            message = f"{dynamic} indices are operands, but there are {len(self.dynamic_indices)}"
            raise VerifyError("llvm-gep-index-count", message)
        type = self.elem_type
        for index in indices[1:]:
            type = self._inside(type, int(index))

    @staticmethod
    def _inside(type: Attribute, index: int) -> Attribute:
        if type.name == "llvm.array" or isinstance(type, VectorType):
            return type.type if type.name == "llvm.array" else type.element_type  # pyright: ignore
        if not isinstance(type, LLVMStructType):
            raise VerifyError("llvm-gep-index-type", f"an index can't go into {type}")
        if not 0 <= index < len(type.types.data):
            fields = len(type.types.data)
            raise VerifyError("llvm-gep-struct-index", f"the index into {type} must be a constant below {fields}")
        return type.types.data[index]

    @classmethod
    def parse(cls, parser: Parser) -> GEPOp:
        flags, word = 0, parser.parse_optional_keyword_in(_GEP_FLAGS)
        while word is not None:
            flags |= _GEP_FLAGS[word]
            more = parser.parse_optional_punctuation("|")
            word = parser.parse_keyword_in(_GEP_FLAGS) if more else None
        pointer = parser.parse_unresolved_operand()
        dynamic, raw = parse_dynamic_index_list_without_types(parser, GEP_USE_SSA_VAL)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_function_type()
        parser.parse_punctuation(",")
        elem_type = parser.parse_type()
        first, *rest = parser.resolve_operands([pointer, *dynamic], type.inputs.data, parser.pos)
        values = iter(rest)
        indices = [next(values) if index == GEP_USE_SSA_VAL else index for index in raw]
        op = cls(first, indices, elem_type, flags, type.outputs.data[0])
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        words = gep_flag_words(self.no_wrap_flags.value.data)
        printer.print_string(f" {'|'.join(words)} " if words else " ")
        printer.print_ssa_value(self.base)
        values = [int(v) for v in self.raw_constant_indices.get_values()]
        print_dynamic_index_list(printer, GEP_USE_SSA_VAL, self.dynamic_indices, values)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_function_type([v.type for v in self.operands], [self.res.type])
        printer.print_string(", ")
        printer.print_attribute(self.elem_type)


_GEP_FLAGS = {"inbounds": GEP_INBOUNDS, "inbounds_flag": 1, "nusw": GEP_NUSW, "nuw": GEP_NUW}


def gep_flag_words(flags: int) -> list[str]:
    """The words for a getelementptr's flags; `inbounds` says `nusw` too."""
    words = ["inbounds"] if flags & 1 else ["nusw"] if flags & GEP_NUSW else []
    return [*words, "nuw"] if flags & GEP_NUW else words
