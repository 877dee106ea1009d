"""The type of residues."""

from __future__ import annotations

from xdsl.dialects.builtin import IntAttr, IntegerType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hologram.errors import VerifyError
from hologram.torus import Residues, Ring

WIDEST_MODULUS = 1 << 2048
"""Products of residues take twice the bits, and the widest integers have 4,096."""


@irdl_attr_definition
class ResidueType(ParametrizedAttribute, TypeAttribute):
    """A residue modulo m, 0 to m - 1: `!algebra.residue<7>`, for any m from 1 to 2^2048.

    Below the dialect it is the smallest integer of 8, 16, 32 bits and so on that holds m - 1 without a sign.

    Example::

        %r = algebra.project %n : i64 to !algebra.residue<7>
    """

    name = "algebra.residue"
    modulus: IntAttr

    @staticmethod
    def of(modulus: int) -> ResidueType:
        """The type of residues modulo `modulus`."""
        return ResidueType(IntAttr(modulus))

    @property
    def ring(self) -> Ring:
        return Residues(self.modulus.data)

    @property
    def storage(self) -> IntegerType:
        return IntegerType(self.ring.bits)

    def verify(self) -> None:
        if not 1 <= self.modulus.data <= WIDEST_MODULUS:
            raise VerifyError("algebra-modulus", f"a modulus is 1 to 2^2048, found {self.modulus.data}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            return [IntAttr(parser.parse_integer(allow_boolean=False))]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.modulus.data))
