"""Pools: the memory of a launch, in the interpreter and compiled; and pools of the host, with the ring over them."""

from __future__ import annotations

import random
import resource
from collections import deque
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.dialects import make_context
from hologram.driver.source import text_source
from hologram.errors import HologramError, InputError, TrapError
from hologram.interpreter import interpret

Array = np.ndarray[Any, np.dtype[Any]]
POOL = "memref<{}x{}, #atlas.space<pool>>"


def module(pools: str, arguments: str, body: str, *, block: int = 4, grid: int = 1, functions: str = "") -> str:
    names = ", ".join(part.partition(":")[0].strip() for part in arguments.split(", "))
    types = ", ".join(part.partition(":")[2].strip() for part in arguments.split(", "))
    return f"""{pools}
func.func @main({arguments}) {{
  %one = arith.constant 1 : index
  %blocks = arith.constant {grid} : index
  atlas.launch @p grid(%blocks, %one, %one) args({names} : {types})
  func.return
}}
{functions}
atlas.program @p({arguments}) block [{block}, 1, 1] {{
  %i = atlas.special gid : i64
{body}
}}"""


def interpreted(text: str, arrays: list[Array]) -> None:
    interpret(text_source(text.encode(), "pools.mlir").read(make_context()), None, arrays)


def same(text: str, *arrays: Array) -> list[Array]:
    """Runs both ways on copies of the arrays, which must come to the same bits."""
    mine, theirs = ([a.copy() for a in arrays] for _ in range(2))
    interpreted(text, mine)
    hologram.compile(text, opt_level=1)(*theirs)
    for a, b in zip(mine, theirs, strict=True):
        np.testing.assert_array_equal(a.view(np.uint8), b.view(np.uint8))
    return mine


def reverse(dtype: str, element: str) -> str:
    """Each lane stores to the pool, and reads what the lane across stored."""
    pool = POOL.format(8, element)
    return module(
        f"atlas.pool @ring : {pool}",
        f"%x: memref<?x{element}>",
        f"""  %p = atlas.pool.alloc @ring : {pool}
  %v = atlas.ldg {dtype} %x[%i : i64] : memref<?x{element}>
  atlas.pool.store {dtype} %v, %p[%i : i64] : {pool}
  atlas.bar.sync 0
  %seven = atlas.mov_imm 7 : i64
  %j = atlas.sub i64 %seven, %i
  %w = atlas.pool.load {dtype} %p[%j : i64] : {pool}
  %u = atlas.mov {dtype} %w
  atlas.stg {dtype} %u, %x[%i : i64] : memref<?x{element}>""",
        block=8,
    )


@pytest.mark.parametrize("dtype", ["f16", "f32", "u8", "i64", "u256", "bool"])
def test_types(dtype: str):
    element = {"u8": "i8", "u256": "i256", "bool": "i1"}.get(dtype, dtype)
    numbers = {"f16": np.float16, "f32": np.float32, "u8": np.int8, "i64": np.int64, "bool": np.bool_}
    given = np.arange(8) % 2 if dtype == "bool" else np.arange(8) - 3
    x = np.arange(32, dtype=np.uint64).reshape(8, 4) if dtype == "u256" else given.astype(numbers[dtype])
    (y,) = same(reverse(dtype, element), x)
    np.testing.assert_array_equal(y, x[::-1])


def test_vector_forms_pointers_functions_and_two_pools():
    a, b = POOL.format(16, "f32"), "memref<4x4xi8, #atlas.space<pool>>"
    functions = f"""atlas.func @swap(%i: i64, %q: !atlas.ptr<f32, pool>) -> (f32) {{
  %p = atlas.pool.alloc @a : {a}
  %v = atlas.pool.load f32 %q[] : !atlas.ptr<f32, pool>
  %w = atlas.pool.load f32 %p[%i : i64] : {a}
  %s = atlas.sub f32 %v, %w
  atlas.ret %s : f32
}}"""
    body = f"""  %p = atlas.pool.alloc @a : {a}
  %q = atlas.pool.alloc @b : {b}
  %four = atlas.mov_imm 4 : i64
  %k = atlas.mul i64 %i, %four
  %v, %w = atlas.ldg v2 f32 %x[%k : i64] : memref<?xf32>
  atlas.pool.store v2 f32 %v, %w, %p[%k : i64] : {a}
  %zero = atlas.mov_imm 0 : i64
  %n = atlas.cvt f32 to i8 %v
  atlas.pool.store i8 %n, %q[%i, %zero : i64, i64] : {b}
  %bytes = atlas.mul i64 %k, %four
  %o = atlas.add i64 %bytes, %four
  %r = atlas.lea f32 %p[%o : i64] : {a}
  %s = atlas.call @swap(%k, %r) : (i64, !atlas.ptr<f32, pool>) -> (f32)
  %m = atlas.pool.load i8 %q[%i, %zero : i64, i64] : {b}
  %f = atlas.cvt i8 to f32 %m
  %t = atlas.add f32 %s, %f
  atlas.stg f32 %t, %x[%k : i64] : memref<?xf32>"""
    pools = f"atlas.pool @a : {a}\natlas.pool @b : {b}"
    x = np.arange(16, dtype=np.float32) ** 2
    (y,) = same(module(pools, "%x: memref<?xf32>", body, functions=functions), x)
    np.testing.assert_array_equal(y[::4], x[1::4] - x[::4] + np.minimum(x[::4], 127))


def test_a_pool_of_branches():
    """Asked for where control comes by different ways, with pointers into it and none."""
    pool = POOL.format(4, "i32")
    body = f"""  %two = atlas.mov_imm 2 : i64
  %c = atlas.setcc lt u64 %i, %two
  atlas.bra %c, ^low, ^high
^low:
  %p = atlas.pool.alloc @r : {pool}
  %q = atlas.lea i32 %p[] : {pool}
  atlas.bra ^end(%q : !atlas.ptr<i32, pool>)
^high:
  %s = atlas.pool.alloc @r : {pool}
  %eight = atlas.mov_imm 8 : i64
  %t = atlas.lea i32 %s[%eight : i64] : {pool}
  atlas.bra ^end(%t : !atlas.ptr<i32, pool>)
^end(%u: !atlas.ptr<i32, pool>):
  %three = atlas.mov_imm 1 : i64
  %odd = atlas.and u64 %i, %three
  %four = atlas.mov_imm 4 : i64
  %o = atlas.mul u64 %odd, %four
  %n = atlas.cvt u64 to i32 %i
  atlas.pool.store i32 %n, %u[%o : i64] : !atlas.ptr<i32, pool>
  %w = atlas.pool.load i32 %u[%o : i64] : !atlas.ptr<i32, pool>
  atlas.stg i32 %w, %x[%i : i64] : memref<?xi32>
  atlas.exit"""
    (y,) = same(module(f"atlas.pool @r : {pool}", "%x: memref<?xi32>", body), np.full(4, -1, np.int32))
    assert y.tolist() == [0, 1, 2, 3]


def test_each_launch_has_its_own():
    """A later launch does not see what an earlier one left: it must not read it."""
    pool = POOL.format(4, "f32")
    text = f"""atlas.pool @r : {pool}
func.func @main(%x: memref<?xf32>) {{
  %one = arith.constant 1 : index
  atlas.launch @put grid(%one, %one, %one) args(%x : memref<?xf32>)
  atlas.launch @get grid(%one, %one, %one) args(%x : memref<?xf32>)
  func.return
}}
atlas.program @put(%x: memref<?xf32>) block [4, 1, 1] {{
  %p = atlas.pool.alloc @r : {pool}
  %i = atlas.special gid : i64
  %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
  atlas.pool.store f32 %v, %p[%i : i64] : {pool}
}}
atlas.program @get(%x: memref<?xf32>) block [4, 1, 1] {{
  %p = atlas.pool.alloc @r : {pool}
  %i = atlas.special gid : i64
  %v = atlas.pool.load f32 %p[%i : i64] : {pool}
  atlas.stg f32 %v, %x[%i : i64] : memref<?xf32>
}}"""
    with pytest.raises(TrapError, match=r"@get: 'atlas.pool.load': element \(0\) .* read before it is written"):
        interpreted(text, [np.zeros(4, np.float32)])
    hologram.compile(text, opt_level=1)(np.zeros(4, np.float32))  # reads something, and goes on


TRAPS = {
    "past the end": ("atlas.pool.load f32 %p[%n : i64] : {}", 8, "index out of range", "trap-out-of-range"),
    "before it": ("atlas.pool.load f32 %p[%n : i64] : {}", -1, "index out of range", "trap-out-of-range"),
    "a pointer": ("atlas.pool.load f32 %q[%n : i64] : !atlas.ptr<f32, pool>", 29, "out of range", "trap-out-of-range"),
    "an odd pointer": ("atlas.pool.load f32 %q[%n : i64] : !atlas.ptr<f32, pool>", 2, "misaligned", "trap-misaligned"),
}


@pytest.mark.parametrize("name", TRAPS)
def test_traps(name: str):
    load, n, words, code = TRAPS[name]
    pool = POOL.format(8, "f32")
    body = f"""  %p = atlas.pool.alloc @r : {pool}
  %q = atlas.lea f32 %p[] : {pool}
  %zero = atlas.mov_imm 0.0 : f32
  atlas.pool.store f32 %zero, %p[%i : i64] : {pool}
  %n = atlas.ldg i64 %x[%i : i64] : memref<?xi64>
  %v = {load.format(pool)}
  %w = atlas.cvt f32 to i64 %v
  atlas.stg i64 %w, %x[%i : i64] : memref<?xi64>"""
    text = module(f"atlas.pool @r : {pool}", "%x: memref<?xi64>", body, block=1)
    with pytest.raises(TrapError) as caught:
        interpreted(text, [np.array([n])])
    assert caught.value.code == code
    kernel = hologram.compile(text, opt_level=1)
    with pytest.raises(TrapError, match=words):
        kernel(np.array([n]))
    x = np.array([0])
    kernel(x)  # the process goes on
    assert x[0] == 0


def test_freed_is_uninitialised():
    pool = POOL.format(4, "f32")
    body = f"""  %p = atlas.pool.alloc @r : {pool}
  %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
  atlas.pool.store f32 %v, %p[%i : i64] : {pool}
  atlas.bar.sync 0
  atlas.pool.free @r
  %w = atlas.pool.load f32 %p[%i : i64] : {pool}
  atlas.stg f32 %w, %x[%i : i64] : memref<?xf32>"""
    text = module(f"atlas.pool @r : {pool}", "%x: memref<?xf32>", body)
    with pytest.raises(TrapError, match="read before it is written"):
        interpreted(text, [np.zeros(4, np.float32)])
    again = text.replace("  %w =", f"  atlas.pool.store f32 %v, %p[%i : i64] : {pool}\n  %w =")
    assert same(again, np.arange(4, dtype=np.float32))[0].tolist() == [0, 1, 2, 3]


def test_races_are_those_of_global_memory():
    pool = POOL.format(1, "i64")
    body = f"""  %p = atlas.pool.alloc @r : {pool}
  %zero = atlas.mov_imm 0 : i64
  atlas.pool.store i64 %i, %p[%zero : i64] : {pool}"""
    text = module(f"atlas.pool @r : {pool}", "%x: memref<?xi64>", body, block=1, grid=2)
    with pytest.raises(TrapError, match="data race"):
        interpreted(text, [np.zeros(1, np.int64)])


STREAM = """
.pool pool0: f32[9216]
.program total(buf0: f32[?], r0: u64, buf1: f32[1]) {
  .launch grid(1, 1, 1) block(1, 1, 1)
  mov_imm.f32 r1, 0
  mov_imm.u64 r2, 0
  mov_imm.u64 r3, 4
  mov_imm.u64 r8, 36864
  mul.u64 r0, r0, r3
part:
  setge.u64 p0, r2, r0
  @p0 bra end
  mov_imm.u64 r4, 0
fill:
  add.u64 r5, r2, r4
  ldg.v4.f32 r16, [buf0 + r5]
  pool.store.v4.f32 [pool0 + r4], r16
  mov_imm.u64 r6, 16
  add.u64 r4, r4, r6
  setlt.u64 p1, r4, r8
  @p1 bra fill
  mov_imm.u64 r4, 0
sum:
  pool.load.f32 r7, [pool0 + r4]
  add.f32 r1, r1, r7
  add.u64 r4, r4, r3
  setlt.u64 p1, r4, r8
  @p1 bra sum
  add.u64 r2, r2, r8
  bra part
end:
  stg.f32 [buf1], r1
}
"""


def test_a_long_array_streams_through_a_small_pool():
    """100 MB through 36,864 bytes: the process grows by less than a hundredth of that."""
    kernel = hologram.compile(STREAM)
    out = np.zeros(1, np.float32)
    few = np.ones(9216 * 4, np.float32)
    kernel(few, few.size, out)
    assert out[0] == few.size
    x = np.zeros(9216 * 2713, np.float32)
    x[::9216] = 3
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kernel(x, x.size, out)
    assert out[0] == 3 * 2713
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1024 + x.nbytes // 1024


def test_machine_code_names_pools_that_are_declared():
    with pytest.raises(HologramError, match="declares no pool1"):
        hologram.compile(STREAM.replace("mov_imm.f32 r1, 0", "pool.free pool1\n  mov_imm.f32 r1, 0"))


# Of the host


def test_a_pool_of_the_host():
    pool = hologram.Pool(64)
    assert len(pool) == pool.capacity == 64
    assert pool.bytes.ctypes.data % 16 == 0
    pool.write(8, np.array([[1.5, 2.5]], np.float32))
    assert pool.view("f32", 8, 2).tolist() == [1.5, 2.5]
    assert pool.view("u256").shape == (2, 4)
    assert pool.view("bf16", 62).size == 1
    assert pool.view("i32", 64).size == 0
    pool.write(62, b"ab")
    assert pool.read(61, 3) == b"\0ab"
    pool.write(64, b"")
    for offset, length in ((-1, 1), (64, 1), (0, 65), (3, -1)):
        with pytest.raises(InputError, match="not inside a pool of 64 bytes"):
            pool.read(offset, length)
    with pytest.raises(InputError, match="not inside"):
        pool.view("f64", 0, 9)


def test_kernels_work_on_a_pool():
    kernel = hologram.compile("""func.func @total(%x: tensor<?xf32>) -> tensor<f32> {
  %r = hologram.reduce sum %x {axes = [0 : i64]} : tensor<?xf32> to tensor<f32>
  func.return %r : tensor<f32>
}""")
    pool = hologram.Pool(36864)
    x = np.arange(100_003, dtype=np.float32) % 7
    parts = list(map(len, pool.stream(x)))
    assert parts == [9216] * 10 + [100_003 - 92160]
    assert sum(float(kernel(part)) for part in pool.stream(x)) == x.sum(dtype=np.float64)
    assert not list(pool.stream(x[:0]))


def test_a_ring_is_a_queue_of_the_last_bytes():
    """Against a deque of bounded length, with random writes, reads and drops."""
    rng = random.Random(1)
    ring = hologram.Pool(13).ring()
    last: deque[int] = deque(maxlen=13)
    for _ in range(500):
        data = rng.randbytes(rng.choice((0, 1, 5, 13, 14, 40)))
        ring.write(data)
        last.extend(data)
        if rng.random() < 0.3:
            ring.drop(gone := rng.randint(0, len(ring)))
            for _ in range(gone):
                last.popleft()
        assert len(ring) == len(last)
        start = rng.randint(0, len(last))
        length = rng.randint(0, len(last) - start)
        assert ring.read(start, length) == bytes(list(last)[start : start + length])
        assert ring.tail == (ring.head - len(ring)) % 13
    with pytest.raises(InputError, match="are not among"):
        ring.read(1, len(ring))


def test_a_ring_may_be_given_its_own_bytes():
    ring = hologram.Pool(8).ring()
    ring.write(b"abcdef")
    ring.write(ring.pool.view("u8"))
    assert ring.read(0, 8) == b"abcdef\0\0"
