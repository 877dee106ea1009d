"""The dialect `monster`: lifting coordinates into its space and back, routing, its numbers (classes.md section 5)."""

from __future__ import annotations

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.ir import Attribute, Dialect, Operation

from hologram.dialects.algebra import elements_constant
from hologram.dialects.monster import constants, elements
from hologram.dialects.torus import integer_constant
from hologram.dialects.torus.types import ElementsAttr, element_of


class ConstantMaterialization(ConstantMaterializationInterface):
    """Folded coordinates become `torus.constant`, lifted ones that with a lift, integers `arith.constant`."""

    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        if not isinstance(value, ElementsAttr):
            return integer_constant(value, type)
        return None if isinstance(element_of(type), elements.ElementType) else elements_constant(value)


Monster = Dialect("monster", [*elements.OPS, constants.ConstantOp], [elements.ElementType], [ConstantMaterialization()])
