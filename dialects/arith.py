"""The arith dialect: xDSL's operations and those of upstream that it lacks."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.arith import Arith as XdslArith
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import AnyFloatConstr, ContainerOf
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure


@irdl_op_definition
class IndexCastUIOp(IRDLOperation):
    """Converts between index and an integer type, taking the narrower one as unsigned."""

    name = "arith.index_castui"

    input = operand_def()
    result = result_def()

    traits = traits_def(Pure())

    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    def __init__(self, input: SSAValue, result_type: Attribute):
        super().__init__(operands=[input], result_types=[result_type])


@irdl_op_definition
class RemFOp(IRDLOperation):
    """The remainder of a truncating division, with the sign of the dividend (fmod)."""

    name = "arith.remf"

    T: ClassVar = VarConstraint("T", ContainerOf(AnyFloatConstr))

    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=FastMathFlagsAttr("none"))

    traits = traits_def(Pure())

    assembly_format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue, fastmath: FastMathFlagsAttr | None = None):
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type], properties={"fastmath": fastmath})


Arith = Dialect("arith", [*XdslArith.operations, IndexCastUIOp, RemFOp], [*XdslArith.attributes])
