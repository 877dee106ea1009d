"""Short ways to build llvm dialect operations inside a conversion rule, by upstream's operation and property names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
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

from hologram.dialects.layouts import as_vector, integer_width
from hologram.dialects.llvm import (
    GEP_INBOUNDS,
    GEP_INBOUNDS_NUW,
    GEP_NONE,
    GEP_USE_SSA_VAL,
    NO_FASTMATH,
    CallingConventionAttr,
    LinkageAttr,
    Llvm,
    LLVMFunctionType,
    LLVMStructType,
    TailCallKind,
    TailCallKindAttr,
    element_type,
    pointer,
    with_element,
)
from hologram.lowering.rewriting.conversion import Rewriter

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

OPERATIONS: Mapping[str, type[Operation]] = {op.name: op for op in Llvm.operations}

WRAP: Mapping[str, Attribute] = {"overflowFlags": IntegerAttr(0, i32)}
NSW: Mapping[str, Attribute] = {"overflowFlags": IntegerAttr(1, i32)}
NSW_NUW: Mapping[str, Attribute] = {"overflowFlags": IntegerAttr(3, i32)}
NOT_ATOMIC: Mapping[str, Attribute] = {"ordering": IntegerAttr(0, i64)}
C_CALL = CallingConventionAttr("ccc")
NO_TAIL_CALL = TailCallKindAttr(TailCallKind.NONE)


@lru_cache(1024)
def words(*values: int) -> DenseArrayBase[IntegerType]:
    """An array of i32. Attributes don't change, and to make one takes longer than to look it up."""
    return DenseArrayBase.from_list(i32, values)


@lru_cache(1024)
def number(value: int, type: IntegerType = i64) -> IntegerAttr[IntegerType]:
    """The attribute of an integer."""
    return IntegerAttr(value, type)


EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE = range(10)
"""Integer comparisons, as arith.cmpi and llvm.icmp number them."""


def build(
    name: str,
    operands: Sequence[SSAValue] = (),
    results: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] = {},
    successors: Sequence[Block] = (),
) -> Operation:
    """Makes `llvm.<name>` without emitting it."""
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
    """Emits `llvm.<name>` and gives its one result."""
    op = OPERATIONS["llvm." + name].create(operands=operands, result_types=(result,), properties=properties)
    return rw.emit(op).results[0]


def emit_effect(
    rw: Rewriter, name: str, operands: Sequence[SSAValue], properties: Mapping[str, Attribute] = {}
) -> None:
    """Emits `llvm.<name>`, which has no result."""
    rw.emit(OPERATIONS["llvm." + name].create(operands=operands, properties=properties))


# Constants


def width(type: Attribute) -> int:
    """The bits of an integer type, or of a vector's elements."""
    bits = integer_width(element_type(type))
    assert bits is not None
    return bits


def literal(type: Attribute, value: int | float) -> Attribute:
    """The attribute of a constant of an integer or float type."""
    if (bits := integer_width(type)) is not None:
        number = int(value)
        # In the signed range: the form that prints and parses again.
        wrapped = ((number + (1 << (bits - 1))) % (1 << bits)) - (1 << (bits - 1)) if bits > 1 else number & 1
        return IntegerAttr(wrapped, IntegerType(bits))
    return FloatAttr(value, cast("AnyFloat", type))


def constant(rw: Rewriter, type: Attribute, value: int | float) -> SSAValue:
    """A constant of an integer, float or vector type, made once for each block."""
    return rw.once((type, str(value)), lambda: _constant(rw, type, value))


def _constant(rw: Rewriter, type: Attribute, value: int | float) -> SSAValue:
    vector = as_vector(type)
    if vector is None:
        return emit(rw, "mlir.constant", (), type, {"value": literal(type, value)})
    if vector.element_type not in PACKED:
        return splat(rw, constant(rw, vector.element_type, value), type)
    packed: Any = vector
    return emit(rw, "mlir.constant", (), type, {"value": DenseIntOrFPElementsAttr.from_list(packed, [value])})


PACKED = {IntegerType(bits) for bits in (1, 8, 16, 32, 64)} | {Float16Type(), Float32Type(), Float64Type()}
"""Element types that dense attributes can hold."""


def lanes_of(type: Attribute) -> int:
    """How many elements a vector type of one dimension (or none) has."""
    vector = as_vector(type)
    assert vector is not None
    return vector.get_shape()[0] if vector.get_shape() else 1


def splat(rw: Rewriter, value: SSAValue, type: Attribute) -> SSAValue:
    """A vector of equal elements."""
    nothing = emit(rw, "mlir.poison", (), type)
    first = emit(rw, "insertelement", (nothing, value, constant_i64(rw, 0)), type)
    return shuffle(rw, first, nothing, [0] * lanes_of(type))


def shuffle(rw: Rewriter, left: SSAValue, right: SSAValue, mask: Sequence[int]) -> SSAValue:
    """The elements of both vectors, one after the other, that `mask` names; -1 is poison."""
    kind = VectorType(element_type(left.type), (len(mask),))
    return emit(rw, "shufflevector", (left, right), kind, {"mask": DenseArrayBase.from_list(i32, mask)})


def constant_i64(rw: Rewriter, value: int) -> SSAValue:
    return rw.once(value, lambda: _constant(rw, i64, value))


def zero_of(rw: Rewriter, type: Attribute) -> SSAValue:
    """The zero of any type."""
    return emit(rw, "mlir.zero", (), type)


# Integers


OVERFLOWING = {"add", "sub", "mul", "shl", "trunc"}
"""Operations that have overflow flags."""


def flags(name: str) -> Mapping[str, Attribute]:
    """The properties of an operation that promises nothing."""
    return WRAP if name in OVERFLOWING else {}


def binary(rw: Rewriter, name: str, left: SSAValue, right: SSAValue) -> SSAValue:
    """A two-operand operation without flags of interest."""
    return emit(rw, name, (left, right), left.type, flags(name))


def extend(rw: Rewriter, name: str, value: SSAValue, type: Attribute) -> SSAValue:
    """`value` widened; `name` is `sext` or `zext`."""
    return emit(rw, name, (value,), type)


def truncate(rw: Rewriter, value: SSAValue, type: Attribute) -> SSAValue:
    """The low bits of `value`."""
    return emit(rw, "trunc", (value,), type, WRAP)


def compare(rw: Rewriter, predicate: int, left: SSAValue, right: SSAValue) -> SSAValue:
    result = with_element(left.type, i1)
    return emit(rw, "icmp", (left, right), result, {"predicate": number(predicate)})


def select(rw: Rewriter, condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
    return emit(rw, "select", (condition, yes, no), yes.type, {"fastmathFlags": NO_FASTMATH})


# Memory


def gep(
    rw: Rewriter, pointer: SSAValue, element: Attribute, index: SSAValue | int, flags: int = GEP_INBOUNDS
) -> SSAValue:
    """The address of element `index` after `pointer`."""
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
    """A vector of addresses, one for each of a vector of indices."""
    properties: dict[str, Attribute] = {
        "rawConstantIndices": _ONE_VALUE,
        "elem_type": element,
        "noWrapFlags": _FLAGS[GEP_NONE],
    }
    return emit(rw, "getelementptr", (pointer, indices), result, properties)


def bool_to_byte(rw: Rewriter, value: SSAValue) -> SSAValue:
    return emit(rw, "zext", (value,), with_element(value.type, i8))


def byte_to_bool(rw: Rewriter, value: SSAValue) -> SSAValue:
    return compare(rw, NE, value, constant(rw, value.type, 0))


def assume_aligned(rw: Rewriter, pointer: SSAValue, bytes: int) -> None:
    """Tells llvm that a pointer is a multiple of `bytes`."""
    emit_effect(
        rw,
        "intr.assume",
        (constant(rw, i1, 1), pointer, constant_i64(rw, bytes)),
        {
            "op_bundle_sizes": words(2),
            "op_bundle_tags": ArrayAttr([StringAttr("align")]),
        },
    )


def alignment(bytes: int) -> IntegerAttr[IntegerType]:
    return number(bytes)


# Control flow


def jump(rw: Rewriter, target: Block, operands: Sequence[SSAValue] = ()) -> Operation:
    return rw.emit(build("br", operands, successors=(target,)))


def branch(
    rw: Rewriter,
    condition: SSAValue,
    yes: Block,
    no: Block,
    yes_operands: Sequence[SSAValue] = (),
    no_operands: Sequence[SSAValue] = (),
) -> None:
    segments = words(1, len(yes_operands), len(no_operands))
    operands = (condition, *yes_operands, *no_operands)
    rw.emit(build("cond_br", operands, (), {"operandSegmentSizes": segments}, (yes, no)))


def call(rw: Rewriter, callee: str, operands: Sequence[SSAValue], results: Sequence[Attribute]) -> Operation:
    """Calls a function by name; its results, if several, come as one struct."""
    return rw.emit(call_of(callee, operands, results))


def call_of(callee: str, operands: Sequence[SSAValue], results: Sequence[Attribute]) -> Operation:
    """The call, without emitting it."""
    return build(
        "call",
        operands,
        results,
        {
            "callee": SymbolRefAttr(StringAttr(callee)),
            "CConv": C_CALL,
            "TailCallKind": NO_TAIL_CALL,
            "fastmathFlags": NO_FASTMATH,
            "operandSegmentSizes": words(len(operands), 0),
            "op_bundle_sizes": words(),
        },
    )


def pack(rw: Rewriter, values: Sequence[SSAValue]) -> SSAValue:
    """The struct of `values`."""
    kind = LLVMStructType.from_type_list([v.type for v in values])
    packed = emit(rw, "mlir.poison", (), kind)
    for index, value in enumerate(values):
        packed = emit(rw, "insertvalue", (packed, value), kind, {"position": DenseArrayBase.from_list(i64, [index])})
    return packed


def unpack(rw: Rewriter, packed: SSAValue, types: Sequence[Attribute]) -> list[SSAValue]:
    """The members of a struct."""
    return [
        emit(rw, "extractvalue", (packed,), type, {"position": DenseArrayBase.from_list(i64, [index])})
        for index, type in enumerate(types)
    ]


def function(
    name: str,
    inputs: Sequence[Attribute],
    output: Attribute | None,
    body: Region | None = None,
    properties: Mapping[str, Attribute] = {},
    attributes: Mapping[str, Attribute] = {},
) -> Operation:
    """An `llvm.func`: a declaration, or a definition if `body` is given."""
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
