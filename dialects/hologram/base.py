"""What tensor operations share: their syntax, their checks, and the symbolic sizes of their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IndexType, IntegerAttr, TensorType, UnitAttr, i64
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, OpResult
from xdsl.parser import Parser
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer

from hologram.dialects.hologram.sizes import Requirement, Size
from hologram.errors import VerifyError

DYNAMIC = DYNAMIC_INDEX
Sizes = list[Size]
SizesOf = Callable[[SSAValue], Sizes]
"""The symbolic sizes of a tensor value; of an index value, a list with its one symbolic value."""


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """The shape of a tensor value, DYNAMIC where not known."""
    type = value.type
    assert isinstance(type, TensorType)
    return type.get_shape()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def element_of(value: SSAValue) -> Attribute:
    """The element type of a tensor value; a scalar's own type."""
    return value.type.element_type if isinstance(value.type, TensorType) else value.type


def show_shape(shape: Sequence[int]) -> str:
    return "(" + ", ".join("?" if n == DYNAMIC else str(n) for n in shape) + ")"


def compatible(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether two shapes may be equal at run time."""
    return len(a) == len(b) and all(x == y or DYNAMIC in (x, y) for x, y in zip(a, b, strict=True))


def integers(attr: ArrayAttr[Any]) -> list[int]:
    """The Python integers of an array attribute."""
    return [a.value.data for a in attr]


def integer_array(values: Sequence[int]) -> ArrayAttr[IntegerAttr[Any]]:
    return ArrayAttr([IntegerAttr(v, i64) for v in values])


class TensorOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """The base: `hologram.NAME [flags] %operands [sizes(%indices)] [{properties}] : TYPE | FROM to TYPE | (TYPES) -> TYPE`.

    A single TYPE stands for all operands and the result, as `spread` says; `FROM to TYPE` for one operand.
    """

    FLAGS: ClassVar[tuple[str, ...]] = ()
    """Unit properties written as keywords before the operands."""
    if TYPE_CHECKING:
        result: OpResult

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        from hologram.dialects.hologram.canonicalization import patterns_of

        return patterns_of(cls)

    # Symbolic sizes

    def result_sizes(self, sizes: SizesOf) -> Sizes:
        """The sizes of the result."""
        raise NotImplementedError(self.name)

    def requirements(self, sizes: SizesOf) -> list[Requirement]:
        """What the operands' sizes must satisfy."""
        return []

    def given_sizes(self, indices: Sequence[SSAValue], sizes: SizesOf) -> Sizes:
        """The result's static sizes, with `indices` for the dynamic ones in order."""
        given = iter(indices)
        return [sizes(next(given))[0] if n == DYNAMIC else Size.of(n) for n in shape_of(self.results[0])]

    def verify_given(self, indices: Sequence[SSAValue]) -> None:
        """There is one index operand for each dynamic size of the result."""
        needed = sum(n == DYNAMIC for n in shape_of(self.results[0]))
        if len(indices) != needed:
            raise VerifyError(
                "hologram-sizes", f"'{self.name}' has {len(indices)} sizes for a result with {needed} dynamic ones",
                hint="write sizes(%n, ...) with an index value for each '?' of the result",
            )

    def verify_same_element(self, *values: SSAValue) -> None:
        """All values have the element type of the result."""
        expected = element_of(self.results[0])
        for value in values:
            if element_of(value) != expected:
                raise VerifyError(
                    "hologram-element-type", f"'{self.name}' needs equal element types, found {element_of(value)} and {expected}",
                    hint="convert with hologram.cast",
                )

    def verify_shape(self, found: Sequence[int], expected: Sequence[int]) -> None:
        """The shapes may be equal at run time."""
        if not compatible(found, expected):
            raise VerifyError(
                "hologram-shape", f"'{self.name}' needs shape {show_shape(expected)}, found {show_shape(found)}"
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
        names = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        ) or []
        sizes: list[Any] = []
        if parser.parse_optional_keyword("sizes") is not None:
            sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        known = cls.get_irdl_definition().properties
        properties |= {k: attributes.pop(k) for k in list(attributes) if k in known}
        parser.parse_punctuation(":")
        if (function := parser.parse_optional_function_type()) is not None:
            types, result = list(function.inputs), function.outputs.data[0]
        else:
            first = parser.parse_type()
            if parser.parse_optional_keyword("to") is not None:
                types, result = [first], parser.parse_type()
            else:
                types, result = cls.spread(first, len(names))
        operands = list(parser.resolve_operands(names, types, start))
        return cls.assemble(operands, [parser.resolve_operand(s, IndexType()) for s in sizes], result, properties, attributes)

    @classmethod
    def assemble(
        cls,
        operands: list[SSAValue],
        sizes: list[SSAValue],
        result: Attribute,
        properties: dict[str, Attribute],
        attributes: dict[str, Attribute],
    ) -> Self:
        """Makes the op from what was parsed."""
        op = cls.create(
            operands=[*operands, *sizes], result_types=[result], properties=properties, attributes=attributes
        )
        return op

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
        hidden = {*self.FLAGS, "condition", "kind", "operandSegmentSizes"}
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
