"""The memref dialect: xDSL's operations and those of upstream that it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects import memref as xdsl_memref
from xdsl.dialects.builtin import (
    AffineMapAttr,
    BoolAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
    UnrankedMemRefType,
    i32,
    i64,
)
from xdsl.dialects.memref import MemRef as XdslMemRef
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    Pure,
)

from hologram.dialects.custom.rows import RowDialect
from hologram.dialects.families import defined, over_stock
from hologram.dialects.syntax import parse_typed, print_typed
from hologram.errors import VerifyError


def _element(memref: Attribute) -> Attribute:
    assert isinstance(memref, MemRefType)
    return memref.element_type  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


@irdl_op_definition
class GenericAtomicRMWOp(IRDLOperation):
    """Replaces an element by what its region makes of it, in one atomic step; the result is the old element.

    The region may run several times and must have no effects.

    ::

        %old = "memref.generic_atomic_rmw"(%m, %i) ({
        ^bb0(%x: f32):
          %y = arith.mulf %x, %c : f32
          "memref.atomic_yield"(%y) : (f32) -> ()
        }) : (memref<8xf32>, index) -> f32
    """

    name = "memref.generic_atomic_rmw"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    result = result_def()
    atomic_body = region_def("single_block")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, memref: SSAValue, indices: Sequence[SSAValue], body: Region):
        super().__init__(operands=[memref, indices], result_types=[_element(memref.type)], regions=[body])

    def verify_(self) -> None:
        element = _element(self.memref.type)
        arguments = [a.type for a in self.atomic_body.block.args]
        if self.result.type != element or arguments != [element]:
            raise VerifyError(
                "memref-atomic-types", f"{self.name} works on one value of the memref's element type {element}"
            )


@irdl_op_definition
class AtomicYieldOp(IRDLOperation):
    """The new element, at the end of `memref.generic_atomic_rmw`."""

    name = "memref.atomic_yield"

    result = operand_def()

    traits = traits_def(IsTerminator(), HasParent(GenericAtomicRMWOp), Pure())

    assembly_format = "$result attr-dict `:` type($result)"

    def __init__(self, result: SSAValue):
        super().__init__(operands=[result])


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """The same memory with its dimensions reordered: dimension i of the result is the one the map's result i names."""

    name = "memref.transpose"

    in_ = operand_def(MemRefType)  # `in` is a word of Python.
    result = result_def(MemRefType)
    permutation = prop_def(AffineMapAttr)

    traits = traits_def(NoMemoryEffect())

    def __init__(self, source: SSAValue, permutation: AffineMapAttr, result_type: Attribute):
        super().__init__(operands=[source], result_types=[result_type], properties={"permutation": permutation})


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Says that the element at the indices will be used soon, to be read or written; nothing is read or written.

    So the indices may lie outside of the memref. The locality goes from 0 (once) to 3 (often: into the nearest cache).

    Example: `memref.prefetch %m[%i, %j], read, locality<3>, data : memref<?x?xf32>`
    """

    name = "memref.prefetch"

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    isWrite = prop_def(BoolAttr)  # The names are upstream's.
    localityHint = prop_def(IntegerAttr)
    isDataCache = prop_def(BoolAttr)

    # Whoever has none of these is removed, for nobody uses a result.
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        memref: SSAValue,
        indices: Sequence[SSAValue],
        locality: int = 3,
        *,
        write: bool = False,
        data: bool = True,
    ):
        properties: dict[str, Attribute] = {
            "isWrite": BoolAttr.from_bool(write),
            "localityHint": IntegerAttr(locality, i32),
            "isDataCache": BoolAttr.from_bool(data),
        }
        super().__init__(operands=[memref, indices], properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        source = parser.parse_unresolved_operand()
        places = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)
        parser.parse_punctuation(",")
        write = parser.expect(
            lambda: parser.parse_optional_keyword("read") or parser.parse_optional_keyword("write"), "'read' or 'write'"
        )
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        parser.parse_punctuation("<")
        locality = parser.parse_integer()
        parser.parse_punctuation(">")
        parser.parse_punctuation(",")
        data = parser.expect(
            lambda: parser.parse_optional_keyword("data") or parser.parse_optional_keyword("instr"), "'data' or 'instr'"
        )
        attributes, type = parse_typed(parser)
        memref = parser.resolve_operand(source, type)
        indices = [parser.resolve_operand(place, IndexType()) for place in places]
        op = cls(memref, indices, locality, write=write == "write", data=data == "data")
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_string(
            f", {'write' if self.isWrite.value.data else 'read'}, locality<{self.localityHint.value.data}>"
            f", {'data' if self.isDataCache.value.data else 'instr'}"
        )
        print_typed(printer, self.attributes, self.memref.type)

    def verify_(self) -> None:
        if not 0 <= self.localityHint.value.data <= 3:
            raise VerifyError("memref-prefetch-locality", f"{self.name} has a locality from 0 to 3")
        if len(self.indices) != cast("MemRefType[Attribute]", self.memref.type).get_num_dims():
            raise VerifyError("memref-prefetch-rank", f"{self.name} takes an index for each dimension of the memref")


@irdl_op_definition
class CopyOp(xdsl_memref.CopyOp):
    """Copies all elements of a memref into another one; sizes that only one type knows are promised to be equal."""

    name = "memref.copy"

    source = operand_def(base(MemRefType) | base(UnrankedMemRefType))
    destination = operand_def(base(MemRefType) | base(UnrankedMemRefType))

    def verify_(self) -> None:
        pass  # The verifier's rules for core operations say which types fit.


@irdl_op_definition
class RankOp(xdsl_memref.RankOp):
    """The number of axes."""

    name = "memref.rank"

    source = operand_def(base(MemRefType) | base(UnrankedMemRefType))
    rank = result_def(IndexType)

    def verify_(self) -> None:
        pass  # That of the parent takes no memrefs whose number of axes is not known.


@irdl_op_definition
class ReinterpretCastOp(xdsl_memref.ReinterpretCastOp):
    """The memory of a memref with an offset, sizes and strides of one's own."""

    name = "memref.reinterpret_cast"

    source = operand_def(base(MemRefType) | base(UnrankedMemRefType))
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))
    result = result_def(MemRefType)

    assembly_format: ClassVar[str | None] = None

    def verify_(self) -> None:
        pass  # The verifier's rules for core operations say which types fit.


@irdl_op_definition
class GlobalOp(xdsl_memref.GlobalOp):
    """Memory that is there as long as the module: with an initial value, uninitialized, or declared alone."""

    name = "memref.global"

    sym_name = prop_def(SymbolNameConstraint())
    sym_visibility = opt_prop_def(StringAttr)
    type = prop_def(MemRefType)
    initial_value = opt_prop_def(AnyAttr())
    constant = opt_prop_def(UnitAttr)
    alignment = opt_prop_def(IntegerAttr)

    def verify_(self) -> None:
        pass  # The verifier's rules for core operations say which values fit.


MemRef = RowDialect(
    "memref",
    over_stock(defined(globals(), Operation), XdslMemRef.operations),
    [*XdslMemRef.attributes],
    rows="hologram.dialects.custom.memref_rows",
)
