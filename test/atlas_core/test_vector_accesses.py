"""Loads and stores of two and four values: by index and by pointer, in every space, their alignment and range."""

from __future__ import annotations

import numpy as np
import pytest

from .programs import Array, Both, both

TYPES = ("f32", "f64", "i8", "i16", "i128", "i1")


def test_every_space_by_index_and_by_pointer() -> None:
    """Four values go to shared memory as two pairs, come back reversed by a pointer, and go on through local memory."""
    body = """
      %s = atlas.alloca : memref<8x4xf32, #atlas.space<shared>>
      %l = atlas.alloca : memref<4xf32, #atlas.space<local>>
      %zero = atlas.mov_imm 0 : i64
      %two = atlas.mov_imm 2 : i64
      %four = atlas.mov_imm 4 : i64
      %seven = atlas.mov_imm 7 : i64
      %sixteen = atlas.mov_imm 16 : i64
      %i = atlas.mul u64 %gid, %four
      %x0, %x1, %x2, %x3 = atlas.ldg v4 f32 %a[%i : i64] : memref<?xf32>
      atlas.sts v2 f32 %x0, %x1, %s[%lane, %zero : i64, i64] : memref<8x4xf32, #atlas.space<shared>>
      atlas.sts v2 f32 %x2, %x3, %s[%lane, %two : i64, i64] : memref<8x4xf32, #atlas.space<shared>>
      atlas.bar.sync 0
      %other = atlas.sub i64 %seven, %lane
      %o = atlas.mul i64 %other, %sixteen
      %p = atlas.lea f32 %s[%o : i64] : memref<8x4xf32, #atlas.space<shared>>
      %y0, %y1, %y2, %y3 = atlas.lds v4 f32 %p[] : !atlas.ptr<f32, shared>
      atlas.stl v4 f32 %y3, %y2, %y1, %y0, %l[%zero : i64] : memref<4xf32, #atlas.space<local>>
      %z0, %z1 = atlas.ldl v2 f32 %l[%two : i64] : memref<4xf32, #atlas.space<local>>
      %q = atlas.lea f32 %b[] : memref<?xf32>
      %at = atlas.mul u64 %gid, %four
      %bytes = atlas.add u64 %at, %at
      atlas.stg v2 f32 %z0, %z1, %q[%bytes : i64] : !atlas.ptr<f32, global>"""
    a = np.random.default_rng(1).normal(size=64).astype(np.float32)
    _, b = both(body, ["memref<?xf32>", "memref<?xf32>"], [a, np.zeros(32, np.float32)], grid=2)
    wanted = a.reshape(2, 8, 4)[:, ::-1, 1::-1]
    assert (b.reshape(2, 8, 2) == wanted).all()


def test_types() -> None:
    """Pairs of every width from one array of bytes to another, where neither need be aligned to itself."""
    body, source = "", np.random.default_rng(2).integers(-128, 128, 4096, np.int8)
    used = np.zeros(4096, bool)
    for n, t in enumerate(TYPES):
        bits = {"f32": 32, "f64": 64, "i8": 8, "i16": 16, "i128": 128, "i1": 8}[t]
        size, name = bits // 4, "bool" if t == "i1" else t
        start = n * 512
        used[start : start + 8 * size] = True
        if t == "i1":
            source[start : start + 16] &= 1
        pointer = f"!atlas.ptr<{t}, global>"
        body += f"""
          %size{n} = atlas.mov_imm {size} : i64
          %start{n} = atlas.mov_imm {start} : i64
          %o{n} = atlas.mad i64 %lane, %size{n}, %start{n}
          %p{n} = atlas.lea {name} %a[%o{n} : i64] : memref<?xi8>
          %q{n} = atlas.lea {name} %b[%o{n} : i64] : memref<?xi8>
          %v{n}, %w{n} = atlas.ldg v2 {name} %p{n}[] : {pointer}
          atlas.stg v2 {name} %v{n}, %w{n}, %q{n}[] : {pointer}"""
    program = Both(body, ["memref<?xi8>", "memref<?xi8>"])
    for skip in (0, 3):
        room: list[Array] = [np.zeros(4096 + 16, np.int8)[skip : skip + 4096] for _ in range(2)]
        room[0][:] = source
        program.kernel(*room)
        assert (room[1][used] == source[used]).all()
        assert not room[1][~used].any()
    program.same([source, np.zeros(4096, np.int8)])


@pytest.mark.parametrize(
    ("vector", "inside", "outside", "odd"),
    [("v4", (0, 4), (8, -4, 2**62), (1, 2, 3)), ("v2", (0, 2, 6), (8, -2), (1, 5))],
)
def test_range_and_alignment_by_index(
    vector: str, inside: tuple[int, ...], outside: tuple[int, ...], odd: tuple[int, ...]
) -> None:
    names = ", ".join(f"%v{n}" for n in range(int(vector[1])))
    body = f"""
      %i = atlas.ldg i64 %b[%lane : i64] : memref<?xi64>
      %zero = atlas.mov_imm 0 : i64
      {names} = atlas.ldg {vector} f32 %a[%i : i64] : memref<?xf32>
      atlas.stg {vector} f32 {names}, %c[%zero, %zero : i64, i64] : memref<?x?xf32>"""
    program = Both(body, ["memref<?xf32>", "memref<?xi64>", "memref<?x?xf32>"], block=1)
    arrays = [np.arange(8, dtype=np.float32), np.zeros(1, np.int64), np.zeros((2, 4), np.float32)]
    for index in (*inside, *outside, *odd):
        arrays[1][0] = index
        if index in inside:
            assert program.same(arrays)[2][0, 1] == index + 1
        elif index in outside:
            program.trap(arrays, "trap-out-of-range", "index out of range")
        else:
            program.trap(arrays, "trap-misaligned", "misaligned address")


def test_a_row_that_is_too_short() -> None:
    """The values of a vector form stay in one row, as indices say; and an odd row is not aligned."""
    body = """
      %i = atlas.ldg i64 %b[%lane : i64] : memref<?xi64>
      %zero = atlas.mov_imm 0 : i64
      %v, %w = atlas.ldg v2 f32 %a[%i, %zero : i64, i64] : memref<?x?xf32>
      atlas.stg v2 f32 %v, %w, %c[%zero : i64] : memref<?xf32>"""
    program = Both(body, ["memref<?x?xf32>", "memref<?xi64>", "memref<?xf32>"], block=1)
    tail = [np.zeros(1, np.int64), np.zeros(2, np.float32)]
    program.trap([np.zeros((3, 1), np.float32), *tail], "trap-out-of-range", "index out of range")
    odd = np.zeros((3, 3), np.float32)
    program.same([odd, *tail])
    program.trap([odd, np.ones(1, np.int64), tail[1]], "trap-misaligned", "misaligned address")
