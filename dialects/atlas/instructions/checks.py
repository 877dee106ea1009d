"""A check that traps, which schedules and lifted machine code have beside the ISA's instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, StringAttr, i1
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    var_operand_def,
)

from hologram.dialects.atlas.instructions.form import Form


@irdl_op_definition
class AssertOp(IRDLOperation):
    """Traps unless the condition holds. The trap names the lane (an element's linear number) and at most two values,
    each where the message has a pair of braces, else behind it.

    In machine code it has its message alone: `assert p0, "out of range"`.

    Example::

        atlas.assert %inside, "atlas.gather: index out of range" lane %n values(%i, %size : i64, index)
    """

    name = "atlas.assert"
    FORM: ClassVar[Form] = Form("assert", "condition:bool message:text")
    condition = operand_def(i1)
    message = prop_def(StringAttr)
    lane = opt_operand_def(IndexType)
    values = var_operand_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$condition `,` $message (`lane` $lane^)? (`values` `(` $values^ `:` type($values) `)`)? attr-dict"
    )

    def __init__(
        self,
        condition: SSAValue | Operation,
        message: str,
        lane: SSAValue | None = None,
        values: Sequence[SSAValue] = (),
    ):
        super().__init__(operands=[condition, lane, values], properties={"message": StringAttr(message)})
