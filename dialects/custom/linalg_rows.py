"""Operations of upstream's linalg dialect that are no loops over elements, as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, i32
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.forms import build
from hologram.dialects.custom.operands import parse_operands, print_operands
from hologram.dialects.custom.rows import Form, Row, RowOp, need
from hologram.dialects.custom.syntax import parse_results

_TILES = {"F_2_3": (2, 3), "F_4_3": (4, 3), "F_2_5": (2, 5)}
"""The outputs that a tile makes, and the taps of the filter, by the name that Winograd's algorithm has for them."""


def _parse_transform(kind: type[RowOp], parser: Parser) -> Operation:
    attributes = parser.parse_optional_attr_dict()
    parser.parse_keyword("fmr")
    with parser.in_parens():
        start = parser.pos
        name = parser.parse_identifier()
        if name not in _TILES:
            parser.raise_error(f"there is no '{name}', but {', '.join(_TILES)}", start, parser.pos)
    attributes["fmr"] = IntegerAttr([*_TILES].index(name), i32)
    operands = [*parse_operands(parser, "ins"), *parse_operands(parser, "outs")]
    if len(operands) != 2:
        parser.raise_error(f"'{kind.name}' has one input and one output", start, parser.pos)
    return build(kind, operands, parse_results(parser), attributes)


def _print_transform(printer: Printer, op: Any) -> None:
    printer.print_op_attributes(op.attributes)
    printer.print_string(f" fmr({[*_TILES][op.fmr.value.data]})")
    print_operands(printer, [op.operands[0]], [op.operands[1]], op.result_types)


def _shapes(op: Any, ranks: Sequence[int]) -> tuple[list[int], list[int]]:
    """The shapes of the input and the output, which have these numbers of axes."""
    shapes = [[*value.type.get_shape()] for value in op.operands]
    need([*map(len, shapes)] == [*ranks], f"'{op.name}' makes tensors of {ranks[1]} axes of such with {ranks[0]}")
    need(op.result.type == op.operands[1].type, f"the result of '{op.name}' has the type of its output")
    return shapes[0], shapes[1]


def _tile(op: Any) -> tuple[int, int]:
    number: int = op.fmr.value.data
    need(0 <= number < len(_TILES), f"'{op.name}' has a size of tiles, and not {number}")
    return [*_TILES.values()][number]


def _fit(op: Any, wanted: Sequence[int], given: Sequence[int]) -> None:
    fits = all(DYNAMIC_INDEX in pair or pair[0] == pair[1] for pair in zip(wanted, given, strict=True))
    need(fits, f"the output of '{op.name}' has the sizes {[*wanted]}, and not {[*given]}")


def _check_filter(op: Any) -> None:
    (count, height, width, channels), made = _shapes(op, (4, 4))
    outputs, taps = _tile(op)
    known = (1, taps, DYNAMIC_INDEX)
    need(height in known and width in known, f"the filter of '{op.name}' is {taps} long along one axis or both")
    need((height, width) != (1, 1), f"the filter of '{op.name}' is {taps} long along one axis or both")
    tiles = [1 if size == 1 else outputs + taps - 1 for size in (height, width)]
    _fit(op, [*tiles, channels, count], made)


def _check_input(op: Any) -> None:
    (count, height, width, channels), made = _shapes(op, (4, 6))
    outputs, taps = _tile(op)
    wanted: list[int] = []
    for size, tile in zip((height, width), made[:2], strict=True):
        whole = size if tile == 1 or size == DYNAMIC_INDEX else (size - taps + 1) // outputs
        wanted.append(whole)
    tiles = [1 if tile == 1 else outputs + taps - 1 for tile in made[:2]]
    _fit(op, [*tiles, *wanted, count, channels], made)


def _check_output(op: Any) -> None:
    value, made = _shapes(op, (6, 4))
    outputs, taps = _tile(op)
    known = (1, outputs + taps - 1, DYNAMIC_INDEX)
    need(value[0] in known and value[1] in known, f"the tiles of '{op.name}' are {outputs + taps - 1} long")
    sizes = [
        size if tile == 1 or size == DYNAMIC_INDEX else size * outputs
        for tile, size in zip(value[:2], value[2:4], strict=True)
    ]
    _fit(op, [value[4], *sizes, value[5]], made)


def _check_softmax(op: Any) -> None:
    shapes = [[*value.type.get_shape()] for value in op.operands]
    axis = op.dimension.value.data
    need(0 <= axis < len(shapes[0]), f"'linalg.softmax' sums along axis {axis} of {len(shapes[0])}")
    same = len(shapes[0]) == len(shapes[1])
    need(same, "'linalg.softmax' keeps the shape")
    _fit(op, shapes[0], shapes[1])


_TRANSFORM = Form(_parse_transform, _print_transform)
ROWS = [
    Row(
        "linalg.softmax",
        "The exponentials of elements, over their sum along an axis.",
        operands="input:any output:any",
        results="result:ranked_tensor*",
        properties="dimension:i64_attr",
        form="attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)`"
        " `outs` `(` $output `:` type($output) `)` (`->` type($result)^)?",
        check=_check_softmax,
    ),
    *(
        Row(
            f"linalg.winograd_{name}_transform",
            f"The {name} of a convolution as tiles of Winograd's algorithm take it.",
            operands=f"{operand}:ranked_tensor output:ranked_tensor",
            results="result:ranked_tensor",
            properties="fmr:i32_attr",
            form=_TRANSFORM,
            check=check,
        )
        for name, operand, check in (
            ("filter", "filter", _check_filter),
            ("input", "input", _check_input),
            ("output", "value", _check_output),
        )
    ),
]
