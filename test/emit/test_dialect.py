"""The llvm dialect: each operation prints and parses in both forms, and its constructor makes a valid one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from io import StringIO
from typing import Any

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, ModuleOp, VectorType, f32, i1, i8, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.printer import Printer

from emit import every_op
from emit.every_op import text
from emit.jit import parse
from hologram.dialects import llvm
from hologram.errors import VerifyError


def printed(module: ModuleOp, *, generic: bool) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue()


def test_every_operation_is_in_the_sample():
    names = {op.name for op in parse(text()).walk()}
    assert {op.name for op in llvm.Llvm.classes.operations} <= names


@pytest.mark.parametrize("generic", [False, True])
def test_round_trip(generic: bool):
    module = parse(text())
    once = printed(module, generic=generic)
    again = parse(once)
    assert again.is_structurally_equivalent(module)
    assert printed(again, generic=generic) == once


@pytest.mark.parametrize(
    "type",
    [
        "!llvm.struct<()>",
        "!llvm.struct<packed (i8, array<2 x ptr<3>>)>",
        '!llvm.struct<"a b", opaque>',
        '!llvm.struct<"pair", (i32, struct<"inner", (f32)>)>',
        "!llvm.func<void ()>",
        "!llvm.func<ptr (i32, func<i8 (...)>, ...)>",
        "!llvm.array<4 x vector<2xbf16>>",
        "!llvm.array<0 x i1>",
    ],
)
def test_types_print_as_upstream_does(type: str):
    module = parse(f'"test.op"() {{type = {type}}} : () -> ()')
    assert f"type = {type}}}" in printed(module, generic=False)


@pytest.mark.parametrize(
    "attribute",
    [
        "#llvm.cconv<ptx_kernelcc>",
        "#llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = read, errnoMem = none, targetMem0 = write, targetMem1 = none>",  # noqa: E501
        "#llvm.access_group<id = distinct[3]<>>",
        "#llvm.loop_annotation<mustProgress = true>",
        '#llvm.alias_scope_domain<id = "x", description = "y">',
    ],
)
def test_attributes_print_as_upstream_does(attribute: str):
    module = parse(f'"test.op"() {{a = {attribute}}} : () -> ()')
    assert f"a = {attribute}}}" in printed(module, generic=False)


def test_attributes_with_other_fields_differ():
    four, two = (llvm.LoopUnrollAttr({"count": IntegerAttr(n, i32)}) for n in (4, 2))
    assert four != two
    assert four == llvm.LoopUnrollAttr({"count": IntegerAttr(4, i32)})


# Constructors

PTR = llvm.pointer()
V4F32 = VectorType(f32, [4])
V4I1 = VectorType(i1, [4])
V4PTR: VectorType[Any] = VectorType(PTR, [4])
PAIR = llvm.LLVMStructType.from_type_list([i32, f32])


def values(*types: Attribute) -> Sequence[SSAValue]:
    return test.TestOp(result_types=types).results


X, N, J, P, V, M, W, PS, B, S, C = values(f32, i32, i64, PTR, V4F32, V4I1, VectorType(i32, [4]), V4PTR, i8, PAIR, i1)
EMPTY = Block()
WITH_F32 = Block(arg_types=[f32])
BLOCKS = Region([EMPTY, WITH_F32])
LOOP = llvm.LoopAnnotationAttr({"mustProgress": IntegerAttr(1, i1)})

INTRINSICS = llvm.INTRINSICS
OVERFLOWS = [f"{name}.with.overflow" for name in every_op.OVERFLOWS]
INTEGER_UNARY = [llvm.AbsOp, *(INTRINSICS[name] for name in "ctlz cttz ctpop bitreverse bswap".split())]
INTEGER_BINARY: list[Callable[[SSAValue, SSAValue], Operation]] = [
    *(llvm.AddOp, llvm.SubOp, llvm.MulOp, llvm.ShlOp),
    *(INTRINSICS[name] for name in (*every_op.INTEGER_BINARY, *OVERFLOWS)),
]

MADE: list[Operation] = [
    *[INTRINSICS[name](v) for name in every_op.FLOAT_UNARY for v in (X, V)],
    *[INTRINSICS[name](v, v) for name in every_op.FLOAT_BINARY for v in (X, V)],
    *[make(v, v) for make in INTEGER_BINARY for v in (N, W)],
    *[make(v) for make in INTEGER_UNARY for v in (N, W)],
    *[INTRINSICS[f"vector.reduce.{name}"](W) for name in every_op.REDUCTIONS],
    *[INTRINSICS[f"vector.reduce.{name}"](V) for name in every_op.FLOAT_REDUCTIONS],
    llvm.AddOp(N, N, llvm.NSW_NUW),
    INTRINSICS["fma"](X, X, X),
    INTRINSICS["fmuladd"](V, V, V, fastmath=llvm.FastMathAttr((llvm.FastMathFlag.REASSOC,))),
    INTRINSICS["ldexp"](X, N),
    INTRINSICS["powi"](X, N),
    llvm.IsFPClassOp(X, 3),
    INTRINSICS["fshl"](N, N, N),
    INTRINSICS["fshr"](N, N, N),
    INTRINSICS["vector.reduce.fadd"](X, V),
    INTRINSICS["vector.reduce.fmul"](X, V),
    llvm.TruncOp(J, i32, llvm.NSW),
    llvm.ICmpOp(N, N, "slt"),
    llvm.ICmpOp(W, W, 0),
    llvm.ICmpOp(P, P, "ne"),
    llvm.FCmpOp(X, X, "olt"),
    llvm.FCmpOp(V, V, "_true"),
    llvm.FPToSIOp(X, i32),
    llvm.FPToUIOp(V, VectorType(i32, [4])),
    llvm.UIToFPOp(N, f32, non_neg=True),
    llvm.IntToPtrOp(J, PTR),
    llvm.PtrToIntOp(P, i64),
    llvm.AddrSpaceCastOp(P, llvm.pointer(3)),
    llvm.SelectOp(C, X, X),
    llvm.SelectOp(M, V, V),
    llvm.FreezeOp(X),
    llvm.ConstantOp(FloatAttr(1.5, f32)),
    llvm.integer_constant(255, i8),
    llvm.ZeroOp(V4F32),
    llvm.UndefOp(PAIR),
    llvm.PoisonOp(f32),
    llvm.AddressOfOp("g"),
    llvm.ExtractValueOp(S, [1]),
    llvm.InsertValueOp(S, X, [1]),
    llvm.ExtractElementOp(V, N),
    llvm.AllocaOp(N, f32, alignment=16),
    llvm.GEPOp(P, [J, 3, N], llvm.LLVMArrayType(4, llvm.LLVMArrayType(2, f32)), llvm.GEP_INBOUNDS_NUW),
    llvm.LoadOp(P, f32, alignment=4, nontemporal=True, invariant=True),
    llvm.LoadOp(P, i32, alignment=4, ordering="acquire", syncscope="agent", volatile=True),
    llvm.StoreOp(X, P, alignment=4, volatile=True, nontemporal=True),
    llvm.AtomicRMWOp("fadd", P, X, "monotonic", alignment=4),
    llvm.AtomicCmpXchgOp(P, N, N, "acq_rel", "monotonic", weak=True),
    llvm.FenceOp("seq_cst", "agent"),
    llvm.BrOp(WITH_F32, X, loop_annotation=LOOP),
    llvm.CondBrOp(C, EMPTY, [], WITH_F32, [X], (3, 1), LOOP),
    llvm.SwitchOp(N, EMPTY, [], [(1, WITH_F32, [X]), (-2, EMPTY, [])]),
    llvm.SwitchOp(N, EMPTY, [], []),
    llvm.CallOp("f", [X], f32, cconv="fastcc"),
    llvm.CallOp(P, [X]),
    llvm.CallIntrinsicOp("llvm.maximumnum", [X, X], f32),
    llvm.MemcpyOp(P, P, J),
    llvm.MemmoveOp(P, P, J, volatile=True),
    llvm.MemsetOp(P, B, J),
    llvm.MaskedLoadOp(P, M, V4F32, 4, V),
    llvm.MaskedStoreOp(V, P, M, 4),
    llvm.MaskedGatherOp(PS, M, V4F32, 4),
    llvm.MaskedScatterOp(V, PS, M, 4),
    llvm.AssumeOp(C, [("align", [P, N])]),
    llvm.ExpectOp(N, N),
    llvm.PrefetchOp(P),
    llvm.LifetimeStartOp(P),
    llvm.LifetimeEndOp(P),
    llvm.FuncOp("f", llvm.LLVMFunctionType([i32], f32), "internal", "fastcc"),
    llvm.function("g", [i32])[0],
    llvm.GlobalOp(f32, "v", "internal", FloatAttr(1.0, f32), constant=True, alignment=16, addr_space=3),
]


@pytest.mark.parametrize("op", MADE, ids=[f"{n}-{op.name}" for n, op in enumerate(MADE)])
def test_constructors_make_valid_operations(op: Operation):
    if op.successors:
        BLOCKS.add_block(Block([op]))
    op.verify(verify_nested_ops=False)
    # What the constructor leaves out must be optional, and what it gives must be known.
    assert set(op.properties) - {"operandSegmentSizes"} <= set(type(op).get_irdl_definition().properties)  # pyright: ignore


def test_every_operation_of_ours_has_a_constructor_test():
    ours = {op.name for op in llvm.Llvm.classes.operations if op.__module__.startswith("hologram")}
    assert ours == {op.name for op in MADE}


def test_calling_conventions_that_lower_kernels_are_known():
    for name in ("ptx_kernelcc", "spir_kernelcc", "amdgpu_kernelcc"):
        llvm.FuncOp("k", llvm.LLVMFunctionType([]), cconv=name).verify(verify_nested_ops=False)


def test_switch_lists_its_cases():
    op = llvm.SwitchOp(N, EMPTY, [], [(7, WITH_F32, [X]), (-2, EMPTY, [])])
    assert [(v, b, list(o)) for v, b, o in op.cases()] == [(7, WITH_F32, [X]), (-2, EMPTY, [])]


def test_gep_wants_as_many_operands_as_dynamic_indices():
    op = llvm.GEPOp(P, [J], f32)
    op.properties["rawConstantIndices"] = DenseArrayBase.from_list(i32, [1])
    with pytest.raises(VerifyError, match=re.escape("0 indices are operands, but there are 1")):
        op.verify_()
