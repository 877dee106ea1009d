"""Rings of coordinates and of residues: the three generators, and what follows from them."""

from __future__ import annotations

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.ir import Attribute, Dialect, Operation

from hologram.dialects.algebra import derived, generators
from hologram.dialects.algebra.types import ResidueType
from hologram.dialects.torus import integer_constant
from hologram.dialects.torus.coordinates import ConstantOp as CoordinateConstantOp
from hologram.dialects.torus.types import ElementsAttr, element_of


def elements_constant(value: ElementsAttr) -> Operation:
    """The operation that holds constant elements of a ring."""
    residues = isinstance(element_of(value.type), ResidueType)
    return generators.ConstantOp(value) if residues else CoordinateConstantOp(value)


class ConstantMaterialization(ConstantMaterializationInterface):
    """Folded residues become `algebra.constant`, coordinates `torus.constant`, integers the constants of their kind."""

    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        return elements_constant(value) if isinstance(value, ElementsAttr) else integer_constant(value, type)


OPERATIONS: list[type[Operation]] = [*generators.OPS, *derived.OPS]
Algebra = Dialect("algebra", OPERATIONS, [ResidueType], [ConstantMaterialization()])
