"""The affine dialect: xDSL's operations and those of upstream that it lacks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, BoolAttr, DenseArrayBase, IndexType, UnitAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from hologram.dialects.custom.rows import RowDialect
from hologram.dialects.custom.syntax import parse_sizes, print_sizes
from hologram.dialects.families import defined, over_stock
from hologram.errors import VerifyError


@irdl_op_definition
class MaxOp(IRDLOperation):
    """The greatest result of a map.

    Example: `%r = affine.max affine_map<(d0)[s0] -> (d0, s0 + 4)> (%i)[%n]`
    """

    name = "affine.max"

    arguments = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)
    result = result_def(IndexType)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> MaxOp:
        map, values = parser.parse_attribute(), list[SSAValue]()
        for delimiter in (parser.Delimiter.PAREN, parser.Delimiter.SQUARE):
            given = parser.parse_optional_comma_separated_list(delimiter, parser.parse_unresolved_operand)
            values += [parser.resolve_operand(v, IndexType()) for v in given or ()]
        attributes = parser.parse_optional_attr_dict()
        return cls.create(operands=values, result_types=[IndexType()], properties={"map": map}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        count = self.map.data.num_dims
        printer.print_string(" ")
        printer.print_attribute(self.map)
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.arguments[:count], printer.print_ssa_value)
        if self.arguments[count:]:
            with printer.in_square_brackets():
                printer.print_list(self.arguments[count:], printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        map = self.map.data
        if len(self.arguments) != map.num_dims + map.num_symbols:
            _refuse(f"'{self.name}' has {len(self.arguments)} operands, and its map takes {map}")


def _refuse(message: str) -> None:
    raise VerifyError("affine-operands", message)


# Indices of several axes as one


def _check_basis(name: str, sizes: Sequence[int], values: Sequence[SSAValue], count: int) -> None:
    if any(s != DYNAMIC_INDEX and s <= 0 for s in sizes):
        _refuse(f"the sizes of '{name}' are positive")
    if sizes.count(DYNAMIC_INDEX) != len(values):
        _refuse(f"'{name}' has {len(values)} sizes that are values, and needs {sizes.count(DYNAMIC_INDEX)}")
    if len(sizes) not in (count, count - 1):
        _refuse(f"'{name}' has a size for each of {count} indices, or for all but the first")


@irdl_op_definition
class DelinearizeIndexOp(IRDLOperation):
    """The indices of several axes that an index into all of them in row-major order is.

    Example: `%i:2 = affine.delinearize_index %n into (4, 8) : index, index`
    """

    name = "affine.delinearize_index"

    linear_index = operand_def(IndexType)
    dynamic_basis = var_operand_def(IndexType)
    static_basis = prop_def(DenseArrayBase.constr(i64))
    multi_index = var_result_def(IndexType)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> DelinearizeIndexOp:
        index = parser.parse_operand(IndexType())
        parser.parse_keyword("into")
        sizes, values = parse_sizes(parser, parser.Delimiter.PAREN)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        properties = {"static_basis": DenseArrayBase.from_list(i64, sizes)}
        return cls.create(operands=[index, *values], result_types=types, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.linear_index)
        printer.print_string(" into ")
        with printer.in_parens():
            print_sizes(printer, [*self.static_basis.iter_values()], self.dynamic_basis)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.multi_index.types, printer.print_attribute)

    def verify_(self) -> None:
        _check_basis(self.name, [*self.static_basis.iter_values()], self.dynamic_basis, len(self.multi_index))


@irdl_op_definition
class LinearizeIndexOp(IRDLOperation):
    """The index into several axes in row-major order that indices of each are.

    With `disjoint` each index is below the size of its axis.

    Example: `%n = affine.linearize_index disjoint [%i, %j] by (4, 8) : index`
    """

    name = "affine.linearize_index"

    multi_index = var_operand_def(IndexType)
    dynamic_basis = var_operand_def(IndexType)
    static_basis = prop_def(DenseArrayBase.constr(i64))
    disjoint = prop_def(UnitAttr | BoolAttr, default_value=BoolAttr.from_bool(False))
    linear_index = result_def(IndexType)

    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Parser) -> LinearizeIndexOp:
        disjoint = parser.parse_optional_keyword("disjoint") is not None
        names = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)
        indices = [parser.resolve_operand(n, IndexType()) for n in names]
        parser.parse_keyword("by")
        sizes, values = parse_sizes(parser, parser.Delimiter.PAREN)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        parser.parse_type()
        return cls.build(
            operands=[indices, values],
            result_types=[IndexType()],
            properties={
                "static_basis": DenseArrayBase.from_list(i64, sizes),
                "disjoint": UnitAttr() if disjoint else BoolAttr.from_bool(False),
            },
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" disjoint [" if self.is_disjoint else " [")
        printer.print_list(self.multi_index, printer.print_ssa_value)
        printer.print_string("] by ")
        with printer.in_parens():
            print_sizes(printer, [*self.static_basis.iter_values()], self.dynamic_basis)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : index")

    @property
    def is_disjoint(self) -> bool:
        """Return whether each index is below the size of its axis."""
        return isinstance(self.disjoint, UnitAttr) or bool(self.disjoint.value.data)

    def verify_(self) -> None:
        _check_basis(self.name, [*self.static_basis.iter_values()], self.dynamic_basis, len(self.multi_index))


_STOCK = [op for op in affine.Affine.operations if op.name != "affine.parallel"]
"""The operations of xDSL's that are upstream's."""
Affine = RowDialect(
    "affine",
    over_stock(defined(globals(), Operation), _STOCK),
    [*affine.Affine.attributes],
    rows="hologram.dialects.custom.affine_rows",
)
