"""How the operations of the llvm dialect are written as instructions of LLVM IR: a table by the operation's name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation

from hologram.dialects.llvm import LoopAnnotationAttr
from hologram.dialects.llvm.arithmetic import overflow_bits
from hologram.dialects.llvm.enums import (
    ATOMIC_OPERATIONS,
    FLOAT_PREDICATES,
    GEP_USE_SSA_VAL,
    INTEGER_PREDICATES,
    ORDERINGS,
)
from hologram.dialects.llvm.memory import gep_flag_words
from hologram.lowering.emit.ir_attributes import fastmath
from hologram.lowering.emit.ir_constants import integer_text
from hologram.lowering.emit.ir_types import quoted
from hologram.lowering.emit.ir_writer import INSTRUCTIONS, Instruction, Writer

_OVERFLOW = ("", " nsw", " nuw", " nuw nsw")


def _on(*names: str) -> Callable[[Instruction], Instruction]:
    def register(write: Instruction) -> Instruction:
        for name in names:
            INSTRUCTIONS[f"llvm.{name}"] = write
        return write

    return register


def number(attribute: Attribute | None) -> int:
    """The value of an integer attribute; 0 if there is none."""
    return cast("Any", attribute).value.data if attribute.__class__ is IntegerAttr else 0


# Arithmetic


def _binary(word: str) -> None:
    @_on(word)
    def write(w: Writer, op: Operation, head: str) -> None:
        lhs, rhs = op.operands
        names = w.names
        w.lines.append(f"{head}{word} {w.types(lhs.type)} {names[lhs]}, {names[rhs]}")


def _overflowing(word: str) -> None:
    @_on(word)
    def write(w: Writer, op: Operation, head: str) -> None:
        lhs, rhs = op.operands
        names = w.names
        flags = _OVERFLOW[overflow_bits(op.properties.get("overflowFlags"))]
        w.lines.append(f"{head}{word}{flags} {w.types(lhs.type)} {names[lhs]}, {names[rhs]}")


def _flagged(word: str, flag: str, flag_word: str) -> None:
    @_on(word)
    def write(w: Writer, op: Operation, head: str) -> None:
        lhs, rhs = op.operands
        names = w.names
        full = f"{word} {flag_word}" if op.properties.get(flag) is not None else word
        w.lines.append(f"{head}{full} {w.types(lhs.type)} {names[lhs]}, {names[rhs]}")


def _float_binary(word: str) -> None:
    @_on(word)
    def write(w: Writer, op: Operation, head: str) -> None:
        lhs, rhs = op.operands
        names = w.names
        flags = fastmath(op.properties.get("fastmathFlags"))
        w.lines.append(f"{head}{word}{flags} {w.types(lhs.type)} {names[lhs]}, {names[rhs]}")


for _word in ("urem", "srem", "and", "xor"):
    _binary(_word)
for _word in ("add", "sub", "mul", "shl"):
    _overflowing(_word)
for _word in ("udiv", "sdiv", "lshr", "ashr"):
    _flagged(_word, "isExact", "exact")
_flagged("or", "isDisjoint", "disjoint")
for _word in ("fadd", "fsub", "fmul", "fdiv", "frem"):
    _float_binary(_word)


@_on("fneg")
def _fneg(w: Writer, op: Operation, head: str) -> None:
    flags = fastmath(op.properties.get("fastmathFlags"))
    w.lines.append(f"{head}fneg{flags} {w.typed(op.operands[0])}")


@_on("icmp")
def _icmp(w: Writer, op: Operation, head: str) -> None:
    lhs, rhs = op.operands
    word = INTEGER_PREDICATES[number(op.properties["predicate"])]
    w.lines.append(f"{head}icmp {word} {w.typed(lhs)}, {w.names[rhs]}")


@_on("fcmp")
def _fcmp(w: Writer, op: Operation, head: str) -> None:
    lhs, rhs = op.operands
    word = FLOAT_PREDICATES[number(op.properties["predicate"])].removeprefix("_")
    flags = fastmath(op.properties.get("fastmathFlags"))
    w.lines.append(f"{head}fcmp{flags} {word} {w.typed(lhs)}, {w.names[rhs]}")


def _cast(word: str) -> None:
    @_on(word)
    def write(w: Writer, op: Operation, head: str) -> None:
        result = op.results[0]
        properties = op.properties
        full = f"{word} nneg" if "nonNeg" in properties else word
        if "overflowFlags" in properties:
            full += _OVERFLOW[overflow_bits(properties["overflowFlags"])]
        w.lines.append(f"{head}{full} {w.typed(op.operands[0])} to {w.types(result.type)}")


for _word in (
    "trunc", "zext", "sext", "fptrunc", "fpext", "fptosi", "fptoui", "sitofp", "uitofp", "inttoptr", "ptrtoint",
    "bitcast", "addrspacecast",
):  # fmt: skip
    _cast(_word)


@_on("select")
def _select(w: Writer, op: Operation, head: str) -> None:
    operands = ", ".join(w.typed(v) for v in op.operands)
    w.lines.append(f"{head}select{fastmath(op.properties.get('fastmathFlags'))} {operands}")


@_on("freeze")
def _freeze(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}freeze {w.typed(op.operands[0])}")


# Aggregates and vectors


def _position(op: Operation) -> str:
    return ", ".join(str(i) for i in cast("Any", op.properties["position"]).get_values())


@_on("extractvalue")
def _extractvalue(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}extractvalue {w.typed(op.operands[0])}, {_position(op)}")


@_on("insertvalue")
def _insertvalue(w: Writer, op: Operation, head: str) -> None:
    container, value = op.operands
    inserted = f"insertvalue {w.typed(container)}, {w.typed(value)}, {_position(op)}"
    w.lines.append(f"{head}{inserted}")


@_on("extractelement", "insertelement")
def _element(w: Writer, op: Operation, head: str) -> None:
    operands = ", ".join(w.typed(v) for v in op.operands)
    w.lines.append(f"{head}{op.name.removeprefix('llvm.')} {operands}")


@_on("shufflevector")
def _shufflevector(w: Writer, op: Operation, head: str) -> None:
    first, second = op.operands
    mask: tuple[int, ...] = cast("Any", op.properties["mask"]).get_values()
    lanes = ", ".join("i32 poison" if lane < 0 else f"i32 {lane}" for lane in mask)
    shuffled = f"shufflevector {w.typed(first)}, {w.typed(second)}, <{len(mask)} x i32> <{lanes}>"
    w.lines.append(f"{head}{shuffled}")


# Memory


@_on("alloca")
def _alloca(w: Writer, op: Operation, head: str) -> None:
    result = op.results[0]
    inalloca = "inalloca " if "inalloca" in op.properties else ""
    text = f"alloca {inalloca}{w.types(op.properties['elem_type'])}, {w.typed(op.operands[0])}"
    if alignment := number(op.properties.get("alignment")):
        text += f", align {alignment}"
    pointer = w.types(result.type)
    if pointer != "ptr":
        text += pointer.removeprefix("ptr").replace(" ", ", ", 1)
    w.lines.append(f"{head}{text}")


_ONE_DYNAMIC = GEP_USE_SSA_VAL.to_bytes(4, "little", signed=True)
"""The constant indices of most addresses: just one index, an operand."""


@_on("getelementptr")
def _getelementptr(w: Writer, op: Operation, head: str) -> None:
    base, *dynamic = op.operands
    properties = op.properties
    raw: Any = properties["rawConstantIndices"]
    if raw.data.data == _ONE_DYNAMIC:
        indices = w.typed(dynamic[0])
    else:
        values = iter(dynamic)
        indices = ", ".join(w.typed(next(values)) if i == GEP_USE_SSA_VAL else f"i32 {i}" for i in raw.get_values())
    flags = number(properties.get("noWrapFlags"))
    if not flags and "inbounds" in properties:  # xDSL's own operation says it so.
        flags = 3
    words = "".join(f" {word}" for word in gep_flag_words(flags)) if flags else ""
    element = w.types(properties["elem_type"])
    w.lines.append(f"{head}getelementptr{words} {element}, {w.typed(base)}, {indices}")


def _scope(properties: dict[str, Attribute]) -> str:
    scope = properties.get("syncscope")
    return f' syncscope("{quoted(scope.data.encode())}")' if isinstance(scope, StringAttr) else ""


_PLAIN = {"alignment", "ordering"}
"""What most accesses have and no metadata comes of."""


def _tail(w: Writer, op: Operation) -> str:
    """The alignment and metadata of an access."""
    properties = op.properties
    alignment = number(properties.get("alignment"))
    text = f", align {alignment}" if alignment else ""
    return text if properties.keys() <= _PLAIN else text + w.metadata.access(op)


def _ordered(op: Operation) -> tuple[str, str]:
    """What stands before and after the operands of a load or store: volatile and atomic, scope and ordering."""
    properties = op.properties
    volatile = " volatile" if "volatile_" in properties else ""
    order = number(properties.get("ordering"))
    if not order:
        return volatile, ""
    return f" atomic{volatile}", f"{_scope(properties)} {ORDERINGS[order]}"


@_on("load")
def _load(w: Writer, op: Operation, head: str) -> None:
    result = op.results[0]
    before, after = _ordered(op)
    access = f"load{before} {w.types(result.type)}, {w.typed(op.operands[0])}{after}{_tail(w, op)}"
    w.lines.append(f"{head}{access}")


@_on("store")
def _store(w: Writer, op: Operation, head: str) -> None:
    value, pointer = op.operands
    before, after = _ordered(op)
    w.lines.append(f"{head}store{before} {w.typed(value)}, {w.typed(pointer)}{after}{_tail(w, op)}")


@_on("atomicrmw")
def _atomicrmw(w: Writer, op: Operation, head: str) -> None:
    pointer, value = op.operands
    properties = op.properties
    volatile = " volatile" if "volatile_" in properties else ""
    word = ATOMIC_OPERATIONS[number(properties["bin_op"])].removeprefix("_")
    order = f"{_scope(properties)} {ORDERINGS[number(properties['ordering'])]}"
    access = f"atomicrmw{volatile} {word} {w.typed(pointer)}, {w.typed(value)}{order}{_tail(w, op)}"
    w.lines.append(f"{head}{access}")


@_on("cmpxchg")
def _cmpxchg(w: Writer, op: Operation, head: str) -> None:
    properties = op.properties
    flags = (" weak" if "weak" in properties else "") + (" volatile" if "volatile_" in properties else "")
    operands = ", ".join(w.typed(v) for v in op.operands)
    success = ORDERINGS[number(properties["success_ordering"])]
    failure = ORDERINGS[number(properties["failure_ordering"])]
    access = f"cmpxchg{flags} {operands}{_scope(properties)} {success} {failure}{_tail(w, op)}"
    w.lines.append(f"{head}{access}")


@_on("fence")
def _fence(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}fence{_scope(op.properties)} {ORDERINGS[number(op.properties['ordering'])]}")


# Branches


def _branch_metadata(w: Writer, op: Operation) -> str:
    properties = op.properties
    text = ""
    if (given := properties.get("branch_weights")) is not None:
        text += w.metadata.weights(cast("Any", given).get_values())
    if isinstance(annotation := properties.get("loop_annotation"), LoopAnnotationAttr):
        text += w.metadata.loop(op, annotation)
    return text


@_on("br")
def _br(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}br label %{w.target(op, 0)}{_branch_metadata(w, op)}")


@_on("cond_br")
def _cond_br(w: Writer, op: Operation, head: str) -> None:
    condition = w.names[op.operands[0]]
    targets = f"label %{w.target(op, 0)}, label %{w.target(op, 1)}"
    w.lines.append(f"{head}br i1 {condition}, {targets}{_branch_metadata(w, op)}")
    w.land(op)


@_on("switch")
def _switch(w: Writer, op: Operation, head: str) -> None:
    value = op.operands[0]
    given = op.properties.get("case_values")
    cases: tuple[int, ...] = () if given is None else cast("Any", given).get_values()
    type = w.types(value.type)
    w.lines.append(f"{head}switch {type} {w.names[value]}, label %{w.target(op, 0)} [")
    for position, case in enumerate(cases):
        w.lines.append(f"    {type} {integer_text(case, value.type)}, label %{w.target(op, position + 1)}")
    w.lines.append(f"  ]{_branch_metadata(w, op)}")
    w.land(op)


@_on("return")
def _return(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}ret {w.typed(op.operands[0])}" if op.operands else f"{head}ret void")


@_on("unreachable")
def _unreachable(w: Writer, _op: Operation, head: str) -> None:
    w.lines.append(f"{head}unreachable")
