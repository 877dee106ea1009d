# ruff: noqa: E501 (the lines of the programs)
"""The results of the printed programs, run through LLVM."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable

import pytest

from emit.jit import load

I32, I64, F32, F64 = ctypes.c_int32, ctypes.c_int64, ctypes.c_float, ctypes.c_double
PTR = ctypes.c_void_p

INTEGERS: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "sub": ("%r = llvm.sub %a, %b : i32", lambda a, b: a - b),
    "mul": ("%r = llvm.mul %a, %b : i32", lambda a, b: a * b),
    "udiv": ("%r = llvm.udiv %a, %b : i32", lambda a, b: (a & M) // (b & M)),
    "sdiv": ("%r = llvm.sdiv %a, %b : i32", lambda a, b: int(math.trunc(a / b))),
    "urem": ("%r = llvm.urem %a, %b : i32", lambda a, b: (a & M) % (b & M)),
    "srem": ("%r = llvm.srem %a, %b : i32", lambda a, b: int(math.fmod(a, b))),
    "xor": ("%r = llvm.xor %a, %b : i32", lambda a, b: a ^ b),
    "smax": ("%r = llvm.intr.smax(%a, %b) : (i32, i32) -> i32", max),
    "umin": ("%r = llvm.intr.umin(%a, %b) : (i32, i32) -> i32", lambda a, b: min(a & M, b & M)),
    "ctpop": ("%r = llvm.intr.ctpop(%a) : (i32) -> i32", lambda a, _: (a & M).bit_count()),
    "ctlz": ('%r = "llvm.intr.ctlz"(%a) <{is_zero_poison = false}> : (i32) -> i32', lambda a, _: 32 - (a & M).bit_length()),
    "abs": ('%r = "llvm.intr.abs"(%a) <{is_int_min_poison = false}> : (i32) -> i32', lambda a, _: abs(a)),
    "sat": ("%r = llvm.intr.sadd.sat(%a, %b) : (i32, i32) -> i32", lambda a, b: max(-(1 << 31), min((1 << 31) - 1, a + b))),
    "select": ('%c = llvm.icmp "slt" %a, %b : i32\n%r = llvm.select %c, %b, %a : i1, i32', max),
    "ult": ('%c = llvm.icmp "ult" %a, %b : i32\n%r = llvm.zext %c : i1 to i32', lambda a, b: int((a & M) < (b & M))),
    "fshl": ("%r = llvm.intr.fshl(%a, %a, %b) : (i32, i32, i32) -> i32", lambda a, b: (a & M) << (b & 31) | (a & M) >> (32 - (b & 31))),
    "trunc": ("%t = llvm.trunc %a : i32 to i8\n%r = llvm.sext %t : i8 to i32", lambda a, _: (a + 128 & 255) - 128),
    "wide": (
        "%x = llvm.sext %a : i32 to i128\n%y = llvm.sext %b : i32 to i128\n%p = llvm.mul %x, %y : i128\n"
        "%s = llvm.mlir.constant(16 : i128) : i128\n%q = llvm.ashr %p, %s : i128\n%r = llvm.trunc %q : i128 to i32",
        lambda a, b: a * b >> 16,
    ),
}  # fmt: skip
M = (1 << 32) - 1
PAIRS = [(7, 3), (-7, 3), (7, -3), (-1, 1), (1 << 30, 1 << 30), (-(1 << 31), 5), (0, 9), (12345, 678)]


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name: str):
    source, expected = INTEGERS[name]
    run = load(f"llvm.func @f(%a: i32, %b: i32) -> i32 {{\n{source}\nllvm.return %r : i32\n}}").function(
        "f", I32, I32, I32
    )
    for a, b in PAIRS:
        assert run(a, b) == ctypes.c_int32(expected(a, b)).value


FLOATS: dict[str, tuple[str, Callable[[float, float], float]]] = {
    "fadd": ("%r = llvm.fadd %a, %b : f64", lambda a, b: a + b),
    "fdiv": ("%r = llvm.fdiv %a, %b : f64", lambda a, b: a / b),
    "fma": ("%r = llvm.intr.fma(%a, %b, %a) : (f64, f64, f64) -> f64", lambda a, b: a * b + a),
    "sqrt": ("%m = llvm.intr.fabs(%a) : (f64) -> f64\n%r = llvm.intr.sqrt(%m) : (f64) -> f64", lambda a, _: math.sqrt(abs(a))),
    "floor": ("%r = llvm.intr.floor(%a) : (f64) -> f64", lambda a, _: math.floor(a)),
    "trunc": ("%r = llvm.intr.trunc(%a) : (f64) -> f64", lambda a, _: math.trunc(a)),
    "roundeven": ("%r = llvm.intr.roundeven(%a) : (f64) -> f64", lambda a, _: round(a)),
    "copysign": ("%r = llvm.intr.copysign(%a, %b) : (f64, f64) -> f64", math.copysign),
    "maximum": ("%r = llvm.intr.maximum(%a, %b) : (f64, f64) -> f64", max),
    "maximumnum": ('%r = llvm.call_intrinsic "llvm.maximumnum"(%a, %b) : (f64, f64) -> f64', max),
    "to int": ("%i = llvm.fptosi %a : f64 to i32\n%r = llvm.sitofp %i : i32 to f64", lambda a, _: int(a)),
    "narrow": ("%h = llvm.fptrunc %a : f64 to f32\n%r = llvm.fpext %h : f32 to f64", lambda a, _: ctypes.c_float(a).value),
    "fneg": ("%r = llvm.fneg %a : f64", lambda a, _: -a),
    "constant": ("%c = llvm.mlir.constant(0.1 : f64) : f64\n%r = llvm.fadd %a, %c : f64", lambda a, _: a + 0.1),
}  # fmt: skip


@pytest.mark.parametrize("name", FLOATS)
def test_floats(name: str):
    source, expected = FLOATS[name]
    run = load(f"llvm.func @f(%a: f64, %b: f64) -> f64 {{\n{source}\nllvm.return %r : f64\n}}").function(
        "f", F64, F64, F64
    )
    for a, b in [(1.5, 2.25), (-2.5, 4.0), (0.5, -8.0), (3.75, 0.1), (1e9, 1e-9)]:
        assert run(a, b) == expected(a, b)


def test_loop_with_block_arguments():
    run = load("""
llvm.func @sum(%p: !llvm.ptr, %n: i64) -> f32 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %start = llvm.mlir.constant(0.0 : f32) : f32
  %any = llvm.icmp "sgt" %n, %zero : i64
  llvm.cond_br %any, ^loop(%zero, %start : i64, f32), ^done(%start : f32)
^loop(%i: i64, %s: f32):
  %q = llvm.getelementptr inbounds|nuw %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> f32
  %t = llvm.fadd %s, %x {fastmathFlags = #llvm.fastmath<reassoc>} : f32
  %j = llvm.add %i, %one overflow<nsw, nuw> : i64
  %more = llvm.icmp "slt" %j, %n : i64
  llvm.cond_br %more, ^loop(%j, %t : i64, f32), ^done(%t : f32) {loop_annotation = #llvm.loop_annotation<vectorize = <width = 8 : i32, disable = false>, mustProgress = true>}
^done(%r: f32):
  llvm.return %r : f32
}""").function("sum", F32, PTR, I64)
    data = (F32 * 100)(*range(100))
    assert run(ctypes.addressof(data), 100) == 4950
    assert run(ctypes.addressof(data), 0) == 0


def test_switch_with_operands():
    run = load("""
llvm.func @f(%i: i32) -> i32 {
  %a = llvm.mlir.constant(10 : i32) : i32
  %b = llvm.mlir.constant(20 : i32) : i32
  %c = llvm.mlir.constant(30 : i32) : i32
  llvm.switch %i : i32, ^end(%a : i32) [ 1: ^end(%b : i32), -2: ^end(%c : i32), 3: ^end(%a : i32) ]
^end(%r: i32):
  llvm.return %r : i32
}""").function("f", I32, I32)
    assert [run(i) for i in (0, 1, -2, 3)] == [10, 20, 30, 10]


def test_two_edges_to_one_block():
    run = load("""
llvm.func @f(%c: i32, %x: i32, %y: i32) -> i32 {
  %b = llvm.trunc %c : i32 to i1
  llvm.cond_br %b, ^end(%x, %y : i32, i32), ^end(%y, %x : i32, i32)
^end(%l: i32, %r: i32):
  %d = llvm.sub %l, %r : i32
  llvm.return %d : i32
}""").function("f", I32, I32, I32, I32)
    assert (run(1, 9, 4), run(0, 9, 4)) == (5, -5)


def test_vectors():
    run = load("""
llvm.func @f(%p: !llvm.ptr, %q: !llvm.ptr) -> f32 {
  %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
  %s = llvm.mlir.constant(dense<2.0> : vector<4xf32>) : vector<4xf32>
  %m = llvm.fcmp "ogt" %v, %s : vector<4xf32>
  %w = llvm.select %m, %v, %s : vector<4xi1>, vector<4xf32>
  %r = llvm.shufflevector %w, %w [3, 2, 1, 0] : vector<4xf32>
  llvm.intr.masked.store %r, %q, %m {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
  %l = llvm.intr.masked.load %q, %m, %s {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %sum = "llvm.intr.vector.reduce.fadd"(%zero, %l) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
  llvm.return %sum : f32
}""").function("f", F32, PTR, PTR)
    data, out = (F32 * 4)(1, 5, 2, 7), (F32 * 4)(-1, -1, -1, -1)
    assert run(ctypes.addressof(data), ctypes.addressof(out)) == 2 + 2 + 2 + 2
    assert list(out) == [-1, 2, -1, 2]


def test_memory_intrinsics_and_atomics():
    run = load("""
llvm.func @f(%p: !llvm.ptr, %q: !llvm.ptr) -> i32 {
  %n = llvm.mlir.constant(16 : i64) : i64
  %b = llvm.mlir.constant(1 : i8) : i8
  %k = llvm.mlir.constant(5 : i32) : i32
  %e = llvm.mlir.constant(16843009 : i32) : i32
  "llvm.intr.memset"(%p, %b, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memcpy"(%q, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %x = llvm.cmpxchg %q, %e, %k acq_rel monotonic : !llvm.ptr, i32
  %f = llvm.extractvalue %x[1] : !llvm.struct<(i32, i1)>
  %old = llvm.atomicrmw add %q, %k monotonic : !llvm.ptr, i32
  %z = llvm.zext %f : i1 to i32
  %r = llvm.add %old, %z : i32
  llvm.fence seq_cst
  llvm.return %r : i32
}""").function("f", I32, PTR, PTR)
    first, second = (I32 * 4)(), (I32 * 4)()
    assert run(ctypes.addressof(first), ctypes.addressof(second)) == 6
    assert list(second) == [10, 0x01010101, 0x01010101, 0x01010101]


def test_structs_stack_and_calls():
    run = load("""
llvm.func internal fastcc @swap(%s: !llvm.struct<packed (i8, i32)>) -> !llvm.struct<packed (i8, i32)> {
  %a = llvm.extractvalue %s[0] : !llvm.struct<packed (i8, i32)>
  %b = llvm.extractvalue %s[1] : !llvm.struct<packed (i8, i32)>
  %c = llvm.trunc %b : i32 to i8
  %d = llvm.zext %a : i8 to i32
  %u = llvm.mlir.undef : !llvm.struct<packed (i8, i32)>
  %t = llvm.insertvalue %c, %u[0] : !llvm.struct<packed (i8, i32)>
  %r = llvm.insertvalue %d, %t[1] : !llvm.struct<packed (i8, i32)>
  llvm.return %r : !llvm.struct<packed (i8, i32)>
}
llvm.func @f(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x !llvm.struct<packed (i8, i32)> {alignment = 1 : i64} : (i32) -> !llvm.ptr
  %k = llvm.mlir.constant(9 : i8) : i8
  %q = llvm.getelementptr %p[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<packed (i8, i32)>
  llvm.store %k, %p : i8, !llvm.ptr
  llvm.store %x, %q {alignment = 1 : i64} : i32, !llvm.ptr
  %s = llvm.load %p {alignment = 1 : i64} : !llvm.ptr -> !llvm.struct<packed (i8, i32)>
  %g = llvm.mlir.addressof @swap : !llvm.ptr
  %t = llvm.call fastcc @swap(%s) : (!llvm.struct<packed (i8, i32)>) -> !llvm.struct<packed (i8, i32)>
  %w = llvm.call fastcc %g(%t) : !llvm.ptr, (!llvm.struct<packed (i8, i32)>) -> !llvm.struct<packed (i8, i32)>
  %a = llvm.extractvalue %t[1] : !llvm.struct<packed (i8, i32)>
  %b = llvm.extractvalue %w[1] : !llvm.struct<packed (i8, i32)>
  %r = llvm.add %a, %b : i32
  llvm.return %r : i32
}""").function("f", I32, I32)
    assert run(40) == 49


def test_globals_with_initialiser_regions():
    loaded = load("""
llvm.mlir.global internal constant @data(dense<[3, 5, 7]> : tensor<3xi32>) : !llvm.array<3 x i32>
llvm.mlir.global internal @table() : !llvm.array<2 x ptr> {
  %0 = llvm.mlir.poison : !llvm.array<2 x ptr>
  %1 = llvm.mlir.addressof @data : !llvm.ptr
  %2 = llvm.getelementptr inbounds %1[2] : (!llvm.ptr) -> !llvm.ptr, i32
  %3 = llvm.insertvalue %1, %0[0] : !llvm.array<2 x ptr>
  %4 = llvm.insertvalue %2, %3[1] : !llvm.array<2 x ptr>
  llvm.return %4 : !llvm.array<2 x ptr>
}
llvm.func @f(%i: i64) -> i32 {
  %t = llvm.mlir.addressof @table : !llvm.ptr
  %p = llvm.getelementptr %t[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x ptr>
  %q = llvm.load %p {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %r = llvm.load %q {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.return %r : i32
}""")
    run = loaded.function("f", I32, I64)
    assert (run(0), run(1)) == (3, 7)
