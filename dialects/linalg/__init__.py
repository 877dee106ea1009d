"""The linalg dialect: xDSL's operations and those of upstream that it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, IntegerAttr, TensorType, i64
from xdsl.dialects.linalg import Linalg as XdslLinalg
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from hologram.dialects.custom.operands import parse_numbers, print_numbers
from hologram.dialects.custom.rows import RowDialect
from hologram.dialects.custom.syntax import parse_sizes, print_sizes
from hologram.dialects.families import defined, over_stock
from hologram.dialects.linalg import named
from hologram.dialects.linalg.combine import MapOp, ReduceOp
from hologram.dialects.linalg.loops import IndexOp, YieldOp
from hologram.errors import VerifyError

_Tensor = TensorType[Any]
_POSITIONS = DenseArrayBase.constr(i64)
_PACK = "linalg.pack"


class _Relayout(IRDLOperation):
    """A tensor whose axes are cut into tiles, or put together from them.

    `inner_dims_pos` are the axes that are cut, `inner_tiles` the sizes of the tiles, which are the last axes of the
    packed tensor; `outer_dims_perm` is the order of its other axes.
    """

    @classmethod
    def parse(cls, parser: Parser) -> _Relayout:
        source, padding = parser.parse_unresolved_operand(), list[SSAValue]()
        if parser.parse_optional_keyword("padding_value") is not None:
            with parser.in_parens():
                value = parser.parse_unresolved_operand()
                parser.parse_punctuation(":")
                padding = [parser.resolve_operand(value, parser.parse_type())]
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("outer_dims_perm") is not None:
            properties["outer_dims_perm"] = parse_numbers(parser)
        properties["inner_dims_pos"] = parse_numbers(parser, "inner_dims_pos")
        parser.parse_keyword("inner_tiles")
        parser.parse_punctuation("=")
        tiles, values = parse_sizes(parser, parser.Delimiter.SQUARE)
        properties["static_inner_tiles"] = DenseArrayBase.from_list(i64, tiles)
        parser.parse_keyword("into")
        dest = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        given = parser.parse_type()
        parser.parse_punctuation("->")
        made = parser.parse_type()
        ends = [parser.resolve_operand(source, given), parser.resolve_operand(dest, made)]
        operands = [*ends, padding, values] if cls.name == _PACK else [*ends, values]
        return cls.build(operands=operands, result_types=[made], properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        op = cast("Any", self)
        printer.print_string(" ")
        printer.print_ssa_value(op.source)
        if self.name == _PACK and op.padding_value is not None:
            printer.print_string(" padding_value(")
            printer.print_ssa_value(op.padding_value)
            printer.print_string(f" : {op.padding_value.type})")
        for name in ("outer_dims_perm", "inner_dims_pos"):
            if (numbers := self.properties.get(name)) is not None:
                print_numbers(printer, name, numbers)
        printer.print_string(" inner_tiles = [")
        print_sizes(printer, [*op.static_inner_tiles.iter_values()], op.inner_tiles)
        printer.print_string("] into ")
        printer.print_ssa_value(op.dest)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(op.source.type)
        printer.print_string(" -> ")
        printer.print_attribute(op.dest.type)

    def verify_(self) -> None:
        op = cast("Any", self)
        source, dest = cast("_Tensor", op.source.type), cast("_Tensor", op.dest.type)
        plain, packed = (source, dest) if self.name == _PACK else (dest, source)
        rank, axes = plain.get_num_dims(), [*op.inner_dims_pos.iter_values()]
        tiles: list[int] = [*op.static_inner_tiles.iter_values()]
        order = None if op.outer_dims_perm is None else [*op.outer_dims_perm.iter_values()]
        wrong = (
            self._wrong_lists(rank, axes, tiles, order, len(op.inner_tiles))
            or (any(t <= 0 and t != DYNAMIC_INDEX for t in [*tiles, *_known(op.inner_tiles)]) and "tiles are positive")
            or (op.result.type != dest and f"it gives a {op.result.type} in a {dest}")
            or _wrong_shape(plain, packed, axes, tiles, order or [*range(rank)])
        )
        if wrong:
            raise VerifyError("linalg-pack", f"'{self.name}' does not fit its types: {wrong}")

    @staticmethod
    def _wrong_lists(rank: int, axes: list[int], tiles: list[int], order: list[int] | None, given: int) -> str:
        """What is wrong with the lists of axes and tiles, apart from shapes."""
        if len(axes) != len(tiles) or len({*axes}) != len(axes) or not {*axes} <= {*range(rank)}:
            return "there is a tile for each axis that is cut, and these are axes of the tensor"
        if order and sorted(order) != [*range(rank)]:
            return f"{order} is no order of {rank} axes"
        if tiles.count(DYNAMIC_INDEX) != given:
            return f"{given} sizes of tiles are values, and {tiles.count(DYNAMIC_INDEX)} are needed"
        return ""


def _wrong_shape(plain: _Tensor, packed: _Tensor, axes: list[int], tiles: list[int], order: Sequence[int]) -> str:
    """What is wrong with the shape of the packed tensor."""
    rank, shape = plain.get_num_dims(), packed.get_shape()
    if plain.element_type != packed.element_type or len(shape) != rank + len(axes):
        return f"a {plain} has other elements or axes than a {packed}"
    if any(a != b for a, b in zip(shape[rank:], tiles, strict=True)):
        return f"the last axes of {packed} are the tiles"
    for place, axis in enumerate(order):
        size, tile = plain.get_shape()[axis], tiles[axes.index(axis)] if axis in axes else 1
        if DYNAMIC_INDEX not in (size, tile, shape[place]) and shape[place] != -(-size // tile):
            return f"axis {axis} of {plain} makes {-(-size // tile)} tiles, and {packed} has {shape[place]}"
    return ""


def _known(values: Sequence[SSAValue]) -> list[int]:
    """The numbers that constants among values are."""
    attributes = [v.owner.properties.get("value") for v in values if isinstance(v.owner, Operation)]
    return [a.value.data for a in attributes if isinstance(a, IntegerAttr)]


@irdl_op_definition
class PackOp(_Relayout):
    """A tensor cut into tiles, which become its last axes; what a last tile lacks is `padding_value`.

    Example: `%r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %o : tensor<16x8xf32> -> ...`
    """

    name = _PACK

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    padding_value = opt_operand_def()
    inner_tiles = var_operand_def(IndexType)
    outer_dims_perm = opt_prop_def(_POSITIONS)
    inner_dims_pos = prop_def(_POSITIONS)
    static_inner_tiles = prop_def(_POSITIONS)
    result = result_def(TensorType)

    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@irdl_op_definition
class UnPackOp(_Relayout):
    """A tensor put together from its tiles, the last axes: the inverse of `linalg.pack`.

    Example: `%r = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<2x8xf32> -> tensor<16xf32>`
    """

    name = "linalg.unpack"

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    inner_tiles = var_operand_def(IndexType)
    outer_dims_perm = opt_prop_def(_POSITIONS)
    inner_dims_pos = prop_def(_POSITIONS)
    static_inner_tiles = prop_def(_POSITIONS)
    result = result_def(TensorType)

    traits = traits_def(Pure())


_OURS = [*defined(globals(), Operation), IndexOp, MapOp, ReduceOp, YieldOp, *named.OPERATIONS]
Linalg = RowDialect(
    "linalg",
    over_stock(_OURS, XdslLinalg.operations),
    over_stock(named.ATTRIBUTES, XdslLinalg.attributes),
    rows="hologram.dialects.custom.linalg_rows",
)
