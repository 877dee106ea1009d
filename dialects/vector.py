"""The vector dialect: xDSL's operations and those of upstream that kernels need and it lacks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, MemRefType, VectorBaseTypeConstraint, VectorType, i1
from xdsl.dialects.vector import Vector as XdslVector
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

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

    base = operand_def(MemRefType)
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

    Example: `vector.scatter %m[%i] [%offsets], %mask, %value : memref<?xf32>, vector<4xindex>, ...`
    """

    name = "vector.scatter"

    base = operand_def(MemRefType)
    offsets = var_operand_def(IndexType)
    indices = operand_def(VectorType)
    mask = operand_def(VectorBaseTypeConstraint(i1))
    value_to_store = operand_def(VectorType)

    traits = traits_def(MemoryWriteEffect())

    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base) `,`"
        " type($indices) `,` type($mask) `,` type($value_to_store)"
    )

    def __init__(
        self, base: SSAValue, offsets: Sequence[SSAValue], indices: SSAValue, mask: SSAValue, value: SSAValue
    ):
        super().__init__(operands=[base, offsets, indices, mask, value])

    def verify_(self) -> None:
        _verify_lanes(self, self.indices.type, self.mask.type, self.value_to_store.type)


Vector = Dialect("vector", [*XdslVector.operations, StepOp, GatherOp, ScatterOp], [*XdslVector.attributes])
