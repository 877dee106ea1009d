"""memref operations against numpy: layouts, views, copies, allocation, globals, atomics; merged and pass by pass."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from core_to_llvm.jit import LOWER, SINGLY, Compiled, lower

PASSES = pytest.mark.parametrize("passes", [LOWER, SINGLY], ids=["merged", "singly"])
PRELUDE = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
"""


def copy_out(source: str, type: str, sizes: Sequence[str]) -> str:
    """Loops that store every element of a memref of rank 2 to %out, and its sizes are operands."""
    return f"""
  scf.for %i = %c0 to {sizes[0]} step %c1 {{
    scf.for %j = %c0 to {sizes[1]} step %c1 {{
      %x = memref.load {source}[%i, %j] : {type}
      memref.store %x, %out[%i, %j] : memref<?x?xi32>
    }}
  }}
  func.return
"""


def run_view(body: str, arguments: str, type: str, sizes: Sequence[str], passes: Sequence[str], *given: Any) -> Any:
    """A view of the first argument, as an array of shape (3, 4) or less."""
    text = f"func.func @f({arguments}, %out: memref<?x?xi32>) {{{PRELUDE}{body}{copy_out('%v', type, sizes)}}}"
    compiled = Compiled(text, passes)
    out = np.full((6, 6), -1, np.int32)
    buffers: list[Any] = [g for g in given if isinstance(g, np.ndarray)]
    rest = [g for g in given if not isinstance(g, np.ndarray)]
    compiled.call("f", *buffers, out, *rest, 6, 6)
    return out


def grid() -> Any:
    return np.arange(24, dtype=np.int32).reshape(4, 6)


def expect(out: Any, wanted: Any) -> None:
    rows, columns = wanted.shape
    assert out[:rows, :columns].tolist() == wanted.tolist()
    assert (out[rows:] == -1).all()
    assert (out[:, columns:] == -1).all()


@PASSES
def test_subview_static(passes: Sequence[str]):
    t = "memref<2x3xi32, strided<[12, 2], offset: 7>>"
    body = f"%v = memref.subview %a[1, 1] [2, 3] [2, 2] : memref<4x6xi32> to {t}"
    out = run_view(body, "%a: memref<4x6xi32>", t, ("%c2", "%c3"), passes, grid())
    expect(out, grid()[1:4:2, 1:6:2])


@PASSES
def test_subview_dynamic(passes: Sequence[str]):
    t = "memref<?x?xi32, strided<[?, ?], offset: ?>>"
    body = f"""
  %v = memref.subview %a[%p, %q] [%c2, %c3] [%c1, %s] : memref<?x?xi32> to {t}
  %d0 = memref.dim %v, %c0 : {t}
  %d1 = memref.dim %v, %c1 : {t}"""
    arguments = "%a: memref<?x?xi32>, %p: index, %q: index, %s: index"
    text = f"func.func @f({arguments}, %out: memref<?x?xi32>) {{{PRELUDE}{body}{copy_out('%v', t, ('%d0', '%d1'))}}}"
    out = np.full((6, 6), -1, np.int32)
    Compiled(text, passes).call("f", grid(), out, 4, 6, 6, 6, 2, 1, 2)
    expect(out, grid()[2:4, 1:6:2])


@PASSES
def test_subview_drops_dimensions(passes: Sequence[str]):
    text = f"""func.func @f(%a: memref<3x4x5xi32>, %k: index, %out: memref<?xi32>) {{{PRELUDE}
  %v = memref.subview %a[%k, 0, 2] [1, 4, 1] [1, 1, 1] : memref<3x4x5xi32> to memref<4xi32, strided<[5], offset: ?>>
  %n = memref.dim %v, %c0 : memref<4xi32, strided<[5], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {{
    %x = memref.load %v[%i] : memref<4xi32, strided<[5], offset: ?>>
    memref.store %x, %out[%i] : memref<?xi32>
  }}
  func.return
}}"""
    a, out = np.arange(60, dtype=np.int32).reshape(3, 4, 5), np.zeros(4, np.int32)
    Compiled(text, passes).call("f", a, out, 4, 1)
    assert out.tolist() == a[1, :, 2].tolist()


@PASSES
def test_strided_argument(passes: Sequence[str]):
    t = "memref<?x?xi32, strided<[?, ?]>>"
    body = f"%d0 = memref.dim %v, %c0 : {t}\n  %d1 = memref.dim %v, %c1 : {t}"
    text = f"func.func @f(%v: {t}, %out: memref<?x?xi32>) {{{PRELUDE}{body}{copy_out('%v', t, ('%d0', '%d1'))}}}"
    out = np.full((6, 6), -1, np.int32)
    compiled = Compiled(text, passes)
    a = grid()[::-1, ::-2]
    strides = [s // 4 for s in a.strides]
    compiled.call("f", ctypes.c_void_p(a.ctypes.data), out, *a.shape, *strides, 6, 6)
    expect(out, a)


@PASSES
def test_transpose(passes: Sequence[str]):
    t = "memref<3x2xi32, strided<[1, 3]>>"
    map = "affine_map<(i, j) -> (j, i)>"
    body = f'%v = "memref.transpose"(%a) <{{permutation = {map}}}> : (memref<2x3xi32>) -> {t}'
    a = np.arange(6, dtype=np.int32).reshape(2, 3)
    expect(run_view(body, "%a: memref<2x3xi32>", t, ("%c3", "%c2"), passes, a), a.T)


@PASSES
def test_collapse_and_expand(passes: Sequence[str]):
    text = f"""func.func @f(%a: memref<2x?x3xi32>, %k: index, %out: memref<?x?xi32>) {{{PRELUDE}
  %flat = memref.collapse_shape %a [[0, 1], [2]] : memref<2x?x3xi32> into memref<?x3xi32>
  %v = memref.expand_shape %flat [[0, 1], [2]] output_shape [%k, 2, 3] : memref<?x3xi32> into memref<?x2x3xi32>
  scf.for %i = %c0 to %k step %c1 {{
    scf.for %j = %c0 to %c3 step %c1 {{
      %x = memref.load %v[%i, %c1, %j] : memref<?x2x3xi32>
      memref.store %x, %out[%i, %j] : memref<?x?xi32>
    }}
  }}
  func.return
}}"""
    a, out = np.arange(24, dtype=np.int32).reshape(2, 4, 3), np.full((4, 3), -1, np.int32)
    Compiled(text, passes).call("f", a, out, 4, 4, 3, 4)
    assert out.tolist() == a.reshape(8, 3).reshape(4, 2, 3)[:, 1].tolist()


@PASSES
def test_collapse_strided(passes: Sequence[str]):
    """Dimensions of size one have meaningless strides; the collapsed one takes that of the others."""
    source = "memref<?x?xi32, strided<[?, ?]>>"
    text = f"""func.func @f(%a: {source}, %out: memref<?xi32>) {{{PRELUDE}
  %v = memref.collapse_shape %a [[0, 1]] : {source} into memref<?xi32, strided<[?]>>
  %n = memref.dim %v, %c0 : memref<?xi32, strided<[?]>>
  scf.for %i = %c0 to %n step %c1 {{
    %x = memref.load %v[%i] : memref<?xi32, strided<[?]>>
    memref.store %x, %out[%i] : memref<?xi32>
  }}
  func.return
}}"""
    compiled = Compiled(text, passes)
    a, out = np.arange(12, dtype=np.int32), np.full(3, -1, np.int32)
    compiled.call("f", a, out, 3, 1, 4, 99, 3)
    assert out.tolist() == [0, 4, 8]
    compiled.call("f", a, out, 1, 3, 99, 2, 3)
    assert out.tolist() == [0, 2, 4]


@PASSES
def test_reinterpret_cast_and_metadata(passes: Sequence[str]):
    t = "memref<2x?xi32, strided<[?, 1], offset: ?>>"
    body = f"""
  %b, %o, %s0, %s1, %t0, %t1 = "memref.extract_strided_metadata"(%a) : (memref<4x6xi32>)
      -> (memref<i32>, index, index, index, index, index)
  %v = "memref.reinterpret_cast"(%b, %k, %s0, %t0) <{{static_offsets = array<i64: -9223372036854775808>,
      static_sizes = array<i64: 2, -9223372036854775808>, static_strides = array<i64: -9223372036854775808, 1>,
      operandSegmentSizes = array<i32: 1, 1, 1, 1>}}> : (memref<i32>, index, index, index) -> {t}
"""
    text = f"func.func @f(%a: memref<4x6xi32>, %k: index, %out: memref<?x?xi32>) {{{PRELUDE}{body}"
    text += copy_out("%v", t, ("%c2", "%s0")) + "}"
    out = np.full((6, 6), -1, np.int32)
    Compiled(text, passes).call("f", grid(), out, 6, 6, 7)
    expect(out, np.lib.stride_tricks.as_strided(grid().ravel()[7:], (2, 4), (24, 4)))


@PASSES
def test_copy(passes: Sequence[str]):
    """Contiguous memory in one piece, other memory element by element."""
    strided = "memref<?x?xi32, strided<[?, ?]>>"
    text = f"""
func.func @plain(%a: memref<?x?xi32>, %b: memref<?x?xi32>) {{
  "memref.copy"(%a, %b) : (memref<?x?xi32>, memref<?x?xi32>) -> ()
  func.return
}}
func.func @strided(%a: {strided}, %b: {strided}) {{
  "memref.copy"(%a, %b) : ({strided}, {strided}) -> ()
  func.return
}}
func.func @bools(%a: memref<3xi1>, %b: memref<3xi1, strided<[?]>>) {{
  "memref.copy"(%a, %b) : (memref<3xi1>, memref<3xi1, strided<[?]>>) -> ()
  func.return
}}"""
    compiled = Compiled(text, passes)
    assert "memcpy" in compiled.ir
    a, b = grid(), np.zeros((4, 6), np.int32)
    compiled.call("plain", a, b, 4, 6, 4, 6)
    assert (a == b).all()
    b = np.zeros((6, 4), np.int32)
    compiled.call("strided", a, b, 4, 6, 6, 1, 4, 6, 1, 4)
    assert (b == a.T).all()
    bools, spread = np.array([1, 0, 1], np.uint8), np.full(6, 7, np.uint8)
    compiled.call("bools", bools, spread, 2)
    assert spread.tolist() == [1, 7, 0, 7, 1, 7]


@PASSES
def test_allocation(passes: Sequence[str]):
    """Memory starts at cache lines; what is on the stack in a loop does not make it grow."""
    text = f"""
func.func @f(%n: index, %out: memref<4xi64>) {{{PRELUDE}
  %c4096 = arith.constant 4096 : index
  %h = memref.alloc(%n) : memref<?x3xf64>
  %p = "memref.extract_aligned_pointer_as_index"(%h) : (memref<?x3xf64>) -> index
  %q = arith.index_cast %p : index to i64
  memref.store %q, %out[%c0] : memref<4xi64>
  %one = arith.constant 1.0 : f64
  memref.store %one, %h[%c1, %c2] : memref<?x3xf64>
  memref.dealloc %h : memref<?x3xf64>
  scf.for %i = %c0 to %c4096 step %c1 {{
    %s = memref.alloca() : memref<4096xi64>
    %w = arith.index_cast %i : index to i64
    memref.store %w, %s[%c3] : memref<4096xi64>
    %y = memref.load %s[%c3] : memref<4096xi64>
    memref.store %y, %out[%c1] : memref<4xi64>
    %sp = "memref.extract_aligned_pointer_as_index"(%s) : (memref<4096xi64>) -> index
    %sq = arith.index_cast %sp : index to i64
    memref.store %sq, %out[%c2] : memref<4xi64>
  }}
  func.return
}}"""
    out = np.zeros(4, np.int64)
    Compiled(text, passes, optimise=False).call("f", out, 5)
    assert out[0] % 64 == 0
    assert out[2] % 64 == 0
    assert out[1] == 4095


@PASSES
def test_alloca_scope(passes: Sequence[str]):
    text = f"""
func.func @f(%n: index, %out: memref<1xindex>) {{{PRELUDE}
  %c9999 = arith.constant 9999 : index
  scf.for %i = %c0 to %c9999 step %c1 {{
    %r = "memref.alloca_scope"() ({{
      %s = memref.alloca(%n) : memref<?xindex>
      memref.store %i, %s[%c2] : memref<?xindex>
      %y = memref.load %s[%c2] : memref<?xindex>
      "memref.alloca_scope.return"(%y) : (index) -> ()
    }}) : () -> index
    memref.store %r, %out[%c0] : memref<1xindex>
  }}
  func.return
}}"""
    out = np.zeros(1, np.int64)
    Compiled(text, passes, optimise=False).call("f", out, 10000)
    assert out[0] == 9998


@PASSES
def test_globals(passes: Sequence[str]):
    """Initial values keep every bit, also those of NaN and infinity."""
    data = np.array([[1.5, np.inf, -0.0], [np.nan, -np.inf, 1e-45]], np.float32)
    text = f"""
"memref.global"() <{{sym_name = "table", sym_visibility = "private", type = memref<2x3xf32>,
    initial_value = dense<"0x{data.tobytes().hex().upper()}"> : tensor<2x3xf32>, constant}}> : () -> ()
"memref.global"() <{{sym_name = "flags", sym_visibility = "private", type = memref<3xi1>,
    initial_value = dense<[true, false, true]> : tensor<3xi1>}}> : () -> ()
"memref.global"() <{{sym_name = "seven", sym_visibility = "private", type = memref<index>,
    initial_value = dense<7> : tensor<index>}}> : () -> ()
"memref.global"() <{{sym_name = "splat", sym_visibility = "private", type = memref<5000xi16>,
    initial_value = dense<-3> : tensor<5000xi16>}}> : () -> ()
"memref.global"() <{{sym_name = "room", sym_visibility = "private", type = memref<4xi64>, initial_value}}> : () -> ()
func.func @f(%a: memref<2x3xf32>, %b: memref<3xi1>, %c: memref<1xindex>, %d: memref<1xi16>) {{{PRELUDE}
  %t = memref.get_global @table : memref<2x3xf32>
  "memref.copy"(%t, %a) : (memref<2x3xf32>, memref<2x3xf32>) -> ()
  %g = memref.get_global @flags : memref<3xi1>
  "memref.copy"(%g, %b) : (memref<3xi1>, memref<3xi1>) -> ()
  %s = memref.get_global @seven : memref<index>
  %x = memref.load %s[] : memref<index>
  memref.store %x, %c[%c0] : memref<1xindex>
  %p = memref.get_global @splat : memref<5000xi16>
  %last = arith.constant 4999 : index
  %y = memref.load %p[%last] : memref<5000xi16>
  memref.store %y, %d[%c0] : memref<1xi16>
  %r = memref.get_global @room : memref<4xi64>
  %one = arith.constant 1 : i64
  memref.store %one, %r[%c3] : memref<4xi64>
  func.return
}}"""
    a, b = np.zeros((2, 3), np.float32), np.full(3, 9, np.uint8)
    c, d = np.zeros(1, np.int64), np.zeros(1, np.int16)
    Compiled(text, passes).call("f", a, b, c, d)
    assert a.tobytes() == data.tobytes()
    assert b.tolist() == [1, 0, 1]
    assert (c[0], d[0]) == (7, -3)


ATOMIC: dict[str, tuple[int, str, Callable[[Any, Any], Any]]] = {
    "addf": (0, "f32", lambda a, b: a + b),
    "addi": (1, "i32", lambda a, b: a + b),
    "andi": (2, "i32", lambda a, b: a & b),
    "assign": (3, "i32", lambda a, b: b),
    "maximumf": (4, "f32", max),
    "maxnumf": (5, "f64", max),
    "maxs": (6, "i32", max),
    "maxu": (7, "i64", max),
    "minimumf": (8, "f32", min),
    "minnumf": (9, "f64", min),
    "mins": (10, "i32", min),
    "minu": (11, "i64", min),
    "mulf": (12, "f32", lambda a, b: a * b),
    "muli": (13, "i32", lambda a, b: a * b),
    "ori": (14, "i32", lambda a, b: a | b),
    "xori": (15, "i32", lambda a, b: a ^ b),
}


@PASSES
def test_atomics(passes: Sequence[str]):
    text = ""
    for name, (kind, t, _) in ATOMIC.items():
        text += f"""
func.func @{name}(%a: memref<?x{t}>, %b: memref<1x{t}>, %old: memref<1x{t}>) {{{PRELUDE}
  %v = memref.load %b[%c0] : memref<1x{t}>
  %r = "memref.atomic_rmw"(%v, %a, %c1) <{{kind = {kind} : i64}}> : ({t}, memref<?x{t}>, index) -> {t}
  memref.store %r, %old[%c0] : memref<1x{t}>
  func.return
}}"""
    compiled = Compiled(text, passes)
    for name, (_, t, meaning) in ATOMIC.items():
        dtype = np.dtype({"f32": "f4", "f64": "f8", "i32": "i4", "i64": "i8"}[t])
        for first, second in ((12, 10), (5, 9)):
            a, b, old = np.array([0, first, 0], dtype), np.array([second], dtype), np.zeros(1, dtype)
            compiled.call(name, a, b, old, 3)
            assert a.tolist() == [0, meaning(first, second), 0], name
            assert old[0] == first


@PASSES
def test_generic_atomics(passes: Sequence[str]):
    """A NaN is equal to itself here, or the loop would never end."""
    text = f"""
func.func @f32(%a: memref<4xf32>) {{{PRELUDE}
  %two = arith.constant 2.0 : f32
  %r = "memref.generic_atomic_rmw"(%a, %c2) ({{
  ^bb0(%x: f32):
    %y = arith.mulf %x, %two : f32
    memref.atomic_yield %y : f32
  }}) : (memref<4xf32>, index) -> f32
  memref.store %r, %a[%c3] : memref<4xf32>
  func.return
}}
func.func @bool(%a: memref<4xi1>) {{{PRELUDE}
  %true = arith.constant true
  %r = "memref.generic_atomic_rmw"(%a, %c2) ({{
  ^bb0(%x: i1):
    %y = arith.xori %x, %true : i1
    memref.atomic_yield %y : i1
  }}) : (memref<4xi1>, index) -> i1
  memref.store %r, %a[%c3] : memref<4xi1>
  func.return
}}"""
    compiled = Compiled(text, passes)
    a = np.array([0, 0, 21, 0], np.float32)
    compiled.call("f32", a)
    assert a.tolist() == [0, 0, 42, 21]
    a[2] = np.nan
    compiled.call("f32", a)
    assert np.isnan(a[2])
    b = np.array([0, 0, 1, 0], np.uint8)
    compiled.call("bool", b)
    assert b.tolist() == [0, 0, 0, 1]


@PASSES
def test_view_and_casts(passes: Sequence[str]):
    text = f"""
func.func @f(%raw: memref<64xi8>, %n: index, %out: memref<2xindex>) {{{PRELUDE}
  %c8 = arith.constant 8 : index
  %v = "memref.view"(%raw, %c8, %n) : (memref<64xi8>, index, index) -> memref<?x2xi32>
  %w = "memref.cast"(%v) : (memref<?x2xi32>) -> memref<3x?xi32>
  %u = "memref.cast"(%w) : (memref<3x?xi32>) -> memref<?x?xi32, strided<[?, ?], offset: ?>>
  %al = memref.assume_alignment %u, 4 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %d = memref.dim %al, %n : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %e = memref.dim %al, %c1 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %rank = "memref.rank"(%al) : (memref<?x?xi32, strided<[?, ?], offset: ?>>) -> index
  %sum = arith.addi %e, %rank : index
  memref.store %sum, %out[%c0] : memref<2xindex>
  %x = memref.load %al[%c2, %c1] : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %y = arith.index_cast %x : i32 to index
  memref.store %y, %out[%c1] : memref<2xindex>
  func.return
}}"""
    raw, out = np.arange(16, dtype=np.int32), np.zeros(2, np.int64)
    Compiled(text, passes).call("f", raw, out, 3)
    assert out.tolist() == [4, 7]


@PASSES
def test_bool_memory_is_bytes(passes: Sequence[str]):
    """Any byte but 0 is true; a store writes 0 or 1."""
    text = f"""
func.func @f(%a: memref<?xi1>, %b: memref<?xi1>) {{{PRELUDE}
  %n = memref.dim %a, %c0 : memref<?xi1>
  scf.for %i = %c0 to %n step %c1 {{
    %x = memref.load %a[%i] : memref<?xi1>
    memref.store %x, %b[%i] : memref<?xi1>
  }}
  func.return
}}"""
    a, b = np.array([0, 1, 2, 255, 0], np.uint8), np.full(5, 9, np.uint8)
    Compiled(text, passes).call("f", a, b, 5, 5)
    assert b.tolist() == [0, 1, 1, 1, 0]


def test_addresses_vectorise():
    """LLVM must see through our address arithmetic, static and dynamic, at rank two."""
    for t in ("memref<64x512xf32>", "memref<?x?xf32>"):
        text = f"""
func.func @f(%a: {t}, %b: {t}, %s: f32) {{{PRELUDE}
  %n = memref.dim %a, %c0 : {t}
  %m = memref.dim %a, %c1 : {t}
  scf.for %i = %c0 to %n step %c1 {{
    scf.for %j = %c0 to %m step %c1 {{
      %x = memref.load %a[%i, %j] : {t}
      %y = arith.mulf %x, %s : f32
      memref.store %y, %b[%i, %j] : {t}
    }}
  }}
  func.return
}}"""
        assert " x float>" in Compiled(text).optimised, t


def test_address_spaces():
    from xdsl.parser import Parser

    from hologram.dialects import make_context
    from hologram.lowering.targets.llvm.convert_to_llvm import ConvertToLLVMPass

    text = """func.func private @f(%a: memref<4xf32, #gpu.address_space<workgroup>>, %b: memref<4xf32, 5 : i32>) {
  func.return
}"""
    for spaces, wanted in (("none", "ptr, ptr"), ("nvptx", "ptr<3>, ptr<5>")):
        module = Parser(make_context(), text).parse_module()
        ConvertToLLVMPass(spaces).apply(make_context(), module)
        (function,) = module.body.block.ops
        assert f"({wanted})" in str(function.properties["function_type"])


def test_alloca_goes_to_the_entry_block():
    text = f"""func.func private @f(%n: index) {{{PRELUDE}
  scf.for %i = %c0 to %n step %c1 {{
    %s = memref.alloca() : memref<8xf32>
    %d = memref.alloca(%n) : memref<?xf32>
  }}
  func.return
}}"""
    module = lower(text)
    blocks = [op.parent for op in module.walk() if op.name == "llvm.alloca"]
    (function,) = module.body.block.ops
    assert blocks[0] is function.regions[0].first_block
    assert blocks[1] is not blocks[0]
