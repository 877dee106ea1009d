"""Writes the operations of the llvm dialect as instructions of LLVM IR: a table by the operation's name.

It includes the calls: of functions, of assembly, and of all intrinsics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects.llvm import LoopAnnotationAttr
from hologram.dialects.llvm.arithmetic import overflow_bits
from hologram.dialects.llvm.enums import (
    ATOMIC_OPERATIONS,
    CALLING_CONVENTIONS,
    FLOAT_PREDICATES,
    GEP_USE_SSA_VAL,
    INTEGER_PREDICATES,
    ORDERINGS,
)
from hologram.dialects.llvm.intrinsics import INTRINSICS, RESULT
from hologram.dialects.llvm.memory import gep_flag_words
from hologram.errors import PassError
from hologram.lowering.targets.llvm.text.attributes import fastmath, function_attributes, parameter
from hologram.lowering.targets.llvm.text.types import integer_text, mangled, quoted, symbol
from hologram.lowering.targets.llvm.text.writer import INSTRUCTIONS, Writer

_OVERFLOW = ("", " nsw", " nuw", " nuw nsw")


def number(attribute: Attribute | None) -> int:
    """The value of an integer attribute; 0 if there is none."""
    return cast("Any", attribute).value.data if attribute.__class__ is IntegerAttr else 0


def _fast(op: Operation) -> str:
    """Return the fast-math flags of an operation, each with a blank before it."""
    return fastmath(op.properties.get("fastmathFlags"))


# Arithmetic


def _overflow(op: Operation) -> str:
    return _OVERFLOW[overflow_bits(op.properties.get("overflowFlags"))]


def _promise(property: str, word: str) -> Callable[[Operation], str]:
    """Return a function that gives a word with a blank before it for operations that have a property."""
    return lambda op: f" {word}" if op.properties.get(property) is not None else ""


def _binary(word: str, flags: Callable[[Operation], str]) -> None:
    @INSTRUCTIONS.on(f"llvm.{word}")
    def write(w: Writer, op: Operation, head: str) -> None:
        lhs, rhs = op.operands
        names = w.names
        w.lines.append(f"{head}{word}{flags(op)} {w.types(lhs.type)} {names[lhs]}, {names[rhs]}")


_BINARY: Mapping[str, Callable[[Operation], str]] = {
    "urem srem and xor": lambda op: "",
    "add sub mul shl": _overflow,
    "udiv sdiv lshr ashr": _promise("isExact", "exact"),
    "or": _promise("isDisjoint", "disjoint"),
    "fadd fsub fmul fdiv frem": _fast,
}
"""Operations of two operands, and how their flags are written."""

for _words, _flags in _BINARY.items():
    for _word in _words.split():
        _binary(_word, _flags)


@INSTRUCTIONS.on("llvm.fneg")
def _fneg(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}fneg{_fast(op)} {w.typed(op.operands[0])}")


@INSTRUCTIONS.on("llvm.icmp")
def _icmp(w: Writer, op: Operation, head: str) -> None:
    lhs, rhs = op.operands
    word = INTEGER_PREDICATES[number(op.properties["predicate"])]
    w.lines.append(f"{head}icmp {word} {w.typed(lhs)}, {w.names[rhs]}")


@INSTRUCTIONS.on("llvm.fcmp")
def _fcmp(w: Writer, op: Operation, head: str) -> None:
    lhs, rhs = op.operands
    word = FLOAT_PREDICATES[number(op.properties["predicate"])].removeprefix("_")
    w.lines.append(f"{head}fcmp{_fast(op)} {word} {w.typed(lhs)}, {w.names[rhs]}")


@INSTRUCTIONS.on(
    *(
        f"llvm.{word}"
        for word in (
            "trunc", "zext", "sext", "fptrunc", "fpext", "fptosi", "fptoui", "sitofp", "uitofp", "inttoptr",
            "ptrtoint", "bitcast", "addrspacecast",
        )
    )
)  # fmt: skip
def _cast(w: Writer, op: Operation, head: str) -> None:
    flags = " nneg" if "nonNeg" in op.properties else ""
    text = f"{op.name.removeprefix('llvm.')}{flags}{_overflow(op)} {w.typed(op.operands[0])}"
    w.lines.append(f"{head}{text} to {w.types(op.results[0].type)}")


@INSTRUCTIONS.on("llvm.select")
def _select(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}select{_fast(op)} {w.listed(op.operands)}")


@INSTRUCTIONS.on("llvm.freeze")
def _freeze(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}freeze {w.typed(op.operands[0])}")


# Aggregates and vectors


def _position(op: Operation) -> str:
    return ", ".join(str(i) for i in cast("Any", op.properties["position"]).get_values())


@INSTRUCTIONS.on("llvm.extractvalue")
def _extractvalue(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}extractvalue {w.typed(op.operands[0])}, {_position(op)}")


@INSTRUCTIONS.on("llvm.insertvalue")
def _insertvalue(w: Writer, op: Operation, head: str) -> None:
    container, value = op.operands
    w.lines.append(f"{head}insertvalue {w.typed(container)}, {w.typed(value)}, {_position(op)}")


@INSTRUCTIONS.on("llvm.extractelement", "llvm.insertelement")
def _element(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}{op.name.removeprefix('llvm.')} {w.listed(op.operands)}")


@INSTRUCTIONS.on("llvm.shufflevector")
def _shufflevector(w: Writer, op: Operation, head: str) -> None:
    first, second = op.operands
    mask: tuple[int, ...] = cast("Any", op.properties["mask"]).get_values()
    lanes = ", ".join("i32 poison" if lane < 0 else f"i32 {lane}" for lane in mask)
    w.lines.append(f"{head}shufflevector {w.typed(first)}, {w.typed(second)}, <{len(mask)} x i32> <{lanes}>")


# Memory


@INSTRUCTIONS.on("llvm.alloca")
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


def index_list(op: Operation, typed: Callable[[SSAValue], str]) -> str:
    """Return the indices of a getelementptr, given how a value is written with its type."""
    dynamic = op.operands[1:]
    raw: Any = op.properties["rawConstantIndices"]
    if raw.data.data == _ONE_DYNAMIC:
        return typed(dynamic[0])
    values = iter(dynamic)
    return ", ".join(typed(next(values)) if i == GEP_USE_SSA_VAL else f"i32 {i}" for i in raw.get_values())


def no_wrap_words(op: Operation) -> str:
    """Return the flags of a getelementptr, each with a blank before it."""
    flags = number(op.properties.get("noWrapFlags"))
    if not flags and "inbounds" in op.properties:  # xDSL's own operation says it so.
        flags = 3
    return "".join(f" {word}" for word in gep_flag_words(flags)) if flags else ""


@INSTRUCTIONS.on("llvm.getelementptr")
def _getelementptr(w: Writer, op: Operation, head: str) -> None:
    element = w.types(op.properties["elem_type"])
    address = f"{element}, {w.typed(op.operands[0])}, {index_list(op, w.typed)}"
    w.lines.append(f"{head}getelementptr{no_wrap_words(op)} {address}")


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


@INSTRUCTIONS.on("llvm.load")
def _load(w: Writer, op: Operation, head: str) -> None:
    before, after = _ordered(op)
    type = w.types(op.results[0].type)
    w.lines.append(f"{head}load{before} {type}, {w.typed(op.operands[0])}{after}{_tail(w, op)}")


@INSTRUCTIONS.on("llvm.store")
def _store(w: Writer, op: Operation, head: str) -> None:
    before, after = _ordered(op)
    w.lines.append(f"{head}store{before} {w.listed(op.operands)}{after}{_tail(w, op)}")


@INSTRUCTIONS.on("llvm.atomicrmw")
def _atomicrmw(w: Writer, op: Operation, head: str) -> None:
    properties = op.properties
    volatile = " volatile" if "volatile_" in properties else ""
    word = ATOMIC_OPERATIONS[number(properties["bin_op"])].removeprefix("_")
    order = f"{_scope(properties)} {ORDERINGS[number(properties['ordering'])]}"
    w.lines.append(f"{head}atomicrmw{volatile} {word} {w.listed(op.operands)}{order}{_tail(w, op)}")


@INSTRUCTIONS.on("llvm.cmpxchg")
def _cmpxchg(w: Writer, op: Operation, head: str) -> None:
    properties = op.properties
    flags = (" weak" if "weak" in properties else "") + (" volatile" if "volatile_" in properties else "")
    success = ORDERINGS[number(properties["success_ordering"])]
    failure = ORDERINGS[number(properties["failure_ordering"])]
    order = f"{_scope(properties)} {success} {failure}"
    w.lines.append(f"{head}cmpxchg{flags} {w.listed(op.operands)}{order}{_tail(w, op)}")


@INSTRUCTIONS.on("llvm.fence")
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


@INSTRUCTIONS.on("llvm.br")
def _br(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}br label %{w.target(op, 0)}{_branch_metadata(w, op)}")


@INSTRUCTIONS.on("llvm.cond_br")
def _cond_br(w: Writer, op: Operation, head: str) -> None:
    condition = w.names[op.operands[0]]
    targets = f"label %{w.target(op, 0)}, label %{w.target(op, 1)}"
    w.lines.append(f"{head}br i1 {condition}, {targets}{_branch_metadata(w, op)}")
    w.land(op)


@INSTRUCTIONS.on("llvm.switch")
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


@INSTRUCTIONS.on("llvm.return")
def _return(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}ret {w.typed(op.operands[0])}" if op.operands else f"{head}ret void")


@INSTRUCTIONS.on("llvm.unreachable")
def _unreachable(w: Writer, _op: Operation, head: str) -> None:
    w.lines.append(f"{head}unreachable")


_SPELLED: Mapping[str, tuple[int, ...]] = {
    **{name: operation.SPELLED for name, operation in INTRINSICS.items()},
    **dict.fromkeys(("abs", "expect", "stacksave"), (RESULT,)),
    **dict.fromkeys(("is.fpclass", "stackrestore", "lifetime.start", "lifetime.end", "prefetch"), (0,)),
    **dict.fromkeys(("memcpy", "memmove"), (0, 1, 2)),
    "memset": (0, 2),
}
"""The values whose types an intrinsic's name spells: operands by number, or RESULT."""

_IMMEDIATES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "abs": (("is_int_min_poison", "i1"),),
    **dict.fromkeys(("ctlz", "cttz"), (("is_zero_poison", "i1"),)),
    "is.fpclass": (("bit", "i32"),),
    **dict.fromkeys(("memcpy", "memmove", "memset"), (("isVolatile", "i1"),)),
    "prefetch": (("rw", "i32"), ("hint", "i32"), ("cache", "i32")),
}
"""The properties that are further operands, with their types."""


def _result_type(w: Writer, op: Operation) -> str:
    return w.types(op.results[0].type) if op.results else "void"


def dictionaries(op: Operation, name: str, count: int) -> Sequence[DictionaryAttr | None]:
    """Return the attributes of each argument or result of a function or call, from the property that has them."""
    given = op.properties.get(name)
    return cast("ArrayAttr[DictionaryAttr]", given).data if isinstance(given, ArrayAttr) else [None] * count


def result_attributes(w: Writer, op: Operation) -> str:
    """Return the attributes of the result of a function or call, with a blank after them."""
    (attributes,) = dictionaries(op, "res_attrs", 1) or (None,)
    text = parameter(op, attributes, w.types).lstrip()
    return f"{text} " if attributes is not None and attributes.data else ""


def _arguments(w: Writer, op: Operation, values: Sequence[SSAValue]) -> str:
    if "arg_attrs" not in op.properties:
        return w.listed(values)
    pairs = zip(values, dictionaries(op, "arg_attrs", len(values)), strict=False)
    return ", ".join(f"{w.types(v.type)}{parameter(op, a, w.types)} {w.names[v]}" for v, a in pairs)


def _bundles(w: Writer, op: Operation, values: Sequence[SSAValue]) -> str:
    """The operand bundles of a call, from the operands that are theirs."""
    tags = op.properties.get("op_bundle_tags")
    sizes: tuple[int, ...] = cast("Any", op.properties["op_bundle_sizes"]).get_values() if tags is not None else ()
    found: list[str] = []
    start = 0
    for tag, size in zip(cast("Any", tags).data if tags is not None else (), sizes, strict=True):
        found.append(f'"{quoted(tag.data.encode())}"({w.listed(values[start : start + size])})')
        start += size
    return f" [ {', '.join(found)} ]" if found else ""


def _intrinsic_name(op: Operation) -> str:
    """Return the name of an intrinsic in LLVM IR, without the types that it spells."""
    return op.name.replace("llvm.intr.", "@llvm.")


def _intrinsic(name: str) -> None:
    spelled = _SPELLED[name]
    immediates = _IMMEDIATES.get(name, ())
    names: dict[tuple[str, ...], str] = {}

    @INSTRUCTIONS.on(f"llvm.intr.{name}")
    def write(w: Writer, op: Operation, head: str) -> None:
        operands = list(op.operands)
        kinds = [op.results[0].type if i == RESULT else operands[i].type for i in spelled]
        key = tuple([w.types(kind) for kind in kinds])
        full = names.get(key)
        if full is None:
            full = names[key] = ".".join([_intrinsic_name(op), *map(mangled, kinds)])
        properties = op.properties
        inside = _arguments(w, op, operands)
        for property, type in immediates:
            value = number(properties.get(property))
            inside += f", {type} {'true' if value else 'false'}" if type == "i1" else f", {type} {value}"
        head = f"{head}call{_fast(op)} {_result_type(w, op)}"
        metadata = w.metadata.access(op) if name.startswith("mem") else ""
        w.lines.append(f"{head} {full}({inside}){metadata}")


for _name in _SPELLED:
    _intrinsic(_name)


@INSTRUCTIONS.on("llvm.intr.assume")
def _assume(w: Writer, op: Operation, head: str) -> None:
    condition, *rest = op.operands
    w.lines.append(f"{head}call void @llvm.assume(i1 {w.names[condition]}){_bundles(w, op, rest)}")


# Masked accesses: the alignment stands as an attribute of the pointers


def _aligned(w: Writer, op: Operation, pointer: SSAValue) -> str:
    alignment = number(op.properties.get("alignment"))
    return f"{w.types(pointer.type)} align {alignment} {w.names[pointer]}"


@INSTRUCTIONS.on("llvm.intr.masked.load", "llvm.intr.masked.gather")
def _masked_read(w: Writer, op: Operation, head: str) -> None:
    pointer, mask, *rest = op.operands
    result = op.results[0]
    type = w.types(result.type)
    inside = f"{_aligned(w, op, pointer)}, {w.typed(mask)}, {type} {w.names[rest[0]] if rest else 'poison'}"
    name = f"{_intrinsic_name(op)}.{mangled(result.type)}.{mangled(pointer.type)}"
    w.lines.append(f"{head}call {type} {name}({inside}){w.metadata.access(op)}")


@INSTRUCTIONS.on("llvm.intr.masked.store", "llvm.intr.masked.scatter")
def _masked_write(w: Writer, op: Operation, head: str) -> None:
    value, pointer, mask = op.operands
    inside = f"{w.typed(value)}, {_aligned(w, op, pointer)}, {w.typed(mask)}"
    w.lines.append(f"{head}call void {_intrinsic_name(op)}.{mangled(value.type)}.{mangled(pointer.type)}({inside})")


# Calls

KERNELS = {"nvvm.kernel": "ptx_kernel", "rocdl.kernel": "amdgpu_kernel"}
"""The attributes that mark kernels, with the calling convention of each."""


def calling_convention(op: Operation) -> str:
    """The words of a function's or call's calling convention, with a blank after them."""
    if op.attributes:
        for mark, word in KERNELS.items():
            if mark in op.attributes:
                return f"{word} "
    given = op.properties.get("CConv")
    name: str = cast("Any", given).convention.data if given is not None else "ccc"
    if name not in CALLING_CONVENTIONS:
        raise PassError(op, "llvm-ir-calling-convention", f"LLVM IR has no calling convention '{name}'")
    word = CALLING_CONVENTIONS[name]
    return f"{word} " if word else ""


def _tail_call(kind: Attribute | None) -> str:
    word: str = cast("Any", kind).data.value if kind is not None else "none"
    return "" if word == "none" else f"{word} "


@INSTRUCTIONS.on("llvm.call")
def _call(w: Writer, op: Operation, head: str) -> None:
    properties = op.properties
    segments = properties.get("operandSegmentSizes")
    count = cast("Any", segments).get_values()[0] if segments is not None else len(op.operands)
    operands = list(op.operands)
    values, rest = operands[:count], operands[count:]
    callee = properties.get("callee")
    if isinstance(callee, SymbolRefAttr):
        function = w.shared.symbol(op, callee)
    else:
        function = w.names[values[0]]
        values = values[1:]
    head = f"{head}{_tail_call(properties.get('TailCallKind'))}call{_fast(op)} "
    head += calling_convention(op) + result_attributes(w, op)
    variadic = properties.get("var_callee_type")
    type = w.types(variadic) if variadic is not None else _result_type(w, op)
    group = w.shared.group(function_attributes(op))
    metadata = w.metadata.access(op)
    arguments = _arguments(w, op, values)
    w.lines.append(f"{head}{type} {function}({arguments}){group}{_bundles(w, op, rest)}{metadata}")


@INSTRUCTIONS.on("llvm.call_intrinsic")
def _call_intrinsic(w: Writer, op: Operation, head: str) -> None:
    properties = op.properties
    name = properties["intrin"]
    assert isinstance(name, StringAttr)
    count: int = cast("Any", properties["operandSegmentSizes"]).get_values()[0]
    operands = list(op.operands)
    head = f"{head}call{_fast(op)} {_result_type(w, op)}"
    arguments = _arguments(w, op, operands[:count])
    w.lines.append(f"{head} {symbol(name.data)}({arguments}){_bundles(w, op, operands[count:])}")


@INSTRUCTIONS.on("llvm.inline_asm")
def _inline_asm(w: Writer, op: Operation, head: str) -> None:
    properties = op.properties
    flags = " sideeffect" if "has_side_effects" in properties else ""
    flags += " alignstack" if "is_align_stack" in properties else ""
    flags += " inteldialect" if number(properties.get("asm_dialect")) else ""
    texts = [cast("Any", properties[name]).data.encode() for name in ("asm_string", "constraints")]
    code, constraints = (f'"{quoted(text)}"' for text in texts)
    head = f"{head}{_tail_call(properties.get('tail_call_kind'))}call {_result_type(w, op)}"
    w.lines.append(f"{head} asm{flags} {code}, {constraints}({_arguments(w, op, list(op.operands))})")
