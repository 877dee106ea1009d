"""The named operations of linalg, made of the rows of `named_table`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseIntElementsAttr,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Region
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.irdl import AttrSizedOperandSegments, irdl_attr_definition, opt_prop_def, prop_def
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from hologram.dialects.custom.operands import parse_operands, print_operands
from hologram.dialects.custom.syntax import parse_results
from hologram.dialects.families import described, member
from hologram.dialects.linalg import bodies, named_table
from hologram.dialects.linalg.loops import check_results
from hologram.errors import VerifyError

_MAPS = "indexing_maps"
_MEMO = "linalg.memoized_indexing_maps"
"""The attribute in which upstream keeps the maps that a row says."""
_Maps = ArrayAttr[AffineMapAttr]


class Cast(StrEnum):
    """How elements are cast to the type of the output."""

    SIGNED = "cast_signed"
    UNSIGNED = "cast_unsigned"


class Elementwise(StrEnum):
    """What `linalg.elementwise` does with elements."""

    EXP = "exp"
    LOG = "log"
    ABS = "abs"
    CEIL = "ceil"
    FLOOR = "floor"
    NEGF = "negf"
    RECIPROCAL = "reciprocal"
    ROUND = "round"
    SQRT = "sqrt"
    RSQRT = "rsqrt"
    SQUARE = "square"
    TANH = "tanh"
    ERF = "erf"
    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    DIV_UNSIGNED = "div_unsigned"
    MAX_SIGNED = "max_signed"
    MIN_SIGNED = "min_signed"
    MAX_UNSIGNED = "max_unsigned"
    MIN_UNSIGNED = "min_unsigned"
    POWF = "powf"
    SELECT = "select"


class _Bracketed(EnumAttribute[Any]):
    """An enumeration in angle brackets."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> StrEnum:
        with parser.in_angle_brackets():
            return cast("StrEnum", super().parse_parameter(parser))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class TypeFnAttr(_Bracketed, EnumAttribute[Cast]):
    """How elements are cast."""

    name = "linalg.type_fn"


@irdl_attr_definition
class ElementwiseKindAttr(_Bracketed, EnumAttribute[Elementwise]):
    """What is done with elements."""

    name = "linalg.elementwise_kind"


class Named(LinalgStructuredOperation):
    """An operation of linalg whose body follows from its name."""

    LOOPS: ClassVar[str]
    """The loops, and the indices of each operand, as the table has them; empty where they follow from shapes."""
    BODY: ClassVar[bodies.Body | None]

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def get_indexing_maps(self) -> _Maps:
        given = self.properties.get(_MAPS)
        return cast("_Maps", given) if given is not None else self.usual_maps()

    def usual_maps(self) -> _Maps:
        """The maps that the row says, with the strides and dilations of the operation."""
        if not self.LOOPS:
            return _pointwise_maps([getattr(v.type, "get_shape", list)() for v in self.operands])
        numbers = [self.properties.get(name) for name in ("strides", "dilations")]
        steps = [None if n is None else tuple(cast("Any", n).iter_values()) for n in numbers]
        return _maps_of(self.LOOPS, steps[0], steps[1])

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        *_, last = self.get_indexing_maps()
        kept = {e.position for e in last.data.results if isinstance(e, AffineDimExpr)}
        kinds = (IteratorTypeAttr.parallel(), IteratorTypeAttr.reduction())
        return ArrayAttr(kinds[n not in kept] for n in range(last.data.num_dims))

    @classmethod
    def parse(cls, parser: Parser) -> Named:
        known = cls.get_irdl_definition().properties
        properties: dict[str, Attribute] = {}
        if "kind" in known:
            parser.parse_keyword("kind")
            parser.parse_punctuation("=")
            properties["kind"] = parser.parse_attribute()
        if _MAPS in known and parser.parse_optional_keyword(_MAPS) is not None:
            parser.parse_punctuation("=")
            properties[_MAPS] = parser.parse_attribute()
        attributes = parser.parse_optional_attr_dict()
        inputs, outputs = parse_operands(parser, "ins"), parse_operands(parser, "outs")
        attributes |= parser.parse_optional_attr_dict()
        results = parse_results(parser)
        properties |= {name: attributes.pop(name) for name in [*attributes] if name in known}
        op = cls.build(
            operands=[inputs, outputs], result_types=[results], properties=properties, attributes=attributes,
            regions=[Region()],
        )  # fmt: skip
        op.fill_body()
        if _MAPS in known:
            op.properties.setdefault(_MAPS, op.usual_maps())
        elif cls.LOOPS:
            op.attributes.setdefault(_MEMO, op.usual_maps())
        return op

    def fill_body(self) -> None:
        """Makes the body, of the types of the operands."""
        kind = self.properties.get("kind")
        name = "" if kind is None else cast("ElementwiseKindAttr", kind).data.value.removesuffix("_signed")
        body = type(self).BODY or bodies.elementwise(name)
        self.detach_region(0)
        unsigned = self.properties.get("cast") == TypeFnAttr(Cast.UNSIGNED)
        self.add_region(bodies.region(body, self.operands, unsigned))

    def print(self, printer: Printer) -> None:
        if (kind := self.properties.get("kind")) is not None:
            printer.print_string(" kind=")
            printer.print_attribute(kind)
        if (maps := self.properties.get(_MAPS)) not in (None, self.usual_maps() if self.has_usual_maps() else None):
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(maps)
        hidden = (_MAPS, _MEMO, "kind", "operandSegmentSizes")
        printer.print_op_attributes({k: v for k, v in (self.attributes | self.properties).items() if k not in hidden})
        print_operands(printer, self.inputs, self.outputs, self.res.types)

    def has_usual_maps(self) -> bool:
        """Return whether the maps follow from the name, or the shapes."""
        return self.name != "linalg.contract"

    def verify_(self) -> None:
        windows = self.LOOPS.partition("->")[0].count("~")
        for name in ("strides", "dilations"):
            steps = self.properties.get(name)
            if steps is not None and len(cast("DenseIntElementsAttr", steps)) != windows:
                raise VerifyError("linalg-windows", f"'{self.name}' has as many {name} as windows: {windows}")
        super().verify_()
        check_results(self)


def _pointwise_maps(shapes: Sequence[Sequence[int]]) -> _Maps:
    """The maps of an operation on elements at the same place, or on numbers."""
    rank = len(shapes[-1])
    return ArrayAttr(
        AffineMapAttr(AffineMap.identity(rank) if shape or not rank else AffineMap(rank, 0, ())) for shape in shapes
    )


@cache
def _maps_of(text: str, strides: Sequence[int] | None, dilations: Sequence[int] | None) -> _Maps:
    """The maps of `m n k | m k, k n -> m n`."""
    loops, _, operands = text.partition("|")
    places = {name: AffineExpr.dimension(n) for n, name in enumerate(loops.split())}
    windows = iter(range(text.count("~")))

    def index(word: str) -> AffineExpr:
        if "~" in word:
            place = next(windows)
            stride, dilation = strides[place] if strides else 1, dilations[place] if dilations else 1
            return places[word[0]] * stride + places[word[2]] * dilation
        return places[word[0]] + places[word[2]] if "+" in word else places[word]

    def indices(words: str) -> tuple[AffineExpr, ...]:
        return tuple(index(word) for word in words.split() if word != "-")

    rows = operands.replace("->", ",").split(",")
    return ArrayAttr(AffineMapAttr(AffineMap(len(places), 0, indices(row))) for row in rows)


_CAST = {"cast": opt_prop_def(TypeFnAttr)}
_WINDOWS = {"strides": opt_prop_def(DenseIntElementsAttr), "dilations": opt_prop_def(DenseIntElementsAttr)}
_GIVEN = {_MAPS: opt_prop_def(ArrayAttr[AffineMapAttr]), **_CAST}
_KIND = {"kind": prop_def(ElementwiseKindAttr), _MAPS: opt_prop_def(ArrayAttr[AffineMapAttr])}


def _made(name: str, loops: str, body: bodies.Body | None, meaning: str, properties: dict[str, Any]) -> type[Named]:
    """The class of a row."""
    ins = max(1, loops.partition("->")[0].count(",") + 1)
    names = ", ".join(f"%{n}" for n in range(ins))
    full = f"linalg.{name}"
    example = f"{full} ins({names} : ...) outs(%out : ...)"
    fields = described(full, meaning, example, __name__, LOOPS=loops, BODY=body and staticmethod(body))
    camel = "".join(part.capitalize() for part in name.split("_"))
    return member(Named, f"{camel}Op", fields, (), properties)


def _rows(table: str) -> Iterator[tuple[str, str]]:
    for line in table.strip().splitlines():
        name, _, loops = line.partition("|")
        yield name.strip(), loops.strip()


def _all() -> Iterator[type[Named]]:
    for table, body in (
        (named_table.CONVOLUTIONS, bodies.product),
        (named_table.QUANTIZED_CONVOLUTIONS, bodies.quantized_product),
        (named_table.PRODUCTS, bodies.product),
        (named_table.MATRIX_PRODUCTS, bodies.product),
    ):
        for name, loops in _rows(table):
            given = _GIVEN if table is named_table.MATRIX_PRODUCTS else _WINDOWS if "~" in loops else {}
            yield _made(name, loops, body, f"The sums of products over the loops and indices {loops}.", given)
    for stem, loops in _rows(named_table.POOLINGS):
        for how in named_table.POOLED[stem].split():
            meaning = f"The {how} of each window, over the loops and indices {loops}."
            yield _made(f"{stem}_{how}", loops, bodies.pooled(how), meaning, _WINDOWS)
    for name in (*named_table.UNARY, *named_table.BINARY, "select"):
        yield _made(name, "", bodies.elementwise(name), f"{name} of the elements at the same place.", {})
    yield _made("fill", "", bodies.copied, "Puts a number at each place.", {})
    yield _made("copy", "", bodies.copied, "Puts the elements at the same places.", _CAST)
    yield _made("fill_rng_2d", "m n | -, -, - -> m n", bodies.random, "Puts random numbers between two.", {})
    yield _made("contract", "", bodies.product, "The sums of products that `indexing_maps` says.", _GIVEN)
    yield _made("elementwise", "", None, "What `kind` says of the elements that `indexing_maps` says.", _KIND)


OPERATIONS = [*_all()]
ATTRIBUTES = [TypeFnAttr, ElementwiseKindAttr]
