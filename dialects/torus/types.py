"""The type of coordinates, and the attribute that holds constant elements of rings."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from xdsl.dialects.builtin import ArrayAttr, IntAttr, IntegerType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hologram.dialects.shapes import DYNAMIC
from hologram.errors import InputError, VerifyError, parse_error, parse_word
from hologram.torus import FAMILY, TORUS, Ring, Torus

if TYPE_CHECKING:
    from collections.abc import Callable


@runtime_checkable
class RingType(Protocol):
    """A type whose values are elements of a ring, and below its dialect packed integers."""

    @property
    def ring(self) -> Ring: ...

    @property
    def storage(self) -> IntegerType:
        """The type below the dialect."""
        ...


@functools.cache
def _torus(page: int, resonance: int) -> Torus:
    return Torus(page, resonance)


@irdl_attr_definition
class CoordType(ParametrizedAttribute, TypeAttribute):
    """A coordinate (page, resonance): `!torus.coord<48, 96>`, which is also written `!torus.coord`.

    The first modulus divides the second, which is at most 65,536. The torus of each integer width has a name: `w8` is
    24 and 96, `w16` 48 and 96, `w32` 96 and 192, `w64` 192 and 384, and so on up to `w4096`. Below the dialect a
    coordinate is one integer, the page in its low half: i16 for moduli up to 256, i32 beyond.

    Example::

        %c = torus.project %n : i64 to !torus.coord<w32>
    """

    name = "torus.coord"
    page: IntAttr
    resonance_modulus: IntAttr

    @staticmethod
    def of(ring: Torus = TORUS) -> CoordType:
        """The type of a torus' coordinates."""
        return CoordType(IntAttr(ring.page), IntAttr(ring.resonance))

    @property
    def ring(self) -> Torus:
        return _torus(self.page.data, self.resonance_modulus.data)

    @property
    def storage(self) -> IntegerType:
        return IntegerType(self.ring.bits)

    def verify(self) -> None:
        try:
            _torus(self.page.data, self.resonance_modulus.data)
        except InputError as error:
            raise VerifyError("torus-type-moduli", error.message, hint=error.hint) from None

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        if parser.parse_optional_punctuation("<") is None:
            return [IntAttr(TORUS.page), IntAttr(TORUS.resonance)]
        page = parser.parse_optional_integer(allow_boolean=False, allow_negative=True)
        if page is None:
            names = {f"w{bits}": ring for bits, ring in FAMILY.items()}
            ring = names[parse_word(parser, names, "torus-family", "a torus by its integers' width, such as w32")]
            pair = ring.page, ring.resonance
        else:
            parser.parse_punctuation(",")
            pair = page, parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation(">")
        return [IntAttr(n) for n in pair]

    def print_parameters(self, printer: Printer) -> None:
        if self.ring != TORUS:
            printer.print_string(f"<{self.page.data}, {self.resonance_modulus.data}>")


@irdl_attr_definition
class ElementsAttr(ParametrizedAttribute):
    """Constant elements of a ring: one for a scalar or for every place of a vector or tensor, or one for each place.

    `#torus.elements<!torus.coord, [(9, 57)]>`; residues are written without brackets: `[1, 2, 3]`.
    """

    name = "torus.elements"
    type: Attribute
    values: ArrayAttr[IntAttr]
    """Packed."""

    @staticmethod
    def of(type: Attribute, values: Sequence[int]) -> ElementsAttr:
        """Make the attribute of packed elements; one is written for all if all are equal."""
        kept = values[:1] if values and all(v == values[0] for v in values) else values
        return ElementsAttr(type, ArrayAttr([IntAttr(int(v)) for v in kept]))

    @property
    def splat(self) -> int | None:
        """The packed element that all places have, if they do."""
        return self.values.data[0].data if len(self.values) == 1 else None

    def verify(self) -> None:
        ring = ring_of(self.type)
        if ring is None:
            raise VerifyError(
                "torus-elements-type",
                f"{self.type} is no type of ring elements, so it has no constants of them",
                hint="write a type such as !torus.coord or tensor<4x!algebra.residue<7>>",
            )
        shape = places(self.type)
        count = functools.reduce(lambda a, b: a * b, shape, 1)
        if DYNAMIC in shape or len(self.values) not in (1, count):
            raise VerifyError(
                "torus-elements-count", f"{len(self.values)} elements do not fill {self.type}",
                hint="give one element for all, or one for each place of a static shape",
            )  # fmt: skip
        for value in self.values:
            if not ring.contains(value.data):
                text = _shown(ring, value.data)
                moduli = " and ".join(map(str, ring.moduli))
                raise VerifyError("torus-elements-range", f"{text} is no element for modulus {moduli}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            type = parser.parse_type()
            parser.parse_punctuation(",")
            packed = parse_elements(parser)
        return [type, packed(type)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.type)
            printer.print_string(f", [{self.listing}]")

    @property
    def listing(self) -> str:
        """The elements as text, with commas between."""
        return ", ".join(_shown(known_ring(self.type), v.data) for v in self.values)


def _shown(ring: Ring, packed: int) -> str:
    parts = ring.components(packed)
    return str(parts[0]) if len(parts) == 1 else f"({', '.join(map(str, parts))})"


def parse_elements(parser: AttrParser) -> Callable[[Attribute], ArrayAttr[IntAttr]]:
    """Parse an element, or several in square brackets. The function that is returned packs them for a type."""

    def integer() -> int:
        return parser.parse_integer(allow_boolean=False)

    def element() -> tuple[int, ...]:
        pair = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, integer)
        return tuple(pair) if pair is not None else (integer(),)

    start = parser.pos
    many = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, element)
    elements = [element()] if many is None else many

    def packed(type: Attribute) -> ArrayAttr[IntAttr]:
        ring = ring_of(type)
        values: list[int] = []
        for parts in elements:
            fits = ring is None or len(parts) == len(ring.moduli)
            if not fits or min(parts) < 0 or ring is not None and max(parts) >> ring.width:
                text = parts if len(parts) > 1 else ", ".join(map(str, parts))
                parse_error(parser, "torus-element", f"{text} is no element of {element_of(type)}", at=start)
            values.append(next(iter(parts)) if ring is None else ring.pack(*parts))
        return ArrayAttr([IntAttr(v) for v in values])

    return packed


# Types made of elements


def element_of(type: Attribute) -> Attribute:
    """The element type of a tensor, memref or vector; a scalar's own type."""
    return getattr(type, "element_type", type)


def ring_of(type: Attribute) -> Ring | None:
    """The ring that a type's values, or its elements, are of."""
    element = element_of(type)
    return element.ring if isinstance(element, RingType) else None


def known_ring(type: Attribute) -> Ring:
    """The ring of a type that is known to be of ring elements."""
    ring = ring_of(type)
    assert ring is not None
    return ring


def places(type: Attribute) -> tuple[int, ...]:
    """The shape of a tensor, memref or vector; none of a scalar."""
    shape: Any = getattr(type, "get_shape", tuple)
    return tuple(shape())
