"""Coordinates (page, resonance) of the torus: into them, out of them, and the places of bytes."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.dialects.arith import ConstantOp as ArithConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Dialect, Operation

from hologram.dialects.hologram.tensors import ConstantOp as TensorConstantOp
from hologram.dialects.shapes import is_dense, is_tensor
from hologram.dialects.torus import coordinates
from hologram.dialects.torus.types import CoordType, ElementsAttr


class ConstantMaterialization(ConstantMaterializationInterface):
    """Folded coordinates become `torus.constant`, integers the constants of their kind."""

    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        if isinstance(value, ElementsAttr):
            return coordinates.ConstantOp(value)
        return integer_constant(value, type)


def integer_constant(value: Attribute, type: Attribute) -> Operation | None:
    """The operation that holds an integer, or a vector or tensor of them."""
    if is_dense(value):
        return TensorConstantOp(value) if is_tensor(type) else ArithConstantOp(value)
    if not isinstance(value, IntegerAttr) or not isinstance(type, IndexType | IntegerType):
        return None
    return ArithConstantOp(cast("Any", value))


Torus = Dialect("torus", [*coordinates.OPS], [CoordType, ElementsAttr], [ConstantMaterialization()])
