"""Lifting into the Monster's space and back, and routing between coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, operand_def
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import Commutative

from hologram.dialects.families import described, member
from hologram.dialects.torus.base import RingResultOp
from hologram.dialects.torus.types import CoordType, element_of
from hologram.errors import VerifyError
from hologram.torus import TORUS, Ring

if TYPE_CHECKING:
    from hologram.dialects.torus.base import Array


@irdl_attr_definition
class ElementType(ParametrizedAttribute, TypeAttribute):
    """A coordinate of the torus 48 x 96 lifted into the Monster's space of dimension 196,884: the basis vector with
    index 1 + 96 page + resonance. Below the dialect it is that coordinate.

    Example::

        %e = monster.lift %a : !torus.coord to !monster.element
    """

    name = "monster.element"

    @property
    def ring(self) -> Ring:
        return TORUS

    @property
    def storage(self) -> IntegerType:
        return IntegerType(TORUS.bits)


class MonsterOp(RingResultOp):
    """The base: elements and coordinates of one form, scalars, or vectors or tensors of one shape."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from hologram.dialects.monster.canonicalization import PATTERNS

        return PATTERNS

    def verify_kind(self, value: SSAValue, expected: Attribute) -> None:
        """A value's elements have this type."""
        if element_of(value.type) != expected:
            raise VerifyError(
                "monster-element-type",
                f"'{self.name}' needs {expected} here, found {value.type}",
                hint="the torus 48 x 96 alone lifts: !torus.coord, and !monster.element for what was lifted",
            )


COORDINATE = CoordType.of(TORUS)
ELEMENT = ElementType()


@irdl_op_definition
class LiftOp(MonsterOp):
    """The basis vector of the Monster's space that a coordinate lifts to, with index 1 + 96 page + resonance.

    Example::

        %e = monster.lift %a : !torus.coord to !monster.element
    """

    name = "monster.lift"
    a = operand_def()

    def verify_(self) -> None:
        self.verify_kind(self.a, COORDINATE)
        self.verify_kind(self.result, ELEMENT)
        self.verify_form(self.a)

    def evaluate(self, *args: Array) -> Any:
        return args[0]


@irdl_op_definition
class ProjectOp(MonsterOp):
    """The coordinate that was lifted: the left inverse of `monster.lift`.

    Example::

        %a = monster.project %e : !monster.element to !torus.coord
    """

    name = "monster.project"
    e = operand_def()

    def verify_(self) -> None:
        self.verify_kind(self.e, ELEMENT)
        self.verify_kind(self.result, COORDINATE)
        self.verify_form(self.e)

    def evaluate(self, *args: Array) -> Any:
        return args[0]


class RouteOp(MonsterOp):
    """The base of routes: `FUNCTION` names the method of the ring that gives the meaning."""

    FUNCTION: ClassVar[str]

    def verify_(self) -> None:
        for value in (*self.operands, *self.results):
            self.verify_kind(value, COORDINATE)
        self.verify_form(*self.operands)

    def evaluate(self, *args: Array) -> Any:
        return getattr(TORUS, self.FUNCTION)(*args)


def _row(name: str, meaning: str) -> type[RouteOp]:
    """Makes the op class of a route."""
    fields = described(
        f"monster.route_{name}", meaning, f"%r = monster.route_{name} %a, %b : !torus.coord", __name__, FUNCTION=name
    )
    definitions = {"a": operand_def(), "b": operand_def()}
    return member(RouteOp, f"Route{name.capitalize()}Op", fields, [Commutative()], definitions)


RouteAddOp = _row("add", "The sum of two coordinates, a ⊕ b: for those of two integers, that of the integers' sum.")
RouteMulOp = _row("mul", "The product of two coordinates, a ⊗ b: for those of two integers, that of the product.")

OPS: tuple[type[MonsterOp], ...] = (LiftOp, ProjectOp, RouteAddOp, RouteMulOp)
