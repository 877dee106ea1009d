"""`convert-monster-to-algebra`: lifted elements become the coordinates they are of, routes sums and products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from hologram.dialects.algebra import generators
from hologram.dialects.monster import constants, elements
from hologram.dialects.shapes import is_memref, with_element
from hologram.dialects.torus.types import element_of
from hologram.lowering.numbers.ring_rewriter import RingRewriter
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module

RULES = Rules()
_GENERATORS = {elements.RouteAddOp: generators.AddOp, elements.RouteMulOp: generators.MulOp}


class MonsterRewriter(RingRewriter):
    """A walk in which the type of lifted elements becomes that of coordinates everywhere."""

    def __init__(self) -> None:
        super().__init__(RULES, elements.ElementType)

    def convert(self, op: Operation) -> None:
        # What sizes must satisfy is left to the conversion of what this one makes.
        Rewriter.convert(self, op)

    def held(self, type: Attribute) -> Sequence[Attribute] | None:
        if not isinstance(element_of(type), elements.ElementType):
            return None
        if is_memref(type):
            return (MemRefType(elements.COORDINATE, type.get_shape(), type.layout, type.memory_space),)
        return (with_element(type, elements.COORDINATE),)


@RULES.on(elements.LiftOp, elements.ProjectOp)
def same(rw: Rewriter, op: elements.MonsterOp) -> None:
    """The coordinate itself."""
    rw.define(op.results[0], rw.value(op.operands[0]))


@RULES.on(*_GENERATORS)
def route(rw: Rewriter, op: elements.RouteOp) -> None:
    """The routing law."""
    values = [rw.value(v) for v in op.operands]
    rw.replace(op, _GENERATORS[type(op)](*values, type=op.results[0].type))


@RULES.on(constants.ConstantOp)
def constant(rw: Rewriter, op: constants.ConstantOp) -> None:
    """A number."""
    attribute = IntegerAttr(op.value, op.result.type, truncate_bits=True)
    rw.replace(op, arith.ConstantOp(attribute))


@dataclass(frozen=True)
class ConvertMonsterToAlgebraPass(ModulePass):
    """Turns lifted elements into the coordinates that they are of, `monster.lift` and `monster.project` into nothing,
    and routes into the generators of `algebra`, by the routing law.

    Before::

        %e = monster.lift %a : !torus.coord to !monster.element
        %c = monster.project %e : !monster.element to !torus.coord
        %r = monster.route_add %c, %b : !torus.coord

    After::

        %r = algebra.add %a, %b : !torus.coord
    """

    name = "convert-monster-to-algebra"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_module(op, RULES, MonsterRewriter())
