"""Typed pointers: any object, any element type, any offset; what they trap on; where they may flow."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from hologram.dialects import make_context
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.errors import InputError, TrapError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.lowering.lanes.convert_atlas_to_core import ConvertAtlasToCorePass

from .programs import Array, Both, both, program_text

BYTES = "memref<?xi8>"
RAW: Array = np.random.default_rng(1).integers(-128, 128, 8 * 512, np.int8)


def test_every_type_in_an_array_of_bytes() -> None:
    """A value of each type is read from bytes and written elsewhere, at offsets that only its alignment holds to."""
    body, names = "", [n for n in DTYPES if n[0] != "u"]
    moved, source = np.zeros(8 * 4096, bool), np.resize(RAW, 8 * 4096)
    start = 0
    for number, dtype in enumerate(DTYPES[n] for n in names):
        step = dtype.bytes + dtype.alignment
        pointer = f"!atlas.ptr<{dtype.ir}, global>"
        start = -(-start // 8) * 8
        body += f"""
      %step{number} = atlas.mov_imm {step} : i64
      %start{number} = atlas.mov_imm {start} : i64
      %o{number} = atlas.mad i64 %lane, %step{number}, %start{number}
      %p{number} = atlas.lea {dtype.name} %a[%o{number} : i64] : {BYTES}
      %v{number} = atlas.ldg {dtype.name} %p{number}[] : {pointer}
      %q{number} = atlas.lea {dtype.name} %b[%start{number} : i64] : {BYTES}
      %r{number} = atlas.mul i64 %lane, %step{number}
      atlas.stg {dtype.name} %v{number}, %q{number}[%r{number} : i64] : {pointer}"""
        for _ in range(8):
            moved[start : start + dtype.bytes] = True
            source[start] &= 1 if dtype.name == "bool" else -1
            start += step
    a, b = both(body, [BYTES, BYTES], [source, np.zeros(8 * 4096, np.int8)])
    # A NaN's bits are its own: a load and a store move them.
    assert (b[moved] == a[moved]).all()
    assert not b[~moved].any()


def test_parts_and_groups_of_elements() -> None:
    """Halves of words; two words as one; the parts of an integer of 256 bits."""
    body = """
      %eight = atlas.mov_imm 8 : i64
      %two = atlas.mov_imm 2 : i64
      %o = atlas.mul i64 %lane, %eight
      %p = atlas.lea u64 %a[%o : i64] : memref<?xf32>
      %v = atlas.ldg u64 %p[] : !atlas.ptr<i64, global>
      %h = atlas.lea u16 %p[%two : i64] : !atlas.ptr<i64, global>
      %high = atlas.ldg u16 %h[] : !atlas.ptr<i16, global>
      %w = atlas.lea u64 %b[%o : i64] : memref<?xi256>
      atlas.stg u64 %v, %w[] : !atlas.ptr<i64, global>
      %n = atlas.lea u16 %c[] : memref<?xf32>
      %twice = atlas.mul i64 %lane, %two
      atlas.stg u16 %high, %n[%twice : i64] : !atlas.ptr<i16, global>"""
    a = np.random.default_rng(2).normal(size=16).astype(np.float32)
    wide = np.arange(8, dtype=np.uint64).reshape(2, 4)
    types = ["memref<?xf32>", "memref<?xi256>", "memref<?xf32>"]
    _, wide, parts = both(body, types, [a, wide, np.zeros(4, np.float32)])
    assert (wide.ravel() == a.view(np.uint64)).all()
    assert (parts.view(np.uint16) == a.view(np.uint16)[1::4]).all()


def test_an_object_whose_base_is_anywhere() -> None:
    body = f"""
      %four = atlas.mov_imm 4 : i64
      %o = atlas.mul i64 %lane, %four
      %p = atlas.lea f32 %a[%o : i64] : {BYTES}
      %v = atlas.ldg f32 %p[] : !atlas.ptr<f32, global>
      %w = atlas.add f32 %v, %v
      atlas.stg f32 %w, %p[] : !atlas.ptr<f32, global>"""
    programs = Both(body, [BYTES])
    for start in (0, 1, 2, 3, 5):
        room = np.zeros(64, np.int8)
        array = room[start : start + 32]
        array.view(np.uint8)[:] = np.arange(8, dtype=np.float32).view(np.uint8)
        programs.kernel(array)
        interpret(programs.module, "main", [array])
        assert (array.copy().view(np.float32) == 4 * np.arange(8)).all()


@pytest.mark.parametrize("memref", ["memref<2x4xf32>", "memref<?x?xf32>"])
def test_elements_by_their_offset(memref: str) -> None:
    body = f"""
      %shift = atlas.mov_imm 2 : i32
      %o = atlas.shl i64 %lane, %shift
      %p = atlas.lea f32 %a[] : {memref}
      %v = atlas.ldg f32 %p[%o : i64] : !atlas.ptr<f32, global>
      %w = atlas.mul f32 %v, %v
      atlas.stg f32 %w, %p[%o : i64] : !atlas.ptr<f32, global>"""
    (a,) = both(body, [memref], [np.arange(8, dtype=np.float32).reshape(2, 4)])
    assert a.ravel().tolist() == [n * n for n in range(8)]
    module = parse_module(program_text(body, [memref]), "p.mlir", make_context())
    ConvertAtlasToCorePass().apply(make_context(), module)
    # The object is known: no address is taken. Of a static size the program proves all there is.
    assert "llvm" not in str(module)
    assert ("cf.assert" in str(module)) == ("?" in memref)


def test_pointers_through_ifs_and_loops() -> None:
    """A pointer that is into one array in some lanes and into another in others, moved on by a loop."""
    body = """
      %four = atlas.mov_imm 4 : i64
      %three = atlas.mov_imm 3 : i32
      %low = atlas.setcc lt u32 %lane32, %three
      %p = atlas.if %low -> (!atlas.ptr<f32, global>) {
        %x = atlas.lea f32 %a[] : memref<?xf32>
        atlas.yield %x : !atlas.ptr<f32, global>
      } else {
        %y = atlas.lea f32 %b[%four : i64] : memref<?xi8>
        atlas.yield %y : !atlas.ptr<f32, global>
      }
      %zero = atlas.mov_imm 0.0 : f32
      %end, %sum = atlas.loop %three : i32 iter(%p, %zero : !atlas.ptr<f32, global>, f32) {
      ^bb0(%i: i32, %q: !atlas.ptr<f32, global>, %s: f32):
        %v = atlas.ldg f32 %q[] : !atlas.ptr<f32, global>
        %t = atlas.add f32 %s, %v
        %n = atlas.lea f32 %q[%four : i64] : !atlas.ptr<f32, global>
        atlas.yield %n, %t : !atlas.ptr<f32, global>, f32
      }
      atlas.stg f32 %sum, %c[%lane : i64] : memref<?xf32>"""
    a, b = np.arange(4, dtype=np.float32), np.arange(10, 20, dtype=np.float32)
    out = np.zeros(8, np.float32)
    _, _, got = both(body, ["memref<?xf32>", BYTES, "memref<?xf32>"], [a, b.view(np.int8), out])
    assert got.tolist() == [3.0] * 3 + [36.0] * 5


SHARED = """
  %s = atlas.alloca : memref<8xf32, #atlas.space<shared>>
  %l = atlas.alloca : memref<2x2xi32, #atlas.space<local>>
  %four = atlas.mov_imm 4 : i64
  %seven = atlas.mov_imm 7 : i64
  %o = atlas.mul i64 %lane, %four
  %p = atlas.lea f32 %s[%o : i64] : memref<8xf32, #atlas.space<shared>>
  %v = atlas.ldg f32 %a[%gid : i64] : memref<?xf32>
  atlas.sts f32 %v, %p[] : !atlas.ptr<f32, shared>
  %m = atlas.lea f32 %l[%four : i64] : memref<2x2xi32, #atlas.space<local>>
  atlas.stl f32 %v, %m[%four : i64] : !atlas.ptr<f32, local>
"""


def test_shared_and_local_arrays() -> None:
    body = f"""{SHARED}
      atlas.bar.sync 0
      %other = atlas.sub i64 %seven, %lane
      %back = atlas.mul i64 %other, %four
      %q = atlas.lea u32 %s[%back : i64] : memref<8xf32, #atlas.space<shared>>
      %w = atlas.lds u32 %q[] : !atlas.ptr<i32, shared>
      %n = atlas.lea u32 %l[] : memref<2x2xi32, #atlas.space<local>>
      %eight = atlas.mov_imm 8 : i64
      %own = atlas.ldl u32 %n[%eight : i64] : !atlas.ptr<i32, local>
      %x = atlas.xor u32 %w, %own
      atlas.stg u32 %x, %b[%gid : i64] : memref<?xi32>"""
    a = np.random.default_rng(3).normal(size=24).astype(np.float32)
    _, b = both(body, ["memref<?xf32>", "memref<?xi32>"], [a, np.zeros(24, np.int32)], grid=3)
    words = a.view(np.int32).reshape(3, 8)
    assert (b.reshape(3, 8) == words ^ words[:, ::-1]).all()


# Traps

LOAD = """
  %d = atlas.ldg i64 %b[%lane : i64] : memref<?xi64>
  %p = atlas.lea f32 %a[%lane : i64] : memref<?xf32>
  %q = atlas.lea {0} %p[%d : i64] : !atlas.ptr<f32, global>
  %v = atlas.ldg {0} %q[] : !atlas.ptr<{0}, global>
  %n = atlas.lea {0} %c[] : memref<?xi64>
  atlas.stg {0} %v, %n[] : !atlas.ptr<{0}, global>
"""


@pytest.mark.parametrize(
    ("type", "inside", "outside", "odd"),
    [("f32", (0, 28), (29, -1, 32, 2**63 - 1, -(2**63)), (2, 7, 27)), ("f64", (0, 24), (25, 28, -8), (4, 20)),
     ("i8", (0, 31), (32, -1), ()), ("i256", (0,), (1, 8, -8), ())],
)  # fmt: skip
def test_range_and_alignment(
    type: str, inside: tuple[int, ...], outside: tuple[int, ...], odd: tuple[int, ...]
) -> None:
    types = ["memref<?xf32>", "memref<?xi64>", "memref<?xi64>"]
    programs = Both(LOAD.format(type), types, block=1)
    arrays = [np.arange(8, dtype=np.float32), np.zeros(1, np.int64), np.zeros(4, np.int64)]
    for offset in (*inside, *outside, *odd):
        arrays[1][0] = offset
        if offset in inside:
            programs.same(arrays)
        elif offset in outside:
            programs.trap(arrays, "trap-out-of-range", "address out of range")
        else:
            programs.trap(arrays, "trap-misaligned", "misaligned address")


def test_bytes_that_nobody_wrote() -> None:
    """The interpreter knows which bytes of an array were written."""
    body = """
      %s = atlas.alloca : memref<1xf32, #atlas.space<local>>
      %two = atlas.mov_imm 2 : i64
      %v = atlas.mov_imm 7 : i16
      %p = atlas.lea u16 %s[%two : i64] : memref<1xf32, #atlas.space<local>>
      atlas.stl u16 %v, %p[] : !atlas.ptr<i16, local>
      {}
      %q = atlas.lea u32 %s[] : memref<1xf32, #atlas.space<local>>
      %w = atlas.ldl u32 %q[] : !atlas.ptr<i32, local>
      atlas.stg u32 %w, %a[%lane : i64] : memref<?xi32>"""
    first = """%r = atlas.lea u16 %s[] : memref<1xf32, #atlas.space<local>>
      atlas.stl u16 %v, %r[] : !atlas.ptr<i16, local>"""
    (a,) = both(body.format(first), ["memref<?xi32>"], [np.zeros(8, np.int32)])
    assert (a == 7 * 65537).all()
    module = parse_module(program_text(body.format(""), ["memref<?xi32>"]), "p.mlir", make_context())
    with pytest.raises(TrapError, match="offset 0 is read before it is written"):
        interpret(module, "main", [a])


def test_races_are_on_bytes() -> None:
    body = """
      %p = atlas.lea u8 %a[%{} : i64] : memref<?xi32>
      %v = atlas.cvt u32 to u8 %lane32
      atlas.stg u8 %v, %p[] : !atlas.ptr<i8, global>"""
    (a,) = both(body.format("lane"), ["memref<?xi32>"], [np.zeros(2, np.int32)])
    assert a.view(np.int8).tolist() == list(range(8))
    half = body.format("half").replace("%p =", "%one = atlas.mov_imm 1 : i32\n%half = atlas.shr u64 %lane, %one\n%p =")
    module = parse_module(program_text(half, ["memref<?xi32>"]), "p.mlir", make_context())
    with pytest.raises(TrapError, match="data race on the bytes at offset 0"):
        interpret(module, "main", [np.zeros(2, np.int32)])


def test_arrays_with_gaps_are_refused() -> None:
    body = "%p = atlas.lea f32 %a[] : memref<?xf32>\n%v = atlas.ldg f32 %p[] : !atlas.ptr<f32, global>"
    module = parse_module(program_text(body, ["memref<?xf32>"]), "p.mlir", make_context())
    with pytest.raises(InputError, match="do not lie one after another"):
        interpret(module, "main", [np.zeros(8, np.float32)[::2]])


def test_narrow_floats() -> None:
    body = """
      %two = atlas.mov_imm 2 : i64
      %o = atlas.mul i64 %lane, %two
      %p = atlas.lea bf16 %a[%o : i64] : memref<?xf32>
      %v = atlas.ldg bf16 %p[] : !atlas.ptr<bf16, global>
      %w = atlas.add bf16 %v, %v
      atlas.stg bf16 %w, %p[] : !atlas.ptr<bf16, global>"""
    values: Array = np.arange(8).astype(ml_dtypes.bfloat16)
    (a,) = both(body, ["memref<?xf32>"], [values.view(np.float32)])
    assert a.view(ml_dtypes.bfloat16).astype(np.float32).tolist() == list(range(0, 16, 2))
