"""Atomics and fences: every operation and type, by index and by pointer, what they trap on, and what they order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from hologram.dialects import make_context
from hologram.dialects.atlas.lanes.programs import ATOMICS
from hologram.errors import TrapError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

from .programs import Array, Both, both, program_text

TYPES = ("u32", "i32", "u64", "i64", "f32", "f64")
SHARED = "#atlas.space<shared>"


def ir(type: str) -> str:
    return type.replace("u", "i")


def values(type: str, count: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    if type[0] == "f":
        found = rng.integers(-50, 50, count).astype(ir(type)[0] + str(int(type[1:]) // 8))
        found[:4] = [np.nan, np.inf, -0.0, 0.0]
        return found
    bits = int(type[1:])
    return rng.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, count, np.dtype(f"i{bits // 8}"))


PLACES = {
    "index": ("%m{n} = atlas.mov_imm {n} : i64", "%a[%m{n}, %lane : i64, i64] : memref<?x?x{t}>"),
    "element": (
        "%m{n} = atlas.lea {u} %a[%row{n} : i64] : memref<?x?x{t}>", "%m{n}[%o : i64] : !atlas.ptr<{t}, global>"
    ),
    "address": (
        "%m{n} = atlas.lea {u} %y[%row{n} : i64] : !atlas.ptr<i8, global>", "%m{n}[%o : i64] : !atlas.ptr<{t}, global>"
    ),
}  # fmt: skip
"""The access to the n-th row of an array, and to the lane's element in it."""


@pytest.mark.parametrize(
    ("way", "type"),
    [*(("index", t) for t in TYPES), ("element", "u32"), ("element", "f64"), ("address", "i32"), ("address", "f32"),
     ("address", "u64")],
)  # fmt: skip
def test_every_operation(way: str, type: str) -> None:
    """Each lane at a place of its own: old values and new ones are those of the scalar instructions."""
    ops = [op for op in ATOMICS if type in op.TYPES]
    t, size = ir(type), int(type[1:]) // 8
    body = f"""
      %size = atlas.mov_imm {size} : i64
      %o = atlas.mul i64 %lane, %size
      %y = atlas.lea i8 %a[] : memref<?x?x{t}>
      %v = atlas.ldg {type} %b[%lane : i64] : memref<?x{t}>
      %w = atlas.ldg {type} %c[%lane : i64] : memref<?x{t}>"""
    for n, op in enumerate(ops):
        make, place = (text.format(n=n, t=t, u=type) for text in PLACES[way])
        given = "%w, %v" if op.COMPARES else "%v"
        body += f"""
          %row{n} = atlas.mov_imm {n * 16 * size} : i64
          {make}
          %old{n} = {op.name} {type} {given}, {place}
          %r{n} = atlas.mov_imm {n} : i64
          atlas.stg {type} %old{n}, %d[%r{n}, %lane : i64, i64] : memref<?x?x{t}>"""
    rows = np.stack([values(type, 16, n) for n in range(len(ops))])
    operand, compare = values(type, 16, 99), rows[-1].copy()
    compare[::3] = operand[::3]
    types = [f"memref<?x?x{t}>", f"memref<?x{t}>", f"memref<?x{t}>", f"memref<?x?x{t}>"]
    a, _, _, old = both(body, types, [rows, operand, compare, np.zeros_like(rows)], block=16)
    assert (old.view(f"i{size}") == rows.view(f"i{size}")).all()
    for n, op in enumerate(ops):
        wanted = operand if op.COMBINE is None else op.COMBINE.evaluate(_dtype(type), rows[n], operand)
        if op.COMPARES:
            wanted = np.where(compare.view(f"i{size}") == rows[n].view(f"i{size}"), operand, rows[n])
        np.testing.assert_array_equal(a[n], wanted, op.name)


def _dtype(type: str) -> Any:
    from hologram.dialects.atlas.instructions.types import DTYPES

    return DTYPES[type]


@pytest.mark.parametrize("threads", [1, 2])
def test_all_lanes_at_one_place(threads: int) -> None:
    """Sums, extremes and bits of all lanes of all blocks, whatever their order; by index and by address."""
    body = """
      %zero = atlas.mov_imm 0 : i64
      %eight = atlas.mov_imm 8 : i64
      %v = atlas.ldg i32 %a[%gid : i64] : memref<?xi32>
      %n0 = atlas.atom.add i32 %v, %b[%zero : i64] : memref<8xi32>
      %one = atlas.mov_imm 1 : i64
      %n1 = atlas.atom.min i32 %v, %b[%one : i64] : memref<8xi32>
      %p = atlas.lea i32 %c[%zero : i64] : memref<32xi8>
      %n2 = atlas.atom.max u32 %v, %p[] : !atlas.ptr<i32, global>
      %n3 = atlas.atom.xor u32 %v, %p[%eight : i64] : !atlas.ptr<i32, global>"""
    rng = np.random.default_rng(5)
    a = rng.integers(-(2**31), 2**31 - 1, 64 * 512, np.int32)
    program = Both(body, ["memref<?xi32>", "memref<8xi32>", "memref<32xi8>"], block=64, grid=512)
    b, c = np.zeros(8, np.int32), np.zeros(32, np.int8)
    before = hologram.get_num_threads()
    hologram.set_num_threads(threads)
    try:
        program.kernel(a, b, c)
    finally:
        hologram.set_num_threads(before)
    assert b[0] == a.sum(dtype=np.int32)
    assert b[1] == min(a.min(), 0)
    assert c.view(np.uint32)[0] == a.view(np.uint32).max()
    assert c.view(np.int32)[2] == np.bitwise_xor.reduce(a)


def test_a_histogram_in_shared_memory() -> None:
    body = f"""
      %s = atlas.alloca : memref<4xi32, {SHARED}>
      %zero = atlas.mov_imm 0 : i32
      %one = atlas.mov_imm 1 : i32
      %four = atlas.mov_imm 4 : i64
      %first = atlas.setcc lt u64 %lane, %four
      atlas.if %first {{
        atlas.sts i32 %zero, %s[%lane : i64] : memref<4xi32, {SHARED}>
      }}
      atlas.bar.sync 0
      %v = atlas.ldg i32 %a[%gid : i64] : memref<?xi32>
      %v64 = atlas.cvt i32 to i64 %v
      %n = atlas.atom.add i32 %one, %s[%v64 : i64] : memref<4xi32, {SHARED}>
      atlas.bar.sync 1
      atlas.if %first {{
        %sum = atlas.lds i32 %s[%lane : i64] : memref<4xi32, {SHARED}>
        %total = atlas.atom.add i32 %sum, %b[%lane : i64] : memref<4xi32>
      }}"""
    a = np.random.default_rng(6).integers(0, 4, 96, np.int32)
    _, b = both(body, ["memref<?xi32>", "memref<4xi32>"], [a, np.zeros(4, np.int32)], block=32, grid=3)
    assert b.tolist() == np.bincount(a, minlength=4).tolist()


def test_slots_are_given_once() -> None:
    """The old values of a counter are all different, whoever gets which."""
    body = """
      %zero = atlas.mov_imm 0 : i64
      %one = atlas.mov_imm 1 : i32
      %slot = atlas.atom.add u32 %one, %a[%zero : i64] : memref<1xi32>
      %at = atlas.cvt u32 to u64 %slot
      %g = atlas.cvt u64 to u32 %gid
      atlas.stg u32 %g, %b[%at : i64] : memref<?xi32>"""
    _, b = both(body, ["memref<1xi32>", "memref<?xi32>"], [np.zeros(1, np.int32), np.zeros(64, np.int32)], grid=8)
    assert sorted(b.tolist()) == list(range(64))


def test_what_an_atomic_traps_on() -> None:
    types = ["memref<?xi32>", "memref<?xi64>", "memref<?xi8>"]
    body = """
      %i = atlas.ldg i64 %b[%lane : i64] : memref<?xi64>
      %one = atlas.mov_imm 1 : i32
      %n = atlas.atom.add u32 %one, %a[%i : i64] : memref<?xi32>"""
    by_index = Both(body, types, block=1)
    arrays = [np.zeros(4, np.int32), np.zeros(1, np.int64), np.zeros(40, np.int8)]
    by_index.same(arrays)
    arrays[1][0] = 4
    by_index.trap(arrays, "trap-out-of-range", "index out of range")
    by_address = Both(body.replace("%n =", "%p = atlas.lea u32 %c[] : memref<?xi8>\n%n =").replace(
        "%a[%i : i64] : memref<?xi32>", "%p[%i : i64] : !atlas.ptr<i32, global>"), types, block=1)  # fmt: skip
    by_address.same(arrays)
    for offset, code, words in ((2, "trap-misaligned", "misaligned"), (40, "trap-out-of-range", "out of range")):
        arrays[1][0] = offset
        by_address.trap(arrays, code, words)
    # An aligned offset into an array that itself is not: a plain access may be made of parts, an atomic may not.
    arrays[1][0] = 0
    odd = arrays[2][1:37]
    with pytest.raises(TrapError, match="misaligned address"):
        by_address.kernel(arrays[0], arrays[1], odd)
    with pytest.raises(TrapError, match="not aligned"):
        interpret(by_address.module, "main", [arrays[0], arrays[1], odd])


# What the interpreter knows of order


def race(body: str, types: list[str], arrays: list[Array], *, grid: int = 1) -> TrapError | None:
    module = parse_module(program_text(body, types, 8, grid), "p.mlir", make_context())
    try:
        interpret(module, "main", arrays)
    except TrapError as error:
        return error
    return None


HEAD = """
  %zero = atlas.mov_imm 0 : i64
  %one = atlas.mov_imm 1 : i32
  %five = atlas.mov_imm 5 : i64
  %is = atlas.setcc eq i64 %gid, %five
"""
ADD = "%n = atlas.atom.add i32 %one, %a[%zero : i64] : memref<?xi32>"
STORE = "atlas.if %is {\n atlas.stg i32 %one, %a[%zero : i64] : memref<?xi32>\n}"
LOAD = "%v = atlas.ldg i32 %a[%zero : i64] : memref<?xi32>"


@pytest.mark.parametrize(
    ("lines", "races"),
    [([ADD, ADD], False), ([ADD, LOAD], False), ([ADD, STORE], True), ([STORE, ADD], True),
     ([ADD, "atlas.bar.sync 0", STORE], False), ([STORE, "atlas.bar.sync 0", ADD], False),
     ([ADD, "atlas.memfence device", STORE], True)],
)  # fmt: skip
def test_atomics_race_with_plain_writes_only(lines: list[str], races: bool) -> None:
    lines = [line.replace("%n ", f"%n{k} ").replace("%v ", f"%v{k} ") for k, line in enumerate(lines)]
    assert (race(HEAD + "\n".join(lines), ["memref<?xi32>"], [np.zeros(1, np.int32)]) is not None) == races


LAST_BLOCK = """
  %zero = atlas.mov_imm 0 : i64
  %one = atlas.mov_imm 1 : i32
  %blocks = atlas.special grid.x : i32
  %b32 = atlas.special block.x : i32
  %b = atlas.cvt u32 to u64 %b32
  %s = atlas.alloca : memref<1xi32, #atlas.space<shared>>
  %leader = atlas.setcc eq i64 %lane, %zero
  %g = atlas.cvt u64 to u32 %gid
  atlas.stg i32 %g, %b[%gid : i64] : memref<?xi32>
  atlas.bar.sync 0
  atlas.if %leader {{
    {release}
    %n = atlas.atom.add i32 %one, %a[%zero : i64] : memref<?xi32>
    {acquire}
    atlas.sts i32 %n, %s[%zero : i64] : memref<1xi32, #atlas.space<shared>>
  }}
  atlas.bar.sync 1
  %count = atlas.lds i32 %s[%zero : i64] : memref<1xi32, #atlas.space<shared>>
  %last = atlas.sub i32 %blocks, %one
  %mine = atlas.setcc eq i32 %count, %last
  atlas.if %mine {{
    %eight = atlas.mov_imm 8 : i64
    %blocks64 = atlas.cvt u32 to u64 %blocks
    %end = atlas.mul u64 %eight, %blocks64
    %last64 = atlas.sub i64 %end, %gid
    %one64 = atlas.mov_imm 1 : i64
    %at = atlas.sub i64 %last64, %one64
    %v = atlas.ldg i32 %b[%at : i64] : memref<?xi32>
    atlas.stg i32 %v, %c[%lane : i64] : memref<?xi32>
  }}""".replace("%b = atlas", "%block = atlas").replace("%b32 to", "%b32 to")


def test_what_the_last_block_sees() -> None:
    """Each block stores, fences and counts; the one that counts last fences and reads what the first one stored."""
    types = ["memref<?xi32>"] * 3
    arrays = [np.zeros(n, np.int32) for n in (1, 32, 8)]
    body = LAST_BLOCK.format(release="atlas.memfence device", acquire="atlas.memfence system")
    _, _, c = both(body, types, arrays, grid=4)
    assert c.tolist() == list(range(7, -1, -1))


@pytest.mark.parametrize(
    ("release", "acquire"),
    [("atlas.memfence device", ""), ("", "atlas.memfence device"), ("atlas.memfence block", "atlas.memfence device"),
     ("atlas.memfence device", "atlas.memfence thread")],
)  # fmt: skip
def test_fences_that_do_not_reach(release: str, acquire: str) -> None:
    types = ["memref<?xi32>"] * 3
    arrays = [np.zeros(n, np.int32) for n in (1, 32, 8)]
    error = race(LAST_BLOCK.format(release=release, acquire=acquire), types, arrays, grid=4)
    assert error is not None
    assert error.code == "trap-race"
    assert "it was written by lane" in error.message
