"""Builds operations of the llvm dialect inside a conversion rule, by upstream's operation and property names.

`Llvm` emits arithmetic by the verbs that all levels have; what only this level has are functions that take a rewriter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    VectorType,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects import gpu, llvm
from hologram.dialects.layouts import as_vector, integer_width
from hologram.dialects.llvm import (
    GEP_INBOUNDS,
    GEP_INBOUNDS_NUW,
    GEP_NONE,
    GEP_USE_SSA_VAL,
    NO_FASTMATH,
    CallingConventionAttr,
    LinkageAttr,
    LLVMFunctionType,
    LLVMStructType,
    TailCallKind,
    TailCallKindAttr,
    element_type,
    pointer,
    with_element,
)
from hologram.dialects.llvm.enums import FLOAT_PREDICATES, INTEGER_PREDICATES
from hologram.dialects.llvm.memory import POINTER
from hologram.dialects.verbs import Level, Operand, Verb, is_float
from hologram.dialects.verbs import number as attribute
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter
from hologram.support.pool_call import POOL, SERIAL

__all__ = [
    "GEP_INBOUNDS",
    "GEP_INBOUNDS_NUW",
    "GEP_NONE",
    "NO_FASTMATH",
    "LinkageAttr",
    "LLVMStructType",
    "element_type",
    "pointer",
    "with_element",
]

OPERATIONS: Mapping[str, type[Operation]] = {op.name: op for op in llvm.Llvm.operations}

INTEGERS: Mapping[Verb, str] = {
    "add": "add", "sub": "sub", "mul": "mul", "div": "udiv", "rem": "urem", "min": "intr.umin", "max": "intr.umax",
    "and": "and", "or": "or", "xor": "xor", "shl": "shl", "shr": "lshr", "sdiv": "sdiv", "srem": "srem",
    "smin": "intr.smin", "smax": "intr.smax", "ashr": "ashr",
}  # fmt: skip
FLOATS: Mapping[Verb, str] = {
    "add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv", "min": "intr.minimum", "max": "intr.maximum",
}  # fmt: skip

WRAP: Mapping[str, Attribute] = {"overflowFlags": IntegerAttr(0, i32)}
NSW: Mapping[str, Attribute] = {"overflowFlags": IntegerAttr(1, i32)}
NSW_NUW: Mapping[str, Attribute] = {"overflowFlags": IntegerAttr(3, i32)}
NOT_ATOMIC: Mapping[str, Attribute] = {"ordering": IntegerAttr(0, i64)}
FAST: Mapping[str, Attribute] = {"fastmathFlags": NO_FASTMATH}
C_CALL = CallingConventionAttr("ccc")
NO_TAIL_CALL = TailCallKindAttr(TailCallKind.NONE)


@lru_cache(1024)
def words(*values: int) -> DenseArrayBase[IntegerType]:
    """Return an array of i32. Attributes don't change, and to make one takes longer than to look it up."""
    return DenseArrayBase.from_list(i32, values)


@lru_cache(1024)
def number(value: int, type: IntegerType = i64) -> IntegerAttr[IntegerType]:
    """Return the attribute of an integer."""
    return IntegerAttr(value, type)


def build(
    name: str,
    operands: Sequence[SSAValue] = (),
    results: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] = {},
    successors: Sequence[Block] = (),
) -> Operation:
    """Make `llvm.<name>` without emitting it."""
    return OPERATIONS["llvm." + name].create(
        operands=operands, result_types=results, properties=properties, successors=successors
    )


def emit(
    rw: Rewriter,
    name: str,
    operands: Sequence[SSAValue],
    result: Attribute,
    properties: Mapping[str, Attribute] = {},
) -> SSAValue:
    """Emit `llvm.<name>` and return its one result."""
    op = OPERATIONS["llvm." + name].create(operands=operands, result_types=(result,), properties=properties)
    return rw.emit(op).results[0]


def emit_effect(
    rw: Rewriter, name: str, operands: Sequence[SSAValue], properties: Mapping[str, Attribute] = {}
) -> None:
    """Emit `llvm.<name>`, which has no result."""
    rw.emit(OPERATIONS["llvm." + name].create(operands=operands, properties=properties))


# Constants


def width(type: Attribute) -> int:
    """Return the bits of an integer type, or of a vector's elements."""
    bits = integer_width(element_type(type))
    assert bits is not None
    return bits


def constant(rw: Rewriter, type: Attribute, value: int | float) -> SSAValue:
    """Emit a constant of an integer, float or vector type, once for each block."""
    return rw.once((type, str(value)), lambda: _constant(rw, type, value))


def _constant(rw: Rewriter, type: Attribute, value: int | float) -> SSAValue:
    element = element_type(type)
    if element != type and element not in PACKED:
        return splat(rw, constant(rw, element, value), type)
    return emit(rw, "mlir.constant", (), type, {"value": attribute(value, type)})


PACKED = {IntegerType(bits) for bits in (1, 8, 16, 32, 64)} | {Float16Type(), Float32Type(), Float64Type()}
"""Element types that dense attributes can hold."""


def lanes_of(type: Attribute) -> int:
    """Return the number of elements of a vector type of one dimension (or none)."""
    vector = as_vector(type)
    assert vector is not None
    return vector.get_shape()[0] if vector.get_shape() else 1


def splat(rw: Rewriter, value: SSAValue, type: Attribute) -> SSAValue:
    """Emit a vector of equal elements."""
    nothing = emit(rw, "mlir.poison", (), type)
    first = emit(rw, "insertelement", (nothing, value, constant_i64(rw, 0)), type)
    return shuffle(rw, first, nothing, [0] * lanes_of(type))


def shuffle(rw: Rewriter, left: SSAValue, right: SSAValue, mask: Sequence[int]) -> SSAValue:
    """Emit the elements of both vectors, counted one after the other, that `mask` names; -1 is poison."""
    kind = VectorType(element_type(left.type), (len(mask),))
    return emit(rw, "shufflevector", (left, right), kind, {"mask": DenseArrayBase.from_list(i32, mask)})


def constant_i64(rw: Rewriter, value: int) -> SSAValue:
    """Emit an i64, once for each block."""
    return rw.once(value, lambda: _constant(rw, i64, value))


# Integers


OVERFLOWING = {"add", "sub", "mul", "shl", "trunc"}
"""Operations that have overflow flags."""


def flags(name: str) -> Mapping[str, Attribute]:
    """Return the properties of an operation that promises nothing."""
    return WRAP if name in OVERFLOWING else {}


def extend(rw: Rewriter, name: str, value: SSAValue, type: Attribute) -> SSAValue:
    """Emit `value` widened; `name` is `sext` or `zext`."""
    return emit(rw, name, (value,), type)


def truncate(rw: Rewriter, value: SSAValue, type: Attribute) -> SSAValue:
    """Emit the low bits of `value`."""
    return emit(rw, "trunc", (value,), type, WRAP)


class Llvm(Level):
    """Emits operations of llvm that promise nothing: integers wrap, and floats are exact."""

    def __init__(self, rw: Rewriter):
        self.rw = rw

    def constant(self, value: float, type: Attribute) -> SSAValue:
        return constant(self.rw, type, value)

    def binary(self, verb: Verb, a: Operand, b: Operand) -> SSAValue:
        a, b = self.operands(a, b)
        if is_float(a.type):
            return emit(self.rw, FLOATS[verb], (a, b), a.type, FAST)
        return emit(self.rw, INTEGERS[verb], (a, b), a.type, flags(INTEGERS[verb]))

    def compare(self, predicate: str, a: Operand, b: Operand) -> SSAValue:
        a, b = self.operands(a, b)
        result = with_element(a.type, i1)
        if is_float(a.type):
            return emit(
                self.rw, "fcmp", (a, b), result, {"predicate": number(FLOAT_PREDICATES.index(predicate)), **FAST}
            )
        return emit(self.rw, "icmp", (a, b), result, {"predicate": number(INTEGER_PREDICATES.index(predicate))})

    def select(self, condition: SSAValue, a: Operand, b: Operand) -> SSAValue:
        a, b = self.operands(a, b)
        return emit(self.rw, "select", (condition, a, b), a.type, FAST)


# Memory


def gep(
    rw: Rewriter, pointer: SSAValue, element: Attribute, index: SSAValue | int, flags: int = GEP_INBOUNDS
) -> SSAValue:
    """Emit the address of element `index` after `pointer`."""
    operands = (pointer,)
    indices = _ONE_VALUE
    if not isinstance(index, int):
        operands = (pointer, index)
    elif index == 0:
        return pointer
    elif -(1 << 31) < index < 1 << 31:
        indices = words(index)
    else:
        operands = (pointer, constant_i64(rw, index))
    properties: dict[str, Attribute] = {
        "rawConstantIndices": indices,
        "elem_type": element,
        "noWrapFlags": _FLAGS[flags],
    }
    return emit(rw, "getelementptr", operands, pointer.type, properties)


_ONE_VALUE = words(GEP_USE_SSA_VAL)
_FLAGS = [IntegerAttr(flags, i32) for flags in range(8)]


def gep_lanes(rw: Rewriter, pointer: SSAValue, element: Attribute, indices: SSAValue, result: Attribute) -> SSAValue:
    """Emit a vector of addresses, one for each of a vector of indices."""
    properties: dict[str, Attribute] = {
        "rawConstantIndices": _ONE_VALUE,
        "elem_type": element,
        "noWrapFlags": _FLAGS[GEP_NONE],
    }
    return emit(rw, "getelementptr", (pointer, indices), result, properties)


def load(
    rw: Rewriter, pointer: SSAValue, type: Attribute, properties: Mapping[str, Attribute] = NOT_ATOMIC
) -> SSAValue:
    """Emit the load of a value of some type."""
    return emit(rw, "load", (pointer,), type, properties)


def store(rw: Rewriter, pointer: SSAValue, value: SSAValue, properties: Mapping[str, Attribute] = NOT_ATOMIC) -> None:
    """Emit the store of a value."""
    emit_effect(rw, "store", (value, pointer), properties)


def reserve(rw: Rewriter, type: Attribute, bytes: int, pointer_type: Attribute = POINTER) -> SSAValue:
    """Emit the reservation of memory for one value, aligned, in the function's entry: loops do not grow the stack."""
    one = rw.emit_at_entry(build("mlir.constant", (), (i64,), {"value": number(1)}))
    properties = {"elem_type": type, "alignment": number(bytes)}
    return rw.emit_at_entry(build("alloca", one.results, (pointer_type,), properties)).results[0]


def address_of(rw: Rewriter, name: str, type: Attribute = POINTER) -> SSAValue:
    """Emit the address of a global or function."""
    return emit(rw, "mlir.addressof", (), type, {"global_name": SymbolRefAttr(StringAttr(name))})


def bool_to_byte(rw: Rewriter, value: SSAValue) -> SSAValue:
    """Emit truth values as bytes, as memory has them."""
    return extend(rw, "zext", value, with_element(value.type, i8))


def byte_to_bool(rw: Rewriter, value: SSAValue) -> SSAValue:
    """Emit the truth values that bytes are."""
    return Llvm(rw).compare("ne", value, 0)


def assume_aligned(rw: Rewriter, pointer: SSAValue, bytes: int) -> None:
    """Tell LLVM that a pointer is a multiple of `bytes`."""
    bundle = {"op_bundle_sizes": words(2), "op_bundle_tags": ArrayAttr([StringAttr("align")])}
    emit_effect(rw, "intr.assume", (constant(rw, i1, 1), pointer, constant_i64(rw, bytes)), bundle)


# Control flow


def jump(rw: Rewriter, target: Block, operands: Sequence[SSAValue] = ()) -> Operation:
    """Emit a branch to a block."""
    return rw.emit(build("br", operands, successors=(target,)))


def branch(
    rw: Rewriter,
    condition: SSAValue,
    yes: Block,
    no: Block,
    yes_operands: Sequence[SSAValue] = (),
    no_operands: Sequence[SSAValue] = (),
) -> None:
    """Emit a branch to one of two blocks."""
    segments = words(1, len(yes_operands), len(no_operands))
    operands = (condition, *yes_operands, *no_operands)
    rw.emit(build("cond_br", operands, (), {"operandSegmentSizes": segments}, (yes, no)))


def leave_unless(rw: Rewriter, condition: SSAValue, leave: Block) -> None:
    """Emit a branch to `leave` where a condition does not hold; what follows goes to a new block."""
    onward = rw.new_block()
    branch(rw, condition, onward, leave)
    rw.move_to(onward)


def call(rw: Rewriter, callee: str | SSAValue, operands: Sequence[SSAValue], results: Sequence[Attribute]) -> Operation:
    """Emit the call of a function, by its name or a pointer; its results, if several, come as one struct."""
    through = (callee,) if isinstance(callee, SSAValue) else ()
    properties: dict[str, Attribute] = {} if through else {"callee": SymbolRefAttr(StringAttr(cast("str", callee)))}
    properties |= {"CConv": C_CALL, "TailCallKind": NO_TAIL_CALL, **FAST}
    properties |= {"operandSegmentSizes": words(len(through) + len(operands), 0), "op_bundle_sizes": words()}
    return rw.emit(build("call", (*through, *operands), results, properties))


def result_type(rw: Rewriter, function: func.FuncOp | gpu.FuncOp) -> Attribute | None:
    """Return the result type of a converted function: None, one type, or a struct of several."""
    types = rw.all_types(function.function_type.outputs)
    return LLVMStructType.from_type_list(types) if len(types) > 1 else types[0] if types else None


def pack(rw: Rewriter, values: Sequence[SSAValue]) -> SSAValue:
    """Emit the struct of `values`."""
    kind = LLVMStructType.from_type_list([v.type for v in values])
    packed = emit(rw, "mlir.poison", (), kind)
    for index, value in enumerate(values):
        packed = emit(rw, "insertvalue", (packed, value), kind, {"position": DenseArrayBase.from_list(i64, [index])})
    return packed


def unpack(rw: Rewriter, packed: SSAValue, types: Sequence[Attribute]) -> list[SSAValue]:
    """Emit the members of a struct."""
    return [
        emit(rw, "extractvalue", (packed,), type, {"position": DenseArrayBase.from_list(i64, [index])})
        for index, type in enumerate(types)
    ]


RESERVED = frozenset(
    "aligned_alloc free memcpy memmove memset memcmp bcmp fmod fmodf hologram_entries hologram_device_code"
    f" hologram_device_context {POOL} {SERIAL}".split()
)
"""What this module, or LLVM, has or calls by its name, but for LLVM's intrinsics and the runtime of compilers."""
_SPECIAL = re.compile(r"llvm\..*|__[a-z0-9]+", re.DOTALL)
"""Names of those two: `llvm.memset.p0`, `__udivti3`; but not methods of Python, such as `__call__`."""


def check_name(op: Operation, name: str) -> None:
    """Refuses a name that code which is made for all programs means something else by."""
    if name in RESERVED or _SPECIAL.fullmatch(name):
        what = "function" if op.name.endswith("func") else "global"
        message = f"a {what} can't be called @{name}: code that is made for all programs calls that"
        raise PassError(op, "function-name-reserved", message, hint="give it another name")


def function(
    name: str,
    inputs: Sequence[Attribute],
    output: Attribute | None,
    body: Region | None = None,
    properties: Mapping[str, Attribute] = {},
    attributes: Mapping[str, Attribute] = {},
) -> Operation:
    """Make an `llvm.func`: a declaration, or a definition if `body` is given."""
    return OPERATIONS["llvm.func"].create(
        properties={
            "sym_name": StringAttr(name),
            "function_type": LLVMFunctionType(inputs, output),
            "CConv": C_CALL,
            "linkage": LinkageAttr("external"),
            "visibility_": number(0),
            **properties,
        },
        attributes=attributes,
        regions=[body if body is not None else Region()],
    )
