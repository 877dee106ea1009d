"""Operations of upstream's llvm dialect that no pass of ours makes, as rows: exceptions, symbols, addresses of blocks,
what debuggers are told. The intrinsics are in `intrinsic_rows.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    f64,
    i8,
    i32,
    i64,
)
from xdsl.dialects.llvm import FastMathAttr, LinkageAttr, LLVMPointerType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import AttrConstraint, EqAttrConstraint, base
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.forms import build, parse_target, print_dict, print_target
from hologram.dialects.custom.rows import Form, Row, RowOp, need
from hologram.dialects.llvm import debug_info, metadata
from hologram.dialects.llvm.arithmetic import FloatLike, IntegerLike, PointerLike
from hologram.dialects.llvm.attributes import CallingConventionAttr
from hologram.dialects.llvm.bundles import bundle_values
from hologram.dialects.llvm.calls import parse_call, parse_callee, parse_vararg, print_call, print_callee, print_vararg
from hologram.dialects.llvm.control import verify_successor
from hologram.dialects.llvm.enums import CALLING_CONVENTIONS, LINKAGES, UNNAMED_ADDRS, VISIBILITIES
from hologram.dialects.llvm.intrinsic_rows import ROWS as INTRINSICS
from hologram.dialects.llvm.properties import given
from hologram.dialects.llvm.symbols import parse_index, words_of
from hologram.dialects.llvm.types import LLVMFunctionType, LLVMStructType

ATTRIBUTES = [*metadata.ATTRIBUTES, *debug_info.ATTRIBUTES]


def own_kinds() -> Mapping[str, AttrConstraint]:
    """The kinds of the llvm dialect."""
    pointer = base(LLVMPointerType)
    return {
        "ptr": pointer, "default_ptr": EqAttrConstraint(LLVMPointerType()), "ptrs": PointerLike,
        "ints": IntegerLike, "floats": FloatLike, "struct": base(LLVMStructType), "vector": base(VectorType),
        "token": EqAttrConstraint(metadata.TokenType()), "fast": base(FastMathAttr),
        "i8_attr": IntegerAttr.constr(i8), "f64_attr": FloatAttr.constr(f64),
        "linkage": base(LinkageAttr), "cconv": base(CallingConventionAttr), "func_type": base(LLVMFunctionType),
        "block_tag": base(metadata.BlockTagAttr), "block_address": base(metadata.BlockAddressAttr),
    }  # fmt: skip


# Exceptions


def _parse_invoke(kind: type[RowOp], parser: Parser) -> Operation:
    """Parses `fastcc @f(%a) to ^then(%b : i32) unwind ^else ["tag"(%c : i32)] : (f32) -> i32`."""
    cconv = parser.parse_optional_keyword_in(CALLING_CONVENTIONS) or "ccc"
    callee, names = parse_callee(parser)
    parser.parse_keyword("to")
    normal, normal_values = parse_target(parser)
    parser.parse_keyword("unwind")
    unwind, unwind_values = parse_target(parser)
    vararg = parse_vararg(parser)
    call = parse_call(parser, names, is_through=callee is None)
    more = {"CConv": CallingConventionAttr(cconv), **given(callee=callee, var_callee_type=vararg)}
    groups = [call.operands, normal_values, unwind_values, bundle_values(call.bundles)]
    attributes = call.attributes | call.properties | more
    return build(kind, groups, [call.outputs], attributes, successors=[normal, unwind])


def _print_invoke(printer: Printer, op: Any) -> None:
    if op.CConv.convention.data != "ccc":
        printer.print_string(f" {op.CConv.convention.data}")
    printer.print_string(" ")
    args = print_callee(printer, op)
    printer.print_string(" to ")
    print_target(printer, op.normal_dest, op.normal_operands)
    printer.print_string(" unwind ")
    print_target(printer, op.unwind_dest, op.unwind_operands)
    print_vararg(printer, op)
    through = None if op.callee is not None else op.callee_operands[0]
    print_call(printer, op, args, ("CConv", "callee", "var_callee_type"), through)


_BUNDLES = ("op_bundle_sizes", "op_bundle_tags")


def _check_invoke(op: Any) -> None:
    """What is passed on fits the blocks, and unwinding begins at a landing pad."""
    verify_successor(0, op.normal_dest, op.normal_operands)
    verify_successor(1, op.unwind_dest, op.unwind_operands)
    first = op.unwind_dest.first_op
    is_pad = first is not None and first.name == "llvm.landingpad"
    need(is_pad, f"the block that '{op.name}' unwinds to begins with an 'llvm.landingpad'")


def _parse_landing_pad(kind: type[RowOp], parser: Parser) -> Operation:
    """Parses `cleanup (catch %a : !llvm.ptr) (filter %b : !llvm.array<1 x ptr>) : TYPE`."""
    more: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("cleanup"):
        more["cleanup"] = UnitAttr()
    clauses: list[SSAValue] = []
    while parser.parse_optional_punctuation("("):
        word, start = parser.parse_keyword_in(("catch", "filter")), parser.pos
        name = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        clauses.append(parser.resolve_operand(name, parser.parse_type()))
        is_array = clauses[-1].type.name == "llvm.array"
        if is_array != (word == "filter"):
            parser.raise_error("a filter is an array, and what is caught is none", start)
        parser.parse_punctuation(")")
    more |= parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return build(kind, [clauses], [parser.parse_type()], more)


def _print_landing_pad(printer: Printer, op: Any) -> None:
    printer.print_string(" cleanup" if op.cleanup is not None else "")
    for value in op.clauses:
        printer.print_string(f" ({'filter' if value.type.name == 'llvm.array' else 'catch'} ")
        printer.print_ssa_value(value)
        printer.print_string(f" : {value.type})")
    print_dict(printer, op, "cleanup")
    printer.print_string(f" : {op.res.type}")


_CLAUSES = ("llvm.mlir.zero", "llvm.mlir.addressof", "llvm.bitcast", "llvm.mlir.undef", "llvm.mlir.constant")


def _check_landing_pad(op: Any) -> None:
    """There is a function with a personality around it, and it does something with constants."""
    around = op.parent_op()
    while around is not None and around.name != "llvm.func":
        around = around.parent_op()
    has_personality = around is not None and around.get_attr_or_prop("personality") is not None
    need(has_personality, f"'{op.name}' is in a function with a personality")
    need(op.cleanup is not None or len(op.clauses) > 0, f"'{op.name}' cleans up, or has a clause")
    for number, value in enumerate(op.clauses):
        is_constant = value.type.name == "llvm.array" or getattr(value.owner, "name", "") in _CLAUSES
        need(is_constant, f"clause {number} of '{op.name}' is a constant: null, an address or a bitcast of one")


# Addresses of blocks


def _parse_indirect_branch(kind: type[RowOp], parser: Parser) -> Operation:
    name = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    address = parser.resolve_operand(name, parser.parse_type())
    parser.parse_punctuation(",")
    targets = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_target(parser))
    attributes = dict(parser.parse_optional_attr_dict())
    counts = [len(values) for _, values in targets]
    attributes["indbr_operand_segments"] = DenseArrayBase.from_list(i32, counts)
    passed = [value for _, values in targets for value in values]
    return build(kind, [address, passed], [], attributes, successors=[[block for block, _ in targets]])


def _passed(op: Any) -> list[tuple[Block, Sequence[SSAValue]]]:
    """The blocks that it may go to, with what it passes on."""
    values = iter(op.succ_operands)
    counts = op.indbr_operand_segments.get_values()
    return [(block, [*islice(values, n)]) for block, n in zip(op.targets, counts, strict=False)]


def _print_indirect_branch(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.addr)
    printer.print_string(f" : {op.addr.type}, [")
    for number, (block, values) in enumerate(_passed(op)):
        printer.print_string(", " if number else "")
        print_target(printer, block, values)
    printer.print_string("]")
    print_dict(printer, op, "indbr_operand_segments")


def _check_indirect_branch(op: Any) -> None:
    counts = op.indbr_operand_segments.get_values()
    fits = len(counts) == len(op.targets) and sum(counts) == len(op.succ_operands)
    need(fits, f"'{op.name}' has a number of values for each of its {len(op.targets)} blocks")
    for number, (block, values) in enumerate(_passed(op)):
        verify_successor(number, block, values)


def _parse_address(kind: type[RowOp], parser: Parser) -> Operation:
    address = metadata.BlockAddressAttr.new(metadata.BlockAddressAttr.parse_parameters(parser))
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return build(kind, [], [parser.parse_type()], attributes | {"block_addr": address})


def _print_address(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    op.block_addr.print_parameters(printer)
    print_dict(printer, op, "block_addr")
    printer.print_string(f" : {op.res.type}")


def _parse_tag(kind: type[RowOp], parser: Parser) -> Operation:
    tag = metadata.BlockTagAttr.new(metadata.BlockTagAttr.parse_parameters(parser))
    return build(kind, [], [], parser.parse_optional_attr_dict() | {"tag": tag})


def _print_tag(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    op.tag.print_parameters(printer)
    print_dict(printer, op, "tag")


# Symbols

_SELECTIONS = ("any", "exactmatch", "largest", "nodeduplicate", "samesize")


def _parse_selector(kind: type[RowOp], parser: Parser) -> Operation:
    name = parser.parse_symbol_name()
    selection = IntegerAttr(_SELECTIONS.index(parser.parse_keyword_in(_SELECTIONS)), i64)
    return build(kind, [], [], parser.parse_optional_attr_dict() | {"sym_name": name, "comdat": selection})


def _print_selector(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    printer.print_string(f" {_SELECTIONS[op.comdat.value.data]}")
    print_dict(printer, op, "sym_name", "comdat")


def _check_comdat(op: Any) -> None:
    for inner in op.body.block.ops:
        need(inner.name == "llvm.comdat_selector", f"'{op.name}' holds 'llvm.comdat_selector' alone", inner)


_HEADER = ("sym_name", "linkage", "visibility_", "thread_local_", "unnamed_addr")


def _parse_header(parser: Parser) -> dict[str, Attribute]:
    """Parses `linkonce_odr hidden thread_local unnamed_addr @name`."""
    linkage = LinkageAttr(parser.parse_optional_keyword_in(LINKAGES) or "external")
    properties: dict[str, Attribute] = {"linkage": linkage, "visibility_": parse_index(parser, VISIBILITIES)}
    if parser.parse_optional_keyword("thread_local"):
        properties["thread_local_"] = UnitAttr()
    return properties | {"unnamed_addr": parse_index(parser, UNNAMED_ADDRS), "sym_name": parser.parse_symbol_name()}


def _print_header(printer: Printer, op: Any) -> None:
    words = [op.linkage.linkage.data, *words_of((op.visibility_, VISIBILITIES))]
    words += ["thread_local"] if op.properties.get("thread_local_") is not None else []
    words += words_of((op.unnamed_addr, UNNAMED_ADDRS))
    printer.print_string(f" {' '.join(words)} ")
    printer.print_symbol_name(op.sym_name.data)


def _parse_alias(kind: type[RowOp], parser: Parser) -> Operation:
    properties = _parse_header(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    properties["alias_type"] = parser.parse_type()
    return build(kind, [], [], attributes | properties, [parser.parse_region()])


def _print_alias(printer: Printer, op: Any) -> None:
    _print_header(printer, op)
    print_dict(printer, op, *_HEADER, "alias_type")
    printer.print_string(f" : {op.alias_type} ")
    printer.print_region(op.initializer)


_ALIASED = (
    "private", "internal", "linkonce", "weak", "linkonce_odr", "weak_odr", "external", "available_externally",
)  # fmt: skip


def _check_linkage(op: Any) -> None:
    word = op.linkage.linkage.data
    need(word in _ALIASED, f"'{op.name}' can't have the linkage '{word}', but one of {', '.join(_ALIASED)}")


def _check_alias(op: Any) -> None:
    """It is an address, which its region gives without effects."""
    _check_linkage(op)
    last = op.initializer.block.last_op
    gives = last is not None and [v.type.name for v in last.operands] == ["llvm.ptr"]
    need(gives, f"the region of '{op.name}' gives a pointer")


def _parse_ifunc(kind: type[RowOp], parser: Parser) -> Operation:
    """Parses `external @f : !llvm.func<void ()>, !llvm.ptr @resolver`."""
    properties = _parse_header(parser)
    parser.parse_punctuation(":")
    properties["i_func_type"] = parser.parse_type()
    parser.parse_punctuation(",")
    properties["resolver_type"] = parser.parse_type()
    properties["resolver"] = SymbolRefAttr(parser.parse_symbol_name())
    return build(kind, [], [], properties | parser.parse_optional_attr_dict())


def _print_ifunc(printer: Printer, op: Any) -> None:
    _print_header(printer, op)
    printer.print_string(f" : {op.i_func_type}, {op.resolver_type} {op.resolver}")
    print_dict(printer, op, *_HEADER, "i_func_type", "resolver_type", "resolver")


def _check_lists(op: Any) -> None:
    name = next(iter(op.get_irdl_definition().properties))
    lists = [op.properties[n] for n in (name, "priorities", "data")]
    need(len({len(some) for some in lists}) == 1, f"the lists of '{op.name}' are of one length")


_SYMBOL = "sym_name:symbol_name linkage:linkage dso_local:unit? unnamed_addr:i64_attr? visibility_:i64_attr="

_SYMBOLS: Sequence[Row] = [
    Row(
        "llvm.comdat", "A group of selectors.", "", "", "sym_name:symbol_name", "body:block",
        form="$sym_name $body attr-dict", traits="symbol symbol_table open_block", check=_check_comdat,
    ),
    Row(
        "llvm.comdat_selector", "Which one of several sections of a name a linker keeps.", "", "",
        "sym_name:symbol_name comdat:i64_attr", form=Form(_parse_selector, _print_selector),
        traits="symbol in:llvm.comdat",
    ),
    Row(
        "llvm.mlir.alias", "Another name of a global or of a function.", "", "",
        f"alias_type:any thread_local_:unit? {_SYMBOL}0", "initializer:block",
        form=Form(_parse_alias, _print_alias), traits="symbol isolated", check=_check_alias,
    ),
    Row(
        "llvm.mlir.ifunc", "A function that is chosen when the program is loaded.", "", "",
        f"i_func_type:func_type resolver:symbol resolver_type:any address_space:i32_attr=0:i32 {_SYMBOL}0",
        form=Form(_parse_ifunc, _print_ifunc), traits="symbol", check=_check_linkage,
    ),
    *(
        Row(
            f"llvm.mlir.global_{name}", f"The functions that run {when}.", "", "",
            f"{name}:array priorities:array data:array", check=_check_lists,
            form=f"`{name}` `=` ${name} `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict",
        )
        for name, when in (("ctors", "before a program"), ("dtors", "behind a program"))
    ),
    Row("llvm.module_flags", "Facts that linkers compare.", "", "", "flags:array", form="$flags attr-dict"),
]  # fmt: skip

_VALUES: Sequence[Row] = [
    Row(
        "llvm.invoke", "Calls a function, and goes on elsewhere if it throws.",
        "callee_operands:any* normal_operands:any* unwind_operands:any* op_bundle_operands:any*", "result:any?",
        "var_callee_type:func_type? callee:symbol? arg_attrs:array? res_attrs:array? branch_weights:i32_array?"
        " CConv:cconv op_bundle_sizes:i32_array op_bundle_tags:array?", "", "normal_dest unwind_dest",
        form=Form(_parse_invoke, _print_invoke), traits="ends_block", check=_check_invoke,
    ),
    Row(
        "llvm.landingpad", "What was thrown.", "clauses:any*", "res:any", "cleanup:unit?",
        form=Form(_parse_landing_pad, _print_landing_pad), check=_check_landing_pad,
    ),
    Row(
        "llvm.resume", "Goes on unwinding.", "value:any", form="$value attr-dict `:` type($value)",
        traits="ends_block",
    ),
    Row(
        "llvm.indirectbr", "Goes to the block of an address.", "addr:ptr succ_operands:any*", "",
        "indbr_operand_segments:i32_array", "", "targets:any*",
        form=Form(_parse_indirect_branch, _print_indirect_branch), traits="ends_block", check=_check_indirect_branch,
    ),
    Row(
        "llvm.blockaddress", "The address of a block with a tag.", "", "res:ptr", "block_addr:block_address",
        form=Form(_parse_address, _print_address), traits="pure",
    ),
    Row("llvm.blocktag", "The tag of its block.", "", "", "tag:block_tag", form=Form(_parse_tag, _print_tag)),
    Row(
        "llvm.dso_local_equivalent", "A function that does what another one does, in this library.", "", "res:ptr",
        "function_name:symbol", form="$function_name attr-dict `:` type($res)", traits="pure",
    ),
    Row("llvm.mlir.none", "No token.", "", "res:token", form="attr-dict `:` type($res)", traits="pure"),
    Row(
        "llvm.va_arg", "The next argument of a list.", "arg_list:ptr", "res:any",
        form="$arg_list attr-dict `:` functional-type($arg_list, $res)",
    ),
]  # fmt: skip


def _parse_debug(kind: type[RowOp], parser: Parser) -> Operation:
    """Parses `#variable #expression = %value : TYPE`; the expression may be left out."""
    more: dict[str, Attribute] = {"varInfo": parser.parse_attribute()}
    if (expression := parser.parse_optional_attribute()) is not None:
        more["locationExpr"] = expression
    parser.parse_punctuation("=")
    name = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    value = parser.resolve_operand(name, parser.parse_type())
    return build(kind, [value], [], more | parser.parse_optional_attr_dict())


def _print_debug(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_attribute(op.varInfo)
    if op.locationExpr is not None and op.locationExpr != op.DEFAULTS["locationExpr"]:
        printer.print_string(" ")
        printer.print_attribute(op.locationExpr)
    printer.print_string(" = ")
    printer.print_ssa_value(op.operands[0])
    printer.print_string(f" : {op.operands[0].type}")
    print_dict(printer, op, "varInfo", "locationExpr")


_DEBUG: Sequence[Row] = [
    *(
        Row(
            f"llvm.intr.dbg.{name}", meaning, operand, "", "varInfo:any locationExpr:any=#llvm.di_expression<>",
            form=Form(_parse_debug, _print_debug),
        )
        for name, operand, meaning in (
            ("value", "value:any", "Tells debuggers the value of a variable."),
            ("declare", "addr:ptr", "Tells debuggers where a variable lies."),
        )
    ),
    Row("llvm.intr.dbg.label", "Tells debuggers where a label is.", "", "", "label:any", form="$label attr-dict"),
]  # fmt: skip

ROWS: Sequence[Row] = [*_SYMBOLS, *_VALUES, *_DEBUG, *INTRINSICS]
