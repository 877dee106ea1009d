"""The operations of the torus: into coordinates and out of them, and the places of bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from xdsl.dialects.builtin import UnitAttr
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure

from hologram import torus
from hologram.dialects.families import defined
from hologram.dialects.syntax import parse_typed, print_typed
from hologram.dialects.torus.base import RingOp, RingResultOp, known_bits, unsigned
from hologram.dialects.torus.types import CoordType, ElementsAttr, element_of, known_ring, parse_elements, ring_of
from hologram.errors import VerifyError
from hologram.torus import Ring, Torus

if TYPE_CHECKING:
    from hologram.dialects.torus.base import Array


class ElementsConstant(IRDLOperation, HasFolderInterface):
    """The base of constants: `NAME ELEMENT : TYPE`, with several elements in square brackets."""

    value = prop_def(ElementsAttr)
    result = result_def()
    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: ElementsAttr):
        super().__init__(result_types=[value.type], properties={"value": value})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        packed = parse_elements(parser)
        parser.parse_punctuation(":")
        type = parser.parse_type()
        op = cls(ElementsAttr(type, packed(type)))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        single = len(self.value.values) == 1
        printer.print_string(f" {self.value.listing}" if single else f" [{self.value.listing}]")
        print_typed(printer, {}, self.value.type)

    def verify_(self) -> None:
        if self.value.type != self.result.type:
            raise VerifyError(
                "torus-constant-type", f"the value has type {self.value.type}, the result {self.result.type}"
            )

    def fold(self) -> tuple[Attribute, ...]:
        return (self.value,)


@irdl_op_definition
class ConstantOp(ElementsConstant):
    """A coordinate known at compile time, in every place of a vector or tensor; or one for each place.

    Example::

        %c = torus.constant (9, 57) : !torus.coord
        %t = torus.constant [(0, 0), (1, 1)] : tensor<2x!torus.coord>
    """

    name = "torus.constant"


class ToRing(RingResultOp):
    """The base of projections: integers to elements."""

    FLAGS: ClassVar[tuple[str, ...]] = ("unsigned",)
    unsigned = opt_prop_def(UnitAttr)
    n = operand_def()

    def __init__(self, n: SSAValue | Operation, type: Attribute, *, unsigned: bool = False):
        super().__init__(n, type=type)
        if unsigned:
            self.properties["unsigned"] = UnitAttr()

    @property
    def ring(self) -> Ring:
        return known_ring(self.result.type)

    def verify_(self) -> None:
        self.verify_form(self.n)
        self.verify_integers(self.n)
        self.verify_elements(self.result)

    def evaluate(self, *args: Array) -> Any:
        bits = known_bits(self.n.type)
        return self.ring.project(unsigned(args[0], bits) if self.unsigned is not None else args[0])


@irdl_op_definition
class ProjectOp(ToRing):
    """The coordinate of an integer, (n mod 48, n mod 96), Euclidean: never negative. `unsigned` reads n so.

    It is a homomorphism of rings over true integers; of a sum that wrapped it is the projection of what is left.

    Example::

        %c = torus.project %n : i64 to !torus.coord
        %t = torus.project unsigned %m : tensor<?xi64> to tensor<?x!torus.coord>
    """

    name = "torus.project"

    def verify_(self) -> None:
        super().verify_()
        if not isinstance(element_of(self.result.type), CoordType):
            raise VerifyError(
                "torus-project-type", f"'{self.name}' gives coordinates, not {self.result.type}",
                hint="algebra.project gives residues",
            )  # fmt: skip


class CoordOp(RingResultOp):
    """The base of operations on a coordinate."""

    @property
    def torus(self) -> Torus:
        """The torus of the first operand."""
        return cast("Torus", ring_of(self.operands[0].type))

    def verify_coordinates(self, *values: SSAValue) -> None:
        """All values are coordinates of one torus."""
        self.verify_elements(*values)
        if not isinstance(element_of(values[0].type), CoordType):
            raise VerifyError("torus-coordinates", f"'{self.name}' takes coordinates, found {values[0].type}")


@irdl_op_definition
class LiftOp(CoordOp):
    """The greatest integer up to `hint` with the coordinate's resonance r: hint - ((hint - r) mod 96). It wraps where
    that lies below the least integer of the type. `lift(project(n), n) = n`.

    Example::

        %n = torus.lift %c, %hint : (!torus.coord, i64) -> i64
    """

    name = "torus.lift"
    FLAGS: ClassVar[tuple[str, ...]] = ("unsigned",)
    unsigned = opt_prop_def(UnitAttr)
    coordinate = operand_def()
    hint = operand_def()

    def verify_(self) -> None:
        self.verify_form(self.coordinate, self.hint)
        self.verify_coordinates(self.coordinate)
        self.verify_integers(self.hint)
        if self.hint.type != self.result.type and element_of(self.hint.type) != element_of(self.result.type):
            raise VerifyError(
                "torus-lift-type", f"'{self.name}' gives the type of its hint, {self.hint.type}, not {self.result.type}"
            )

    def evaluate(self, *args: Array) -> Any:
        bits = known_bits(self.hint.type)
        hint = unsigned(args[1], bits) if self.unsigned is not None else args[1].astype(object)
        return self.torus.lift(args[0].astype(object), hint)


@irdl_op_definition
class MakeOp(RingResultOp):
    """The coordinate with the page `page mod 48` and the resonance `resonance mod 96`, Euclidean, of any two integers.

    Example::

        %c = torus.make %page, %resonance : (i64, i64) -> !torus.coord
    """

    name = "torus.make"
    page = operand_def()
    resonance = operand_def()

    def verify_(self) -> None:
        self.verify_form(self.page, self.resonance)
        self.verify_integers(self.page, self.resonance)
        if not isinstance(element_of(self.result.type), CoordType):
            raise VerifyError("torus-make-type", f"'{self.name}' gives coordinates, not {self.result.type}")

    def evaluate(self, *args: Array) -> Any:
        ring = known_ring(self.result.type)
        parts = [a.astype(object) % m for a, m in zip(args, ring.moduli, strict=True)]
        return parts[0] | parts[1] << ring.width


class ComponentOp(CoordOp):
    """The base of what takes a coordinate apart: into an integer type that holds every component."""

    NUMBER: ClassVar[int]
    coordinate = operand_def()

    def verify_(self) -> None:
        self.verify_form(self.coordinate)
        self.verify_coordinates(self.coordinate)
        self.verify_integers(self.result)
        if known_bits(self.result.type) < self.torus.width:
            raise VerifyError(
                "torus-component-width",
                f"a component of {element_of(self.coordinate.type)} takes {self.torus.width} bits, "
                f"more than {self.result.type} has",
            )

    def evaluate(self, *args: Array) -> Any:
        return self.torus.components(args[0].astype(object))[self.NUMBER]


@irdl_op_definition
class PageOp(ComponentOp):
    """A coordinate's page, 0 to 47.

    Example::

        %p = torus.page %c : !torus.coord to i32
    """

    name = "torus.page"
    NUMBER: ClassVar[int] = 0


@irdl_op_definition
class ResonanceOp(ComponentOp):
    """A coordinate's resonance, 0 to 95.

    Example::

        %r = torus.resonance %c : !torus.coord to i32
    """

    name = "torus.resonance"
    NUMBER: ClassVar[int] = 1


@irdl_op_definition
class PackOp(CoordOp):
    """A coordinate as the integer that holds it: page | resonance << 8, or << 16 where a component has 16 bits.

    Example::

        %x = torus.pack %c : !torus.coord to i16
    """

    name = "torus.pack"
    coordinate = operand_def()

    def verify_(self) -> None:
        self.verify_form(self.coordinate)
        self.verify_coordinates(self.coordinate)
        check_packed(self, element_of(self.coordinate.type), element_of(self.result.type))

    def evaluate(self, *args: Array) -> Any:
        return args[0]


@irdl_op_definition
class UnpackOp(RingResultOp):
    """The coordinate that an integer holds. Nothing is checked: what holds none is none, and no law holds for it.

    Example::

        %c = torus.unpack %x : i16 to !torus.coord
    """

    name = "torus.unpack"
    packed = operand_def()

    def verify_(self) -> None:
        self.verify_form(self.packed)
        check_packed(self, element_of(self.result.type), element_of(self.packed.type))

    def evaluate(self, *args: Array) -> Any:
        return unsigned(args[0], known_ring(self.result.type).bits)


def check_packed(op: Operation, coordinate: Attribute, integer: Attribute) -> None:
    """The integer type is the one that holds a coordinate."""
    if not isinstance(coordinate, CoordType):
        raise VerifyError("torus-packed-coordinate", f"'{op.name}' needs a coordinate, found {coordinate}")
    if integer != coordinate.storage:
        raise VerifyError("torus-packed-type", f"{coordinate} is held by {coordinate.storage}, not by {integer}")


# Pages and bytes


class IntegersOp(RingOp):
    """The base of operations from integers to integers of one type."""

    def verify_(self) -> None:
        self.verify_form(*self.operands)
        self.verify_integers(*self.operands)
        for value in (*self.operands, *self.results):
            if element_of(value.type) != element_of(self.operands[0].type):
                raise VerifyError(
                    "torus-integer-types",
                    f"'{self.name}' needs one integer type, found {value.type} and {self.operands[0].type}",
                )
        if known_bits(self.operands[0].type) < 32:
            raise VerifyError(
                "torus-integer-width", f"'{self.name}' needs 32 bits at least, found {self.operands[0].type}"
            )


class PlaceOp(IntegersOp):
    """The base of what makes one integer of a page and a byte."""

    page = operand_def()
    byte = operand_def()
    result = result_def()


@irdl_op_definition
class PhiEncodeOp(PlaceOp):
    """(byte << 16) | page; of the page 16 bits count.

    Example::

        %x = torus.phi_encode %page, %byte : i32
    """

    name = "torus.phi_encode"

    def evaluate(self, *args: Array) -> Any:
        page, byte = (a.astype(object) for a in args)
        return torus.phi_encode(page & 0xFFFF, byte)


@irdl_op_definition
class OffsetOp(PlaceOp):
    """page * 256 + byte: where a byte of a page lies in its class. It wraps.

    Example::

        %x = torus.offset %page, %byte : i32
    """

    name = "torus.offset"

    def evaluate(self, *args: Array) -> Any:
        return torus.offset(*(a.astype(object) for a in args))


@irdl_op_definition
class PhiDecodeOp(IntegersOp):
    """The page and the byte of a phi code: its low 16 bits, and the others shifted down, without a sign.

    Example::

        %page, %byte = torus.phi_decode %x : i32
    """

    name = "torus.phi_decode"
    code = operand_def()
    page = result_def()
    byte = result_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operand = parser.parse_unresolved_operand()
        attributes, type = parse_typed(parser)
        value = parser.resolve_operand(operand, type)
        return cls.create(operands=[value], result_types=[type, type], attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.code)
        print_typed(printer, self.attributes, self.code.type)

    def verify_(self) -> None:
        super().verify_()
        if any(r.type != self.code.type for r in self.results):
            raise VerifyError("torus-decode-types", f"'{self.name}' gives what it takes, {self.code.type}, twice")

    def evaluate(self, *args: Array) -> Any:
        return torus.phi_decode(unsigned(args[0], known_bits(self.code.type)))


OPS = defined(globals(), Operation)
