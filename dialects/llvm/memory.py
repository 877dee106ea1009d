"""Memory operations of the llvm dialect, with all of upstream's properties: addresses, loads and stores, atomics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntAttr,
    IntegerAttr,
    IntegerType,
    SignlessIntegerConstraint,
    StringAttr,
    UnitAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.dialects.utils import parse_dynamic_index_list_without_types, print_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
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
from xdsl.traits import MemoryAllocEffect, MemoryReadEffect, MemoryWriteEffect, Pure

from hologram.dialects.llvm.arithmetic import IntegerLike, PointerLike
from hologram.dialects.llvm.enums import (
    ATOMIC_OPERATIONS,
    GEP_INBOUNDS,
    GEP_NUSW,
    GEP_NUW,
    GEP_USE_SSA_VAL,
    ORDERING_NUMBERS,
    ORDERINGS,
)
from hologram.dialects.llvm.properties import alignment_of, given, take_properties
from hologram.dialects.llvm.types import LLVMStructType
from hologram.dialects.syntax import parse_several, print_typed
from hologram.errors import VerifyError

NOT_ATOMIC = IntegerAttr(0, i64)


def ordering(order: str | int) -> IntegerAttr[IntegerType]:
    """Return an atomic ordering, given by upstream's word or number, as the attribute that operations hold."""
    return IntegerAttr(ORDERING_NUMBERS[order] if isinstance(order, str) else order, i64)


def access_properties(
    alignment: int | None, volatile: bool, order: str | int, syncscope: str | None, nontemporal: bool = False
) -> dict[str, Attribute]:
    """Return the properties that accesses share."""
    return given(
        ordering=ordering(order) if order else NOT_ATOMIC,
        alignment=alignment_of(alignment),
        volatile_=volatile,
        nontemporal=nontemporal,
        syncscope=None if syncscope is None else StringAttr(syncscope),
    )


def _parse_flags(parser: Parser, words: Mapping[str, str]) -> dict[str, Attribute]:
    """Parse the unit properties whose words stand here, in order: `{property: word}`."""
    return {name: UnitAttr() for name, word in words.items() if parser.parse_optional_keyword(word)}


def _print_flags(printer: Printer, op: Operation, words: Mapping[str, str]) -> None:
    for name, word in words.items():
        if name in op.properties:
            printer.print_string(f" {word}")


def _parse_orderings(parser: Parser, names: Sequence[str]) -> dict[str, Attribute]:
    """Parse an optional scope and the orderings of some properties."""
    properties: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("syncscope"):
        with parser.in_parens():
            properties["syncscope"] = StringAttr(parser.parse_str_literal())
    return properties | {name: ordering(parser.parse_keyword_in(ORDERING_NUMBERS)) for name in names}


def _print_orderings(printer: Printer, op: Operation, names: Sequence[str]) -> None:
    if isinstance(scope := op.properties.get("syncscope"), StringAttr):
        printer.print_string(" syncscope")
        with printer.in_parens():
            printer.print_string_literal(scope.data)
    for name in names:
        printer.print_string(f" {ORDERINGS[cast('Any', op.properties[name]).value.data]}")


class AliasedOp(IRDLOperation):
    """An access with what is known of the memory that it may share with others."""

    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)


class AccessOp(AliasedOp):
    """An access of one value, which may be atomic. All accesses have one custom syntax."""

    BEFORE: ClassVar[Mapping[str, str]] = {"volatile_": "volatile"}
    """The unit properties whose words stand before the operands."""
    AFTER: ClassVar[Mapping[str, str]] = {}
    """The unit properties whose words stand behind the operands and orderings."""
    ORDERINGS: ClassVar[Sequence[str]] = ("ordering",)
    """The properties that are orderings."""

    alignment = opt_prop_def(IntegerAttr)
    volatile_ = opt_prop_def(UnitAttr)
    syncscope = opt_prop_def(StringAttr)

    @classmethod
    def parse_operation(cls, parser: Parser) -> dict[str, Attribute]:
        """Parse the word of what an access does to memory, if it has one."""
        return {}

    def print_operation(self, printer: Printer) -> None:
        """Print what `parse_operation` parses."""

    @classmethod
    def parse_order(cls, parser: Parser) -> dict[str, Attribute]:
        """Parse the scope and the orderings."""
        return _parse_orderings(parser, cls.ORDERINGS)

    def print_order(self, printer: Printer) -> None:
        """Print what `parse_order` parses."""
        _print_orderings(printer, self, self.ORDERINGS)

    @classmethod
    def parse_results(cls, parser: Parser, operands: Sequence[SSAValue]) -> Sequence[Attribute]:
        """Return the types of the results, of which the last may stand here."""
        return ()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties = _parse_flags(parser, cls.BEFORE) | cls.parse_operation(parser)
        names = parse_several(parser, parser.parse_unresolved_operand)
        properties |= cls.parse_order(parser) | _parse_flags(parser, cls.AFTER)
        attributes = parser.parse_optional_attr_dict()
        properties |= take_properties(cls, attributes)
        parser.parse_punctuation(":")
        types = parse_several(parser, parser.parse_type)
        # Operands without a type of their own have that of the one before.
        operands = parser.resolve_operands(names, [*types, *types[-1:] * (len(names) - len(types))], parser.pos)
        results = cls.parse_results(parser, operands)
        return cls.create(operands=operands, result_types=results, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        _print_flags(printer, self, self.BEFORE)
        printer.print_string(" ")
        self.print_operation(printer)
        printer.print_list(self.operands, printer.print_ssa_value)
        self.print_order(printer)
        _print_flags(printer, self, self.AFTER)
        hidden = (*self.BEFORE, *self.AFTER, *self.ORDERINGS, "syncscope", "bin_op")
        print_typed(printer, self.properties | self.attributes, *[v.type for v in self.operands[:2]], hidden=hidden)


class _LoadStoreOp(AccessOp):
    nontemporal = opt_prop_def(UnitAttr)
    invariant_group = opt_prop_def(UnitAttr, prop_name="invariantGroup")
    ordering = prop_def(IntegerAttr, default_value=NOT_ATOMIC)

    AFTER: ClassVar[Mapping[str, str]] = {"invariantGroup": "invariant_group"}

    @classmethod
    def parse_order(cls, parser: Parser) -> dict[str, Attribute]:
        atomic = parser.parse_optional_keyword("atomic")
        return super().parse_order(parser) if atomic else {"ordering": NOT_ATOMIC}

    def print_order(self, printer: Printer) -> None:
        if self.ordering != NOT_ATOMIC:
            printer.print_string(" atomic")
            super().print_order(printer)


@irdl_op_definition
class LoadOp(_LoadStoreOp):
    """Reads a value from memory."""

    name = "llvm.load"

    AFTER: ClassVar[Mapping[str, str]] = {"invariant": "invariant", "invariantGroup": "invariant_group"}

    addr = operand_def(LLVMPointerType)
    invariant = opt_prop_def(UnitAttr)
    dereferenceable = opt_prop_def()
    res = result_def(AnyAttr())

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        addr: SSAValue,
        result_type: Attribute,
        alignment: int | None = None,
        volatile: bool = False,
        nontemporal: bool = False,
        invariant: bool = False,
        ordering: str | int = 0,
        syncscope: str | None = None,
    ):
        properties = access_properties(alignment, volatile, ordering, syncscope, nontemporal)
        properties |= given(invariant=invariant)
        Operation.__init__(self, operands=(addr,), result_types=(result_type,), properties=properties)

    @classmethod
    def parse_results(cls, parser: Parser, operands: Sequence[SSAValue]) -> Sequence[Attribute]:
        parser.parse_punctuation("->")
        return (parser.parse_type(),)

    def print(self, printer: Printer) -> None:
        super().print(printer)
        printer.print_string(" -> ")
        printer.print_attribute(self.res.type)


@irdl_op_definition
class StoreOp(_LoadStoreOp):
    """Writes a value to memory."""

    name = "llvm.store"

    value = operand_def(AnyAttr())
    addr = operand_def(LLVMPointerType)

    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        value: SSAValue,
        addr: SSAValue,
        alignment: int | None = None,
        volatile: bool = False,
        nontemporal: bool = False,
        ordering: str | int = 0,
        syncscope: str | None = None,
    ):
        properties = access_properties(alignment, volatile, ordering, syncscope, nontemporal)
        Operation.__init__(self, operands=(value, addr), properties=properties)


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

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "(`inalloca` $inalloca^)? $array_size `x` $elem_type attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        array_size: SSAValue,
        elem_type: Attribute,
        alignment: int | None = None,
        result_type: LLVMPointerType = POINTER,
    ):
        properties = given(elem_type=elem_type, alignment=alignment_of(alignment))
        Operation.__init__(self, operands=(array_size,), result_types=(result_type,), properties=properties)

    def __post_init__(self) -> None:
        super().__post_init__()
        # An alignment of 0 is that of the type, as if there were none.
        if isinstance(given := self.properties.get("alignment"), IntegerAttr) and not given.value.data:
            del self.properties["alignment"]


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


@irdl_op_definition
class AtomicRMWOp(AccessOp):
    """Replaces a value in memory by a function of it and an operand, in one step; gives the old value."""

    name = "llvm.atomicrmw"

    T: ClassVar = VarConstraint("T", AnyAttr())

    ptr = operand_def(LLVMPointerType)
    val = operand_def(T)
    bin_op = prop_def(IntegerAttr)
    ordering = prop_def(IntegerAttr)
    res = result_def(T)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        bin_op: str | int,
        ptr: SSAValue,
        val: SSAValue,
        ordering: str | int,
        syncscope: str | None = None,
        alignment: int | None = None,
        volatile: bool = False,
    ):
        """`bin_op` is upstream's word or number: xchg add sub _and nand _or _xor max min umax umin fadd fsub ..."""
        number = ATOMIC_OPERATIONS.index(bin_op) if isinstance(bin_op, str) else bin_op
        properties = access_properties(alignment, volatile, ordering, syncscope)
        properties["bin_op"] = IntegerAttr(number, i64)
        Operation.__init__(self, operands=(ptr, val), result_types=(val.type,), properties=properties)

    @classmethod
    def parse_operation(cls, parser: Parser) -> dict[str, Attribute]:
        word = parser.parse_keyword_in(ATOMIC_OPERATIONS)
        return {"bin_op": IntegerAttr(ATOMIC_OPERATIONS.index(word), i64)}

    def print_operation(self, printer: Printer) -> None:
        printer.print_string(f"{ATOMIC_OPERATIONS[self.bin_op.value.data]} ")

    @classmethod
    def parse_results(cls, parser: Parser, operands: Sequence[SSAValue]) -> Sequence[Attribute]:
        return (operands[-1].type,)


@irdl_op_definition
class AtomicCmpXchgOp(AccessOp):
    """Replaces a value in memory if it equals another; gives the old value and whether it did."""

    name = "llvm.cmpxchg"

    BEFORE: ClassVar[Mapping[str, str]] = {"weak": "weak", "volatile_": "volatile"}
    ORDERINGS: ClassVar[Sequence[str]] = ("success_ordering", "failure_ordering")
    T: ClassVar = VarConstraint("T", AnyAttr())

    ptr = operand_def(LLVMPointerType)
    cmp = operand_def(T)
    val = operand_def(T)
    success_ordering = prop_def(IntegerAttr)
    failure_ordering = prop_def(IntegerAttr)
    weak = opt_prop_def(UnitAttr)
    res = result_def(LLVMStructType)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        ptr: SSAValue,
        cmp: SSAValue,
        val: SSAValue,
        success_ordering: str | int,
        failure_ordering: str | int,
        syncscope: str | None = None,
        alignment: int | None = None,
        weak: bool = False,
        volatile: bool = False,
    ):
        properties = access_properties(alignment, volatile, success_ordering, syncscope)
        properties["success_ordering"] = properties.pop("ordering")
        properties |= given(failure_ordering=ordering(failure_ordering), weak=weak)
        result = LLVMStructType.from_type_list([val.type, i1])
        Operation.__init__(self, operands=(ptr, cmp, val), result_types=(result,), properties=properties)

    @classmethod
    def parse_results(cls, parser: Parser, operands: Sequence[SSAValue]) -> Sequence[Attribute]:
        return (LLVMStructType.from_type_list([operands[-1].type, i1]),)


@irdl_op_definition
class FenceOp(IRDLOperation):
    """Orders the memory accesses before it and after it."""

    name = "llvm.fence"

    ordering = prop_def(IntegerAttr)
    syncscope = opt_prop_def(StringAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, ordering: str | int, syncscope: str | None = None):
        Operation.__init__(self, properties=access_properties(None, False, ordering, syncscope))

    @classmethod
    def parse(cls, parser: Parser) -> FenceOp:
        properties = _parse_orderings(parser, ("ordering",))
        return cls.create(properties=properties, attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        _print_orderings(printer, self, ("ordering",))
        printer.print_op_attributes(self.attributes)
