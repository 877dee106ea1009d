"""Custom syntax of `spirv`: modules, functions, variables, constants, control flow and accesses to memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
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
from hologram.dialects.custom.rows import Form
from hologram.dialects.custom.syntax import parse_body
from hologram.dialects.spirv.enums import (
    STORAGE_CLASSES,
    AddressingModelAttr,
    EnumAttr,
    ExecutionModeAttr,
    ExecutionModelAttr,
    FunctionControlAttr,
    MemoryAccessAttr,
    MemoryModelAttr,
    MemorySemanticsAttr,
    ScopeAttr,
    StorageClassAttr,
)
from hologram.dialects.spirv.families import COMPARISONS, CONVERSIONS, SHIFTS, TESTS
from hologram.dialects.spirv.memory import ATOMICS
from hologram.dialects.spirv.structure import i32_array
from hologram.dialects.spirv.types import PointerType, TripleAttr, known_name, name_of, part_of

_Properties = dict[str, Attribute]


def parse_quoted(parser: Parser, kind: type[EnumAttr]) -> EnumAttr:
    """Parses the name of a member of an enumeration in quotes, or those of flags with `|` between them."""
    start = parser.pos
    text = parser.parse_str_literal()
    for name in text.split("|"):
        known_name(parser, name, f"member of #{kind.name}", [*kind.NUMBERS], start)
    return kind(text)


def parse_class(parser: Parser) -> str:
    """Parses a storage class in quotes."""
    start = parser.pos
    return known_name(parser, parser.parse_str_literal(), "storage class", [*STORAGE_CLASSES], start)


def parse_one_type(parser: Parser) -> Attribute:
    """Parses `: f32`."""
    parser.parse_punctuation(":")
    return parser.parse_type()


def _parse_bracketed(parser: Parser, word: str, kind: type[EnumAttr]) -> EnumAttr:
    """Parses `word(Member|Member)`, or nothing, which is `None`."""
    if parser.parse_optional_keyword(word) is None:
        return kind("None")
    with parser.in_parens():
        names = [name_of(parser, f"member of #{kind.name}", [*kind.NUMBERS])]
        while parser.parse_optional_punctuation("|") is not None:
            names.append(name_of(parser, f"member of #{kind.name}", [*kind.NUMBERS]))
    return kind("|".join(names))


def _print_rest(printer: Printer, op: Operation, *hidden: str) -> None:
    """Prints attributes without those that stand elsewhere, then the type of the last operand or result."""
    print_dict(printer, op, *hidden)
    printer.print_string(" : ")
    printer.print_attribute((op.results or op.operands)[-1].type)


# Modules and what stands in them


def _parse_module(kind: type[Any], parser: Parser) -> Operation:
    properties: _Properties = {}
    if (name := parser.parse_optional_symbol_name()) is not None:
        properties["sym_name"] = name
    for key, enum in (("addressing_model", AddressingModelAttr), ("memory_model", MemoryModelAttr)):
        properties[key] = enum(name_of(parser, key.replace("_", " "), [*enum.NUMBERS]))
    if parser.parse_optional_keyword("requires"):
        start = parser.pos
        if not isinstance(triple := parser.parse_attribute(), TripleAttr):
            parser.raise_error("what a module requires is a #spirv.vce", start, parser.pos)
        properties["vce_triple"] = triple
    given = parser.parse_optional_attr_dict_with_keyword()
    properties |= given.data if given else {}
    return build(kind, [], [], properties, [parse_body(parser)])


def _print_module(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    if op.sym_name is not None:
        printer.print_symbol_name(op.sym_name.data)
        printer.print_string(" ")
    printer.print_string(f"{op.addressing_model.data} {op.memory_model.data}")
    if op.vce_triple is not None:
        printer.print_string(" requires ")
        printer.print_attribute(op.vce_triple)
    printer.print_op_attributes(op.attributes, print_keyword=True)
    printer.print_string(" ")
    printer.print_region(op.body, print_empty_block=False)


def _parse_argument(parser: Parser) -> tuple[Parser.Argument | None, Attribute, DictionaryAttr]:
    argument = parser.parse_optional_argument()
    type = parser.parse_type() if argument is None else argument.type
    attributes = DictionaryAttr(parser.parse_optional_dictionary_attr_dict())
    if argument is not None:
        argument.location = parser.parse_optional_location()
    return argument, type, attributes


def _parse_outputs(parser: Parser) -> list[tuple[Attribute, DictionaryAttr]]:
    def output() -> tuple[Attribute, DictionaryAttr]:
        return parser.parse_type(), DictionaryAttr(parser.parse_optional_dictionary_attr_dict())

    if parser.parse_optional_punctuation("->") is None:
        return []
    several = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, output)
    return [(parser.parse_type(), DictionaryAttr({}))] if several is None else several


def _parse_func(kind: type[Any], parser: Parser) -> Operation:
    properties: _Properties = {"sym_name": parser.parse_symbol_name()}
    inputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _parse_argument(parser))
    outputs = _parse_outputs(parser)
    properties["function_type"] = FunctionType.from_lists([t for _, t, _ in inputs], [t for t, _ in outputs])
    properties["function_control"] = parse_quoted(parser, FunctionControlAttr)
    for key, dictionaries in (("arg_attrs", [d for *_, d in inputs]), ("res_attrs", [d for _, d in outputs])):
        if any(d.data for d in dictionaries):
            properties[key] = ArrayAttr(dictionaries)
    given = parser.parse_optional_attr_dict_with_keyword()
    names = [argument for argument, *_ in inputs if argument is not None]
    body = parser.parse_optional_region(names if len(names) == len(inputs) else None)
    return build(kind, [], [], properties | dict(given.data if given else {}), [Region() if body is None else body])


def _print_signature(printer: Printer, op: Any) -> None:
    values = op.body.blocks[0].args if op.body.blocks else [None] * len(op.function_type.inputs)
    inputs = [*zip(values, op.function_type.inputs, op.arg_attrs or [None] * len(values), strict=True)]
    types = op.function_type.outputs.data
    outputs = [*zip(types, op.res_attrs or [None] * len(types), strict=True)]

    def typed(type: Attribute, attributes: DictionaryAttr | None) -> None:
        printer.print_attribute(type)
        if attributes is not None:
            printer.print_op_attributes(attributes.data)

    def argument(given: tuple[SSAValue | None, Attribute, DictionaryAttr | None]) -> None:
        if given[0] is not None:
            printer.print_ssa_value(given[0])
            printer.print_string(": ")
        typed(given[1], given[2])

    with printer.in_parens():
        printer.print_list(inputs, argument)
    if not outputs:
        return
    printer.print_string(" -> ")
    if len(outputs) == 1 and (outputs[0][1] is None or not outputs[0][1].data):
        printer.print_attribute(outputs[0][0])
        return
    with printer.in_parens():
        printer.print_list(outputs, lambda pair: typed(*pair))


def _print_func(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    _print_signature(printer, op)
    printer.print_string(f' "{op.function_control.data}"')
    hidden = {"sym_name", "function_type", "function_control", "arg_attrs", "res_attrs"}
    shown = {k: v for k, v in sorted((op.properties | op.attributes).items()) if k not in hidden}
    printer.print_op_attributes(shown, print_keyword=True)
    if op.body.blocks:
        printer.print_string(" ")
        printer.print_region(op.body, print_entry_block_args=False, print_empty_block=False)


def _parse_place(parser: Parser) -> _Properties:
    """Parses `bind(0, 1)` or `built_in("WorkgroupId")`, or nothing, and attributes."""
    found: _Properties = {}
    if parser.parse_optional_keyword("bind"):
        numbers = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_integer)
        if len(numbers) != 2:
            parser.raise_error("a binding is two numbers: the set and the number in it")
        found = {k: IntegerAttr(n, i32) for k, n in zip(("descriptor_set", "binding"), numbers, strict=True)}
    elif parser.parse_optional_keyword("built_in"):
        with parser.in_parens():
            found["built_in"] = StringAttr(parser.parse_str_literal())
    return found | dict(parser.parse_optional_attr_dict())


def _print_place(printer: Printer, op: Operation, *hidden: str) -> None:
    known = op.properties | op.attributes
    place = [known.get(name) for name in ("descriptor_set", "binding")]
    if None not in place:
        printer.print_string(" bind({}, {})".format(*(cast(Any, n).value.data for n in place)))
        hidden = (*hidden, "descriptor_set", "binding")
    if (name := known.get("built_in")) is not None:
        printer.print_string(f' built_in("{cast(StringAttr, name).data}")')
    print_dict(printer, op, *hidden, "built_in")


def _parse_pointer(parser: Parser) -> Attribute:
    parser.parse_punctuation(":")
    start = parser.pos
    if not isinstance(type := parser.parse_type(), PointerType):
        parser.raise_error("this has the type of a pointer, a !spirv.ptr", start, parser.pos)
    return type


def _parse_global(kind: type[Any], parser: Parser) -> Operation:
    properties: _Properties = {"sym_name": parser.parse_symbol_name()}
    if parser.parse_optional_keyword("initializer"):
        with parser.in_parens():
            properties["initializer"] = SymbolRefAttr(parser.parse_symbol_name())
    properties |= _parse_place(parser)
    return build(kind, [], [], properties | {"type": _parse_pointer(parser)})


def _print_global(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    if op.initializer is not None:
        printer.print_string(" initializer(")
        printer.print_attribute(op.initializer)
        printer.print_string(")")
    _print_place(printer, op, "sym_name", "type", "initializer")
    printer.print_string(" : ")
    printer.print_attribute(op.type)


def _parse_spec_constant(kind: type[Any], parser: Parser) -> Operation:
    properties: _Properties = {"sym_name": parser.parse_symbol_name()}
    if parser.parse_optional_keyword("spec_id"):
        with parser.in_parens():
            properties["spec_id"] = IntegerAttr(parser.parse_integer(), i64)
    parser.parse_punctuation("=")
    return build(kind, [], [], properties | {"default_value": parser.parse_attribute()})


def _print_spec_constant(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    if (number := op.attributes.get("spec_id")) is not None:
        printer.print_string(f" spec_id({number.value.data})")
    printer.print_string(" = ")
    printer.print_attribute(op.default_value)


def _parse_references(parser: Parser) -> list[SymbolRefAttr]:
    found: list[SymbolRefAttr] = []
    while parser.parse_optional_punctuation(",") is not None:
        found.append(SymbolRefAttr(parser.parse_symbol_name()))
    return found


def _parse_entry(kind: type[Any], parser: Parser) -> Operation:
    model, fn = parse_quoted(parser, ExecutionModelAttr), SymbolRefAttr(parser.parse_symbol_name())
    properties: _Properties = {"execution_model": model, "fn": fn, "interface": ArrayAttr(_parse_references(parser))}
    return build(kind, [], [], properties)


def _print_entry(printer: Printer, op: Any) -> None:
    printer.print_string(f' "{op.execution_model.data}" ')
    printer.print_list([op.fn, *op.interface], printer.print_attribute)


def _parse_mode(kind: type[Any], parser: Parser) -> Operation:
    fn, mode = SymbolRefAttr(parser.parse_symbol_name()), parse_quoted(parser, ExecutionModeAttr)
    values: list[int] = []
    while parser.parse_optional_punctuation(",") is not None:
        values.append(parser.parse_integer())
    numbers = cast(Attribute, i32_array(values))
    return build(kind, [], [], {"fn": fn, "execution_mode": mode, "values": numbers})


def _print_mode(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_attribute(op.fn)
    printer.print_string(f' "{op.execution_mode.data}"')
    printer.print_string("".join(f", {n.value.data}" for n in op.values))


# Values


def _parse_constant(kind: type[Any], parser: Parser) -> Operation:
    start = parser.pos
    value: Any = parser.parse_attribute()
    type = value.get_type() if hasattr(value, "get_type") else None
    if isinstance(type, TensorType) or type is None:
        if not isinstance(value, ArrayAttr) and type is None:
            parser.raise_error("a constant is a number, a truth value, 'dense<...>', or a list of them", start)
        parser.parse_punctuation(":")
        type = parser.parse_type()
    return build(kind, [], [cast(Attribute, type)], {"value": cast(Attribute, value)})


def _print_constant(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_attribute(op.value)
    if not isinstance(op.constant.type, IntegerType | VectorType) and not hasattr(op.constant.type, "bitwidth"):
        printer.print_string(" : ")
        printer.print_attribute(op.constant.type)


def _parse_variable(kind: type[Any], parser: Parser) -> Operation:
    start: Any = None
    if parser.parse_optional_keyword("init"):
        with parser.in_parens():
            start = parser.parse_unresolved_operand()
    properties = _parse_place(parser)
    type: Any = _parse_pointer(parser)
    properties["storage_class"] = StorageClassAttr(type.storage_class.data)
    value = [] if start is None else [parser.resolve_operand(start, type.pointee)]
    return build(kind, [value], [type], properties)


def _print_variable(printer: Printer, op: Any) -> None:
    if op.initializer is not None:
        printer.print_string(" init(")
        printer.print_ssa_value(op.initializer)
        printer.print_string(")")
    _print_place(printer, op, "storage_class")
    printer.print_string(" : ")
    printer.print_attribute(op.pointer.type)


def _parse_indices(parser: Parser) -> Attribute:
    return cast(
        Attribute, ArrayAttr(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute))
    )


def _parse_extract(kind: type[Any], parser: Parser) -> Operation:
    start = parser.pos
    name = parser.parse_unresolved_operand()
    indices = _parse_indices(parser)
    attributes = parser.parse_optional_attr_dict()
    type = parse_one_type(parser)
    found = part_of(type, [i.value.data for i in cast(Any, indices)])
    if found is None:
        parser.raise_error(f"there is no part {indices} of a {type}", start, parser.pos)
    return build(kind, [parser.resolve_operand(name, type)], [found], {**attributes, "indices": indices})


def _print_extract(printer: Printer, op: Any) -> None:
    print_names(printer, op)
    printer.print_attribute(op.indices)
    print_dict(printer, op, "indices")
    printer.print_string(f" : {op.operands[0].type}")


def _parse_insert(kind: type[Any], parser: Parser) -> Operation:
    names = parse_names(parser)
    indices = _parse_indices(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    part = parser.parse_type()
    parser.parse_keyword("into")
    types = [part, whole := parser.parse_type()]
    operands = parser.resolve_operands(names, types, parser.pos)
    return build(kind, operands, [whole], {**attributes, "indices": indices})


def _print_insert(printer: Printer, op: Any) -> None:
    print_names(printer, op)
    printer.print_attribute(op.indices)
    print_dict(printer, op, "indices")
    printer.print_string(f" : {op.operands[0].type} into {op.operands[1].type}")


# Accesses


def parse_access(parser: Parser, suffix: str = "") -> _Properties:
    """Parses `["Volatile"]` or `["Aligned", 4]`, or nothing."""
    if parser.parse_optional_punctuation("[") is None:
        return {}
    found: _Properties = {f"{suffix}memory_access": parse_quoted(parser, MemoryAccessAttr)}
    if parser.parse_optional_punctuation(",") is not None:
        found[f"{suffix}alignment"] = IntegerAttr(parser.parse_integer(), i32)
    parser.parse_punctuation("]")
    return found


def print_access(printer: Printer, access: Any, alignment: Any) -> None:
    """Prints what `parse_access` reads, behind a space."""
    if access is not None:
        aligned = "" if alignment is None else f", {alignment.value.data}"
        printer.print_string(f' ["{access.data}"{aligned}]')


def _parse_load(kind: type[Any], parser: Parser) -> Operation:
    storage, name = parse_class(parser), parser.parse_unresolved_operand()
    attributes = parse_access(parser) | parser.parse_optional_attr_dict()
    type = parse_one_type(parser)
    return build(kind, [parser.resolve_operand(name, PointerType.to(type, storage))], [type], attributes)


def _parse_store(kind: type[Any], parser: Parser) -> Operation:
    storage, name = parse_class(parser), parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    value = parser.parse_unresolved_operand()
    attributes = parse_access(parser) | parser.parse_optional_attr_dict()
    type = parse_one_type(parser)
    pointer = parser.resolve_operand(name, PointerType.to(type, storage))
    return build(kind, [pointer, parser.resolve_operand(value, type)], [], attributes)


def _print_access_op(printer: Printer, op: Any) -> None:
    printer.print_string(f' "{op.ptr.type.storage_class.data}"')
    print_names(printer, op)
    print_access(printer, op.memory_access, op.alignment)
    _print_rest(printer, op, "memory_access", "alignment")


def enumerated(enums: Mapping[str, type[EnumAttr]], between: str, result: bool = False) -> Form:
    """`<Device> <None> %pointer, %value : !spirv.ptr<i32, Workgroup>`: enumerations, a pointer, and values of what it
    points to, of which the result is one. Without operands there is no type."""

    def parse(kind: type[Any], parser: Parser) -> Operation:
        properties: _Properties = {}
        for name, enum in enums.items():
            if properties and between:
                parser.parse_punctuation(",")
            properties[name] = enum(cast(Any, enum).parse_parameter(parser))
        names = parse_names(parser) if result else []
        properties |= parser.parse_optional_attr_dict()
        if not result:
            return build(kind, [], [], properties)
        pointer: Any = _parse_pointer(parser)
        types = [pointer, *[pointer.pointee] * (len(names) - 1)]
        return build(kind, parser.resolve_operands(names, types, parser.pos), [pointer.pointee], properties)

    def print(printer: Printer, op: Any) -> None:
        words = [f"<{op.properties[name].data}>" for name in enums]
        printer.print_string(f" {f'{between} '.join(words)}")
        if result:
            print_names(printer, op)
        print_dict(printer, op, *enums)
        if result:
            printer.print_string(f" : {op.operands[0].type}")

    return Form(parse, print)


# Control flow


def _parse_branch(kind: type[Any], parser: Parser) -> Operation:
    block, values = parse_target(parser)
    attributes = parser.parse_optional_attr_dict()
    return kind.build(operands=[values], successors=[block], attributes=attributes)


def _print_branch(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    print_target(printer, op.target, op.target_operands)
    print_dict(printer, op)


def _parse_choice(kind: type[Any], parser: Parser) -> Operation:
    condition = parser.resolve_operand(parser.parse_unresolved_operand(), i1)
    properties: _Properties = {}
    numbers = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    if numbers is not None:
        properties["branch_weights"] = ArrayAttr([IntegerAttr(n, i32) for n in numbers])
    parser.parse_punctuation(",")
    first, given = parse_target(parser)
    parser.parse_punctuation(",")
    second, others = parse_target(parser)
    return kind.build(operands=[condition, given, others], successors=[first, second], properties=properties)


def _print_choice(printer: Printer, op: Any) -> None:
    print_weights = "" if op.branch_weights is None else ", ".join(str(n.value.data) for n in op.branch_weights)
    printer.print_string(" ")
    printer.print_ssa_value(op.condition)
    printer.print_string(f" [{print_weights}], " if print_weights else ", ")
    print_target(printer, op.true_target, op.true_operands)
    printer.print_string(", ")
    print_target(printer, op.false_target, op.false_operands)


def _parse_structured(kind: type[Any], parser: Parser) -> Operation:
    control = _parse_bracketed(parser, "control", kind.CONTROL)
    types: list[Attribute] = []
    if parser.parse_optional_punctuation("->") is not None:
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    properties: _Properties = {kind.CONTROL.name.removeprefix("spirv."): control}
    return build(kind, [], [types], properties, [parser.parse_region()])


def _print_structured(printer: Printer, op: Any) -> None:
    control = op.properties[op.CONTROL.name.removeprefix("spirv.")].data
    if control != "None":
        printer.print_string(f" control({control})")
    if op.results:
        printer.print_string(" -> ")
        printer.print_list(op.result_types, printer.print_attribute)
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False)


def _parse_merge(kind: type[Any], parser: Parser) -> Operation:
    attributes = parser.parse_optional_attr_dict()
    first = parser.parse_optional_unresolved_operand()
    names = [] if first is None else [first]
    while names and parser.parse_optional_punctuation(",") is not None:
        names.append(parser.parse_unresolved_operand())
    values: Sequence[SSAValue] = parser.resolve_operands(names, parse_types(parser), parser.pos) if names else ()
    return build(kind, [values], [], attributes)


def _print_merge(printer: Printer, op: Any) -> None:
    print_dict(printer, op)
    if op.operands:
        print_names(printer, op)
        printer.print_string(" : ")
        printer.print_list(op.operand_types, printer.print_attribute)


def _parse_call(kind: type[Any], parser: Parser) -> Operation:
    callee: Attribute = SymbolRefAttr(parser.parse_symbol_name())
    names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    start = parser.pos
    if not isinstance(type := parser.parse_type(), FunctionType):
        parser.raise_error("a call has a type of functions: '(i32) -> i32'", start, parser.pos)
    values = parser.resolve_operands(names, type.inputs.data, start)
    if len(type.outputs) > 1:
        parser.raise_error("a call gives one value at most", start, parser.pos)
    return build(kind, [values], [[*type.outputs]], {**attributes, "callee": callee})


def _print_call(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_attribute(op.callee)
    with printer.in_parens():
        printer.print_list(op.operands, printer.print_ssa_value)
    print_dict(printer, op, "callee")
    printer.print_string(" : ")
    printer.print_attribute(FunctionType.from_lists(op.operand_types, op.result_types))


# Families


def truth_like(type: Attribute) -> Attribute:
    """The type of the truth values for the elements of a type."""
    return VectorType(i1, type.get_shape()) if isinstance(type, VectorType) else i1


def _parse_compare(kind: type[Any], parser: Parser) -> Operation:
    names = parse_names(parser)
    attributes = dict(parser.parse_optional_attr_dict())
    type = parse_one_type(parser)
    attributes |= parser.parse_optional_attr_dict()
    return build(kind, [parser.resolve_operand(name, type) for name in names], [truth_like(type)], attributes)


def _print_compare(printer: Printer, op: Any) -> None:
    print_names(printer, op)
    print_dict(printer, op)
    printer.print_string(f" : {op.operands[0].type}")


def _print_test(printer: Printer, op: Any) -> None:
    print_names(printer, op)
    printer.print_string(f" : {op.operands[0].type}")
    print_dict(printer, op)


COMPARE = Form(_parse_compare, _print_compare)
"""The form of comparisons, whose result has a truth value for each element of the operands."""
TEST = Form(_parse_compare, _print_test)
"""The form of questions about one value."""
SHIFT = formatted("$operand1 `,` $operand2 attr-dict `:` type($operand1) `,` type($operand2)")
CONVERT = formatted("$operand attr-dict `:` type($operand) `to` type($result)")
_STRUCTURED = Form(_parse_structured, _print_structured)
_SEMANTICS = MemorySemanticsAttr

SYNTAX: Mapping[str, Form] = {
    f"spirv.{name}": form
    for name, form in {
        "module": Form(_parse_module, _print_module),
        "func": Form(_parse_func, _print_func),
        "GlobalVariable": Form(_parse_global, _print_global),
        "SpecConstant": Form(_parse_spec_constant, _print_spec_constant),
        "EntryPoint": Form(_parse_entry, _print_entry),
        "ExecutionMode": Form(_parse_mode, _print_mode),
        "Constant": Form(_parse_constant, _print_constant),
        "Variable": Form(_parse_variable, _print_variable),
        "CompositeExtract": Form(_parse_extract, _print_extract),
        "CompositeInsert": Form(_parse_insert, _print_insert),
        "CompositeConstruct": formatted(
            "$constituents attr-dict `:` `(` type($constituents) `)` `->` type($result)"
        ),
        "Load": Form(_parse_load, _print_access_op),
        "Store": Form(_parse_store, _print_access_op),
        "Branch": Form(_parse_branch, _print_branch),
        "BranchConditional": Form(_parse_choice, _print_choice),
        "mlir.selection": _STRUCTURED,
        "mlir.loop": _STRUCTURED,
        "mlir.merge": Form(_parse_merge, _print_merge),
        "FunctionCall": Form(_parse_call, _print_call),
        "ControlBarrier": enumerated(
            {"execution_scope": ScopeAttr, "memory_scope": ScopeAttr, "memory_semantics": _SEMANTICS}, ","
        ),
        "MemoryBarrier": enumerated({"memory_scope": ScopeAttr, "memory_semantics": _SEMANTICS}, ","),
        "AtomicCompareExchange": enumerated(
            {"memory_scope": ScopeAttr, "equal_semantics": _SEMANTICS, "unequal_semantics": _SEMANTICS}, "", True
        ),
        **dict.fromkeys(ATOMICS, enumerated({"memory_scope": ScopeAttr, "semantics": _SEMANTICS}, "", True)),
        **dict.fromkeys(COMPARISONS, COMPARE),
        **dict.fromkeys(TESTS, TEST),
        **dict.fromkeys(SHIFTS, SHIFT),
        **dict.fromkeys(CONVERSIONS, CONVERT),
    }.items()
}  # fmt: skip
"""The forms of operations whose classes have none."""
