"""The vector dialect: xDSL's operations and those of upstream that kernels need and it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects import vector as xdsl_vector
from xdsl.dialects.builtin import (
    AnyFloatConstr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    VectorBaseTypeConstraint,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.vector import Vector as XdslVector
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

from hologram.dialects.arith import scalar_of
from hologram.dialects.custom.rows import RowDialect, need
from hologram.dialects.families import defined, over_stock
from hologram.dialects.syntax import parse_typed, print_typed
from hologram.errors import VerifyError


@irdl_op_definition
class StepOp(IRDLOperation):
    """The vector 0, 1, 2, ...

    Example: `%v = vector.step : vector<4xindex>` is `[0, 1, 2, 3]`
    """

    name = "vector.step"

    result = result_def(VectorType)

    traits = traits_def(Pure())

    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, result_type: VectorType[IndexType]):
        super().__init__(result_types=[result_type])

    def verify_(self) -> None:
        kind = self.result.type
        if kind.get_num_dims() != 1 or not isinstance(kind.element_type, IndexType):
            raise VerifyError("vector-step-type", f"vector.step makes a vector<Nxindex>, not {kind}")


def _verify_lanes(op: IRDLOperation, *types: Attribute) -> None:
    shapes = {t.get_shape() for t in types if isinstance(t, VectorType)}
    if len(shapes) != 1:
        raise VerifyError("vector-gather-shape", f"the vectors of {op.name} must have one shape")


@irdl_op_definition
class GatherOp(IRDLOperation):
    """Loads each lane from its own offset, where the mask is set; other lanes get those of `pass_thru`.

    Offsets count from the element at the indices, along the last dimension.

    Example: `%r = vector.gather %m[%i] [%offsets], %mask, %other : memref<?xf32>, vector<4xindex>, ...`
    """

    name = "vector.gather"

    base = operand_def(MemRefType | TensorType)
    offsets = var_operand_def(IndexType)
    indices = operand_def(VectorType)
    mask = operand_def(VectorBaseTypeConstraint(i1))
    pass_thru = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,`"
        " type($indices) `,` type($mask) `,` type($pass_thru) `into` type($result)"
    )

    def __init__(
        self, base: SSAValue, offsets: Sequence[SSAValue], indices: SSAValue, mask: SSAValue, pass_thru: SSAValue
    ):
        super().__init__(operands=[base, offsets, indices, mask, pass_thru], result_types=[pass_thru.type])

    def verify_(self) -> None:
        _verify_lanes(self, self.indices.type, self.mask.type, self.pass_thru.type, self.result.type)


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """Stores each lane at its own offset, where the mask is set; of lanes with the same offset the last one stays.

    Of a tensor the result is one with these lanes in place.

    Example: `vector.scatter %m[%i] [%offsets], %mask, %value : memref<?xf32>, vector<4xindex>, ...`
    """

    name = "vector.scatter"

    base = operand_def(MemRefType | TensorType)
    offsets = var_operand_def(IndexType)
    indices = operand_def(VectorType)
    mask = operand_def(VectorBaseTypeConstraint(i1))
    value_to_store = operand_def(VectorType)
    result = opt_result_def(TensorType)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base) `,`"
        " type($indices) `,` type($mask) `,` type($value_to_store) (`->` type($result)^)?"
    )

    def __init__(self, base: SSAValue, offsets: Sequence[SSAValue], indices: SSAValue, mask: SSAValue, value: SSAValue):
        super().__init__(operands=[base, offsets, indices, mask, value], result_types=[None])

    def verify_(self) -> None:
        _verify_lanes(self, self.indices.type, self.mask.type, self.value_to_store.type)
        given = [self.base.type] if self.base.type.name == "tensor" else []
        need([*self.result_types] == given, f"'{self.name}' gives the tensor that it changes, and nothing of a memref")


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Loads neighbouring elements as a vector.

    `alignment` promises that the address is a multiple of so many bytes; without it of an element's.

    Example: `%v = vector.load %m[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>`
    """

    name = "vector.load"

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    result = result_def(VectorType)
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"

    traits = traits_def(MemoryReadEffect())

    def __init__(
        self, base: SSAValue, indices: Sequence[SSAValue], result_type: Attribute, *, alignment: int | None = None
    ):
        given = None if alignment is None else IntegerAttr(alignment, i64)
        super().__init__(operands=[base, indices], result_types=[result_type], properties={"alignment": given})

    def verify_(self) -> None:
        kind = cast("MemRefType[Attribute]", self.base.type)
        if kind.element_type not in (self.result.type, self.result.type.element_type):
            raise VerifyError("vector-load-element", f"{self.result.type} can't be loaded from {kind}: elements differ")
        if kind.get_num_dims() != len(self.indices):
            raise VerifyError("vector-load-rank", f"vector.load from {kind} needs {kind.get_num_dims()} indices")
        _verify_rank(kind, self.result.type)
        if self.alignment is not None:
            _verify_alignment(self.alignment)


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """A vector of scalars, the first of them in front.

    Example: `%v = vector.from_elements %a, %b, %c, %d : vector<4xf32>`
    """

    name = "vector.from_elements"

    elements = var_operand_def()
    dest = result_def(VectorType)

    traits = traits_def(Pure())

    def __init__(self, elements: Sequence[SSAValue], result_type: Attribute):
        super().__init__(operands=[elements], result_types=[result_type])

    @classmethod
    def parse(cls, parser: Parser) -> FromElementsOp:
        elements = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes, kind = parse_typed(parser)
        operands = [parser.resolve_operand(e, scalar_of(kind)) for e in elements]
        op = cls(operands, kind)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.elements, printer.print_ssa_value)
        print_typed(printer, self.attributes, self.dest.type)

    def verify_(self) -> None:
        kind = self.dest.type
        count = 1
        for size in kind.get_shape():
            count *= size
        if len(self.elements) != count or any(v.type != kind.element_type for v in self.elements):
            types = ", ".join(str(v.type) for v in self.elements)
            raise VerifyError("vector-elements", f"{kind} is made from {count} of its elements, not from ({types})")


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Stores a vector to neighbouring elements, past the caches where `nontemporal` is true.

    `alignment` promises that the address is a multiple of so many bytes; without it of an element's.

    Example: `vector.store %v, %m[%i] {alignment = 64 : i64, nontemporal = true} : memref<?xf32>, vector<16xf32>`
    """

    name = "vector.store"

    vector = operand_def(VectorType)
    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$vector `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($vector)"

    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        vector: SSAValue,
        base: SSAValue,
        indices: Sequence[SSAValue],
        *,
        nontemporal: bool = False,
        alignment: int | None = None,
    ):
        properties = {
            "nontemporal": BoolAttr.from_bool(nontemporal),
            "alignment": None if alignment is None else IntegerAttr(alignment, i64),
        }
        super().__init__(operands=[vector, base, indices], properties=properties)

    def verify_(self) -> None:
        kind = cast("MemRefType[Attribute]", self.base.type)
        if kind.element_type not in (self.vector.type, cast("VectorType[Attribute]", self.vector.type).element_type):
            raise VerifyError("vector-store-element", f"{self.vector.type} can't be stored to {kind}: elements differ")
        if kind.get_num_dims() != len(self.indices):
            raise VerifyError("vector-store-rank", f"vector.store to {kind} needs {kind.get_num_dims()} indices")
        _verify_rank(kind, cast("VectorType[Attribute]", self.vector.type))
        if self.alignment is not None:
            _verify_alignment(self.alignment)


def _verify_rank(memref: MemRefType[Attribute], vector: VectorType[Attribute]) -> None:
    """Refuses a vector with more axes than the memref, where it is not an element of it."""
    fits = memref.element_type == vector or vector.get_num_dims() <= memref.get_num_dims()
    need(fits, f"{vector} has more axes than {memref}")


@irdl_op_definition
class BitcastOp(xdsl_vector.BitcastOp):
    """The bits of a vector as elements of another width, along its last axis; an index has 64 bits."""

    name = "vector.bitcast"

    source = operand_def(VectorType.constr(base(IntegerType) | base(IndexType) | AnyFloatConstr))
    result = result_def(VectorType.constr(base(IntegerType) | base(IndexType) | AnyFloatConstr))

    assembly_format: ClassVar[str | None] = None

    def verify_(self) -> None:
        source, result = (cast("VectorType[Attribute]", t) for t in (self.source.type, self.result.type))
        bits = [_bits(source), _bits(result)]
        fits = source.get_shape()[:-1] == result.get_shape()[:-1] and bits[0] == bits[1]
        need(fits, f"{source} has not the bits of {result} along its last axis")


def _bits(type: VectorType[Attribute]) -> int:
    """The bits along the last axis."""
    element = 64 if isinstance(type.element_type, IndexType) else getattr(type.element_type, "bitwidth", 0)
    return element * (type.get_shape() or (1,))[-1]


def _verify_alignment(alignment: IntegerAttr) -> None:
    value = alignment.value.data
    if alignment.type != i64 or value < 1 or value & (value - 1):
        raise VerifyError("vector-alignment", f"an alignment is a power of two of type i64, not {alignment}")


Vector = RowDialect(
    "vector",
    # vector.print is a row: it prints punctuation as well.
    over_stock(defined(globals(), Operation), (op for op in XdslVector.operations if op.name != "vector.print")),
    [*XdslVector.attributes],
    rows="hologram.dialects.custom.vector_rows",
)
