"""How calls of the llvm dialect are written as LLVM IR: of functions, of assembly, and all intrinsics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects.llvm.enums import CALLING_CONVENTIONS
from hologram.errors import PassError
from hologram.lowering.emit.ir_attributes import fastmath, function_attributes, parameter
from hologram.lowering.emit.ir_instructions import number
from hologram.lowering.emit.ir_types import mangled, quoted, symbol
from hologram.lowering.emit.ir_writer import INSTRUCTIONS, Instruction, Writer

RESULT = -1
"""Among the overloaded positions: the result."""

_RESULT_ONLY = (
    "fabs sqrt sin cos tan asin acos atan sinh cosh tanh exp exp2 exp10 log log2 log10 floor ceil trunc rint nearbyint"
    " round roundeven copysign pow atan2 maxnum minnum maximum minimum fma fmuladd smax smin umax umin sadd.sat"
    " uadd.sat ssub.sat usub.sat sshl.sat ushl.sat ctpop bitreverse bswap fshl fshr expect stacksave"
)
_FIRST_OPERAND = (
    "sadd.with.overflow uadd.with.overflow ssub.with.overflow usub.with.overflow smul.with.overflow"
    " umul.with.overflow vector.reduce.add vector.reduce.mul vector.reduce.and vector.reduce.or vector.reduce.xor"
    " vector.reduce.smax vector.reduce.smin vector.reduce.umax vector.reduce.umin vector.reduce.fmax"
    " vector.reduce.fmin vector.reduce.fmaximum vector.reduce.fminimum stackrestore lifetime.start lifetime.end"
)
_OVERLOADED: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(_RESULT_ONLY.split(), (RESULT,)),
    **dict.fromkeys(_FIRST_OPERAND.split(), (0,)),
    "vector.reduce.fadd": (1,),
    "vector.reduce.fmul": (1,),
    "ldexp": (RESULT, 1),
    "powi": (RESULT, 1),
    "abs": (RESULT,),
    "ctlz": (RESULT,),
    "cttz": (RESULT,),
    "is.fpclass": (0,),
    "memcpy": (0, 1, 2),
    "memmove": (0, 1, 2),
    "memset": (0, 2),
    "prefetch": (0,),
}
"""For each intrinsic, whose types its name spells: operands by number, RESULT."""

_IMMEDIATES: dict[str, tuple[tuple[str, str], ...]] = {
    "abs": (("is_int_min_poison", "i1"),),
    "ctlz": (("is_zero_poison", "i1"),),
    "cttz": (("is_zero_poison", "i1"),),
    "is.fpclass": (("bit", "i32"),),
    "memcpy": (("isVolatile", "i1"),),
    "memmove": (("isVolatile", "i1"),),
    "memset": (("isVolatile", "i1"),),
    "prefetch": (("rw", "i32"), ("hint", "i32"), ("cache", "i32")),
}
"""The properties that are further operands, with their types."""


def _on(name: str) -> Callable[[Instruction], Instruction]:
    def register(write: Instruction) -> Instruction:
        INSTRUCTIONS[f"llvm.{name}"] = write
        return write

    return register


def _result_type(w: Writer, op: Operation) -> str:
    return w.types(op.results[0].type) if op.results else "void"


def _dictionaries(attribute: Attribute | None, count: int) -> Sequence[DictionaryAttr | None]:
    if not isinstance(attribute, ArrayAttr):
        return [None] * count
    return cast("ArrayAttr[DictionaryAttr]", attribute).data


def _arguments(w: Writer, op: Operation, values: Sequence[SSAValue]) -> str:
    given = op.properties.get("arg_attrs")
    if given is None:
        return ", ".join([w.typed(v) for v in values])
    attributes = _dictionaries(given, len(values))
    parts = [
        f"{w.types(v.type)}{parameter(op, a, w.types)} {w.names[v]}" for v, a in zip(values, attributes, strict=False)
    ]
    return ", ".join(parts)


def _bundles(w: Writer, op: Operation, values: Sequence[SSAValue]) -> str:
    """The operand bundles of a call, from the operands that are theirs."""
    tags = op.properties.get("op_bundle_tags")
    sizes: tuple[int, ...] = cast("Any", op.properties["op_bundle_sizes"]).get_values() if tags is not None else ()
    found: list[str] = []
    start = 0
    for tag, size in zip(cast("Any", tags).data if tags is not None else (), sizes, strict=True):
        inside = ", ".join(w.typed(v) for v in values[start : start + size])
        found.append(f'"{quoted(tag.data.encode())}"({inside})')
        start += size
    return f" [ {', '.join(found)} ]" if found else ""


def _intrinsic(name: str) -> None:
    overloaded = _OVERLOADED[name]
    immediates = _IMMEDIATES.get(name, ())
    names: dict[tuple[str, ...], str] = {}

    @_on(f"intr.{name}")
    def write(w: Writer, op: Operation, head: str) -> None:
        operands = list(op.operands)
        kinds = [op.results[0].type if i == RESULT else operands[i].type for i in overloaded]
        key = tuple([w.types(kind) for kind in kinds])
        full = names.get(key)
        if full is None:
            full = names[key] = ".".join([f"@llvm.{name}", *map(mangled, kinds)])
        properties = op.properties
        inside = _arguments(w, op, operands)
        for property, type in immediates:
            value = number(properties.get(property))
            inside += f", {type} {'true' if value else 'false'}" if type == "i1" else f", {type} {value}"
        head = f"{head}call{fastmath(properties.get('fastmathFlags'))} {_result_type(w, op)}"
        metadata = w.metadata.access(op) if name.startswith("mem") else ""
        w.lines.append(f"{head} {full}({inside}){metadata}")


for _name in _OVERLOADED:
    _intrinsic(_name)


@_on("intr.assume")
def _assume(w: Writer, op: Operation, head: str) -> None:
    condition, *rest = op.operands
    w.lines.append(f"{head}call void @llvm.assume(i1 {w.names[condition]}){_bundles(w, op, rest)}")


# Masked accesses: the alignment stands as an attribute of the pointers


def _aligned(w: Writer, op: Operation, pointer: SSAValue) -> str:
    alignment = number(op.properties.get("alignment"))
    return f"{w.types(pointer.type)} align {alignment} {w.names[pointer]}"


def _masked_read(name: str) -> None:
    @_on(f"intr.masked.{name}")
    def write(w: Writer, op: Operation, head: str) -> None:
        pointer, mask, *rest = op.operands
        result = op.results[0]
        type = w.types(result.type)
        otherwise = w.names[rest[0]] if rest else "poison"
        full = f"@llvm.masked.{name}.{mangled(result.type)}.{mangled(pointer.type)}"
        inside = f"{_aligned(w, op, pointer)}, {w.typed(mask)}, {type} {otherwise}"
        metadata = w.metadata.access(op)
        w.lines.append(f"{head}call {type} {full}({inside}){metadata}")


def _masked_write(name: str) -> None:
    @_on(f"intr.masked.{name}")
    def write(w: Writer, op: Operation, head: str) -> None:
        value, pointer, mask = op.operands
        full = f"@llvm.masked.{name}.{mangled(value.type)}.{mangled(pointer.type)}"
        inside = f"{w.typed(value)}, {_aligned(w, op, pointer)}, {w.typed(mask)}"
        w.lines.append(f"{head}call void {full}({inside})")


for _name in ("load", "gather"):
    _masked_read(_name)
for _name in ("store", "scatter"):
    _masked_write(_name)


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


@_on("call")
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
    tail = properties.get("TailCallKind")
    kind: str = cast("Any", tail).data.value if tail is not None else "none"
    head = f"{head}{kind + ' ' if kind != 'none' else ''}call{fastmath(properties.get('fastmathFlags'))} "
    head += calling_convention(op)
    (returned,) = _dictionaries(properties.get("res_attrs"), 1) or (None,)
    head += parameter(op, returned, w.types).lstrip() + " " if returned is not None and returned.data else ""
    variadic = properties.get("var_callee_type")
    type = w.types(variadic) if variadic is not None else _result_type(w, op)
    group = w.shared.group(function_attributes(op))
    metadata = w.metadata.access(op)
    arguments = _arguments(w, op, values)
    w.lines.append(f"{head}{type} {function}({arguments}){group}{_bundles(w, op, rest)}{metadata}")


@_on("call_intrinsic")
def _call_intrinsic(w: Writer, op: Operation, head: str) -> None:
    properties = op.properties
    name = properties["intrin"]
    assert isinstance(name, StringAttr)
    count: int = cast("Any", properties["operandSegmentSizes"]).get_values()[0]
    operands = list(op.operands)
    head = f"{head}call{fastmath(properties.get('fastmathFlags'))} {_result_type(w, op)}"
    arguments = _arguments(w, op, operands[:count])
    w.lines.append(f"{head} {symbol(name.data)}({arguments}){_bundles(w, op, operands[count:])}")


@_on("inline_asm")
def _inline_asm(w: Writer, op: Operation, head: str) -> None:
    properties = op.properties
    tail = properties.get("tail_call_kind")
    kind: str = cast("Any", tail).data.value if tail is not None else "none"
    flags = " sideeffect" if "has_side_effects" in properties else ""
    flags += " alignstack" if "is_align_stack" in properties else ""
    flags += " inteldialect" if number(properties.get("asm_dialect")) else ""
    texts = [cast("Any", properties[name]).data.encode() for name in ("asm_string", "constraints")]
    code, constraints = (f'"{quoted(text)}"' for text in texts)
    head = f"{head}{kind + ' ' if kind != 'none' else ''}call {_result_type(w, op)}"
    w.lines.append(f"{head} asm{flags} {code}, {constraints}({_arguments(w, op, list(op.operands))})")
