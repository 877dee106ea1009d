"""The base of tensor operations: their syntax, their checks, and the symbolic sizes of their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from xdsl.dialects.builtin import I64, ArrayAttr, IndexType, IntegerAttr, UnitAttr, i64
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, OpResult
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer

from hologram.dialects import shapes
from hologram.dialects.atlas.instructions.types import Array, DType, dtype_of
from hologram.dialects.shapes import DYNAMIC, compatible, show_shape
from hologram.dialects.sizes import Requirement, Size
from hologram.errors import VerifyError, parse_error

Sizes = list[Size]
SizesOf = Callable[[SSAValue], Sizes]
"""The symbolic sizes of a tensor value; of an index value, a list with its one symbolic value."""


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """The shape of a tensor value, DYNAMIC where not known."""
    return shapes.shape_of(value.type)


def element_of(value: SSAValue) -> Attribute:
    """The element type of a tensor value; a scalar's own type."""
    return shapes.element_type(value.type)


def dtype_in(value: SSAValue, *, unsigned: bool = False) -> DType | None:
    """The ISA type of a tensor's elements or of a scalar, if instructions work on it: `index` has none here."""
    element = element_of(value)
    dtype = dtype_of(element, unsigned=unsigned)
    return dtype if dtype is not None and dtype.ir == element else None


def integers(attr: ArrayAttr[Any]) -> list[int]:
    """The Python integers of an array attribute."""
    return [a.value.data for a in attr]


def integer_array(values: Sequence[int]) -> ArrayAttr[IntegerAttr[I64]]:
    """An array attribute of i64."""
    return ArrayAttr([IntegerAttr(v, i64) for v in values])


class TensorOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """The base: `hologram.NAME [flags] %operands [sizes(%indices)] [{properties}] : TYPES`, with TYPES one of TYPE,
    `FROM to TYPE` and `(TYPE, ...) -> TYPE`.

    A single TYPE stands for all operands and the result, as `spread` says; `FROM to TYPE` for one operand.
    """

    FLAGS: ClassVar[tuple[str, ...]] = ()
    """Unit properties written as keywords before the operands."""
    HEAD: ClassVar[tuple[str, ...]] = ("condition", "kind")
    """Other properties that `print_head` writes."""
    if TYPE_CHECKING:
        result: OpResult

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from hologram.dialects.hologram.canonicalization import patterns_of

        return patterns_of(cls)

    def evaluate(self, *operands: Array) -> Array:
        """Compute the elements of the result from the operands, in storage form. Traps are exceptions of
        `storage` and `arrays.reference`."""
        raise NotImplementedError(self.name)

    # Symbolic sizes

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        """The sizes of the result."""
        raise NotImplementedError(self.name)

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        """The requirements that the operands' sizes must satisfy."""
        return []

    def given_sizes(self, indices: Sequence[SSAValue], sizes: SizesOf) -> Sizes:
        """The result's static sizes, with `indices` for the dynamic ones in order."""
        given = iter(indices)
        return [sizes(next(given))[0] if n == DYNAMIC else Size.of(n) for n in shape_of(self.results[0])]

    def given_shape(self, indices: Sequence[Array]) -> list[int]:
        """The result's shape, with `indices` for the dynamic sizes in order."""
        given = iter(indices)
        return [int(next(given)) if n == DYNAMIC else n for n in shape_of(self.results[0])]

    def verify_given(self, indices: Sequence[SSAValue]) -> None:
        """There is one index operand for each dynamic size of the result."""
        needed = sum(n == DYNAMIC for n in shape_of(self.results[0]))
        if len(indices) != needed:
            raise VerifyError(
                "hologram-sizes",
                f"'{self.name}' has {len(indices)} sizes for a result with {needed} dynamic ones",
                hint="write sizes(%n, ...) with an index value for each '?' of the result",
            )

    def verify_same_element(self, *values: SSAValue, like: SSAValue | None = None) -> None:
        """All values have one element type: that of `like`, or else of the result."""
        expected = element_of(like or self.results[0])
        for value in values:
            if element_of(value) != expected:
                raise VerifyError(
                    "hologram-element-type",
                    f"'{self.name}' needs equal element types, found {element_of(value)} and {expected}",
                    hint="convert with hologram.cast",
                )

    def verify_shape(self, actual: Sequence[int], expected: Sequence[int]) -> None:
        """The shapes may be equal at run time."""
        if not compatible(actual, expected):
            raise VerifyError(
                "hologram-shape", f"'{self.name}' needs shape {show_shape(expected)}, found {show_shape(actual)}"
            )

    def axis_in(self, axis: int, rank: int) -> None:
        """The axis exists."""
        if not 0 <= axis < rank:
            raise VerifyError("hologram-axis", f"axis {axis} of '{self.name}' is out of range for rank {rank}")

    # Syntax

    @classmethod
    def spread(cls, type: Attribute, count: int) -> tuple[list[Attribute], Attribute]:
        """The types of `count` operands and of the result that a single written type stands for."""
        return [type] * count, type

    @classmethod
    def parse_head(cls, parser: Parser) -> dict[str, Attribute]:
        """Properties written before the operands."""
        return {flag: UnitAttr() for flag in cls.FLAGS if parser.parse_optional_keyword(flag) is not None}

    def print_head(self, printer: Printer) -> None:
        for flag in self.FLAGS:
            if flag in self.properties:
                printer.print_string(f" {flag}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties = cls.parse_head(parser)
        start = parser.pos
        unresolved = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        names = [] if unresolved is None else unresolved
        sizes: list[UnresolvedOperand] = []
        if parser.parse_optional_keyword("sizes") is not None:
            sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        known = cls.get_irdl_definition().properties
        properties |= {k: attributes.pop(k) for k in list(attributes) if k in known}
        parser.parse_punctuation(":")
        types, result = cls._parse_types(parser, len(names))
        operands = [
            *parser.resolve_operands(names, types, start),
            *(parser.resolve_operand(s, IndexType()) for s in sizes),
        ]
        return cls.create(operands=operands, result_types=[result], properties=properties, attributes=attributes)

    @classmethod
    def _parse_types(cls, parser: Parser, count: int) -> tuple[list[Attribute], Attribute]:
        """The types of the operands before `sizes`, and of the result."""
        start = parser.pos
        if (function := parser.parse_optional_function_type()) is not None:
            if len(function.outputs) != 1:
                parse_error(parser, "hologram-result-count", f"'{cls.name}' has one result", at=start)
            return list(function.inputs), function.outputs.data[0]
        first = parser.parse_type()
        if parser.parse_optional_keyword("to") is not None:
            return [first], parser.parse_type()
        return cls.spread(first, count)

    @property
    def tensors(self) -> Sequence[SSAValue]:
        """The operands written before `sizes`."""
        return [v for v in self.operands if not isinstance(v.type, IndexType)]

    @property
    def size_operands(self) -> Sequence[SSAValue]:
        """The operands written in `sizes`."""
        return [v for v in self.operands if isinstance(v.type, IndexType)]

    def print(self, printer: Printer) -> None:
        self.print_head(printer)
        if self.tensors:
            printer.print_string(" ")
            printer.print_list(self.tensors, printer.print_ssa_value)
        if self.size_operands:
            printer.print_string(" sizes(")
            printer.print_list(self.size_operands, printer.print_ssa_value)
            printer.print_string(")")
        hidden = {*self.FLAGS, *self.HEAD, "operandSegmentSizes"}
        printer.print_op_attributes({k: v for k, v in self.properties.items() if k not in hidden} | self.attributes)
        printer.print_string(" : ")
        types, result = [v.type for v in self.tensors], self.results[0].type
        if types and (types, result) == self.spread(self.tensors[-1].type, len(types)) or not types:
            printer.print_attribute(types[-1] if types else result)
        elif len(types) == 1:
            printer.print_attribute(types[0])
            printer.print_string(" to ")
            printer.print_attribute(result)
        else:
            printer.print_string("(")
            printer.print_list(types, printer.print_attribute)
            printer.print_string(") -> ")
            printer.print_attribute(result)


def same_sizes(values: Sequence[SSAValue], sizes: SizesOf) -> tuple[Sizes, list[Requirement]]:
    """The common sizes of values of one shape, and what must hold for them to be equal. Constants come first."""
    known = [sizes(v) for v in values]
    common = [next((s for s in axis if s.constant is not None), axis[0]) for axis in zip(*known, strict=True)]
    wanted = [
        Requirement(left, "==", right)
        for other in known
        for left, right in zip(common, other, strict=True)
        if left != right
    ]
    return common, wanted
