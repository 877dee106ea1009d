"""What the operations of the spirv dialect have in common: a number in the binary form, and the order of its words."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import IRDLOperation

EXTENDED = 12
"""The opcode of all instructions of the set GLSL.std.450, whose own number is the first of the words."""


class SpirvOp(IRDLOperation):
    """An operation that is one instruction of the binary form.

    Its words are those of the result's type and id, then those of `WORDS`: names of operands (an id each, a variadic
    operand as many as it has) and of properties (a number, or the id of a constant that holds it).
    """

    OPCODE: ClassVar[int]
    WORDS: ClassVar[tuple[str, ...]] = ()
    EXTENSION: ClassVar[int | None] = None
    """The number in the set GLSL.std.450 of an instruction that is of this set."""


class MarkerOp(IRDLOperation):
    """An operation that is no instruction of the binary form, or several."""
