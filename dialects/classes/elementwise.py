"""Operations on classes, bytes and addresses, element by element: a row each."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import I64, IntegerAttr, UnitAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.classes import Transform
from hologram.dialects.classes.base import ClassOp, Definition
from hologram.dialects.families import defined, described, member
from hologram.errors import parse_error, parse_word


def _row(name: str, operands: str, result: str, meaning: str, reference: str | None = None) -> type[ClassOp]:
    """Make the op class of one row. `operands` is `c:class k:power`."""
    kinds = dict(part.split(":") for part in operands.split())
    definition = Definition(name, kinds, result, meaning, reference or name)
    example = f"%r = class.{name} {', '.join('%' + o for o in kinds)} : i32"
    fields = described(f"class.{name}", meaning, example, __name__, DEFINITION=definition)
    class_name = "".join(part.capitalize() for part in name.split("_")) + "Op"
    return member(ClassOp, class_name, fields, [], {operand: operand_def() for operand in kinds})


# fmt: off
CheckOp = _row("check", "c:class", "class", "The class itself; what is none, 96 and more, traps.")
ClassifyOp = _row(
    "classify", "byte:byte", "class",
    "The sigil class of a byte, 24 h2 + 8 d + l: h2 is the upper two bits, l the bits 1 to 3, and d is 1 where of the "
    "bits 4 and 5 only bit 4 is set, 2 where only bit 5 is, else 0. More than 255 traps.",
)
CanonicalByteOp = _row(
    "canonical_byte", "c:class", "byte", "The least byte of a sigil class, 64 h2 + 16 d + 2 l. 96 and more trap."
)
GraphClassOp = _row(
    "graph_class", "byte:byte", "class",
    "The graph class of a byte: bits 0 to 4 are e1, e2, e3, e6, e7, and ((byte >> 5) & 3) mod 3 is d45 + 1. More than "
    "255 traps.",
)
RotateOp = _row(
    "rotate", "c:class k:power", "class", "R^k of a sigil class: h2 moves by k, any signed integer, modulo 4. A class "
    "of 96 and more traps.",
)
TrialityOp = _row(
    "triality", "c:class k:power", "class", "D^k of a sigil class: d moves by k, any signed integer, modulo 3. A class "
    "of 96 and more traps.",
)
TwistOp = _row(
    "twist", "c:class k:power", "class", "T^k of a sigil class: l moves by k, any signed integer, modulo 8. A class of "
    "96 and more traps.",
)
SigilMirrorOp = _row(
    "sigil_mirror", "c:class", "class", "M of a sigil class: d = 1 and d = 2 change places. 96 and more trap."
)
MirrorOp = _row("mirror", "c:class", "class", "The mirror of a graph class: e7 flipped. 96 and more trap.")
DegreeOp = _row(
    "degree", "c:class", "number", "How many neighbours a graph class has: 6 where d45 is 0, else 5. 96 and more trap."
)
NeighbourOp = _row(
    "neighbour", "c:class i:number", "class", "The neighbour of a graph class with number i, in ascending order; 0 "
    "past the last one. A class of 96 and more traps.",
)
IsUnityOp = _row("is_unity", "c:class", "bool", "Whether a graph class is a unity class, 1 or 4. 96 and more trap.")
AddressOp = _row(
    "address", "c:class page:page byte:byte", "address", "Where a byte lies in class memory: c * 12288 + page * 256 + "
    "byte. A class of 96 and more, a page of 48 and more and a byte of 256 and more trap.",
)
AddressClassOp = _row(
    "address_class", "address:address", "class", "The class that an address of class memory lies in. 1,179,648 and "
    "more trap.",
)
AddressPageOp = _row(
    "address_page", "address:address", "page", "The page, in its class, that an address of class memory lies in. "
    "1,179,648 and more trap.",
)
AddressByteOp = _row(
    "address_byte", "address:address", "byte", "Which byte of its page an address of class memory is. 1,179,648 and "
    "more trap.",
)
# fmt: on

ROWS = defined(globals(), ClassOp)
"""Every operation made from a row."""

_POWERS = ("r", "d", "t")


@irdl_op_definition
class TransformOp(ClassOp):
    """An element R^r D^d T^t M of the group of order 192 on a sigil class; the mirror acts first. Powers are any
    integers, parts that are left out do nothing. Transforms of transforms compose to one. 96 and more trap.

    Example::

        %r = class.transform [r = 1, d = -1, mirror] %c : i32
    """

    name = "class.transform"
    HEAD: ClassVar[tuple[str, ...]] = (*_POWERS, "mirror")
    DEFINITION: ClassVar[Definition] = Definition("transform", {"c": "class"}, "class", "", "transform")
    r = prop_def(IntegerAttr[I64], default_value=IntegerAttr(0, i64))
    d = prop_def(IntegerAttr[I64], default_value=IntegerAttr(0, i64))
    t = prop_def(IntegerAttr[I64], default_value=IntegerAttr(0, i64))
    mirror = opt_prop_def(UnitAttr)
    c = operand_def()

    @staticmethod
    def of(element: Transform, c: SSAValue) -> TransformOp:
        """The operation that applies an element of the group."""
        return TransformOp.create(operands=[c], result_types=[c.type], properties=TransformOp.properties_of(element))

    @staticmethod
    def properties_of(element: Transform) -> dict[str, Attribute]:
        """An element of the group as properties."""
        powers: dict[str, Attribute] = {p: IntegerAttr(getattr(element, p), i64) for p in _POWERS}
        return powers | ({"mirror": UnitAttr()} if element.mirror else {})

    @property
    def element(self) -> Transform:
        """The element of the group."""
        powers = (self.r, self.d, self.t)
        return Transform.of(*(p.value.data for p in powers), mirror=self.mirror is not None)

    def compute(self, *lanes: Any) -> Any:
        from hologram.dialects.classes import reference

        return reference.transform(self.element, *lanes)

    @classmethod
    def parse_head(cls, parser: Parser) -> dict[str, Attribute]:
        parts: dict[str, Attribute] = {}

        def part() -> None:
            start = parser.pos
            name = parse_word(
                parser,
                (*_POWERS, "mirror"),
                "class-transform-part",
                "a part of a transform",
                "the parts are r, d, t and mirror",
            )
            if name in parts:
                parse_error(parser, "class-transform-twice", f"the transform has '{name}' twice", at=start)
            if name == "mirror":
                parts[name] = UnitAttr()
                return
            parser.parse_punctuation("=")
            parts[name] = IntegerAttr(parser.parse_integer(), i64)

        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, part)
        return {p: IntegerAttr(0, i64) for p in _POWERS} | parts

    def print_head(self, printer: Printer) -> None:
        powers = [f"{p} = {attr.value.data}" for p, attr in zip(_POWERS, (self.r, self.d, self.t), strict=True)
                  if attr.value.data]  # fmt: skip
        printer.print_string(f" [{', '.join([*powers, *['mirror'] * (self.mirror is not None)])}]")
