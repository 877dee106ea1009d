"""The bases of the operations of the spirv dialect: their number in the binary form, and the order of its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.irdl import IRDLOperation

EXTENDED = 12
"""The opcode of all instructions of the set GLSL.std.450, whose own number is the first of the words."""


class SpirvOp(IRDLOperation):
    """An operation that is one instruction of the binary form."""

    OPCODE: ClassVar[int]
    WORDS: ClassVar[tuple[str, ...]] = ()
    """The order of operands and properties in the instruction, if properties stand between operands."""
    EXTENSION: ClassVar[int | None] = None
    """The number in the set GLSL.std.450 of an instruction that is of this set."""

    @classmethod
    def words(cls) -> Sequence[str]:
        """The fields that give the words behind the result's type and id, in order.

        An operand is an id, a variadic one as many as it has; a property is a number, or the id of a constant.
        """
        definition = cls.get_irdl_definition()
        return cls.WORDS or [*(name for name, _ in definition.operands), *definition.properties]


class MarkerOp(IRDLOperation):
    """An operation that is no instruction of the binary form, or several."""
