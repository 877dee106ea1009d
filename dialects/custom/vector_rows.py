"""Operations of upstream's vector dialect that change shapes, combine along axes, or run under a mask, as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, MemRefType, StringAttr, VectorType, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import AttrConstraint, base, irdl_attr_definition
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from hologram.dialects.custom.forms import build, pair, parse_names, parse_types, print_dict, print_names
from hologram.dialects.custom.rows import Form, Row, RowOp, need, operation
from hologram.dialects.custom.syntax import parse_body, parse_results

Vector: TypeAlias = VectorType[Any]
_ADD = "#vector.kind<add>"


class IteratorType(StrEnum):
    """What an axis of `vector.contract` is."""

    PARALLEL = "parallel"
    REDUCTION = "reduction"


@irdl_attr_definition
class IteratorTypeAttr(EnumAttribute[IteratorType]):
    """`#vector.iterator_type<parallel>`."""

    name = "vector.iterator_type"

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)

    @classmethod
    def parse_parameter(cls, parser: Any) -> IteratorType:
        with parser.in_angle_brackets():
            return IteratorType(parser.parse_identifier())


class Punctuation(StrEnum):
    """What `vector.print` prints behind a value."""

    NO_PUNCTUATION = "no_punctuation"
    NEWLINE = "newline"
    COMMA = "comma"
    OPEN = "open"
    CLOSE = "close"


@irdl_attr_definition
class PunctuationAttr(EnumAttribute[Punctuation]):
    """`#vector.punctuation<newline>`."""

    name = "vector.punctuation"

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)

    @classmethod
    def parse_parameter(cls, parser: Any) -> Punctuation:
        with parser.in_angle_brackets():
            return Punctuation(parser.parse_identifier())


ATTRIBUTES = [IteratorTypeAttr, PunctuationAttr]


def own_kinds() -> Mapping[str, AttrConstraint]:
    """The kinds of properties that only this dialect has."""
    return {"combining": base(CombiningKindAttr), "punctuation": base(PunctuationAttr)}


def _vector(value: SSAValue) -> Vector:
    return cast("Vector", value.type)


def _shape(value: SSAValue) -> list[int]:
    """The shape of a vector; a scalar has no axis."""
    return [*_vector(value).get_shape()] if isinstance(value.type, VectorType) else []


def _element(value: SSAValue) -> Attribute:
    return _vector(value).element_type if isinstance(value.type, VectorType) else value.type


def _scalable(type: Vector) -> list[bool]:
    return [bool(s.value.data) for s in type.scalable_dims]


def _numbers(attribute: Any) -> list[int]:
    if isinstance(attribute, DenseArrayBase):
        return [int(n) for n in cast("Any", attribute).iter_values()]
    return [n.value.data for n in cast("ArrayAttr[IntegerAttr[Any]]", attribute)]


# Shapes


def _check_shape_cast(op: Any) -> None:
    source, result = _vector(op.source), _vector(op.result)
    same = source.element_type == result.element_type and sum(_scalable(source)) == sum(_scalable(result))
    fits = same and prod(source.get_shape()) == prod(result.get_shape())
    need(fits, f"{source} has not the elements of {result}")


def _check_transpose(op: Any) -> None:
    source, result, order = _vector(op.vector), _vector(op.result), _numbers(op.permutation)
    need(sorted(order) == [*range(source.get_num_dims())], f"{order} is no order of the axes of {source}")
    shape = [(source.get_shape()[n], _scalable(source)[n]) for n in order]
    fits = [*zip(result.get_shape(), _scalable(result), strict=True)] == shape
    need(fits and source.element_type == result.element_type, f"{source} in the order {order} is no {result}")


def _check_slice(op: Any, offsets: Sequence[int], extents: Sequence[int], whole: Vector) -> None:
    """Refuse strides other than 1, and a slice that leaves the whole."""
    need(all(s == 1 for s in _numbers(op.strides)), f"the strides of '{op.name}' are 1")
    inside = all(0 <= o and 0 < n and o + n <= s for o, n, s in zip(offsets, extents, whole.get_shape(), strict=False))
    need(inside, f"'{op.name}' has a slice that leaves {whole}")


def _check_extract_slice(op: Any) -> None:
    source, result = _vector(op.source), _vector(op.result)
    offsets, sizes, strides = (_numbers(a) for a in (op.offsets, op.sizes, op.strides))
    alike = len(offsets) == len(sizes) == len(strides) <= source.get_num_dims()
    need(alike, f"'{op.name}' has an offset, a size and a stride for each of the first axes")
    _check_slice(op, offsets, sizes, source)
    shape = [*sizes, *source.get_shape()[len(sizes) :]]
    fits = [*result.get_shape()] == shape and result.element_type == source.element_type
    need(fits, f"the slice has the shape {shape}, not {result}")


def _check_insert_slice(op: Any) -> None:
    value, whole, offsets = _vector(op.valueToStore), _vector(op.dest), _numbers(op.offsets)
    lead = whole.get_num_dims() - value.get_num_dims()
    need(len(offsets) == whole.get_num_dims() and lead >= 0, f"'{op.name}' has an offset for each axis of {whole}")
    need(len(_numbers(op.strides)) == value.get_num_dims(), f"'{op.name}' has a stride for each axis of {value}")
    need(value.element_type == whole.element_type, f"'{op.name}' has vectors of other elements")
    _check_slice(op, offsets, [1] * lead + [*value.get_shape()], whole)


# Elements


def _parse_to_elements(kind: type[RowOp], parser: Parser) -> Operation:
    source = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = cast("Vector", parser.parse_type())
    if type.name != "vector":
        parser.raise_error("a vector was expected here")
    types = [type.element_type] * prod(type.get_shape())
    return build(kind, [parser.resolve_operand(source, type)], [types], attributes)


def _print_to_elements(printer: Printer, op: Any) -> None:
    print_names(printer, op)
    print_dict(printer, op)
    printer.print_string(f" : {op.source.type}")


def _check_to_elements(op: Any) -> None:
    kind = _vector(op.source)
    fits = [*op.elements.types] == [kind.element_type] * prod(kind.get_shape()) and not any(_scalable(kind))
    need(fits, f"the results of '{op.name}' are the elements of {kind}")


def _check_turns(op: Any) -> None:
    """Vectors that stand in turns along the last axis of one that is twice as long."""
    whole, parts = (op.result, op.operands) if op.name == "vector.interleave" else (op.source, op.results)
    for part in parts:
        shape = _shape(part) or [1]
        fits = _element(part) == _element(whole) and _shape(whole) == [*shape[:-1], 2 * shape[-1]]
        need(fits, f"{part.type} in turns with another one is no {whole.type}")


# Along axes


def _parse_kind(parser: Parser) -> Attribute:
    """Parses `<add>,`, or `#vector.kind<add>,`."""
    kind = parser.parse_optional_attribute() or CombiningKindAttr(CombiningKindAttr.parse_parameter(parser))
    parser.parse_punctuation(",")
    return kind


def _print_kind(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    op.kind.print_parameter(printer)
    printer.print_string(",")


def _parse_multi_reduction(kind: type[RowOp], parser: Parser) -> Operation:
    how = _parse_kind(parser)
    names = parse_names(parser)
    attributes = parser.parse_optional_attr_dict()
    axes = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    parser.parse_punctuation(":")
    type = parser.parse_type()
    parser.parse_keyword("to")
    result = parser.parse_type()
    operands = parser.resolve_operands(names, [type, result], parser.pos)
    properties = {"kind": how, "reduction_dims": DenseArrayBase.from_list(i64, axes)}
    return build(kind, operands, [result], {**attributes, **properties})


def _print_multi_reduction(printer: Printer, op: Any) -> None:
    _print_kind(printer, op)
    print_names(printer, op)
    print_dict(printer, op, "kind", "reduction_dims")
    axes = ", ".join(map(str, _numbers(op.reduction_dims)))
    printer.print_string(f" [{axes}] : {op.source.type} to {op.dest.type}")


def _check_multi_reduction(op: Any) -> None:
    axes = {*_numbers(op.reduction_dims)}
    kept = [s for n, s in enumerate(_shape(op.source)) if n not in axes]
    fits = _shape(op.dest) == kept and _element(op.dest) == _element(op.source) and op.acc.type == op.dest.type
    need(fits, f"{op.source.type} reduced along {sorted(axes)} is no {op.dest.type}")


def _parse_contract(kind: type[RowOp], parser: Parser) -> Operation:
    given = cast("Any", parser.parse_attribute()).data
    names = parse_names(parser)
    more = parser.parse_optional_attr_dict()
    types = parse_types(parser)
    parser.parse_keyword("into")
    result = parser.parse_type()
    operands = parser.resolve_operands(names, [*types, result][: max(3, len(types))], parser.pos)
    attributes: dict[str, Attribute] = {**given, **more}
    words: list[Attribute] = [*cast("ArrayAttr[Attribute]", attributes.get("iterator_types", ArrayAttr([])))]
    kinds = [IteratorTypeAttr(IteratorType(w.data)) if isinstance(w, StringAttr) else w for w in words]
    return build(kind, operands, [result], {**attributes, "iterator_types": ArrayAttr(kinds)})


def _print_contract(printer: Printer, op: Any) -> None:
    words = ArrayAttr([StringAttr(a.data) for a in op.iterator_types])
    printer.print_string(" ")
    printer.print_attr_dict({**op.properties, "iterator_types": words})
    print_names(printer, op)
    printer.print_op_attributes(op.attributes)
    printer.print_string(f" : {op.lhs.type}, {op.rhs.type} into {op.result.type}")


def _check_contract(op: Any) -> None:
    maps, count = [m.data for m in op.indexing_maps], len(op.iterator_types)
    fits = len(maps) == 3 and all(m.num_dims == count and not m.num_symbols for m in maps)
    need(fits, f"'{op.name}' has a map of its {count} axes for each operand")
    sizes: dict[Any, int] = {}
    for map, value in zip(maps, op.operands, strict=True):
        shape = _shape(value)
        need(len(map.results) == len(shape), f"{value.type} has not the axes that {map} gives")
        for axis, size in zip(map.results, shape, strict=True):
            need(sizes.setdefault(str(axis), size) == size, f"the axis {axis} of '{op.name}' has two sizes")
    need(op.acc.type == op.result.type, f"'{op.name}' gives what it adds to")


def _parse_outer_product(kind: type[RowOp], parser: Parser) -> Operation:
    names = parse_names(parser)
    attributes = parser.parse_optional_attr_dict()
    left, right = cast("list[Vector]", parse_types(parser))
    result = left
    if right.name == "vector":
        dims = [*left.scalable_dims, *right.scalable_dims]
        result = VectorType(left.element_type, [*left.get_shape(), *right.get_shape()], ArrayAttr(dims))
    operands = parser.resolve_operands(names, [left, right, result][: len(names)], parser.pos)
    return build(kind, [*operands[:2], operands[2:]], [result], attributes)


def _print_outer_product(printer: Printer, op: Any) -> None:
    print_names(printer, op)
    print_dict(printer, op)
    printer.print_string(f" : {op.lhs.type}, {op.rhs.type}")


def _check_outer_product(op: Any) -> None:
    need(len(_shape(op.lhs)) == 1, f"the first operand of '{op.name}' has one axis")
    fits = _shape(op.result) == [*_shape(op.lhs), *_shape(op.rhs)] and _element(op.lhs) == _element(op.result)
    need(fits, f"the outer product of {op.lhs.type} and {op.rhs.type} is no {op.result.type}")


def _parse_scan(kind: type[RowOp], parser: Parser) -> Operation:
    how = _parse_kind(parser)
    names = parse_names(parser)
    attributes = parser.parse_optional_attr_dict()
    types = parse_types(parser)
    return build(kind, parser.resolve_operands(names, types, parser.pos), types, {**attributes, "kind": how})


def _print_scan(printer: Printer, op: Any) -> None:
    _print_kind(printer, op)
    print_names(printer, op)
    print_dict(printer, op, "kind")
    printer.print_string(f" : {op.source.type}, {op.initial_value.type}")


def _check_scan(op: Any) -> None:
    axis, shape = op.reduction_dim.value.data, _shape(op.source)
    need(0 <= axis < len(shape), f"'{op.name}' goes along an axis of {op.source.type}, and {axis} is none")
    kept = [s for n, s in enumerate(shape) if n != axis]
    fits = _shape(op.initial_value) == kept and op.dest.type == op.source.type
    fits = fits and op.accumulated_value.type == op.initial_value.type
    need(fits, f"'{op.name}' along axis {axis} starts with the other axes of {op.source.type}")


# Masks


def _check_constant_mask(op: Any) -> None:
    shape, sizes = _shape(op.result), _numbers(op.mask_dim_sizes)
    fits = len(sizes) == max(1, len(shape)) and all(0 <= n <= s for n, s in zip(sizes, shape or (1,), strict=True))
    need(fits, f"{sizes} is no part of {op.result.type}")
    need(0 not in sizes or not any(sizes), "a mask that is 0 along one axis is 0 along all")


def _parse_mask(kind: type[RowOp], parser: Parser) -> Operation:
    names = parse_names(parser)
    body = parse_body(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    types = [parser.parse_type(), *(results := parse_results(parser))]
    operands = parser.resolve_operands(names, types[: len(names)], parser.pos)
    last = body.block.last_op
    if last is None or last.name != "vector.yield":
        body.block.add_op(operation("vector.yield").create(operands=[] if last is None else last.results))
    return build(kind, [operands[0], operands[1:]], [results], attributes, [body])


def _print_mask(printer: Printer, op: Any) -> None:
    print_names(printer, op)
    printer.print_string(" { ")
    ops = [*op.maskRegion.block.ops]
    # The operation under the mask alone, if what is yielded is what it gives.
    shown = ops[:-1] if len(ops) == 2 and [*ops[-1].operands] == [*ops[0].results] else ops
    for inner in shown:
        printer.print_op(inner)
        printer.print_string(" ")
    printer.print_string("}")
    print_dict(printer, op)
    printer.print_string(f" : {op.mask.type}")
    if op.outs:
        printer.print_string(" -> ")
        printer.print_list(op.outs.types, printer.print_attribute)


def _check_mask(op: Any) -> None:
    ops: list[Operation] = [*op.maskRegion.block.ops]
    single = 0 < len(ops) <= 2 and ops[-1].name == "vector.yield"
    need(single, f"'{op.name}' holds one operation, and yields what it gives")
    need([v.type for v in ops[-1].operands] == [*op.outs.types], f"'{op.name}' gives what its region yields")


# Text


def _parse_print(kind: type[RowOp], parser: Parser) -> Operation:
    """`%a : f32 punctuation <comma>`, `str "text"`, or nothing."""
    values: list[SSAValue] = []
    attributes: dict[str, Attribute] = {}
    if (name := parser.parse_optional_unresolved_operand()) is not None:
        parser.parse_punctuation(":")
        values.append(parser.resolve_operand(name, parser.parse_type()))
    elif parser.parse_optional_keyword("str") is not None:
        attributes["stringLiteral"] = StringAttr(parser.parse_str_literal())
    if parser.parse_optional_keyword("punctuation") is not None:
        attributes["punctuation"] = PunctuationAttr(PunctuationAttr.parse_parameter(parser))
    return build(kind, [values], [], parser.parse_optional_attr_dict() | attributes)


def _print_print(printer: Printer, op: Any) -> None:
    if op.source is not None:
        print_names(printer, op)
        printer.print_string(f" : {op.source.type}")
    elif op.stringLiteral is not None:
        printer.print_string(" str ")
        printer.print_attribute(op.stringLiteral)
    if op.punctuation.data is not Punctuation.NEWLINE:
        printer.print_string(f" punctuation <{op.punctuation.data}>")
    print_dict(printer, op, "stringLiteral", "punctuation")


# Memory


def _check_type_cast(op: Any) -> None:
    source, result = op.memref.type, op.result.type
    element: Any = result.element_type
    shape = [*result.get_shape(), *(element.get_shape() if isinstance(element, VectorType) else ())]
    inner: Any = cast("Any", element).element_type if isinstance(element, VectorType) else element
    fits = shape == [*source.get_shape()] and inner == source.element_type
    need(fits and source.memory_space == result.memory_space, f"{source} holds no vectors as {result} does")


def _check_packed(op: Any) -> None:
    """An access to neighbouring elements by the lanes of a mask."""
    vectors = [op.pass_thru, op.result] if op.results else [op.valueToStore]
    memory = cast("MemRefType[Any]", op.base.type)
    elements = {_element(v) for v in vectors} | {memory.element_type}
    shapes = {tuple(_shape(v)) for v in (*vectors, op.mask)}
    need(len(elements) == 1 and len(shapes) == 1, f"'{op.name}' has types that differ")
    need(not any(_scalable(_vector(vectors[0]))), f"'{op.name}' takes no scalable vectors")
    need(memory.get_num_dims() == len(op.indices), f"'{op.name}' has an index for each axis")


_TO = "attr-dict `:` type($source) `to` type($result)"
_PACKED = (
    "$base `[` $indices `]` `,` $mask `,` ${0} attr-dict `:` type($base) `,` type($mask) `,` type(${0})"
)  # fmt: skip
ROWS = [
    Row(
        "vector.shape_cast", "The same elements in row-major order with another shape.",
        "source:vector", "result:vector",
        form=f"$source {_TO}", traits="pure", check=_check_shape_cast,
    ),
    Row(
        "vector.transpose",
        "The vector with its axes in another order: axis i of the result is axis `permutation[i]`.",
        "vector:vector", "result:vector", "permutation:i64_array",
        form="$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)",
        traits="pure", check=_check_transpose,
    ),
    Row(
        "vector.extract_strided_slice", "A slice of a vector along its first axes.",
        "source:vector", "result:vector", "offsets:array sizes:array strides:array",
        form=f"$source {_TO}", traits="pure", check=_check_extract_slice,
    ),
    Row(
        "vector.insert_strided_slice", "A vector with a slice replaced by a smaller vector.",
        "valueToStore:vector dest:vector$T", "res:vector$T", "offsets:array strides:array",
        form="$valueToStore `,` $dest attr-dict `:` type($valueToStore) `into` type($dest)",
        traits="pure", check=_check_insert_slice,
    ),
    Row(
        "vector.to_elements", "All elements of a vector in row-major order, a result each.",
        "source:vector", "elements:any*",
        form=Form(_parse_to_elements, _print_to_elements), traits="pure", check=_check_to_elements,
    ),
    Row(
        "vector.interleave", "The elements of two vectors in turns along the last axis.",
        "lhs:vector$T rhs:vector$T", "result:vector",
        form=pair("->"), traits="pure", check=_check_turns,
    ),
    Row(
        "vector.deinterleave",
        "The elements of a vector at even places along the last axis, and those at odd ones.",
        "source:vector", "res1:vector$T res2:vector$T",
        form="$source attr-dict `:` type($source) `->` type($res1)", traits="pure", check=_check_turns,
    ),
    Row(
        "vector.multi_reduction", "The elements along axes combined with each other and with `acc`.",
        "source:vector acc:any", "dest:any", "kind:combining reduction_dims:i64_array",
        form=Form(_parse_multi_reduction, _print_multi_reduction), traits="pure", check=_check_multi_reduction,
    ),
    Row(
        "vector.contract",
        "The sums of products of two vectors that maps say, combined with a third one.\n\n"
        "The maps give the axes of the operands; what `iterator_types` calls a reduction is combined by `kind`.",
        "lhs:vector rhs:vector acc:any", "result:any",
        f"indexing_maps:array iterator_types:array kind:combining={_ADD}",
        form=Form(_parse_contract, _print_contract), traits="pure", check=_check_contract,
    ),
    Row(
        "vector.outerproduct",
        "The product of each element of a vector with each of another, or with a number; combined with `acc`.",
        "lhs:vector rhs:any acc:vector?", "result:vector", f"kind:combining={_ADD}",
        form=Form(_parse_outer_product, _print_outer_product), traits="pure", check=_check_outer_product,
    ),
    Row(
        "vector.scan",
        "Running combinations along an axis, from an initial value; the last ones are the second result.",
        "source:vector initial_value:vector", "dest:vector accumulated_value:vector",
        "kind:combining reduction_dim:int_attr inclusive:bool",
        form=Form(_parse_scan, _print_scan), traits="pure", check=_check_scan,
    ),
    Row(
        "vector.constant_mask", "A mask that holds where each index is below a number.",
        "", "result:mask", "mask_dim_sizes:i64_array",
        form="$mask_dim_sizes attr-dict `:` type($result)", traits="pure", check=_check_constant_mask,
    ),
    Row(
        "vector.yield", "The end of a region of the vector dialect.", "values:any*",
        form="attr-dict ($values^ `:` type($values))?", traits="ends_block pure",
    ),
    Row(
        "vector.mask",
        "Runs the operation in its region for the lanes where the mask holds; others get those of `passthru`.",
        "mask:mask passthru:any?", "outs:any*", regions="maskRegion:block",
        form=Form(_parse_mask, _print_mask), check=_check_mask,
    ),
    Row(
        "vector.expandload",
        "Loads neighbouring elements into the lanes where the mask holds; others get those of `pass_thru`.",
        "base:ranked_memref indices:index* mask:mask pass_thru:vector", "result:vector", "alignment:int_attr?",
        form=f"{_PACKED.format('pass_thru')} `into` type($result)", traits="reads", check=_check_packed,
    ),
    Row(
        "vector.compressstore", "Stores the lanes where the mask holds to neighbouring elements.",
        "base:ranked_memref indices:index* mask:mask valueToStore:vector", "", "alignment:int_attr?",
        form=_PACKED.format("valueToStore"), traits="writes", check=_check_packed,
    ),
    Row(
        "vector.type_cast", "A memref of elements as one of vectors of them.", "memref:ranked_memref",
        "result:ranked_memref", form="$memref attr-dict `:` type($memref) `to` type($result)", traits="pure",
        check=_check_type_cast,
    ),
    Row(
        "vector.print", "Prints a value, a text or punctuation.", "source:any?", "",
        "punctuation:punctuation=#vector.punctuation<newline> stringLiteral:str?",
        form=Form(_parse_print, _print_print), traits="writes",
    ),
    Row(
        "vector.vscale", "How many times longer scalable vectors are than their types say.", "", "res:index",
        form="attr-dict", traits="pure",
    ),
    Row(
        "vector.scalable.extract", "A part of a scalable vector.", "source:vector", "res:vector", "pos:i64_attr",
        form="$source `[` $pos `]` attr-dict `:` type($res) `from` type($source)", traits="pure",
    ),
    Row(
        "vector.scalable.insert", "A scalable vector with a part replaced.",
        "valueToStore:vector dest:vector$T", "res:vector$T", "pos:i64_attr",
        form="$valueToStore `,` $dest `[` $pos `]` attr-dict `:` type($valueToStore) `into` type($res)",
        traits="pure",
    ),
]  # fmt: skip
"""The operations, in the order of upstream's documentation."""
