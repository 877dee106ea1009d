"""Custom syntax of `gpu`: modules, functions and launches, and what kernels begin with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from hologram.dialects import gpu
from hologram.dialects.custom.rows import Form
from hologram.dialects.custom.syntax import Syntax, parse_body, print_values

if TYPE_CHECKING:
    from hologram.dialects.mlir_parser import MlirParser

_INDEX = IndexType()
_NONE: Mapping[str, Attribute] = {}
_FUNC_HIDDEN = {
    "sym_name", "function_type", "gpu.kernel", "workgroup_attributions", "arg_attrs", "res_attrs",
    "workgroup_attrib_attrs", "private_attrib_attrs",
}  # fmt: skip
_Argument = tuple[Parser.Argument, DictionaryAttr]
_Sizes = tuple[Sequence[Parser.Argument], Sequence[Parser.Argument], Sequence[SSAValue]]


def parse_async(parser: Parser) -> tuple[list[Attribute], list[SSAValue]]:
    """Parses `async [%a, %b]`, or a part of it: the type of the token that is given, and those that are waited for."""
    types: list[Attribute] = []
    start = parser.pos
    if parser.parse_optional_keyword("async"):
        types.append(gpu.AsyncTokenType())
        if not cast("MlirParser", parser).names_results:
            parser.raise_error("what is 'async' gives a token, which needs a name: '%token = '", start, parser.pos)
    given = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)
    return types, [parser.resolve_operand(v, gpu.AsyncTokenType()) for v in given or ()]


def print_async(printer: Printer, token: SSAValue | None, dependencies: Sequence[SSAValue]) -> None:
    """Prints what `parse_async` reads, behind a space."""
    if token is not None:
        printer.print_string(" async")
    if dependencies:
        printer.print_string(" ")
        with printer.in_square_brackets():
            printer.print_list(dependencies, printer.print_ssa_value)


def _parse_module(parser: Parser) -> Operation:
    name = parser.parse_symbol_name()
    handler = _parse_handler(parser)
    targets = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute)
    attributes = parser.parse_optional_attr_dict_with_keyword()
    op = gpu.ModuleOp(name, parse_body(parser))
    if handler is not None:
        op.properties["offloadingHandler"] = handler
    if targets is not None:
        op.properties["targets"] = ArrayAttr(targets)
    op.attributes |= attributes.data if attributes else {}
    return op


def _parse_handler(parser: Parser) -> Attribute | None:
    if parser.parse_optional_punctuation("<") is None:
        return None
    handler = parser.parse_attribute()
    parser.parse_punctuation(">")
    return handler


def _print_handler(printer: Printer, handler: Attribute | None) -> None:
    if handler is not None and handler != gpu.SelectObjectAttr():
        printer.print_string(" <")
        printer.print_attribute(handler)
        printer.print_string(">")


def _print_module(printer: Printer, op: gpu.ModuleOp) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    _print_handler(printer, op.offloadingHandler)
    if op.targets is not None:
        printer.print_string(" ")
        printer.print_attribute(op.targets)
    printer.print_op_attributes(op.attributes, print_keyword=True)
    printer.print_string(" ")
    printer.print_region(op.body, print_empty_block=False)


# Functions


def _parse_arguments(parser: Parser) -> list[_Argument]:
    def argument() -> _Argument:
        if (value := parser.parse_optional_argument()) is None:
            parser.raise_error("the arguments of 'gpu.func' have names: '%name : type'")
        attributes = DictionaryAttr(parser.parse_optional_dictionary_attr_dict())
        value.location = parser.parse_optional_location()
        return value, attributes

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)


def _parse_output(parser: Parser) -> tuple[Attribute, DictionaryAttr]:
    return parser.parse_type(), DictionaryAttr(parser.parse_optional_dictionary_attr_dict())


def _parse_outputs(parser: Parser) -> list[tuple[Attribute, DictionaryAttr]]:
    if parser.parse_optional_punctuation("->") is None:
        return []
    several = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, lambda: _parse_output(parser))
    return [(parser.parse_type(), DictionaryAttr({}))] if several is None else several


def _parse_buffers(parser: Parser, keyword: str) -> list[_Argument]:
    return _parse_arguments(parser) if parser.parse_optional_keyword(keyword) else []


def _dictionaries(given: Sequence[tuple[Any, DictionaryAttr]]) -> Attribute | None:
    """The attributes of arguments or results, where one has some."""
    return ArrayAttr(a for _, a in given) if any(a.data for _, a in given) else None


def _parse_func(parser: Parser) -> Operation:
    name = parser.parse_symbol_name()
    arguments, outputs = _parse_arguments(parser), _parse_outputs(parser)
    shared, own = _parse_buffers(parser, "workgroup"), _parse_buffers(parser, "private")
    kernel = UnitAttr() if parser.parse_optional_keyword("kernel") else None
    given = parser.parse_optional_attr_dict_with_keyword()
    body = parse_body(parser, [a for a, _ in (*arguments, *shared, *own)])
    properties: dict[str, Attribute | None] = {
        "function_type": FunctionType.from_lists([a.type for a, _ in arguments], [t for t, _ in outputs]),
        "arg_attrs": _dictionaries(arguments),
        "res_attrs": _dictionaries(outputs),
        "workgroup_attrib_attrs": _dictionaries(shared),
        "private_attrib_attrs": _dictionaries(own),
    }
    attributes: dict[str, Attribute | None] = {
        "sym_name": name, "gpu.kernel": kernel, "workgroup_attributions": IntegerAttr(len(shared), i64)
    }  # fmt: skip
    declared = gpu.FuncOp.get_irdl_definition().properties
    for key, value in given.data.items() if given else ():
        (properties if key in declared else attributes)[key] = value
    return gpu.FuncOp.create(
        properties={k: v for k, v in properties.items() if v is not None},
        attributes={k: v for k, v in attributes.items() if v is not None},
        regions=[body],
    )


def _print_arguments(printer: Printer, values: Sequence[SSAValue], attributes: Attribute | None, between: str) -> None:
    dictionaries = cast("ArrayAttr[DictionaryAttr]", attributes).data if attributes else [None] * len(values)

    def argument(pair: tuple[SSAValue, DictionaryAttr | None]) -> None:
        printer.print_ssa_value(pair[0])
        printer.print_string(between)
        printer.print_attribute(pair[0].type)
        if pair[1] is not None:
            printer.print_op_attributes(pair[1].data)

    with printer.in_parens():
        printer.print_list(zip(values, dictionaries, strict=True), argument)


def _print_outputs(printer: Printer, op: gpu.FuncOp) -> None:
    types = op.function_type.outputs.data
    if not types:
        return
    given: Sequence[Mapping[str, Attribute]] = [a.data for a in op.res_attrs] if op.res_attrs else [_NONE] * len(types)
    printer.print_string(" -> ")
    if len(types) == 1 and not given[0] and not isinstance(types[0], FunctionType):
        printer.print_attribute(types[0])
        return

    def output(pair: tuple[Attribute, Any]) -> None:
        printer.print_attribute(pair[0])
        printer.print_op_attributes(pair[1])

    with printer.in_parens():
        printer.print_list(zip(types, given, strict=True), output)


def _print_func(printer: Printer, op: gpu.FuncOp) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    count = op.argument_count
    _print_arguments(printer, op.body.blocks[0].args[:count], op.arg_attrs, ": ")
    _print_outputs(printer, op)
    _print_buffers(printer, op.workgroup, op.private, op.workgroup_attrib_attrs, op.private_attrib_attrs)
    if op.kernel is not None:
        printer.print_string(" kernel")
    shown = {k: v for k, v in (op.properties | op.attributes).items() if k not in _FUNC_HIDDEN}
    printer.print_op_attributes(shown, print_keyword=True)
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False, print_empty_block=False)


def _print_buffers(
    printer: Printer,
    shared: Sequence[SSAValue],
    own: Sequence[SSAValue],
    shared_attributes: Attribute | None = None,
    own_attributes: Attribute | None = None,
) -> None:
    for word, values, attributes in (("workgroup", shared, shared_attributes), ("private", own, own_attributes)):
        if values:
            printer.print_string(f" {word}")
            _print_arguments(printer, values, attributes, " : ")


def _parse_return(parser: Parser) -> Operation:
    attributes = parser.parse_optional_attr_dict()
    given = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
    )
    values: Sequence[SSAValue] = ()
    if given:
        parser.parse_punctuation(":")
        at = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        values = parser.resolve_operands(given, types, at)
    op = gpu.ReturnOp(values)
    op.attributes |= attributes
    return op


def _print_return(printer: Printer, op: gpu.ReturnOp) -> None:
    printer.print_op_attributes(op.attributes)
    if op.args:
        printer.print_string(" ")
        printer.print_list(op.args, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list(op.args.types, printer.print_attribute)


# Positions and sizes


def parse_bound(parser: Parser, op: Operation) -> Operation:
    """Parses `upper_bound 64`, which may be left out, and attributes."""
    if parser.parse_optional_keyword("upper_bound"):
        op.properties["upper_bound"] = IntegerAttr(parser.parse_integer(), _INDEX)
    op.attributes |= parser.parse_optional_attr_dict()
    return op


def print_bound(printer: Printer, op: Any) -> None:
    if op.upper_bound is not None:
        printer.print_string(f" upper_bound {op.upper_bound.value.data}")
    printer.print_op_attributes(op.attributes)


def _parse_id(kind: type[Any], parser: Parser) -> Operation:
    dimension = gpu.DimensionAttr(parser.parse_str_enum(gpu.DimensionEnum))
    op = parse_bound(parser, kind.build(result_types=[_INDEX], properties={"dimension": dimension}))
    if parser.parse_optional_punctuation(":") is not None:
        parser.raise_error(f"'{kind.name}' gives an index, and no type stands behind it")
    return op


def _print_id(printer: Printer, op: Any) -> None:
    printer.print_string(f" {op.dimension.data.value}")
    print_bound(printer, op)


def _parse_lane(kind: type[Any], parser: Parser) -> Operation:
    return parse_bound(parser, kind.build(result_types=[_INDEX]))


def _parse_typed_lane(kind: type[Any], parser: Parser) -> Operation:
    op = _parse_lane(kind, parser)
    parser.parse_punctuation(":")
    parser.parse_keyword("index")
    return op


def _print_typed_lane(printer: Printer, op: Any) -> None:
    print_bound(printer, op)
    printer.print_string(" : index")


ID = Form(_parse_id, _print_id)
"""The form of `gpu.thread_id x upper_bound 64`, and of others along a dimension."""
_LANE = Form(_parse_typed_lane, _print_typed_lane)


# Launches


def _parse_sizes(parser: Parser, word: str, at: int) -> _Sizes:
    """Parses `(%x, %y, %z) in (%a = %n, %b = %m, %c = %k)`: positions, sizes, and the values that these are."""

    def size() -> tuple[Parser.UnresolvedArgument, UnresolvedOperand]:
        name = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        return name, parser.parse_unresolved_operand()

    names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False))
    if len(names) != 3:
        parser.raise_error(f"'{word}' of a launch are three, along x, y and z, not {len(names)}", at)
    parser.parse_keyword("in")
    sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, size)
    if len(sizes) != 3:
        parser.raise_error(f"the sizes of '{word}' are three, along x, y and z, not {len(sizes)}", at)
    values: list[SSAValue] = [parser.resolve_operand(v, _INDEX) for _, v in sizes]
    return [n.resolve(_INDEX) for n in names], [n.resolve(_INDEX) for n, _ in sizes], values


def _parse_launch(parser: Parser) -> Operation:
    start = parser.pos
    token, dependencies = parse_async(parser)
    clusters: _Sizes = ([], [], [])
    if parser.parse_optional_keyword("clusters"):
        clusters = _parse_sizes(parser, "clusters", start)
    parser.parse_keyword("blocks")
    blocks = _parse_sizes(parser, "blocks", start)
    parser.parse_keyword("threads")
    threads = _parse_sizes(parser, "threads", start)
    shared = [parser.parse_operand(i32)] if parser.parse_optional_keyword("dynamic_shared_memory_size") else []
    names: dict[str, Attribute] = {}
    for word in ("module", "function"):
        if parser.parse_optional_keyword(word):
            with parser.in_parens():
                names[word] = SymbolRefAttr(parser.parse_symbol_name())
    buffers = [a for a, _ in _parse_buffers(parser, "workgroup")]
    own = [a for a, _ in _parse_buffers(parser, "private")]
    arguments = [*blocks[0], *threads[0], *blocks[1], *threads[1], *clusters[0], *clusters[1], *buffers, *own]
    op = gpu.LaunchOp(
        parser.parse_region(arguments), blocks[2], threads[2], clusters=clusters[2], shared=shared,
        dependencies=dependencies, token=token, workgroup=len(buffers),
    )  # fmt: skip
    op.properties |= names
    op.attributes |= parser.parse_optional_attr_dict()
    return op


def _print_sizes(
    printer: Printer, word: str, names: Sequence[SSAValue], sizes: Sequence[SSAValue], values: Sequence[SSAValue]
) -> None:
    def size(pair: tuple[SSAValue, SSAValue]) -> None:
        printer.print_ssa_value(pair[0])
        printer.print_string(" = ")
        printer.print_ssa_value(pair[1])

    printer.print_string(f" {word}")
    print_values(printer, names)
    printer.print_string(" in ")
    with printer.in_parens():
        printer.print_list(zip(sizes, values, strict=True), size)


def _print_launch(printer: Printer, op: gpu.LaunchOp) -> None:
    arguments, clusters = op.body.blocks[0].args, op.clusters
    print_async(printer, op.asyncToken, op.asyncDependencies)
    if clusters:
        _print_sizes(printer, "clusters", arguments[12:15], arguments[15:18], clusters)
    _print_sizes(printer, "blocks", arguments[:3], arguments[6:9], gpu.grid_of(op))
    _print_sizes(printer, "threads", arguments[3:6], arguments[9:12], gpu.block_of(op))
    if op.dynamicSharedMemorySize is not None:
        printer.print_string(" dynamic_shared_memory_size ")
        printer.print_ssa_value(op.dynamicSharedMemorySize)
    for word, name in (("module", op.module), ("function", op.function)):
        if name is not None:
            printer.print_string(f" {word}(")
            printer.print_attribute(name)
            printer.print_string(")")
    buffers = arguments[18 if clusters else 12 :]
    shared = op.workgroup_attributions.value.data if op.workgroup_attributions else 0
    _print_buffers(printer, buffers[:shared], buffers[shared:])
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False)
    printer.print_op_attributes(op.attributes, reserved_attr_names=("workgroup_attributions",))


def _parse_three(parser: Parser, word: str) -> list[UnresolvedOperand]:
    """Parses `in (%x, %y, %z)`."""
    parser.parse_keyword("in")
    start = parser.pos
    values = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    if len(values) != 3:
        parser.raise_error(f"the sizes of '{word}' are three, along x, y and z, not {len(values)}", start)
    return values


def _parse_launch_func(parser: Parser) -> Operation:
    token, dependencies = parse_async(parser)
    stream: list[SSAValue] = []
    if parser.parse_optional_punctuation("<"):
        given = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        stream.append(parser.resolve_operand(given, parser.parse_type()))
        parser.parse_punctuation(">")
    kernel = parser.parse_attribute()
    if not isinstance(kernel, SymbolRefAttr):
        parser.raise_error("the name of a kernel was expected here: '@module::@kernel'")
    clusters = _parse_three(parser, "clusters") if parser.parse_optional_keyword("clusters") else []
    parser.parse_keyword("blocks")
    sizes = _parse_three(parser, "blocks")
    parser.parse_keyword("threads")
    sizes += _parse_three(parser, "threads")
    kind = parser.parse_type() if parser.parse_optional_punctuation(":") else _INDEX
    shared = [parser.parse_operand(i32)] if parser.parse_optional_keyword("dynamic_shared_memory_size") else []
    arguments = parse_passed(parser) if parser.parse_optional_keyword("args") else []
    cluster_sizes = [[parser.resolve_operand(v, kind)] for v in clusters] or [[], [], []]
    values = [parser.resolve_operand(v, kind) for v in sizes]
    return gpu.LaunchFuncOp.build(
        operands=[dependencies, *values, *cluster_sizes, shared, arguments, stream], result_types=[token],
        properties={"kernel": kernel}, attributes=parser.parse_optional_attr_dict(),
    )  # fmt: skip


def parse_passed(parser: Parser) -> list[SSAValue]:
    """Parses `(%a : f32, %b : i32)`."""

    def passed() -> SSAValue:
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        return parser.resolve_operand(value, parser.parse_type())

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, passed)


def print_passed(printer: Printer, value: SSAValue) -> None:
    printer.print_ssa_value(value)
    printer.print_string(" : ")
    printer.print_attribute(value.type)


def _print_launch_func(printer: Printer, op: gpu.LaunchFuncOp) -> None:
    print_async(printer, op.asyncToken, op.asyncDependencies)
    if op.asyncObject is not None:
        printer.print_string(" <")
        print_passed(printer, op.asyncObject)
        printer.print_string(">")
    printer.print_string(" ")
    printer.print_attribute(op.kernel)
    clusters = [v for v in (op.clusterSizeX, op.clusterSizeY, op.clusterSizeZ) if v is not None]
    for word, sizes in (("clusters", clusters), ("blocks", gpu.grid_of(op)), ("threads", gpu.block_of(op))):
        if sizes:
            printer.print_string(f" {word} in ")
            print_values(printer, sizes)
    if not isinstance(op.gridSizeX.type, IndexType):
        printer.print_string(f" : {op.gridSizeX.type}")
    if op.dynamicSharedMemorySize is not None:
        printer.print_string(" dynamic_shared_memory_size ")
        printer.print_ssa_value(op.dynamicSharedMemorySize)
    if op.kernelOperands:
        printer.print_string(" args")
        with printer.in_parens():
            printer.print_list(op.kernelOperands, lambda value: print_passed(printer, value))
    printer.print_op_attributes(op.attributes)


# What else kernels and programs have


def _parse_barrier(parser: Parser) -> Operation:
    op = gpu.BarrierOp()
    if parser.parse_optional_keyword("memfence"):
        op.properties["address_spaces"] = parser.parse_attribute()
    op.attributes |= parser.parse_optional_attr_dict()
    return op


def _print_barrier(printer: Printer, op: gpu.BarrierOp) -> None:
    if op.address_spaces is not None:
        printer.print_string(" memfence ")
        printer.print_attribute(op.address_spaces)
    printer.print_op_attributes(op.attributes)


def _parse_terminator(parser: Parser) -> Operation:
    return gpu.TerminatorOp.create(attributes=parser.parse_optional_attr_dict())


def _print_terminator(printer: Printer, op: gpu.TerminatorOp) -> None:
    printer.print_op_attributes(op.attributes)


def _parse_shared_memory(parser: Parser) -> Operation:
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    op = gpu.DynamicSharedMemoryOp(parser.parse_type())
    op.attributes |= attributes
    return op


def _print_shared_memory(printer: Printer, op: gpu.DynamicSharedMemoryOp) -> None:
    printer.print_op_attributes(op.attributes)
    printer.print_string(f" : {op.result.type}")


def _parse_binary(parser: Parser) -> Operation:
    name = parser.parse_symbol_name()
    handler = _parse_handler(parser) or gpu.SelectObjectAttr()
    attributes = parser.parse_optional_attr_dict()
    properties = {"sym_name": name, "offloadingHandler": handler, "objects": parser.parse_attribute()}
    return gpu.BinaryOp.create(properties=properties, attributes=attributes)


def _print_binary(printer: Printer, op: gpu.BinaryOp) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    _print_handler(printer, op.offloadingHandler)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" ")
    printer.print_attribute(op.objects)


SYNTAX: dict[str, Syntax | Form] = {
    "gpu.barrier": Syntax(_parse_barrier, _print_barrier),
    "gpu.binary": Syntax(_parse_binary, _print_binary),
    "gpu.dynamic_shared_memory": Syntax(_parse_shared_memory, _print_shared_memory),
    "gpu.func": Syntax(_parse_func, _print_func),
    "gpu.lane_id": Form(_parse_lane, print_bound),
    "gpu.launch": Syntax(_parse_launch, _print_launch),
    "gpu.launch_func": Syntax(_parse_launch_func, _print_launch_func),
    "gpu.module": Syntax(_parse_module, _print_module),
    "gpu.return": Syntax(_parse_return, _print_return),
    "gpu.terminator": Syntax(_parse_terminator, _print_terminator),
    **{f"gpu.{name}": ID for name in ("thread_id", "block_id", "block_dim", "grid_dim", "global_id")},
    **{f"gpu.{name}": _LANE for name in ("subgroup_id", "num_subgroups", "subgroup_size")},
}
