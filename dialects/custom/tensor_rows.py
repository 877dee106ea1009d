"""Operations of upstream's tensor dialect that xDSL lacks, or takes fewer programs of than upstream, as rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.utils.reshape_ops_utils import verify_reshape_like_types  # noqa: TID251 - it has no other place.
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.forms import build
from hologram.dialects.custom.rows import Form, Row, RowOp, need
from hologram.dialects.custom.syntax import parse_body, parse_sizes, print_sizes

Tensor: TypeAlias = TensorType[Any]


def _shape(value: SSAValue) -> list[int]:
    return [*cast("Tensor", value.type).get_shape()]


def _element(value: SSAValue) -> Attribute:
    return cast("Attribute", cast("Tensor", value.type).element_type)


def _numbers(parser: Parser) -> DenseArrayBase:
    numbers = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    return DenseArrayBase.from_list(i64, numbers)


def _print_sizes(printer: Printer, numbers: Any, values: Sequence[SSAValue]) -> None:
    with printer.in_square_brackets():
        print_sizes(printer, [*numbers.iter_values()], values)


def _yields(op: Any, element: Attribute, rank: int) -> None:
    """A body takes an index for each axis, and gives an element."""
    block, last = op.body.block, op.body.block.last_op
    need([*block.arg_types] == [IndexType()] * rank, f"the body of '{op.name}' takes {rank} indices")
    given = [] if last is None or last.name != "tensor.yield" else [*last.operand_types]
    need(given == [element], f"the body of '{op.name}' ends with 'tensor.yield' of {element}")


# Elements made by a body


def _parse_generate(kind: type[RowOp], parser: Parser) -> Operation:
    values: list[SSAValue] = []
    while (name := parser.parse_optional_unresolved_operand()) is not None:
        values.append(parser.resolve_operand(name, IndexType()))
        if parser.parse_optional_punctuation(",") is None:
            break
    body = parse_body(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return build(kind, [values], [parser.parse_type()], attributes, [body])


def _print_generate(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_list(op.dynamicExtents, printer.print_ssa_value)
    printer.print_string(" " if op.dynamicExtents else "")
    printer.print_region(op.body)
    printer.print_op_attributes(op.attributes)
    printer.print_string(f" : {op.result.type}")


def _check_generate(op: Any) -> None:
    unknown = _shape(op.result).count(DYNAMIC_INDEX)
    need(len(op.dynamicExtents) == unknown, f"'tensor.generate' has a size for each that {op.result.type} leaves open")
    _yields(op, _element(op.result), len(_shape(op.result)))


def _parse_pad(kind: type[RowOp], parser: Parser) -> Operation:
    source = parser.parse_unresolved_operand()
    properties: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("nofold") is not None:
        properties["nofold"] = UnitAttr()
    padding: list[list[SSAValue]] = []
    for word in ("low", "high"):
        parser.parse_keyword(word)
        numbers, values = parse_sizes(parser, parser.Delimiter.SQUARE)
        properties[f"static_{word}"] = DenseArrayBase.from_list(i64, numbers)
        padding.append(values)
    body = parse_body(parser)
    attributes = properties | parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_type()
    parser.parse_keyword("to")
    result = parser.parse_type()
    return build(kind, [parser.resolve_operand(source, type), *padding], [result], attributes, [body])


def _print_pad(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.source)
    printer.print_string(" nofold" if op.nofold is not None else "")
    for word in ("low", "high"):
        printer.print_string(f" {word}")
        _print_sizes(printer, op.properties[f"static_{word}"], getattr(op, word))
    printer.print_string(" ")
    printer.print_region(op.body)
    printer.print_op_attributes(op.attributes)
    printer.print_string(f" : {op.source.type} to {op.result.type}")


def _check_pad(op: Any) -> None:
    source, result = _shape(op.source), _shape(op.result)
    low, high = ([*numbers.iter_values()] for numbers in (op.static_low, op.static_high))
    need(len(source) == len(result), f"'tensor.pad' keeps the axes of {op.source.type}, and gives {op.result.type}")
    need(len(low) == len(high) == len(source), f"'tensor.pad' has padding for each of {len(source)} axes")
    for numbers, values in ((low, op.low), (high, op.high)):
        need(numbers.count(DYNAMIC_INDEX) == len(values), "'tensor.pad' has other padding that is values than it says")
    for sizes in zip(source, low, high, result, strict=True):
        whole = sum(sizes[:3])
        fits = DYNAMIC_INDEX in sizes[:3] or whole == sizes[3]
        need(fits, f"an axis that 'tensor.pad' makes {whole} long is {sizes[3]} in {op.result.type}")
    _yields(op, _element(op.result), len(source))


# Shapes


def _check_bitcast(op: Any) -> None:
    source, dest = op.source.type, op.dest.type
    widths = [getattr(t.element_type, "bitwidth", None) for t in (source, dest)]
    need(widths[0] is not None and widths[0] == widths[1], f"{source} has elements of other widths than {dest}")
    fits = not (isinstance(source, TensorType) and isinstance(dest, TensorType)) or (
        len(source.get_shape()) == len(dest.get_shape())
        and all(DYNAMIC_INDEX in p or p[0] == p[1] for p in zip(source.get_shape(), dest.get_shape(), strict=True))
    )
    need(fits, f"{source} has another shape than {dest}")


def _check_reshape(op: Any) -> None:
    source, result, sizes = op.source.type, op.result.type, _shape(op.shape)
    need(source.element_type == result.element_type, f"'tensor.reshape' gives {result} of {source}")
    need(len(sizes) == 1, "the shape that 'tensor.reshape' takes has one axis")
    if not isinstance(result, TensorType):
        return
    made = [*cast("Tensor", result).get_shape()]
    need(sizes[0] in (DYNAMIC_INDEX, len(made)), f"'tensor.reshape' takes {sizes[0]} sizes for {len(made)} axes")
    if isinstance(source, TensorType):
        given = [*cast("Tensor", source).get_shape()]
        known = DYNAMIC_INDEX not in given + made
        need(not known or prod(given) == prod(made), f"{source} has another number of elements than {result}")


def _parse_expand(kind: type[RowOp], parser: Parser) -> Operation:
    source = parser.parse_unresolved_operand()
    groups = parser.parse_attribute()
    parser.parse_keyword("output_shape")
    numbers, values = parse_sizes(parser, parser.Delimiter.SQUARE)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_type()
    parser.parse_keyword("into")
    attributes |= {"reassociation": groups, "static_output_shape": DenseArrayBase.from_list(i64, numbers)}
    return build(kind, [parser.resolve_operand(source, type), values], [parser.parse_type()], attributes)


def _print_expand(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.src)
    groups = ", ".join(f"[{', '.join(str(n.value.data) for n in group)}]" for group in op.reassociation)
    printer.print_string(f" [{groups}] output_shape ")
    _print_sizes(printer, op.static_output_shape, op.dynamic_output_shape)
    printer.print_op_attributes(op.attributes)
    printer.print_string(f" : {op.src.type} into {op.result.type}")


def _check_expand(op: Any) -> None:
    made, sizes = _shape(op.result), [*op.static_output_shape.iter_values()]
    need(len(sizes) == len(made), f"'tensor.expand_shape' has {len(sizes)} sizes for {len(made)} axes")
    given = len(op.dynamic_output_shape)
    need(sizes.count(DYNAMIC_INDEX) == given, "'tensor.expand_shape' has other sizes than it says")
    fits = all(DYNAMIC_INDEX in pair or pair[0] == pair[1] for pair in zip(sizes, made, strict=True))
    need(fits, f"the sizes of 'tensor.expand_shape' are others than those of {op.result.type}")
    if _shape(op.src) or len(op.reassociation):
        verify_reshape_like_types(op.src.type, op.result.type, op.reassociation)
    else:
        need(all(n in (1, DYNAMIC_INDEX) for n in made), f"{op.result.type} has more elements than {op.src.type}")
        need(_element(op.src) == _element(op.result), f"{op.result.type} has other elements than {op.src.type}")


# Parts


def _parse_parallel_insert(kind: type[RowOp], parser: Parser) -> Operation:
    source = parser.parse_unresolved_operand()
    parser.parse_keyword("into")
    dest = parser.parse_unresolved_operand()
    parts = [parse_sizes(parser, parser.Delimiter.SQUARE) for _ in range(3)]
    attributes = parser.parse_optional_attr_dict()
    for name, (numbers, _) in zip(("offsets", "sizes", "strides"), parts, strict=True):
        attributes[f"static_{name}"] = DenseArrayBase.from_list(i64, numbers)
    parser.parse_punctuation(":")
    type = parser.parse_type()
    parser.parse_keyword("into")
    ends = [parser.resolve_operand(source, type), parser.resolve_operand(dest, parser.parse_type())]
    return build(kind, [*ends, *(values for _, values in parts)], [], attributes)


def _print_parallel_insert(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.source)
    printer.print_string(" into ")
    printer.print_ssa_value(op.dest)
    for place, name in enumerate(("offsets", "sizes", "strides")):
        printer.print_string(" " if place else "")
        _print_sizes(printer, op.properties[f"static_{name}"], getattr(op, name))
    printer.print_op_attributes(op.attributes)
    printer.print_string(f" : {op.source.type} into {op.dest.type}")


def _check_parallel_insert(op: Any) -> None:
    rank = len(_shape(op.dest))
    for name in ("offsets", "sizes", "strides"):
        numbers = [*op.properties[f"static_{name}"].iter_values()]
        need(len(numbers) == rank, f"'{op.name}' has as many {name} as {op.dest.type} has axes")
        need(numbers.count(DYNAMIC_INDEX) == len(getattr(op, name)), f"'{op.name}' has other {name} than it says")
    sizes = [*op.static_sizes.iter_values()]
    left = iter(_shape(op.source))
    wanted = next(left, None)
    for size in sizes:
        wanted = next(left, None) if wanted == size else wanted if size == 1 else -1
    need(wanted is None, f"{op.source.type} is no part with the sizes {sizes} of {op.dest.type}")
    need(_element(op.source) == _element(op.dest), f"{op.source.type} has other elements than {op.dest.type}")
    loop = op.parent_op() and op.parent_op().parent_op()
    shared = loop is None or loop.name != "scf.forall" or op.dest.owner is loop.regions[0].first_block
    need(shared, f"'{op.name}' inserts into a tensor that the loop around it does not share")


def _indexed(words: tuple[str, ...], dims: str) -> Form:
    """`%source[%indices] gather_dims([0, 1]) unique : (...) -> ...`, perhaps with `into` and an operand before the
    indices."""

    def parse(kind: type[RowOp], parser: Parser) -> Operation:
        names = [parser.parse_unresolved_operand()]
        for word in words:
            parser.parse_keyword(word)
            names.append(parser.parse_unresolved_operand())
        with parser.in_square_brackets():
            names.append(parser.parse_unresolved_operand())
        parser.parse_keyword(dims)
        with parser.in_parens():
            properties: dict[str, Attribute] = {dims: _numbers(parser)}
        if parser.parse_optional_keyword("unique") is not None:
            properties["unique"] = UnitAttr()
        attributes = properties | parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        start = parser.pos
        type = parser.parse_function_type()
        return build(kind, parser.resolve_operands(names, [*type.inputs], start), [*type.outputs], attributes)

    def print(printer: Printer, op: Any) -> None:
        *first, indices = op.operands
        for word, value in zip(("", *words), first, strict=True):
            printer.print_string(f" {word} " if word else " ")
            printer.print_ssa_value(value)
        with printer.in_square_brackets():
            printer.print_ssa_value(indices)
        printer.print_string(f" {dims}([{', '.join(map(str, op.properties[dims].iter_values()))}])")
        printer.print_string(" unique" if op.unique is not None else "")
        printer.print_op_attributes(op.attributes)
        printer.print_string(" : ")
        printer.print_operation_type(op)

    return Form(parse, print)


def _check_indexed(whole: str, part: str, dims: str) -> Any:
    def check(op: Any) -> None:
        shape, indices = _shape(getattr(op, whole)), _shape(op.indices)
        axes: list[int] = [*op.properties[dims].iter_values()]
        need(bool(axes), f"'{op.name}' has {dims}")
        in_order = axes == sorted({*axes} & {*range(len(shape))})
        need(in_order, f"the {dims} of '{op.name}' are axes, each once and in order")
        in_last = bool(indices) and indices[-1] == len(axes)
        need(in_last, f"the last axis of the indices of '{op.name}' is as long as {dims}")
        kept = [1 if n in axes else size for n, size in enumerate(shape)]
        reduced = [size for n, size in enumerate(shape) if n not in axes]
        given = _shape(getattr(op, part))
        fits = given in (indices[:-1] + kept, indices[:-1] + reduced)
        need(fits, f"'{op.name}' moves parts of the shape {reduced}, and {getattr(op, part).type} holds others")
        need(_element(getattr(op, whole)) == _element(getattr(op, part)), f"'{op.name}' keeps the type of elements")
        need(whole == "source" or op.unique is not None, "'tensor.scatter' is 'unique': no element is written twice")

    return check


_PADDING = "static_low:i64_array static_high:i64_array nofold:unit?"
_PART = "static_offsets:i64_array static_sizes:i64_array static_strides:i64_array"
ROWS = [
    Row(
        "tensor.bitcast",
        "The same bits as elements of another type.",
        operands="source:tensor",
        results="dest:tensor",
        form="$source attr-dict `:` type($source) `to` type($dest)",
        traits="pure",
        check=_check_bitcast,
    ),
    Row(
        "tensor.expand_shape",
        "A tensor with axes cut into several.",
        operands="src:ranked_tensor dynamic_output_shape:index*",
        results="result:ranked_tensor",
        properties="reassociation:array static_output_shape:i64_array",
        form=Form(_parse_expand, _print_expand),
        traits="pure",
        check=_check_expand,
    ),
    Row(
        "tensor.gather",
        "The elements, or parts, of a tensor at indices that another tensor holds.",
        operands="source:ranked_tensor indices:ranked_tensor",
        results="result:ranked_tensor",
        properties="gather_dims:i64_array unique:unit?",
        form=_indexed((), "gather_dims"),
        traits="pure",
        check=_check_indexed("source", "result", "gather_dims"),
    ),
    Row(
        "tensor.generate",
        "A tensor whose elements its body makes of their indices.",
        operands="dynamicExtents:index*",
        results="result:ranked_tensor",
        regions="body:block",
        form=Form(_parse_generate, _print_generate),
        traits="effects_within",
        check=_check_generate,
    ),
    Row(
        "tensor.pad",
        "A tensor with elements around it that its body makes of their indices.",
        operands="source:ranked_tensor low:index* high:index*",
        results="result:ranked_tensor",
        properties=_PADDING,
        regions="body:block",
        form=Form(_parse_pad, _print_pad),
        traits="effects_within",
        check=_check_pad,
    ),
    Row(
        "tensor.parallel_insert_slice",
        "A part that an iteration of `scf.forall` puts into a tensor that it shares.",
        operands="source:ranked_tensor dest:ranked_tensor offsets:index* sizes:index* strides:index*",
        properties=_PART,
        form=Form(_parse_parallel_insert, _print_parallel_insert),
        check=_check_parallel_insert,
    ),
    Row(
        "tensor.rank",
        "The number of axes of a tensor.",
        operands="tensor:tensor",
        results="result:index",
        form="$tensor attr-dict `:` type($tensor)",
        traits="pure",
    ),
    Row(
        "tensor.reshape",
        "A tensor with the shape that another tensor holds.",
        operands="source:tensor shape:ranked_tensor",
        results="result:tensor",
        form="$source `(` $shape `)` attr-dict `:` functional-type(operands, results)",
        traits="pure",
        check=_check_reshape,
    ),
    Row(
        "tensor.scatter",
        "A tensor with elements, or parts, put at indices that another tensor holds.",
        operands="source:ranked_tensor dest:ranked_tensor indices:ranked_tensor",
        results="result:ranked_tensor",
        properties="scatter_dims:i64_array unique:unit?",
        form=_indexed(("into",), "scatter_dims"),
        traits="pure",
        check=_check_indexed("dest", "source", "scatter_dims"),
    ),
]
