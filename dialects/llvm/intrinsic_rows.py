"""Intrinsics of upstream's llvm dialect that no pass of ours makes, as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.forms import build, print_dict
from hologram.dialects.custom.rows import Form, Row, RowOp, need

_CALL = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
_TYPED = "operands attr-dict `:` functional-type(operands, results)"

# Numbers

_ROUNDING: Mapping[str, int] = {
    "towardzero": 0, "tonearest": 1, "upward": 2, "downward": 3, "tonearestaway": 4, "dynamic": 7, "invalid": -1,
}  # fmt: skip
_EXCEPTIONS: Mapping[str, int] = {"ignore": 0, "maytrap": 1, "strict": 2}


def _parse_constrained(kind: type[RowOp], parser: Parser) -> Operation:
    """Parses `%x tonearest ignore : f64 to f32`, the rounding only where the operation rounds."""
    name = parser.parse_unresolved_operand()
    words: dict[str, Attribute] = {}
    if "roundingmode" in kind.get_irdl_definition().properties:
        words["roundingmode"] = IntegerAttr(_ROUNDING[parser.parse_keyword_in(_ROUNDING)], i64)
    words["fpExceptionBehavior"] = IntegerAttr(_EXCEPTIONS[parser.parse_keyword_in(_EXCEPTIONS)], i64)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    value = parser.resolve_operand(name, parser.parse_type())
    parser.parse_keyword("to")
    return build(kind, [value], [parser.parse_type()], attributes | words)


def _print_constrained(printer: Printer, op: Any) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.arg_0)
    for table, name in ((_ROUNDING, "roundingmode"), (_EXCEPTIONS, "fpExceptionBehavior")):
        if name in op.properties:
            number = op.properties[name].value.data
            printer.print_string(" " + next(word for word, n in table.items() if n == number))
    print_dict(printer, op, "roundingmode", "fpExceptionBehavior")
    printer.print_string(f" : {op.arg_0.type} to {op.res.type}")


def _check_constrained(op: Any) -> None:
    for table, name in ((_ROUNDING, "roundingmode"), (_EXCEPTIONS, "fpExceptionBehavior")):
        if name in op.properties:
            number = op.properties[name].value.data
            need(number in table.values(), f"'{name}' of '{op.name}' is none of {', '.join(table)}: {number}")


def _constrained(name: str, meaning: str, operand: str, *, rounds: bool) -> Row:
    properties = ("roundingmode:i64_attr " if rounds else "") + "fpExceptionBehavior:i64_attr"
    form = Form(_parse_constrained, _print_constrained)
    name = f"llvm.intr.experimental.constrained.{name}"
    return Row(name, meaning, f"arg_0:{operand}", "res:any", properties, form=form, check=_check_constrained)


_FAST = "fastmathFlags:fast=#llvm.fastmath<none>"
_NUMBERS: Sequence[Row] = [
    _constrained("fptrunc", "A float of fewer bits, in a given environment.", "floats", rounds=True),
    _constrained("fpext", "A float of more bits, in a given environment.", "floats", rounds=False),
    _constrained("sitofp", "The float of a signed integer, in a given environment.", "ints", rounds=True),
    _constrained("uitofp", "The float of an unsigned integer, in a given environment.", "ints", rounds=True),
    Row(
        "llvm.intr.frexp", "A fraction and an exponent.", "val:floats", "res:struct", _FAST,
        form=_CALL, traits="pure",
    ),
    Row(
        "llvm.intr.sincos", "The sine and the cosine.", "val:floats", "res:struct", _FAST,
        form=_CALL, traits="pure",
    ),
    *(
        Row(f"llvm.intr.{name}", f"The nearest integer, {how}.", "val:floats", "res:ints", form=_CALL, traits="pure")
        for name, how in (
            ("lrint", "rounded as the environment says"), ("llrint", "rounded as the environment says"),
            ("lround", "ties away from zero"), ("llround", "ties away from zero"),
        )
    ),
    *(
        Row(
            f"llvm.intr.{name}", f"-1, 0 or 1: how two {kind} integers compare.", "lhs:ints$T rhs:ints$T", "res:ints",
            form=_CALL, traits="pure",
        )
        for name, kind in (("scmp", "signed"), ("ucmp", "unsigned"))
    ),
]  # fmt: skip

# Memory


def _check_scope(op: Any) -> None:
    need(op.scope.name == "llvm.alias_scope", f"'{op.name}' names an #llvm.alias_scope, not {op.scope}")


_LIST = "$arg_list attr-dict `:` type($arg_list)"
_MEMORY: Sequence[Row] = [
    Row("llvm.intr.vastart", "Begins a list of arguments.", "arg_list:ptr", form=_LIST),
    Row("llvm.intr.vaend", "Ends a list of arguments.", "arg_list:ptr", form=_LIST),
    Row(
        "llvm.intr.vacopy", "Copies a list of arguments.", "dest_list:ptr src_list:ptr",
        form="$src_list `to` $dest_list attr-dict `:` type(operands)",
    ),
    *(
        Row(
            f"llvm.intr.{name}.invariant.group", meaning, "ptr:ptr$T", "res:ptr$T",
            form="$ptr attr-dict `:` type($ptr)", traits="pure",
        )
        for name, meaning in (
            ("launder", "The address, as if memory there were new to its invariant group."),
            ("strip", "The address without its invariant group."),
        )
    ),
    Row(
        "llvm.intr.invariant.start", "Says that memory does not change from here on.", "ptr:ptr", "res:default_ptr",
        "size:i64_attr", form="$size `,` $ptr attr-dict `:` type($ptr)",
    ),
    Row(
        "llvm.intr.invariant.end", "Says that memory may change again.", "start:default_ptr ptr:ptr", "",
        "size:i64_attr", form="$start `,` $size `,` $ptr attr-dict `:` type($ptr)",
    ),
    Row(
        "llvm.intr.threadlocal.address", "The address of this thread's copy of a global.", "global:ptr$T", "res:ptr$T",
        traits="pure",
    ),
    Row(
        "llvm.intr.ptrmask", "The address with some bits cleared.", "ptr:ptrs$T mask:ints", "res:ptrs$T",
        form="$ptr `,` $mask attr-dict `:` functional-type(operands, results)", traits="pure",
    ),
    Row(
        "llvm.intr.memcpy.inline", "Copies bytes without a call.", "dst:ptr src:ptr", "",
        "len:int_attr isVolatile:bool access_groups:array? alias_scopes:array? noalias_scopes:array? tbaa:array?"
        " arg_attrs:array? res_attrs:array?",
    ),
    Row(
        "llvm.intr.memset.inline", "Sets bytes without a call.", "dst:ptr val:i8", "",
        "len:int_attr isVolatile:bool access_groups:array? alias_scopes:array? noalias_scopes:array? tbaa:array?"
        " arg_attrs:array? res_attrs:array?",
    ),
    Row(
        "llvm.intr.experimental.noalias.scope.decl", "Says that a scope begins.", "", "", "scope:any",
        form="$scope attr-dict", check=_check_scope,
    ),
]  # fmt: skip

# Vectors and matrices


def _known_length(type: Any) -> int | None:
    """The number of elements of a vector; None where it is scalable."""
    return None if any(n.value.data for n in type.scalable_dims) else type.get_shape()[0]


def _check_part(op: Any) -> None:
    """A scalable part is of a scalable vector, and both have the same elements."""
    whole, part = (op.dstvec, op.srcvec) if "insert" in op.name else (op.srcvec, op.res)
    need(
        whole.type.element_type == part.type.element_type,
        f"'{op.name}' has vectors of the same elements, not {whole.type} and {part.type}",
    )
    fits = _known_length(part.type) is not None or _known_length(whole.type) is None
    need(fits, f"'{op.name}' has a part that is scalable, {part.type}, of a vector that is not, {whole.type}")


_VECTORS: Sequence[Row] = [
    Row(
        "llvm.intr.vector.insert", "A vector with another one at a place.", "dstvec:vector$T srcvec:vector",
        "res:vector$T", "pos:i64_attr", check=_check_part, traits="pure",
        form="$srcvec `,` $dstvec `[` $pos `]` attr-dict `:` type($srcvec) `into` type($res)",
    ),
    Row(
        "llvm.intr.vector.extract", "A part of a vector.", "srcvec:vector", "res:vector", "pos:i64_attr",
        form="$srcvec `[` $pos `]` attr-dict `:` type($res) `from` type($srcvec)", check=_check_part, traits="pure",
    ),
    Row(
        "llvm.intr.vector.interleave2", "The elements of two vectors in turn.", "vec1:vector$T vec2:vector$T",
        "res:vector", traits="pure",
    ),
    Row("llvm.intr.vector.deinterleave2", "Every other element, twice.", "vec:vector", "res:struct", traits="pure"),
    Row(
        "llvm.intr.stepvector", "The numbers 0, 1, 2 and so on.", "", "res:vector", form="attr-dict `:` type($res)",
        traits="pure",
    ),
    Row("llvm.intr.vscale", "By how much scalable vectors are longer.", "", "res:int", traits="pure"),
    Row(
        "llvm.intr.get.active.lane.mask", "Which numbers from a base on are below a bound.", "base:int$T n:int$T",
        "res:mask", traits="pure",
        form="$base `,` $n attr-dict `:` type($base) `,` type($n) `to` type($res)",
    ),
    Row(
        "llvm.intr.masked.expandload", "Reads elements behind each other into lanes that are set.",
        "ptr:ptr mask:mask passthru:vector$T", "res:vector$T", "alignment:i64_attr? arg_attrs:array? res_attrs:array?",
        traits="reads",
    ),
    Row(
        "llvm.intr.masked.compressstore", "Writes lanes that are set behind each other.",
        "value:vector ptr:ptr mask:mask", "", "alignment:i64_attr? arg_attrs:array? res_attrs:array?", traits="writes",
    ),
    Row(
        "llvm.intr.matrix.multiply", "The product of matrices, by columns.", "lhs:vector rhs:vector", "res:vector",
        "lhs_rows:i32_attr lhs_columns:i32_attr rhs_columns:i32_attr",
        form="$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)", traits="pure",
    ),
    Row(
        "llvm.intr.matrix.transpose", "A matrix with rows for columns.", "matrix:vector", "res:vector",
        "rows:i32_attr columns:i32_attr", form="$matrix attr-dict `:` type($matrix) `into` type($res)", traits="pure",
    ),
    Row(
        "llvm.intr.matrix.column.major.load", "Reads a matrix, the columns of which lie at a distance.",
        "data:ptr stride:int", "res:vector", "isVolatile:bool rows:i32_attr columns:i32_attr", traits="reads",
        form="$data `,` `<` `stride` `=` $stride `>` attr-dict `:`"
        " type($res) `from` type($data) `stride` type($stride)",
    ),
    Row(
        "llvm.intr.matrix.column.major.store", "Writes a matrix, the columns of which lie at a distance.",
        "matrix:vector data:ptr stride:int", "", "isVolatile:bool rows:i32_attr columns:i32_attr", traits="writes",
        form="$matrix `,` $data `,` `<` `stride` `=` $stride `>` attr-dict `:`"
        " type($matrix) `to` type($data) `stride` type($stride)",
    ),
]  # fmt: skip

# Vectors with a mask and a length

_LANES = "mask:mask evl:i32"


def _lanes(name: str, operands: str, results: str, meaning: str) -> Row:
    return Row(f"llvm.intr.{name}", f"{meaning}, where the mask is set, below a length.", operands, results)


_PARTIAL: Sequence[Row] = [
    *(
        _lanes(f"vp.{name}", f"lhs:vector$T rhs:vector$T {_LANES}", "res:vector$T", f"'{name}' of two vectors")
        for name in (
            "add and ashr fadd fdiv fmul frem fsub lshr mul or sdiv shl smax smin srem sub udiv umax umin urem xor"
        ).split()
    ),
    *(
        _lanes(f"vp.{name}", f"op1:vector$T op2:vector$T op3:vector$T {_LANES}", "res:vector$T", f"'{name}' of three")
        for name in ("fma", "fmuladd")
    ),
    _lanes("vp.fneg", f"op:vector$T {_LANES}", "res:vector$T", "The negated elements"),
    *(
        _lanes(f"vp.{name}", f"src:vector {_LANES}", "res:vector", f"'{name}' of the elements")
        for name in "fpext fptosi fptoui fptrunc inttoptr ptrtoint sext sitofp trunc uitofp zext".split()
    ),
    *(
        _lanes(f"vp.reduce.{name}", f"start_value:any$T val:vector {_LANES}", "res:any$T", f"'{name}' of all elements")
        for name in "add and fadd fmax fmin fmul mul or smax smin umax umin xor".split()
    ),
    *(
        _lanes(f"vp.{name}", "cond:mask true_val:vector$T false_val:vector$T evl:i32", "res:vector$T", "A choice")
        for name in ("merge", "select")
    ),
    _lanes("vp.load", f"ptr:ptr {_LANES}", "res:vector", "Reads elements"),
    _lanes("vp.store", f"val:vector ptr:ptr {_LANES}", "", "Writes elements"),
    _lanes(
        "experimental.vp.strided.load", f"ptr:ptr stride:int {_LANES}", "res:vector", "Reads elements at a distance"
    ),
    _lanes(
        "experimental.vp.strided.store", f"val:vector ptr:ptr stride:int {_LANES}", "", "Writes elements at a distance"
    ),
]

# Control, hints, coroutines


def _parse_trap(kind: type[RowOp], parser: Parser) -> Operation:
    parser.parse_punctuation("<")
    properties = parser.parse_optional_attr_dict()
    parser.parse_punctuation(">")
    return build(kind, [], [], properties | parser.parse_optional_attr_dict())


def _print_trap(printer: Printer, op: Any) -> None:
    printer.print_string(f" <{{failureKind = {op.failureKind}}}>")
    printer.print_op_attributes(op.attributes)


def _coroutine(name: str, operands: str, result: str, meaning: str, form: str = _TYPED) -> Row:
    return Row(f"llvm.intr.coro.{name}", meaning, operands, result, form=form)


_CONTROL: Sequence[Row] = [
    Row("llvm.intr.trap", "Ends the program.", form="attr-dict"),
    Row("llvm.intr.debugtrap", "Stops for a debugger.", form="attr-dict"),
    Row(
        "llvm.intr.ubsantrap", "Ends the program for a reason.", "", "", "failureKind:i8_attr",
        form=Form(_parse_trap, _print_trap),
    ),
    Row(
        "llvm.intr.eh.typeid.for", "The number of an exception's type.", "type_info:ptr", "res:i32",
        form="$type_info attr-dict `:` functional-type(operands, results)",
    ),
    Row(
        "llvm.intr.expect.with.probability", "The value; says how likely the expected one is.",
        "val:int$T expected:int$T", "res:int$T", "prob:f64_attr", traits="pure",
        form="$val `,` $expected `,` $prob attr-dict `:` type($val)",
    ),
    Row("llvm.intr.is.constant", "Whether the compiler knows a value.", "val:any", "res:i1", traits="pure"),
    Row(
        "llvm.intr.ssa.copy", "The value itself.", "operand:any$T", "res:any$T",
        form="$operand attr-dict `:` type($operand)", traits="pure",
    ),
    Row(
        "llvm.intr.annotation", "The value, with a note.", "integer:int$T annotation:ptr fileName:ptr line:i32",
        "res:int$T",
    ),
    Row(
        "llvm.intr.var.annotation", "A note on a variable.",
        "val:ptr annotation:ptr fileName:ptr line:i32 attr:ptr",
    ),
    Row(
        "llvm.intr.ptr.annotation", "The address, with a note.",
        "ptr:ptr$T annotation:ptr fileName:ptr line:i32 attr:ptr", "res:ptr$T",
    ),
    _coroutine("id", "align:i32 promise:ptr coroaddr:ptr fnaddrs:ptr", "res:token", "Names a coroutine."),
    _coroutine("begin", "token:token mem:ptr", "res:ptr", "The handle of a coroutine."),
    _coroutine("size", "", "res:int", "The size of a coroutine's frame.", "attr-dict `:` type($res)"),
    _coroutine("align", "", "res:int", "The alignment of a coroutine's frame.", "attr-dict `:` type($res)"),
    _coroutine("save", "handle:ptr", "res:token", "The state in which a coroutine stops."),
    _coroutine(
        "suspend", "save:token final:i1", "res:i8", "Stops a coroutine.",
        "$save `,` $final attr-dict `:` type($res)",
    ),
    _coroutine("end", "handle:ptr unwind:i1 retvals:token", "res:i1", "Ends a coroutine."),
    _coroutine("free", "id:token handle:ptr", "res:ptr", "The memory of a coroutine's frame."),
    _coroutine("promise", "handle:ptr align:i32 from:i1", "res:ptr", "The promise of a coroutine."),
    _coroutine("resume", "handle:ptr", "", "Goes on with a coroutine.", "$handle attr-dict `:` type($handle)"),
]  # fmt: skip

ROWS: Sequence[Row] = [*_NUMBERS, *_MEMORY, *_VECTORS, *_PARTIAL, *_CONTROL]
