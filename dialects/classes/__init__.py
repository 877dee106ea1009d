"""The dialect `class`: bytes to classes, transforms, the graph, addresses, class memory and its tiles (classes.md)."""

from __future__ import annotations

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.dialects.arith import ConstantOp as ArithConstantOp
from xdsl.ir import Attribute, Dialect, Operation

from hologram.dialects.classes import data, elementwise, tiles
from hologram.dialects.hologram.tensors import ConstantOp
from hologram.dialects.shapes import is_dense, is_tensor


class ConstantMaterialization(ConstantMaterializationInterface):
    """Folded tensors become `hologram.constant`, scalars and vectors `arith.constant`."""

    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        if is_tensor(type):
            return ConstantOp(value) if is_dense(value) else None
        return ArithConstantOp.create(result_types=[type], properties={"value": value})


Classes = Dialect(
    "class", [*elementwise.ROWS, elementwise.TransformOp, *data.OPS, *tiles.OPS], [], [ConstantMaterialization()]
)
