"""The numbers of the Monster as constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, cast

from xdsl.dialects.builtin import IntAttr, IntegerAttr, IntegerType, StringAttr
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute
from xdsl.irdl import BaseAttr, IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from hologram import monster
from hologram.dialects.syntax import parse_typed
from hologram.errors import VerifyError, did_you_mean, parse_word

SINGLE = ("dimension", "minimal_dimension", "conjugacy_classes", "order")
"""Numbers that there is one of."""
LISTED = ("degree", "centraliser", "class_size")
"""Numbers of each irreducible character, or of each class of conjugate elements."""


@irdl_op_definition
class ConstantOp(IRDLOperation, HasFolderInterface):
    """A number of the Monster: `dimension` (196,884), `minimal_dimension` (196,883), `conjugacy_classes` (194) or
    `order`; and with a number from 0 to 193 the `degree` of an irreducible character, the order of the `centraliser` of
    a class of conjugate elements, or its `class_size`, in the order of GAP's character table library. The type holds it
    without a sign.

    Example::

        %d = monster.constant degree 1 : i32
        %n = monster.constant order : i256
    """

    name = "monster.constant"
    what = prop_def(StringAttr)
    number = opt_prop_def(IntAttr)
    result = result_def(BaseAttr(IntegerType))
    traits = traits_def(Pure())

    def __init__(self, what: str, type: IntegerType, number: int | None = None):
        properties = {"what": StringAttr(what)} | ({} if number is None else {"number": IntAttr(number)})
        super().__init__(result_types=[type], properties=properties)

    @property
    def value(self) -> int:
        """The number."""
        numbers = monster.numbers()
        single = {
            "dimension": monster.DIMENSION,
            "minimal_dimension": monster.MINIMAL_DIMENSION,
            "conjugacy_classes": monster.CONJUGACY_CLASSES,
            "order": numbers.order,
        }
        if self.number is None:
            return single[self.what.data]
        listed = {"degree": numbers.degrees, "centraliser": numbers.centralisers, "class_size": numbers.class_sizes}
        return listed[self.what.data][self.number.data]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        what = parse_word(parser, (*SINGLE, *LISTED), "monster-constant-name", "a number of the Monster", _NAMES)
        number = parser.parse_optional_integer(allow_boolean=False)
        attributes, type = parse_typed(parser)
        op = cls(what, cast("IntegerType", type), number)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.what.data}")
        if self.number is not None:
            printer.print_string(f" {self.number.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(f" : {self.result.type}")

    def verify_(self) -> None:
        what, number = self.what.data, self.number
        if what not in (*SINGLE, *LISTED):
            raise VerifyError(
                "monster-constant",
                f"the Monster has no number '{what}' here",
                hint=did_you_mean(what, LISTED) or _NAMES,
            )
        if (number is not None) != (what in LISTED):
            wanted = (
                f"needs a number from 0 to {monster.CONJUGACY_CLASSES - 1}" if number is None else "takes no number"
            )
            raise VerifyError("monster-constant-number", f"'{self.name} {what}' {wanted}")
        if number is not None and not 0 <= number.data < monster.CONJUGACY_CLASSES:
            raise VerifyError(
                "monster-constant-range",
                f"'{self.name} {what}' {number.data} is out of the range of 0 to {monster.CONJUGACY_CLASSES - 1}",
            )
        bits = self.value.bit_length()
        if self.result.type.bitwidth < bits:
            raise VerifyError(
                "monster-constant-type", f"'{self.name} {what}' takes {bits} bits, which {self.result.type} has not"
            )

    def fold(self) -> Sequence[Attribute]:
        return (IntegerAttr(self.value, cast("Any", self.result.type), truncate_bits=True),)


_NAMES = f"there are {', '.join((*SINGLE, *LISTED))}"
