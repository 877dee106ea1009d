"""The scf dialect: xDSL's operations, loops that count without sign, and rows for what xDSL lacks."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, SignlessIntegerConstraint, UnitAttr
from xdsl.ir import Operation
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import RecursiveMemoryEffect, SingleBlockImplicitTerminator

from hologram.dialects.custom.rows import RowDialect, need
from hologram.dialects.families import over_stock


@irdl_op_definition
class UnsignedForOp(IRDLOperation):
    """A loop whose bounds are compared without sign.

    It is no `scf.ForOp` to passes: what they know of that one's index does not hold of this one's.

    Example: `scf.for unsigned %i = %a to %b step %s : i32 {...}`
    """

    name = "scf.for"

    T: ClassVar = VarConstraint("T", base(IndexType) | SignlessIntegerConstraint)

    lb = operand_def(T)
    ub = operand_def(T)
    step = operand_def(T)
    iter_args = var_operand_def()
    unsignedCmp = prop_def(UnitAttr)  # noqa: N815 - upstream's name.
    res = var_result_def()
    body = region_def("single_block")

    traits = traits_def(SingleBlockImplicitTerminator(scf.YieldOp), RecursiveMemoryEffect())

    def verify_(self) -> None:
        carried, block = [*self.iter_args.types], self.body.block
        need([*block.arg_types] == [self.lb.type, *carried], "the body of a loop takes its index and what it carries")
        need([*self.res.types] == carried, "the results of a loop have the types of what it carries")
        last = block.last_op
        given = [*last.operand_types] if isinstance(last, scf.YieldOp) else None
        need(given == carried, "the body of a loop yields what it carries")


class AnyForOp(scf.ForOp):
    """What the name `scf.for` stands for: it makes one of the two kinds of loops."""

    @classmethod
    def create(cls, **parts: Any) -> Any:
        return (UnsignedForOp if "unsignedCmp" in parts.get("properties", ()) else scf.ForOp).create(**parts)

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        return scf.ForOp.parse(parser)


@irdl_op_definition
class KeptRegionOp(IRDLOperation):
    """What a region yields, which stays a region.

    Example: `%x = scf.execute_region -> i32 no_inline {...}`
    """

    name = "scf.execute_region"

    no_inline = prop_def(UnitAttr)
    outs = var_result_def()
    region = region_def()

    traits = traits_def(RecursiveMemoryEffect())


class AnyRegionOp(scf.ExecuteRegionOp):
    """What the name `scf.execute_region` stands for: it makes one of the two kinds."""

    @classmethod
    def create(cls, **parts: Any) -> Any:
        return (KeptRegionOp if "no_inline" in parts.get("properties", ()) else scf.ExecuteRegionOp).create(**parts)

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        return scf.ExecuteRegionOp.parse(parser)


_OURS: list[type[Operation]] = [AnyForOp, AnyRegionOp]
Scf = RowDialect(
    "scf", over_stock(_OURS, scf.Scf.operations), [*scf.Scf.attributes], rows="hologram.dialects.custom.scf_rows"
)
