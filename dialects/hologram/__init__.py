"""The dialect `hologram`: tensor operations in value form, over static and dynamic shapes, and the kernel form."""

from __future__ import annotations

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.dialects.arith import ConstantOp as ArithConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Attribute, Dialect, Operation

from hologram.dialects import add_operations
from hologram.dialects.atlas.instructions.declaration import Instruction, from_outside
from hologram.dialects.hologram import elementwise, kernels, tensors
from hologram.dialects.shapes import is_dense
from hologram.plugins.tables import Row


class ConstantMaterialization(ConstantMaterializationInterface):
    """Folded tensors become `hologram.constant`, folded sizes `arith.constant`."""

    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        if is_dense(value):
            return tensors.ConstantOp(value)
        if isinstance(value, IntegerAttr) and isinstance(type, IndexType):
            return ArithConstantOp(IntegerAttr(value.value.data, type))
        return None


Hologram = Dialect(
    "hologram",
    [*elementwise.OPS, *tensors.OPS, *kernels.OPS],
    [tensors.ReduceKindAttr, kernels.VariableType],
    [ConstantMaterialization()],
)


def names_of_ours() -> set[str]:
    """The names of the operations, without that of the dialect."""
    return {op.name.partition(".")[2] for op in Hologram.operations}


def _from_outside(instruction: Instruction, row: Row) -> None:
    if instruction.tensor:
        add_operations(Hologram, [elementwise.OUTSIDE[instruction.name]])


from_outside(_from_outside)
