"""The operations of circuits: a circuit, the seven generators, branches beside each other, and transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolNameConstraint
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, Data, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_region_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface

from hologram.classes import CLASS_COUNT, PAGES_PER_CLASS
from hologram.dialects.atlas.instructions.instruction import parse_dtype
from hologram.dialects.atlas.instructions.types import DTYPES, DType, DTypeAttr
from hologram.dialects.sigil.syntax import (
    FORMS_OF,
    RANGE,
    VARIANTS,
    Sigil,
    Target,
    Transform,
    parse_target,
    parse_transform,
)
from hologram.errors import CircuitError, VerifyError, did_you_mean, parse_error

DEFAULT_TYPE = "f32"
TYPES = tuple(t.name for t in DTYPES.values() if t.bits in (8, 16, 32, 64) and not t.name.startswith("f8"))
"""The types that tiles may have: numbers of 1, 2, 4 or 8 bytes."""


@irdl_attr_definition
class TargetAttr(Data[Target]):
    """The target of an operation of a circuit, in the syntax of circuits: `#sigil.target<"c05->c06">`.

    A `[` after a sigil is that of `merge` and `split`; inside operations the text stands alone.
    """

    name = "sigil.target"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Target:
        with parser.in_angle_brackets():
            return _parse_target(parser, "merge", "copy", "swap", "mark")

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.data.text)

    def verify(self) -> None:
        for sigil in self.data.sigils:
            _verify_sigil(sigil)
        numbers = [s.number for s in self.data.sigils]
        if self.data.form == RANGE and numbers != sorted(numbers):
            raise VerifyError("sigil-range", f"the range goes from {numbers[0]} down to {numbers[1]}")


def _verify_sigil(sigil: Sigil) -> None:
    page = 0 if sigil.page is None else sigil.page
    if not (0 <= sigil.number < CLASS_COUNT and 0 <= page < PAGES_PER_CLASS):
        raise VerifyError("sigil-class", f"'{sigil.text}' is outside classes 0 to 95 or pages 0 to 47")


def _parse_target(parser: AttrParser, *generators: str) -> Target:
    """Parse a target as a string literal, of one of the generators."""
    start = parser.pos
    text = parser.parse_str_literal('the target in quotes, such as "c00"')
    errors: list[CircuitError] = []
    for name in generators:
        try:
            return parse_target(text, name)
        except CircuitError as error:
            errors.append(error)
    best = max(errors, key=lambda e: e.offset)
    parse_error(parser, "sigil-target", best.message, hint=best.hint, at=start + 1 + best.offset)


@irdl_attr_definition
class TransformAttr(Data[Transform]):
    """A transform of classes, in the syntax of circuits: `#sigil.move<"R+1 D-1 ~">`."""

    name = "sigil.move"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Transform:
        with parser.in_angle_brackets():
            return _parse_transform(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.data.text)


def _parse_transform(parser: AttrParser) -> Transform:
    start = parser.pos
    text = parser.parse_str_literal('a transform in quotes, such as "R+1 ~"')
    try:
        return parse_transform(text)
    except CircuitError as error:
        parse_error(parser, "sigil-move", error.message, hint=error.hint, at=start + 1 + error.offset)


class CircuitPartOp(IRDLOperation):
    """The base of the operations that stand in circuits."""

    def verify_place(self) -> None:
        """It stands in a circuit, in a branch or under a transform."""
        if not isinstance(self.parent_op(), CircuitOp | ParOp | TransformOp):
            raise VerifyError(
                "sigil-place", f"'{self.name}' stands in no circuit",
                hint="put it into a sigil.circuit, a sigil.par or a sigil.transform",
            )  # fmt: skip

    def verify_body(self, region: Region) -> None:
        """A sequence of at least one operation, all of circuits."""
        ops = list(region.block.ops) if region.blocks else []
        if not ops or len(region.blocks) != 1 or region.block.args:
            raise VerifyError(
                "sigil-body-empty", f"a body of '{self.name}' is one block of at least one operation",
                hint="sigil.mark \"c00\" does nothing",
            )  # fmt: skip
        for op in ops:
            if not isinstance(op, CircuitPartOp) or isinstance(op, CircuitOp):
                raise VerifyError("sigil-body", f"'{op.name}' stands in a body of '{self.name}', but is no part of one")


class GeneratorOp(CircuitPartOp, HasCanonicalizationPatternsInterface):
    """One operation of a circuit: a generator and what it works on."""

    target = prop_def(TargetAttr)

    @classmethod
    def generator(cls) -> str:
        """Its name in circuits: that of the operation without the dialect's."""
        return cls.name.removeprefix("sigil.")

    def __init__(self, target: Target | str, variant: str = ""):
        target = parse_target(target, self.generator()) if isinstance(target, str) else target
        properties: dict[str, Attribute] = {"target": TargetAttr(target)}
        if variant:
            properties["variant"] = StringAttr(variant)
        super().__init__(properties=properties)

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from hologram.dialects.sigil.canonicalization import OwnTransforms

        return (OwnTransforms(),)

    @property
    def variant_name(self) -> str:
        """The variant; nothing if none is named."""
        variant = self.properties.get("variant")
        return variant.data if isinstance(variant, StringAttr) else ""

    @property
    def text(self) -> str:
        """The operation in the syntax of circuits."""
        return f"{self.generator()}{'.' if self.variant_name else ''}{self.variant_name}@{self.target.data.text}"

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        word = parser.parse_optional_identifier() or "" if cls.generator() in VARIANTS else ""
        op = cls(_parse_target(parser, cls.generator()), word)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.variant_name}{' ' if self.variant_name else ''}")
        printer.print_string_literal(self.target.data.text)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        self.verify_place()
        if self.target.data.form not in FORMS_OF[self.generator()]:
            raise VerifyError(
                "sigil-form", f"'{self.name}' does not work on '{self.target.data.text}'",
                hint=f"its targets are of the forms {', '.join(FORMS_OF[self.generator()])}",
            )  # fmt: skip
        known = VARIANTS.get(self.generator(), ())
        if self.variant_name and self.variant_name not in known:
            near = did_you_mean(self.variant_name, known) or f"its variants are {', '.join(known) or 'none'}"
            raise VerifyError("sigil-variant", f"'{self.variant_name}' is no variant of '{self.name}'", hint=near)


class VariantOp(GeneratorOp):
    """A generator that has variants."""

    variant = opt_prop_def(StringAttr)


@irdl_op_definition
class MarkOp(GeneratorOp):
    """Names a class, or each class of a range. Tiles stay as they are.

    Example::

        sigil.mark "c21"
        sigil.mark "c[10..15]"
    """

    name = "sigil.mark"


@irdl_op_definition
class CopyOp(GeneratorOp):
    """Gives the second tile the values of the first. On one sigil it has no tile reading.

    Example::

        sigil.copy "c05->c06"
    """

    name = "sigil.copy"


@irdl_op_definition
class SwapOp(GeneratorOp):
    """Exchanges two tiles. On one sigil it has no tile reading.

    Example::

        sigil.swap "c05<->c06"
    """

    name = "sigil.swap"


@irdl_op_definition
class MergeOp(VariantOp):
    """`source[context, destination]`: destination := source + context element by element, or `mul`, `min`, `max`; or a
    function of the source alone: `abs`, `exp`, `log`, `sqrt`, `sigmoid`, `tanh`, `gelu`, `relu`. NaN and the edges are
    those of the scalar instructions; integers wrap. On one sigil or a range it has no tile reading.

    Example::

        sigil.merge "c00[c01,c02]"
        sigil.merge mul "c00[c01,c02]"
    """

    name = "sigil.merge"


@irdl_op_definition
class SplitOp(VariantOp):
    """`source[context, destination]`: destination := source - context element by element, or `div`. On one sigil it has
    no tile reading.

    Example::

        sigil.split div "c00[c01,c02]"
    """

    name = "sigil.split"


@irdl_op_definition
class QuoteOp(GeneratorOp):
    """Names a class, or each class of a range, as `mark` does. Tiles stay as they are.

    Example::

        sigil.quote "c30"
    """

    name = "sigil.quote"


@irdl_op_definition
class EvaluateOp(GeneratorOp):
    """Names a class, or each class of a range, as `mark` does. Tiles stay as they are.

    Example::

        sigil.evaluate "c21"
    """

    name = "sigil.evaluate"


@irdl_op_definition
class ParOp(CircuitPartOp):
    """Two or more branches, which are independent: none writes what another touches.

    Example::

        sigil.par {
          sigil.copy "c00->c01"
        }, {
          sigil.copy "c02->c03"
        }
    """

    name = "sigil.par"
    branches = var_region_def()
    traits = traits_def(NoTerminator())

    def __init__(self, branches: Sequence[Region]):
        super().__init__(regions=[list(branches)])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        branches = [parser.parse_region()]
        while parser.parse_optional_punctuation(",") is not None:
            branches.append(parser.parse_region())
        op = cls(branches)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.branches, printer.print_region)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        self.verify_place()
        if len(self.branches) < 2:
            raise VerifyError("sigil-par-branches", f"'{self.name}' has {len(self.branches)} branches, expected two")
        for branch in self.branches:
            self.verify_body(branch)


@irdl_op_definition
class TransformOp(CircuitPartOp, HasCanonicalizationPatternsInterface):
    """Moves the classes of its body; the transforms are nested, the outermost first, and compose truly.

    Example::

        sigil.transform "R+1", "D-1 ~" {
          sigil.mark "c00"
        }
    """

    name = "sigil.transform"
    moves = prop_def(ArrayAttr[TransformAttr])
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, moves: Sequence[Transform], body: Region):
        super().__init__(properties={"moves": ArrayAttr([TransformAttr(m) for m in moves])}, regions=[body])

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from hologram.dialects.sigil.canonicalization import Chain, NoTransform

        return (Chain(), NoTransform())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        moves = parser.parse_comma_separated_list(parser.Delimiter.NONE, lambda: _parse_transform(parser))
        op = cls(moves, parser.parse_region())
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.moves, lambda move: printer.print_string_literal(move.data.text))
        printer.print_string(" ")
        printer.print_region(self.body)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        self.verify_place()
        if not self.moves:
            raise VerifyError("sigil-transform-none", f"'{self.name}' names no transform")
        self.verify_body(self.body)


@irdl_op_definition
class CircuitOp(CircuitPartOp):
    """A circuit: operations on the tiles of class memory, one after the other. A type says what the elements of its
    tiles are; without one the conversion does, and takes f32 if it is not told.

    Example::

        sigil.circuit @main f32 {
          sigil.merge "c00[c01,c02]"
        }
    """

    name = "sigil.circuit"
    sym_name = prop_def(SymbolNameConstraint())
    type = opt_prop_def(DTypeAttr)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(self, sym_name: str, body: Region, type: DType | None = None):
        super().__init__(
            properties={"sym_name": StringAttr(sym_name), "type": None if type is None else DTypeAttr.of(type)},
            regions=[body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name().data
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parser.parse_optional_region()
        dtype = None
        if body is None:
            dtype, body = parse_dtype(parser), parser.parse_region()
        op = cls(name, body, dtype)
        op.attributes |= {} if attributes is None else attributes.data
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" " if self.type is None else f" {self.type.dtype.name} ")
        printer.print_region(self.body)

    def verify_(self) -> None:
        if self.type is not None and self.type.dtype.name not in TYPES:
            raise VerifyError(
                "sigil-type", f"tiles can't be of type {self.type.dtype.name}", hint=f"they are of {', '.join(TYPES)}"
            )
        self.verify_body(self.body)


GENERATORS: dict[str, type[GeneratorOp]] = {
    op.generator(): op for op in (MarkOp, CopyOp, SwapOp, MergeOp, SplitOp, QuoteOp, EvaluateOp)
}
"""The operation of each generator."""
OPS: list[type[Operation]] = [CircuitOp, *GENERATORS.values(), ParOp, TransformOp]
