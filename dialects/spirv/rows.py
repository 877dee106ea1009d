"""Operations of upstream's spirv dialect that no pass of ours makes, as rows, with their attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import builtin as b
from xdsl.dialects.builtin import ArrayAttr, FunctionType, IntegerAttr, SymbolRefAttr, VectorType, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import AttrConstraint, base
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.forms import (
    build,
    formatted,
    parse_names,
    parse_target,
    parse_types,
    print_dict,
    print_names,
    print_target,
)
from hologram.dialects.custom.rows import Form, Row, need, operation
from hologram.dialects.spirv.abi import ABI_ATTRIBUTES
from hologram.dialects.spirv.enums import MemoryAccessAttr, MemorySemanticsAttr, ScopeAttr
from hologram.dialects.spirv.images import ImageType
from hologram.dialects.spirv.more_types import (
    MORE_TYPES,
    CooperativeMatrixType,
    GroupOperationAttr,
    ImageOperandsAttr,
    MatrixLayoutAttr,
    MatrixOperandsAttr,
    MatrixType,
    PackedVectorFormatAttr,
    SampledImageType,
)
from hologram.dialects.spirv.syntax import (
    COMPARE,
    CONVERT,
    TEST,
    enumerated,
    parse_access,
    parse_class,
    parse_one_type,
    parse_quoted,
    print_access,
)
from hologram.dialects.spirv.types import PointerType, StructType, element_of, is_bool, is_float, is_integer


def own_kinds() -> Mapping[str, AttrConstraint]:
    """The kinds of operands and properties that only these rows have."""
    return {
        "scope": base(ScopeAttr), "semantics": base(MemorySemanticsAttr), "group": base(GroupOperationAttr),
        "packed": base(PackedVectorFormatAttr), "pointer": base(PointerType), "struct": base(StructType),
        "matrix": base(MatrixType), "sampled": base(SampledImageType), "held": base(CooperativeMatrixType),
        "layout": base(MatrixLayoutAttr), "matrix_words": base(MatrixOperandsAttr), "access": base(MemoryAccessAttr),
        "image_words": base(ImageOperandsAttr), "image": base(ImageType),
    }  # fmt: skip


# What must hold


def _kind(check: Callable[[Attribute], bool], word: str) -> Callable[[Any], None]:
    """The operands are of a kind, as vectors or alone."""

    def checked(op: Any) -> None:
        for value in op.operands[:1]:
            need(check(value.type), f"{op.name} takes {word}, not {value.type}")

    return checked


_FLOATS = _kind(is_float, "floats")
_INTEGERS = _kind(is_integer, "integers")
_BOOLS = _kind(is_bool, "truth values")


def _in_group(op: Any) -> None:
    """A scope that operations of a group may have."""
    scope = op.execution_scope.data
    need(scope in ("Workgroup", "Subgroup"), f"{op.name} has the scope Workgroup or Subgroup, not {scope}")


def _grouped(check: Callable[[Any], None]) -> Callable[[Any], None]:
    def checked(op: Any) -> None:
        _in_group(op)
        check(op)

    return checked


def _broadcast(op: Any) -> None:
    _in_group(op)
    need(is_integer(op.localid.type), f"{op.name} takes the place of an invocation as integers, not {op.localid.type}")
    place: Any = op.localid.type
    if isinstance(place, b.ShapedType):
        count = place.get_shape()[0]
        need(count in (2, 3), f"{op.name} takes the place of an invocation along 2 or 3 axes, not {count}")


def _shuffled(op: Any) -> None:
    _in_group(op)
    need(op.id.type.signedness.data is not b.Signedness.SIGNED, f"{op.name} takes no lane of type {op.id.type}")


def _ballot(op: Any) -> None:
    if "execution_scope" in op.properties:
        _in_group(op)
    need(op.results[0].type == VectorType(i32, [4]), f"{op.name} gives a vector<4xi32>, not {op.results[0].type}")


def _constant_of(value: Any) -> int | None:
    """The number that a constant is, as a value."""
    owner = value.owner
    attribute = owner.properties.get("value") if isinstance(owner, Operation) else None
    return cast("IntegerAttr[Any]", attribute).value.data if isinstance(attribute, IntegerAttr) else None


def _constant_id(op: Any) -> None:
    _in_group(op)
    id = op.operands[1]
    is_constant = isinstance(id.owner, Operation) and id.owner.name in ("spirv.Constant", "spirv.mlir.referenceof")
    need(is_constant, f"{op.name} takes its value from an invocation whose number is a constant")


def _clustered(check: Callable[[Any], None]) -> Callable[[Any], None]:
    def checked(op: Any) -> None:
        _in_group(op)
        check(op)
        sizes = op.operands[1:]
        if op.group_operation.data == "ClusteredReduce":
            need(bool(sizes), f"{op.name} of clusters says how large they are: cluster_size(%n)")
        if sizes:
            count = _constant_of(sizes[0])
            need(count is not None, f"the size of a cluster of {op.name} is a constant")
            need(
                (cast(int, count) & (cast(int, count) - 1)) == 0, f"the size of a cluster of {op.name} is a power of 2"
            )

    return checked


def _pair_of(op: Any) -> None:
    members = op.results[0].type.members.data
    need(len(members) == 2, f"{op.name} gives a struct of two members")
    need(
        members[0] == members[1] == op.operands[0].type,
        f"{op.name} of {op.operands[0].type} gives a struct of two of them, not {op.results[0].type}",
    )


def _atomic(op: Any) -> None:
    pointee = op.operands[0].type.pointee
    for value in (*op.operands[1:], *op.results):
        need(value.type == pointee, f"{op.name} has a value of type {value.type}, but the pointer is to {pointee}")


# How they are written


def _parse_pair(kind: type[Any], parser: Parser) -> Operation:
    names = parse_names(parser)
    attributes = parser.parse_optional_attr_dict()
    start = parser.pos
    type = parse_one_type(parser)
    if not isinstance(type, StructType) or len(type.members) != 2:
        parser.raise_error("what this gives is a !spirv.struct of two members", start, parser.pos)
    operands = [parser.resolve_operand(name, type.members.data[0]) for name in names]
    return build(kind, operands, [type], attributes)


def _print_pair(printer: Printer, op: Any) -> None:
    print_names(printer, op)
    print_dict(printer, op)
    printer.print_string(f" : {op.results[0].type}")


def _parse_uniform(kind: type[Any], parser: Parser) -> Operation:
    """Parses `<Workgroup> <Reduce> %v cluster_size(%n) : f32, i32 -> f32`."""
    scope = ScopeAttr(cast(Any, ScopeAttr).parse_parameter(parser))
    group = GroupOperationAttr(GroupOperationAttr.parse_parameter(parser))
    names = [parser.parse_unresolved_operand()]
    if parser.parse_optional_keyword("cluster_size"):
        with parser.in_parens():
            names.append(parser.parse_unresolved_operand())
    attributes = parser.parse_optional_attr_dict()
    values = parser.resolve_operands(names, parse_types(parser), parser.pos)
    parser.parse_punctuation("->")
    properties = {"execution_scope": scope, "group_operation": group}
    return build(kind, [values[0], values[1:]], [parser.parse_type()], {**attributes, **properties})


def _print_uniform(printer: Printer, op: Any) -> None:
    printer.print_string(f" <{op.execution_scope.data}> <{op.group_operation.data}> ")
    printer.print_ssa_value(op.operands[0])
    if len(op.operands) > 1:
        printer.print_string(" cluster_size(")
        printer.print_ssa_value(op.operands[1])
        printer.print_string(")")
    print_dict(printer, op, "execution_scope", "group_operation")
    printer.print_string(" : ")
    printer.print_list(op.operand_types, printer.print_attribute)
    printer.print_string(f" -> {op.results[0].type}")


def _parse_dot(kind: type[Any], parser: Parser) -> Operation:
    names = [parser.parse_unresolved_operand()]
    attributes: dict[str, Attribute] = {}
    while parser.parse_optional_punctuation(","):
        if (name := parser.parse_optional_unresolved_operand()) is not None:
            names.append(name)
        else:
            attributes["format"] = PackedVectorFormatAttr(PackedVectorFormatAttr.parse_parameter(parser))
    attributes |= parser.parse_optional_attr_dict()
    type = parse_one_type(parser)
    parser.parse_punctuation("->")
    result = parser.parse_type()
    values = [parser.resolve_operand(name, type) for name in names[:2]]
    values += [parser.resolve_operand(name, result) for name in names[2:]]
    return build(kind, values, [result], attributes)


def _print_dot(printer: Printer, op: Any) -> None:
    print_names(printer, op)
    if op.properties.get("format") is not None:
        printer.print_string(f", <{op.format.data}>")
    print_dict(printer, op, "format")
    printer.print_string(f" : {op.operands[0].type} -> {op.results[0].type}")


def _parse_block_write(kind: type[Any], parser: Parser) -> Operation:
    storage, names = parse_class(parser), parse_names(parser)
    attributes = parser.parse_optional_attr_dict()
    type = parse_one_type(parser)
    types = [PointerType.to(element_of(type), storage), type]
    return build(kind, parser.resolve_operands(names, types, parser.pos), [], attributes)


def _print_block_write(printer: Printer, op: Any) -> None:
    printer.print_string(f' "{op.ptr.type.storage_class.data}"')
    print_names(printer, op)
    print_dict(printer, op)
    printer.print_string(f" : {op.value.type}")


def _parse_copy(kind: type[Any], parser: Parser) -> Operation:
    places = [(parse_class(parser), parser.parse_unresolved_operand())]
    parser.parse_punctuation(",")
    places.append((parse_class(parser), parser.parse_unresolved_operand()))
    attributes = parse_access(parser)
    if parser.parse_optional_punctuation(","):
        attributes |= parse_access(parser, "source_")
    attributes |= parser.parse_optional_attr_dict()
    type = parse_one_type(parser)
    values = [parser.resolve_operand(name, PointerType.to(type, storage)) for storage, name in places]
    return build(kind, values, [], attributes)


def _print_copy(printer: Printer, op: Any) -> None:
    for value, between in zip(op.operands, ("", ","), strict=True):
        printer.print_string(f'{between}  "{value.type.storage_class.data}" ')
        printer.print_ssa_value(value)
    print_access(printer, op.memory_access, op.alignment)
    if op.source_memory_access is not None:
        printer.print_string(", ")
        print_access(printer, op.source_memory_access, op.source_alignment)
    print_dict(printer, op, "memory_access", "alignment", "source_memory_access", "source_alignment")
    printer.print_string(f" : {op.operands[0].type.pointee}")


def _parse_wrapped(kind: type[Any], parser: Parser) -> Operation:
    parser.parse_keyword("wraps")
    start = parser.pos
    name = parser.parse_str_literal()
    names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_type()
    if not isinstance(type, FunctionType) or len(type.outputs) != 1 or not name.startswith("spirv."):
        parser.raise_error("what is wrapped is an operation of spirv with one result", start, parser.pos)
    found = parser.ctx.get_optional_op(name)
    if found is None:
        parser.raise_error(f"there is no operation '{name}'", start, parser.pos)
    values = parser.resolve_operands(names, type.inputs.data, start)
    inner = found.create(operands=values, result_types=type.outputs.data, properties=dict(attributes))
    block = Block([inner, cast(Any, operation("spirv.mlir.yield")).build(operands=[inner.results[0]])])
    return build(kind, [], [type.outputs.data[0]], {}, [Region(block)])


def _print_wrapped(printer: Printer, op: Any) -> None:
    inner = op.body.blocks[0].first_op
    printer.print_string(f' wraps "{inner.name}"(')
    printer.print_list(inner.operands, printer.print_ssa_value)
    printer.print_string(")")
    print_dict(printer, inner)
    printer.print_string(" : ")
    printer.print_attribute(FunctionType.from_lists(inner.operand_types, inner.result_types))


def _wraps(op: Any) -> None:
    ops = [*op.body.blocks[0].ops]
    need(len(ops) == 2, "spirv.SpecConstantOperation wraps one operation")
    inside = all(
        isinstance(v.owner, Operation)
        and v.owner.name in ("spirv.Constant", "spirv.mlir.referenceof", "spirv.SpecConstantOperation")
        for v in ops[0].operands
    )
    need(inside, "what spirv.SpecConstantOperation wraps has constants as its operands")


def _parse_composite(kind: type[Any], parser: Parser) -> Operation:
    attributes: dict[str, Attribute] = {"sym_name": parser.parse_symbol_name()}
    parts = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_symbol_name)
    names = [SymbolRefAttr(part) for part in parts]
    type = parse_one_type(parser)
    declared = kind.get_irdl_definition().properties
    part: Mapping[str, Attribute] = {"constituents": ArrayAttr(names)}
    if "constituent" in declared:
        if len(names) != 1:
            parser.raise_error("one constant stands for all parts")
        part = {"constituent": names[0]}
    return build(kind, [], [], {**attributes, **part, "type": type})


def _print_composite(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    names = op.properties.get("constituents") or [op.properties["constituent"]]
    printer.print_string(" (")
    printer.print_list(names, printer.print_attribute)
    printer.print_string(f") : {op.properties['type']}")


def _parse_replicate(kind: type[Any], parser: Parser) -> Operation:
    parser.parse_punctuation("[")
    value = parser.parse_attribute()
    parser.parse_punctuation("]")
    attributes = parser.parse_optional_attr_dict()
    return build(kind, [], parse_types(parser), {**attributes, "value": value})


def _print_replicate(printer: Printer, op: Any) -> None:
    printer.print_string(" [")
    printer.print_attribute(op.value)
    printer.print_string("]")
    print_dict(printer, op, "value")
    printer.print_string(f" : {op.results[0].type}")


def _parse_shuffle(kind: type[Any], parser: Parser) -> Operation:
    indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute)
    names = parse_names(parser)
    attributes = parser.parse_optional_attr_dict()
    values = parser.resolve_operands(names, parse_types(parser), parser.pos)
    parser.parse_punctuation("->")
    return build(kind, values, [parser.parse_type()], {**attributes, "components": ArrayAttr(indices)})


def _print_shuffle(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_attribute(op.components)
    print_names(printer, op)
    print_dict(printer, op, "components")
    printer.print_string(f" : {op.operands[0].type}, {op.operands[1].type} -> {op.results[0].type}")


def _element(op: Any) -> None:
    need(op.results[0].type == op.vector.type.element_type, f"{op.name} gives an element of its vector")


def _parse_dynamic(kind: type[Any], parser: Parser) -> Operation:
    names = parse_names(parser)
    with parser.in_square_brackets():
        names.append(parser.parse_unresolved_operand())
    attributes = parser.parse_optional_attr_dict()
    start = parser.pos
    type = parse_one_type(parser)
    parser.parse_punctuation(",")
    index = parser.parse_type()
    if not isinstance(type, VectorType):
        parser.raise_error("this takes a vector", start, parser.pos)
    vector = cast(Attribute, type)
    element = element_of(vector)
    if len(names) == 2:
        return build(kind, parser.resolve_operands(names, [vector, index], start), [element], attributes)
    part, whole, place = parser.resolve_operands(names, [element, vector, index], start)
    return build(kind, [whole, part, place], [vector], attributes)


def _print_dynamic(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    if len(op.operands) == 3:
        printer.print_ssa_value(op.operands[1])
        printer.print_string(", ")
    printer.print_ssa_value(op.operands[0])
    printer.print_string("[")
    printer.print_ssa_value(op.operands[-1])
    printer.print_string("]")
    print_dict(printer, op)
    printer.print_string(f" : {op.operands[0].type}, {op.operands[-1].type}")


def _parse_image(kind: type[Any], parser: Parser) -> Operation:
    name, attributes = parser.parse_unresolved_operand(), parser.parse_optional_attr_dict()
    start = parser.pos
    type = parse_one_type(parser)
    if not isinstance(type, SampledImageType):
        parser.raise_error("this takes a !spirv.sampled_image", start, parser.pos)
    return build(kind, [parser.resolve_operand(name, type)], [type.image], attributes)


def _print_image(printer: Printer, op: Any) -> None:
    print_names(printer, op)
    print_dict(printer, op)
    printer.print_string(f" : {op.operands[0].type}")


def _parse_texel(kind: type[Any], parser: Parser) -> Operation:
    """Parses `%image, %coordinate ["Lod"], %lod : types -> type`."""
    names, attributes = parse_names(parser), dict[str, Attribute]()
    if parser.parse_optional_punctuation("["):
        attributes["image_operands"] = parse_quoted(parser, ImageOperandsAttr)
        parser.parse_punctuation("]")
        if parser.parse_optional_punctuation(","):
            names += parse_names(parser)
    attributes |= parser.parse_optional_attr_dict()
    values = parser.resolve_operands(names, parse_types(parser), parser.pos)
    results = [parser.parse_type()] if parser.parse_optional_punctuation("->") else []
    own = len(kind.get_irdl_definition().operands) - 1
    return build(kind, [*values[:own], values[own:]], results, attributes)


def _print_texel(printer: Printer, op: Any) -> None:
    own = len(op.get_irdl_definition().operands) - 1
    printer.print_string(" ")
    printer.print_list(op.operands[:own], printer.print_ssa_value)
    if op.image_operands is not None:
        printer.print_string(f' ["{op.image_operands.data}"]')
    for value in op.operands[own:]:
        printer.print_string(", ")
        printer.print_ssa_value(value)
    print_dict(printer, op, "image_operands")
    printer.print_string(" : ")
    printer.print_list(op.operand_types, printer.print_attribute)
    if op.results:
        printer.print_string(f" -> {op.results[0].type}")


def _parse_turned(kind: type[Any], parser: Parser) -> Operation:
    """Parses `<Subgroup> %v, %n, cluster_size(%c) : f32, i32, i32 -> f32`."""
    scope = ScopeAttr(cast(Any, ScopeAttr).parse_parameter(parser))
    names = [parser.parse_unresolved_operand()]
    while parser.parse_optional_punctuation(","):
        if parser.parse_optional_keyword("cluster_size"):
            with parser.in_parens():
                names.append(parser.parse_unresolved_operand())
        else:
            names.append(parser.parse_unresolved_operand())
    attributes = parser.parse_optional_attr_dict()
    values = parser.resolve_operands(names, parse_types(parser), parser.pos)
    parser.parse_punctuation("->")
    properties = {**attributes, "execution_scope": scope}
    return build(kind, [values[0], values[1], values[2:]], [parser.parse_type()], properties)


def _print_turned(printer: Printer, op: Any) -> None:
    printer.print_string(f" <{op.execution_scope.data}> ")
    printer.print_list(op.operands[:2], printer.print_ssa_value)
    if op.size is not None:
        printer.print_string(", cluster_size(")
        printer.print_ssa_value(op.size)
        printer.print_string(")")
    print_dict(printer, op, "execution_scope")
    printer.print_string(" : ")
    printer.print_list(op.operand_types, printer.print_attribute)
    printer.print_string(f" -> {op.results[0].type}")


def _parse_switch(kind: type[Any], parser: Parser) -> Operation:
    """Parses `%i : i32, [default: ^a, 1: ^b(%x : f32)]`."""
    name = parser.parse_unresolved_operand()
    type: Any = parse_one_type(parser)
    parser.parse_punctuation(",")
    literals: list[int] = []

    def case() -> tuple[Block, Sequence[SSAValue]]:
        if parser.parse_optional_keyword("default") is None:
            literals.append(parser.parse_integer())
        parser.parse_punctuation(":")
        return parse_target(parser)

    start = parser.pos
    cases = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, case)
    if len(literals) != len(cases) - 1:
        parser.raise_error("a switch has one default, and it is the first of its cases", start, parser.pos)
    first, given = cases.pop(0)
    counts = b.DenseArrayBase.from_list(i32, [len(values) for _, values in cases])
    properties: dict[str, Attribute] = {"case_operand_segments": counts}
    if literals:
        properties["literals"] = b.DenseIntElementsAttr.from_list(VectorType(type, [len(literals)]), literals)
    operands = [parser.resolve_operand(name, type), given, [v for _, values in cases for v in values]]
    blocks = [first, [block for block, _ in cases]]
    attributes = parser.parse_optional_attr_dict()
    return kind.build(operands=operands, successors=blocks, properties=properties, attributes=attributes)


def _print_switch(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.selector)
    printer.print_string(f" : {op.selector.type}, [\n      default: ")
    print_target(printer, op.defaultTarget, op.defaultOperands)
    values = [*op.caseOperands]
    numbers = [*op.literals.get_values()] if op.literals is not None else []
    for number, block, count in zip(numbers, op.caseTargets, op.case_operand_segments.get_values(), strict=True):
        printer.print_string(f",\n      {number}: ")
        print_target(printer, block, values[:count])
        del values[:count]
    printer.print_string("\n    ]" if numbers else "]")
    print_dict(printer, op, "case_operand_segments", "literals")


def _packed(op: Any) -> None:
    """Integers that hold vectors say how, and vectors do not."""
    _INTEGERS(op)
    is_packed = not isinstance(op.operands[0].type, VectorType)
    need(is_packed == (op.format is not None), f"{op.name} has a format of packed vectors for integers alone")


_TEXEL = Form(_parse_texel, _print_texel)
_PAIR = Form(_parse_pair, _print_pair)
_UNIFORM = Form(_parse_uniform, _print_uniform)
_DOT = Form(_parse_dot, _print_dot)
_COMPOSITE = Form(_parse_composite, _print_composite)
_DYNAMIC = Form(_parse_dynamic, _print_dynamic)
_ATOMIC = enumerated({"memory_scope": ScopeAttr, "semantics": MemorySemanticsAttr}, "", True)


# Families: one form, and the names that have it


def _family(names: str, meaning: str, **parts: Any) -> list[Row]:
    return [Row(f"spirv.{name}", meaning, **parts) for name in names.split()]


_UNARY = {"operands": "operand:any$T", "results": "result:any$T", "traits": "pure"}
_UNARY_FORM = "$operand `:` type($operand) attr-dict"
_BINARY = {"operands": "lhs:any$T rhs:any$T", "results": "result:any$T", "traits": "pure"}
_BINARY_FORM = "$lhs `,` $rhs attr-dict `:` type($result)"
_TERNARY = {"operands": "x:any$T y:any$T z:any$T", "results": "result:any$T", "traits": "pure"}
_TERNARY_FORM = "$x `,` $y `,` $z attr-dict `:` type($result)"
_CAST = {"operands": "operand:any", "results": "result:any", "traits": "pure", "form": CONVERT}
_ARROW = "$operand attr-dict `:` type($operand) `->` type($result)"
_REDUCED = {"operands": "value:any$T size:any?", "results": "result:any$T", "form": _UNIFORM}
_SCOPED = "execution_scope:scope"

_ARITHMETIC = [
    *_family(
        "CL.acos CL.acosh CL.asin CL.asinh CL.atan CL.atanh CL.ceil CL.cos CL.cosh CL.erf CL.exp CL.fabs CL.floor"
        " CL.log CL.rint CL.round CL.rsqrt CL.sin CL.sinh CL.sqrt CL.tan CL.tanh GL.Asinh GL.Acosh GL.Atanh"
        " GL.Normalize",
        "A function of floats.", **_UNARY, form=_UNARY_FORM, check=_FLOATS,
    ),
    *_family("CL.s_abs", "The absolute value.", **_UNARY, form=_UNARY_FORM, check=_INTEGERS),
    *_family("CL.atan2 CL.fmax CL.fmin CL.pow", "A function of two floats.", **_BINARY, form=_BINARY_FORM,
             check=_FLOATS),
    *_family("GL.Cross GL.Reflect", "A function of two vectors.", **_BINARY,
             form="$lhs `,` $rhs attr-dict `:` type($lhs)",
             check=_FLOATS),
    *_family("CL.s_max CL.s_min CL.u_max CL.u_min", "The greater or the lesser.", **_BINARY, form=_BINARY_FORM,
             check=_INTEGERS),
    *_family("CL.fma CL.mix", "A function of three floats.", **_TERNARY, form=_TERNARY_FORM, check=_FLOATS),
    *_family("IAddCarry ISubBorrow SMulExtended UMulExtended", "The low part, and what goes beyond it.",
             operands="lhs:any$T rhs:any$T", results="result:struct", traits="pure", form=_PAIR, check=_pair_of),
    *_family("SDot SUDot UDot", "The sum of products.", operands="lhs:any$T rhs:any$T", results="result:any",
             properties="format:packed?", traits="pure", form=_DOT, check=_packed),
    *_family("SDotAccSat SUDotAccSat UDotAccSat", "The sum of products and of a number, without wrapping.",
             operands="lhs:any$T rhs:any$T acc:any$U", results="result:any$U", properties="format:packed?",
             traits="pure", form=_DOT, check=_packed),
    *_family("Dot", "The sum of products.", operands="lhs:vector$T rhs:vector$T", results="result:any", traits="pure",
             form=_DOT, check=_FLOATS),
    *_family("GL.Distance", "How far two points are apart.", operands="lhs:any rhs:any", results="result:any",
             traits="pure", form="$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)",
             check=_FLOATS),
    *_family("GL.Length GL.FrexpStruct GL.PackHalf2x16", "A function of floats.", operands="operand:any",
             results="result:any", traits="pure", form=_ARROW, check=_FLOATS),
    *_family("GL.UnpackHalf2x16", "Two floats from the halves of an integer.", operands="operand:any",
             results="result:any", traits="pure", form=_ARROW, check=_INTEGERS),
    *_family("GL.Ldexp", "A float times a power of two.", operands="x:any$T exp:any", results="y:any$T", traits="pure",
             form="$x `:` type($x) `,` $exp `:` type($exp) attr-dict `->` type($y)"),
    *_family("GL.FMix", "A value between two.", operands="x:any$T y:any$T a:any$T", results="result:any$T",
             traits="pure", form="$x `:` type($x) `,` $y `:` type($y) `,` $a `:` type($a) attr-dict `->`"
             " type($result)"),
    *_family("Ordered Unordered", "Whether one of two is no number.", operands="lhs:any$T rhs:any$T",
             results="result:any", traits="pure", form=COMPARE, check=_FLOATS),
    *_family("IsFinite", "Whether a float is finite.", operands="operand:any", results="result:any", traits="pure",
             form=TEST, check=_FLOATS),
    *_family("BitFieldSExtract BitFieldUExtract", "The bits at a place.", operands="base:any$T offset:any count:any",
             results="result:any$T", traits="pure", check=_INTEGERS,
             form="$base `,` $offset `,` $count attr-dict `:` type($base) `,` type($offset) `,` type($count)"),
    *_family("BitFieldInsert", "A number with other bits at a place.", traits="pure", check=_INTEGERS,
             operands="base:any$T insert:any$T offset:any count:any", results="result:any$T",
             form="$base `,` $insert `,` $offset `,` $count attr-dict `:` type($base) `,` type($offset) `,`"
             " type($count)"),
    *_family("ConvertPtrToU GenericCastToPtr GenericCastToPtrExplicit PtrCastToGeneric", "Another type of a pointer.",
             **_CAST, check=_kind(lambda type: isinstance(type, PointerType), "pointers")),
    *_family("INTEL.ConvertFToBF16 INTEL.RoundFToTF32", "A float of fewer bits.", **_CAST, check=_FLOATS),
    *_family("INTEL.ConvertBF16ToF", "A float of its upper half.", **_CAST, check=_INTEGERS),
]  # fmt: skip

_COMPOSITES = [
    *_family("VectorTimesScalar", "All elements times a number.", operands="vector:vector$T scalar:any",
             results="result:vector$T", traits="pure", check=_FLOATS,
             form=formatted("$vector `,` $scalar attr-dict `:` `(` type($vector) `,` type($scalar) `)` `->`"
                            " type($result)")),
    *_family("MatrixTimesScalar", "All elements times a number.", operands="matrix:any$T scalar:any",
             results="result:any$T", traits="pure",
             form="$matrix `,` $scalar attr-dict `:` type($matrix) `,` type($scalar)"),
    *_family("MatrixTimesMatrix MatrixTimesVector VectorTimesMatrix", "A product of matrices.",
             operands="lhs:any rhs:any", results="result:any", traits="pure",
             form="$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)"),
    *_family("Transpose", "A matrix with rows for columns.", operands="operand:any", results="result:any",
             traits="pure", form=_ARROW),
    *_family("VectorShuffle", "Elements of two vectors.", operands="vector1:vector vector2:vector",
             results="result:vector", properties="components:array", traits="pure",
             form=Form(_parse_shuffle, _print_shuffle)),
    *_family("VectorExtractDynamic", "The element at an index.", operands="vector:vector index:any",
             results="result:any", traits="pure", form=_DYNAMIC, check=_element),
    *_family("VectorInsertDynamic", "A vector with another element at an index.",
             operands="vector:vector$T component:any index:any", results="result:vector$T", traits="pure",
             form=_DYNAMIC),
    *_family("SpecConstantComposite", "A constant of constants that are given late.", properties="type:any "
             "sym_name:symbol_name constituents:array", traits="symbol", form=_COMPOSITE),
    *_family("EXT.SpecConstantCompositeReplicate", "A constant of one that is given late.", properties="type:any "
             "sym_name:symbol_name constituent:symbol", traits="symbol", form=_COMPOSITE),
    *_family("EXT.ConstantCompositeReplicate", "A constant whose parts are one.", results="result:any",
             properties="value:any", traits="pure", form=Form(_parse_replicate, _print_replicate)),
    *_family("SpecConstantOperation", "What an operation gives for constants that are given late.",
             results="result:any",
             regions="body:block", traits="pure", form=Form(_parse_wrapped, _print_wrapped), check=_wraps),
    *_family("mlir.yield", "The value of what is wrapped.", operands="operand:any", traits="ends_block",
             form="attr-dict $operand `:` type($operand)"),
    *_family("Image", "The image of a sampled one.", operands="operand:sampled", results="result:any", traits="pure",
             form=Form(_parse_image, _print_image)),
    *_family("ImageQuerySize", "The sizes of an image.", operands="operand:any", results="result:any", traits="pure",
             form="$operand attr-dict `:` type($operand) `->` type($result)"),
]  # fmt: skip

_GROUPS = [
    *_family("GroupNonUniformFAdd GroupNonUniformFMax GroupNonUniformFMin GroupNonUniformFMul",
             "The floats of a group together.", **_REDUCED, properties=f"{_SCOPED} group_operation:group",
             check=_clustered(_FLOATS)),
    *_family("GroupNonUniformIAdd GroupNonUniformIMul GroupNonUniformSMax GroupNonUniformSMin GroupNonUniformUMax"
             " GroupNonUniformUMin GroupNonUniformBitwiseAnd GroupNonUniformBitwiseOr GroupNonUniformBitwiseXor",
             "The integers of a group together.", **_REDUCED, properties=f"{_SCOPED} group_operation:group",
             check=_clustered(_INTEGERS)),
    *_family("GroupNonUniformLogicalAnd GroupNonUniformLogicalOr GroupNonUniformLogicalXor",
             "The truth values of a group together.", **_REDUCED, properties=f"{_SCOPED} group_operation:group",
             check=_clustered(_BOOLS)),
    *_family("GroupFAdd GroupFMin GroupFMax KHR.GroupFMul", "The floats of a group together.",
             operands="x:any$T", results="result:any$T", properties=f"{_SCOPED} group_operation:group",
             form="$execution_scope $group_operation $x attr-dict `:` type($x)", check=_grouped(_FLOATS)),
    *_family("GroupIAdd GroupUMin GroupSMin GroupUMax GroupSMax KHR.GroupIMul", "The integers of a group together.",
             operands="x:any$T", results="result:any$T", properties=f"{_SCOPED} group_operation:group",
             form="$execution_scope $group_operation $x attr-dict `:` type($x)", check=_grouped(_INTEGERS)),
    *_family("GroupBroadcast", "The value of one of a group.", operands="value:any$T localid:any",
             results="result:any$T",
             properties=_SCOPED, check=_broadcast,
             form="$execution_scope $value `,` $localid attr-dict `:` type($value) `,` type($localid)"),
    *_family("GroupNonUniformBroadcast", "The value of one of a group.", operands="value:any$T id:any",
             results="result:any$T", properties=_SCOPED, check=_constant_id,
             form="$execution_scope $value `,` $id attr-dict `:` type($value) `,` type($id)"),
    *_family("GroupNonUniformShuffle GroupNonUniformShuffleXor GroupNonUniformShuffleUp GroupNonUniformShuffleDown",
             "The value of another of a group.", operands="value:any$T id:int", results="result:any$T",
             properties=_SCOPED, check=_shuffled,
             form="$execution_scope $value `,` $id attr-dict `:` type($value) `,` type($id)"),
    *_family("GroupNonUniformRotateKHR", "The value of one so many places on.",
             operands="value:any$T delta:int size:int?",
             results="result:any$T", properties=_SCOPED, form=Form(_parse_turned, _print_turned), check=_in_group),
    *_family("GroupNonUniformAll GroupNonUniformAny", "Whether it holds for all of a group, or for one.",
             operands="predicate:i1$T", results="result:i1$T", properties=_SCOPED, check=_in_group,
             form="$execution_scope $predicate attr-dict `:` type($result)"),
    *_family("GroupNonUniformAllEqual", "Whether the values of a group are equal.", operands="value:any",
             results="result:i1", properties=_SCOPED, check=_in_group,
             form="$execution_scope $value attr-dict `:` type($value) `,` type($result)"),
    *_family("GroupNonUniformElect", "Whether it is the first of its group.", results="result:i1", properties=_SCOPED,
             check=_in_group, form="$execution_scope attr-dict `:` type($result)"),
    *_family("GroupNonUniformBallot", "A bit for each of a group.", operands="predicate:i1", results="result:vector",
             properties=_SCOPED, check=_ballot, form="$execution_scope $predicate attr-dict `:` type($result)"),
    *_family("GroupNonUniformBallotBitCount", "How many bits of a ballot are set.", operands="value:vector",
             results="result:int", properties=f"{_SCOPED} group_operation:group", check=_in_group,
             form="$execution_scope $group_operation $value attr-dict `:` type($value) `->` type($result)"),
    *_family("GroupNonUniformBallotFindLSB GroupNonUniformBallotFindMSB", "The first or last bit of a ballot.",
             operands="value:vector", results="result:int", properties=_SCOPED, check=_in_group,
             form="$execution_scope $value attr-dict `:` type($value) `,` type($result)"),
    *_family("KHR.SubgroupBallot", "A bit for each of a subgroup.", operands="predicate:i1", results="result:vector",
             form="$predicate attr-dict `:` type($result)", check=_ballot),
    *_family("INTEL.SubgroupBlockRead", "What a subgroup reads together.", operands="ptr:pointer", results="value:any",
             form="$ptr attr-dict `:` type($ptr) `->` type($value)"),
    *_family("INTEL.SubgroupBlockWrite", "Lets a subgroup write together.", operands="ptr:pointer value:any",
             form=Form(_parse_block_write, _print_block_write)),
    *_family("INTEL.ControlBarrierArrive INTEL.ControlBarrierWait", "One half of a barrier.",
             properties="execution_scope:scope memory_scope:scope memory_semantics:semantics",
             form="$execution_scope $memory_scope $memory_semantics attr-dict"),
]  # fmt: skip

_OTHERS = [
    *_family("EmitVertex EndPrimitive", "A step of a geometry program.", form="attr-dict"),
    *_family(
        "Switch",
        "Goes to the block of a number.",
        operands="selector:int defaultOperands:any* caseOperands:any*",
        properties="case_operand_segments:i32_array literals:any?",
        successors="defaultTarget:any caseTargets:any*",
        traits="ends_block",
        form=Form(_parse_switch, _print_switch),
    ),
    *_family("Kill", "Ends an invocation.", traits="ends_block", form="attr-dict"),
    *_family("KHR.AssumeTrue", "Says what holds.", operands="condition:i1", form="$condition attr-dict"),
    *_family("EXT.SetMeshOutputs", "How much a mesh program puts out.", operands="vertices:int primitives:int",
             form="$vertices `,` $primitives attr-dict `:` type($vertices) `,` type($primitives)"),
    *_family("EXT.EmitMeshTasks", "Starts groups of a mesh program.", operands="x:int y:int z:int payload:pointer?",
             traits="ends_block",
             form="$x `,` $y `,` $z (`,` $payload^)? attr-dict `:` type($x) `,` type($y) `,` type($z)"
             " (`,` type($payload)^)?"),
    *_family("CL.printf", "Prints a text.", operands="format:pointer arguments:any*", results="result:int",
             form="$format $arguments attr-dict `:` type($format) `,` type($arguments) `->` type($result)"),
    *_family("ImageSampleImplicitLod ImageSampleExplicitLod", "A sample of an image.",
             operands="image:sampled coordinate:any given:any*", results="result:any",
             properties="image_operands:image_words?", form=_TEXEL),
    *_family("ImageDrefGather ImageSampleProjDrefImplicitLod", "Samples of an image, compared with a depth.",
             operands="image:sampled coordinate:any dref:any given:any*", results="result:any",
             properties="image_operands:image_words?", form=_TEXEL),
    *_family("ImageRead", "An element of an image.", operands="image:image coordinate:any given:any*",
             results="result:any", properties="image_operands:image_words?", form=_TEXEL),
    *_family("ImageWrite", "Puts an element into an image.", operands="image:image coordinate:any texel:any given:any*",
             properties="image_operands:image_words?", form=_TEXEL),
    *_family("KHR.CooperativeMatrixLength", "How many elements of a matrix an invocation holds.",
             properties="cooperative_matrix_type:any", results="result:i32",
             form="attr-dict `:` $cooperative_matrix_type"),
    *_family("KHR.CooperativeMatrixLoad", "A matrix that a group holds, from memory.",
             operands="pointer:pointer stride:int", results="result:held",
             properties="matrix_layout:layout memory_operand:access? alignment:i32_attr?",
             form="$pointer `,` $stride `,` $matrix_layout (`,` $memory_operand^)? attr-dict `:` type($pointer) `,`"
             " type($stride) `->` type($result)"),
    *_family("KHR.CooperativeMatrixStore", "Puts a matrix that a group holds into memory.",
             operands="pointer:pointer object:held stride:int",
             properties="matrix_layout:layout memory_operand:access? alignment:i32_attr?",
             form="$pointer `,` $object `,` $stride `,` $matrix_layout (`,` $memory_operand^)? attr-dict `:`"
             " type($pointer) `,` type($object) `,` type($stride)"),
    *_family("KHR.CooperativeMatrixMulAdd", "The product of two matrices, and a third.",
             operands="a:held b:held c:held$T",
             results="result:held$T", properties="matrix_operands:matrix_words?",
             form="$a `,` $b `,` $c (`,` $matrix_operands^)? attr-dict `:` type($a) `,` type($b) `->` type($c)"),
    *_family("CopyMemory", "Puts what one pointer leads to where another does.",
             operands="target:pointer source:pointer",
             properties="memory_access:any? alignment:int_attr? source_memory_access:any? source_alignment:int_attr?",
             form=Form(_parse_copy, _print_copy)),
    *_family("AtomicIIncrement AtomicIDecrement", "Counts in one step.", operands="pointer:pointer",
             results="result:int",
             properties="memory_scope:scope semantics:semantics", form=_ATOMIC, check=_atomic),
    *_family("AtomicCompareExchangeWeak", "Stores the value where the comparator is found.",
             operands="pointer:pointer value:any comparator:any", results="result:int", check=_atomic,
             properties="memory_scope:scope equal_semantics:semantics unequal_semantics:semantics",
             form=enumerated({"memory_scope": ScopeAttr, "equal_semantics": MemorySemanticsAttr,
                              "unequal_semantics": MemorySemanticsAttr}, "", True)),
]  # fmt: skip

ROWS: Sequence[Row] = [*_ARITHMETIC, *_COMPOSITES, *_GROUPS, *_OTHERS]
ATTRIBUTES: Sequence[type[Attribute]] = [
    GroupOperationAttr, PackedVectorFormatAttr, MatrixLayoutAttr, MatrixOperandsAttr, ImageOperandsAttr,
    *ABI_ATTRIBUTES, *MORE_TYPES,
]  # fmt: skip
