"""The memref dialect: xDSL's operations and those of upstream that it lacks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, IndexType, MemRefType
from xdsl.dialects.memref import MemRef as XdslMemRef
from xdsl.ir import Attribute, Dialect, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    HasParent,
    IsTerminator,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    Pure,
)

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

    def verify_(self) -> None:
        map = self.permutation.data
        axes = [e.position for e in map.results if isinstance(e, AffineDimExpr)]
        if sorted(axes) != list(range(map.num_dims)) or len(axes) != map.num_dims:
            raise VerifyError("memref-transpose-map", f"{self.permutation} is not a permutation of the dimensions")


MemRef = Dialect(
    "memref", [*XdslMemRef.operations, GenericAtomicRMWOp, AtomicYieldOp, TransposeOp], [*XdslMemRef.attributes]
)
