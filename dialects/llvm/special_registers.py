"""Operations of one shape that the dialects of vendors share: reads of special registers, and bare words."""

from __future__ import annotations

from xdsl.dialects.builtin import I32, I64, i32
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, opt_prop_def, result_def

from hologram.dialects.llvm import ConstantRangeAttr


class RangedRegisterOp(IRDLOperation):
    """A register whose value may be known to lie in a range."""

    res = result_def(I32 | I64)
    range = opt_prop_def(ConstantRangeAttr)

    assembly_format = "(`range` $range^)? attr-dict `:` type($res)"

    def __init__(self, below: int | None = None, least: int = 0):
        """`below` and `least` bound the value, where that is known."""
        given = {} if below is None else {"range": ConstantRangeAttr(i32, least, below)}
        Operation.__init__(self, result_types=(i32,), properties=given)


class BareOp(IRDLOperation):
    """An operation that its name says all of."""

    assembly_format = "attr-dict"

    def __init__(self) -> None:
        Operation.__init__(self)
