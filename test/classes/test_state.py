"""Instructions over classes and the state of a lane: the interpreter against the specification, the CPU against it."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hologram
from hologram import classes
from hologram.dialects.atlas.instructions.types import DTYPES, FLOATS
from hologram.dialects.atlas.lanes.state import ACCUMULATED
from hologram.errors import TrapError
from hologram.resonance import Resonance, to_fixed, wrapped
from state_programs import Array, compare, program, reference

# 64.64 fixed point


def test_to_fixed():
    unit = Fraction(1, 1 << 64)
    assert [to_fixed(v) for v in (0.0, -0.0, 1.0, -1.5)] == [0, 0, 1 << 64, -(3 << 63)]
    # Half of a unit goes to even.
    assert [to_fixed(unit * n / 2) for n in (1, 3, 5, -1, -3)] == [0, 2, 2, 0, -2]
    assert to_fixed(5e-324) == 0
    assert to_fixed(2.0**63 - 1024) == (2**63 - 1024) << 64
    for value in (float("nan"), float("inf"), -float("inf"), 2.0**63, -(2.0**63), Fraction(2**63)):
        with pytest.raises(ValueError, match="R|magnitude"):
            to_fixed(value)


def test_resonance():
    words = [0] * 192
    words[2 * 5 : 2 * 5 + 2] = [1 << 63, -1]
    r = Resonance.from_words([w - (1 << 64) if w >> 63 == 1 else w for w in words])
    assert r[5] == -0.5
    assert r.exact(5) == Fraction(-1, 2)
    assert r.total == -0.5
    assert r[4:7] == (0.0, -0.5, 0.0)
    assert len(r) == 96
    assert list(r)[5] == -0.5
    assert repr(r) == "Resonance({5: -0.5})"
    assert r == Resonance([0] * 5 + [-(1 << 63)] + [0] * 90)
    assert r != Resonance([0] * 96)
    assert wrapped(1 << 127) == -(1 << 127)
    assert wrapped((1 << 128) + 3) == 3
    with pytest.raises(ValueError, match="96 sums, found 3"):
        Resonance([1, 2, 3])


# Classes


TABLE = program(
    "%c: memref<?xi32>, %n: memref<?xi32>, %m: memref<?xi32>, %u: memref<?xi1>, %d: memref<?xi32>, %k: memref<?xi32>",
    """%a = atlas.ldg u32 %c[%i : i64] : memref<?xi32>
  %b = atlas.ldg u32 %n[%i : i64] : memref<?xi32>
  %1 = atlas.mirror u32 %a
  %2 = atlas.is_unity u32 %a
  %3 = atlas.nbr.count u32 %a
  %4 = atlas.nbr.get u32 %a, %b
  atlas.stg u32 %1, %m[%i : i64] : memref<?xi32>
  atlas.stg bool %2, %u[%i : i64] : memref<?xi1>
  atlas.stg u32 %3, %d[%i : i64] : memref<?xi32>
  atlas.stg u32 %4, %k[%i : i64] : memref<?xi32>""",
    grid=96, block=8,
)  # fmt: skip


def test_all_classes_and_neighbours():
    c, n = (a.ravel().astype(np.int32) for a in np.meshgrid(range(96), (0, 1, 2, 3, 4, 5, 6, -1), indexing="ij"))
    out = [np.zeros(768, np.int32) for _ in range(3)]
    unity = np.zeros(768, np.bool_)
    compare(TABLE, c, n, out[0], unity, *out[1:])
    assert out[0].tolist() == [classes.mirror(v) for v in c]
    assert unity.tolist() == [v in (1, 4) for v in c]
    assert out[1].tolist() == [classes.degree(v) for v in c]
    wanted = [(*classes.neighbours(a), 0, 0, 0)[b] if 0 <= b < 6 else 0 for a, b in zip(c, n, strict=True)]
    assert out[2].tolist() == wanted


def traps(text: str, *arrays: Array) -> tuple[TrapError, TrapError]:
    """The traps of the interpreter and of the CPU."""
    with pytest.raises(TrapError) as ours:
        reference(text, [a.copy() for a in arrays])
    kernel = hologram.compile(text)
    with pytest.raises(TrapError) as theirs:
        kernel(*[a.copy() for a in arrays])
    return ours.value, theirs.value


INSTRUCTIONS = {
    "mirror": "atlas.mirror u32 %a", "is_unity": "atlas.is_unity u32 %a", "nbr.count": "atlas.nbr.count u32 %a",
    "nbr.get": "atlas.nbr.get u32 %a, %a", "phase.read": "atlas.phase.read %a",
    "phase.write": "atlas.phase.write %a, %a", "res.accum": "atlas.res.accum u32 %a, %a",
}  # fmt: skip


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_no_class(name: str):
    result = "" if name in ("phase.write", "res.accum") else "%r = "
    load = "%a = atlas.ldg u32 %c[%i : i64] : memref<?xi32>"
    text = program("%c: memref<?xi32>", f"{load}\n  {result}{INSTRUCTIONS[name]}")
    c = np.array([95, 0, 1, 2, 3, 4, 96, 7], np.int32)
    ours, theirs = traps(text, c)
    assert re.search(
        rf"@p: 'atlas.{name}': class out of range in lane \(2, 0, 0\) of block \(1, 0, 0\).* 96", str(ours)
    )
    assert ours.code == "trap-class"
    assert re.search(rf"trapped in lane 6: atlas.{name}: class out of range \(values 96", str(theirs))
    c[6] = -1
    ours, theirs = traps(text, c)
    assert "4294967295" in str(ours)
    assert "4294967295" in str(theirs)


# Phases

PHASES = program(
    "%x: memref<?xi32>, %y: memref<?xi32>",
    """%n = atlas.ldg u32 %x[%i : i64] : memref<?xi32>
  %c = atlas.cls.get
  %start = atlas.phase.get
  atlas.phase.adv %n
  atlas.phase.adv %n
  %p = atlas.phase.get
  %none = atlas.phase.read %c
  atlas.phase.write %c, %n
  %m = atlas.mirror u32 %c
  atlas.phase.write %m, %p
  %q = atlas.phase.read %c
  %r = atlas.phase.read %m
  %s = atlas.xor u32 %q, %n
  %a = atlas.add u32 %start, %none
  %b = atlas.add u32 %a, %s
  %d = atlas.mad u32 %b, %n, %r
  atlas.stg u32 %d, %y[%i : i64] : memref<?xi32>""",
    grid=100,
)


def test_phases():
    x = np.arange(400, dtype=np.uint32) * np.uint32(40503 * 65536 + 11)
    x[:4] = (0, 767, 768, 2**32 - 1)
    y = np.zeros(400, np.int32)
    compare(PHASES, x.view(np.int32), y)
    assert y.tolist() == [2 * int(n) % 768 for n in x]


def test_state_lives_across_barriers_and_loops():
    body = """%c = atlas.cls.get
  %lane = atlas.special lane.x : i32
  %three = atlas.mov_imm 3 : i32
  atlas.loop %three : i32 {
  ^bb0(%k: i32):
    atlas.phase.adv %lane
    %v = atlas.cvt u32 to f32 %lane
    atlas.res.accum f32 %c, %v
    atlas.bar.sync 0
    %old = atlas.phase.read %k
    %p = atlas.phase.get
    %sum = atlas.add u32 %old, %p
    atlas.phase.write %k, %sum
    atlas.bar.sync 1
  }
  %two = atlas.mov_imm 2 : i32
  %a = atlas.phase.read %two
  %eps = atlas.mov_imm 3.5 : f64
  %u = atlas.unity.test f64 %eps
  %b = atlas.mov_imm 1000 : i32
  %d = atlas.add u32 %a, %b
  %r = atlas.sel u32 %u, %d, %a
  atlas.stg u32 %r, %y[%i : i64] : memref<?xi32>"""
    y = np.zeros(10, np.int32)
    resonance = compare(program("%y: memref<?xi32>", body, grid=2, block=5), y)
    assert y.tolist() == [1000, 1003, 6, 9, 12] * 2
    assert resonance is not None
    assert resonance[:3] == (30.0, 30.0, 0.0)


# Resonance


def accumulate(dtype: str, count: int) -> str:
    stored = DTYPES[dtype].ir
    body = f"""%v = atlas.ldg {dtype} %x[%i : i64] : memref<?x{stored}>
  %k = atlas.ldg u32 %c[%i : i64] : memref<?xi32>
  atlas.res.accum {dtype} %k, %v"""
    return program(f"%x: memref<?x{stored}>, %c: memref<?xi32>", body, grid=count // 8, block=8)


def edges(dtype: str) -> Array:
    t = DTYPES[dtype]
    rng = np.random.default_rng(7)
    if not t.is_float:
        least, greatest = int(t.least), min(int(t.greatest), 2**63 - 1)
        ends = [max(least, 1 - 2**63), greatest, 0, 1, greatest - 1, greatest // 3]
        return np.array([ends[n % len(ends)] for n in range(64)], t.numpy).view(f"i{t.bits // 8}")
    some = [0.0, -0.0, 1.0, -1.0, 0.1, -0.1, 1e-3, -1e-3, 2.0**-64, 2.0**-65, 1.5 * 2.0**-64, -(2.0**-65), 2.0**-66]
    some += [-1.5 * 2.0**-64, 3 * 2.0**-65, 5e-324, 2.0**62, -(2.0**62), 2.0**63 - 1024, 1 - 2.0**-53, -(1 - 2.0**-53)]
    drawn = rng.normal(0, 1, 64 - len(some)) * 2.0 ** rng.integers(-70, 62, 64 - len(some))
    with np.errstate(over="ignore"):
        found = np.array([*some, *drawn]).astype(t.numpy)
    wide = found.astype(np.float64)
    return np.where(np.abs(wide) < 2.0**63, found, np.ones_like(found))


@pytest.mark.parametrize("dtype", sorted(ACCUMULATED))
def test_accumulates_exactly(dtype: str):
    x = edges(dtype)
    c = (np.arange(64, dtype=np.int32) * 5) % 96
    resonance = compare(accumulate(dtype, 64), x, c)
    t = DTYPES[dtype]
    numbers = x.astype(np.float64).tolist() if t.is_float else x.view(t.numpy).tolist()
    sums = [0] * 96
    for number, value in zip(c.tolist(), numbers, strict=True):
        sums[number] += round(Fraction(value) * 2**64)
    assert resonance == Resonance(sums)


def test_sums_wrap_and_order_does_not_matter():
    rng = np.random.default_rng(3)
    x = np.array([2.0**62, 2.0**62, 2.0**62, 1e-19, -1e-19, -(2.0**62), 0.3, -0.7] * 512)
    c = rng.integers(0, 3, len(x)).astype(np.int32)
    first = compare(accumulate("f64", len(x)), x, c)
    order = rng.permutation(len(x))
    kernel = hologram.compile(accumulate("f64", len(x)))
    for _ in range(3):
        assert kernel.launch(x[order], c[order]).resonance == first
    assert kernel(x, c) is None


def test_threads_sum_alike():
    x, c = np.random.default_rng(5).normal(0, 1e6, 1 << 15), np.zeros(1 << 15, np.int32)
    kernel = hologram.compile(accumulate("f64", len(x)))
    before = hologram.get_num_threads()
    try:
        found: list[Resonance] = []
        for threads in (1, 2, 4):
            hologram.set_num_threads(threads)
            resonance = kernel.launch(x, c).resonance
            assert resonance is not None
            found.append(resonance)
    finally:
        hologram.set_num_threads(before)
    assert found[0] == found[1] == found[2]
    assert found[0].fixed[0] == sum(to_fixed(v) for v in x.tolist())


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 2.0**63, -(2.0**63), 1e300])
def test_resonance_refuses(value: float):
    x = np.array([1.0] * 7 + [value])
    ours, theirs = traps(accumulate("f64", 8), x, np.zeros(8, np.int32))
    assert ours.code == "trap-resonance"
    assert "a value that R can't hold in lane (7, 0, 0)" in str(ours)
    assert "trapped in lane 7: atlas.res.accum f64: a value that R can't hold" in str(theirs)


@pytest.mark.parametrize(("dtype", "value"), [("i64", -(2**63)), ("u64", 2**63), ("u64", 2**64 - 1)])
def test_resonance_refuses_integers(dtype: str, value: int):
    x = np.array([0] * 7 + [value], DTYPES[dtype].numpy).view(np.int64)
    ours, theirs = traps(accumulate(dtype, 8), x, np.zeros(8, np.int32))
    assert ours.code == "trap-resonance"
    assert "can't hold" in str(theirs)


def unity(dtype: str) -> str:
    stored = DTYPES[dtype].ir
    return program(
        f"%x: memref<?xf64>, %z: memref<?xf64>, %e: memref<?x{stored}>, %r: memref<?xi1>",
        f"""%a = atlas.ldg f64 %x[%i : i64] : memref<?xf64>
  %b = atlas.ldg f64 %z[%i : i64] : memref<?xf64>
  %eps = atlas.ldg {dtype} %e[%i : i64] : memref<?x{stored}>
  %c = atlas.cls.get
  %m = atlas.mirror u32 %c
  atlas.res.accum f64 %c, %a
  atlas.res.accum f64 %m, %b
  %u = atlas.unity.test {dtype} %eps
  atlas.stg bool %u, %r[%i : i64] : memref<?xi1>""",
        grid=3,
    )  # fmt: skip


@pytest.mark.parametrize("dtype", sorted(FLOATS))
def test_unity(dtype: str):
    x = np.array([0.5, 0.5, -3, 1e-19, 0, 0, 2.0**62, 2.0**62, 0, -1e-10, 1, -2])
    z = np.array([-0.5, -0.25, 1, -1e-19, 0, 0, 2.0**62, -(2.0**62), 0, 0, 0, 1])
    eps = np.array([0.25, 0.25, 2, 1e-4, 0, -1, 4, 1, 1e-30, 1e-4, 1, 2]).astype(DTYPES[dtype].numpy)
    got = np.zeros(12, np.bool_)
    compare(unity(dtype), x, z, eps, got)
    exact = [wrapped(to_fixed(a) + to_fixed(b)) for a, b in zip(x.tolist(), z.tolist(), strict=True)]
    wanted = [abs(s) < to_fixed(float(e)) for s, e in zip(exact, eps.astype(np.float64), strict=True)]
    assert got.tolist() == wanted
    assert wanted[:3] == [True, False, False]


def test_unity_without_resonance():
    text = program("%r: memref<?xi1>", """%eps = atlas.mov_imm 1.0e-300 : f64
  %u = atlas.unity.test f64 %eps
  %one = atlas.mov_imm 1.0 : f32
  %v = atlas.unity.test f32 %one
  %w = atlas.xor bool %u, %v
  atlas.stg bool %w, %r[%i : i64] : memref<?xi1>""")  # fmt: skip
    r = np.zeros(8, np.bool_)
    assert compare(text, r) is None
    assert r.all()


@given(st.lists(st.tuples(st.floats(-(2.0**62), 2.0**62), st.integers(0, 95)), min_size=8, max_size=8))
def test_any_values(pairs: list[tuple[float, int]]):
    x, c = np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs], np.int32)
    found = hologram.compile(accumulate("f64", 8)).launch(x, c).resonance
    sums = [0] * 96
    for value, number in pairs:
        sums[number] += to_fixed(value)
    assert found == Resonance(sums)


CALLS = """
func.func @main(%x: memref<?xf32>, %y: memref<?xi32>) {
  %one = arith.constant 1 : index
  %blocks = arith.constant 3 : index
  atlas.launch @p grid(%blocks, %one, %one) args(%x, %y : memref<?xf32>, memref<?xi32>)
  func.return
}
atlas.func @note(%v: f32) -> (i32) {
  %c = atlas.cls.get
  atlas.res.accum f32 %c, %v
  %m = atlas.mirror u32 %c
  atlas.ret %m : i32
}
atlas.program @p(%x: memref<?xf32>, %y: memref<?xi32>) block [4, 1, 1] {
  %i = atlas.special gid : i64
  %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
  %m = atlas.call @note(%v) : (f32) -> (i32)
  atlas.stg u32 %m, %y[%i : i64] : memref<?xi32>
}
"""


def test_functions_of_lanes():
    y = np.zeros(12, np.int32)
    resonance = compare(CALLS, np.arange(12, dtype=np.float32), y)
    assert resonance is not None
    assert resonance[:4] == (6.0, 22.0, 38.0, 0.0)
    assert y.tolist() == [3] * 4 + [4] * 4 + [5] * 4


def test_functions_that_become_part_of_the_program_have_its_state():
    phases = "atlas.phase.adv %m0\n  %m = atlas.phase.get"
    text = CALLS.replace("%m = atlas.mirror u32 %c", "%m0 = atlas.mirror u32 %c\n  " + phases)
    y = np.zeros(12, np.int32)
    compare(text, np.arange(12, dtype=np.float32), y)
    assert y.tolist() == [3] * 4 + [4] * 4 + [5] * 4


RECURSION = """
func.func @main(%x: memref<?xi32>, %y: memref<?xi32>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  atlas.launch @p grid(%two, %one, %one) args(%x, %y : memref<?xi32>, memref<?xi32>)
  func.return
}
atlas.program @p(%x: memref<?xi32>, %y: memref<?xi32>) block [4, 1, 1] {
  %i = atlas.special gid : i64
  %v = atlas.ldg u32 %x[%i : i64] : memref<?xi32>
  %r = atlas.call @down(%v) : (i32) -> (i32)
  atlas.bar.sync 0
  %p = atlas.phase.get
  %seven = atlas.mov_imm 7 : i32
  %q = atlas.phase.read %seven
  %eps = atlas.mov_imm 0.5 : f32
  %u = atlas.unity.test f32 %eps
  %thousand = atlas.mov_imm 1000 : i32
  %uu = atlas.cvt bool to u32 %u
  %s = atlas.mad u32 %p, %thousand, %q
  %t = atlas.mad u32 %uu, %thousand, %s
  %w = atlas.add u32 %t, %r
  atlas.stg u32 %w, %y[%i : i64] : memref<?xi32>
}
atlas.func @down(%n: i32) -> (i32) {
  %zero = atlas.mov_imm 0 : i32
  %one = atlas.mov_imm 1 : i32
  %seven = atlas.mov_imm 7 : i32
  %done = atlas.setcc eq u32 %n, %zero
  %r = atlas.if %done -> (i32) {
    atlas.yield %zero : i32
  } else {
    atlas.phase.adv %n
    %old = atlas.phase.read %seven
    %new = atlas.add u32 %old, %n
    atlas.phase.write %seven, %new
    %f = atlas.mov_imm 0.25 : f32
    atlas.res.accum f32 %seven, %f
    %less = atlas.sub u32 %n, %one
    %inner = atlas.call @down(%less) : (i32) -> (i32)
    %eps = atlas.mov_imm 0.6 : f32
    %small = atlas.unity.test f32 %eps
    %b = atlas.cvt bool to u32 %small
    %sum = atlas.add u32 %inner, %b
    atlas.yield %sum : i32
  }
  atlas.ret %r : i32
}
"""


def test_functions_that_call_themselves_have_the_state_of_the_lane():
    """A lane's phases, and the sum of its own R, live on through calls and a barrier."""
    x, y = np.array([0, 1, 2, 3, 4, 50, 7, 8], np.int32), np.zeros(8, np.int32)
    resonance = compare(RECURSION, x, y)
    assert resonance is not None
    assert resonance[7] == int(x.sum()) / 4
    phases = [int(n * (n + 1) // 2) for n in x]
    tests = [1000 * (n < 2) + n * (n < 3) for n in x.tolist()]
    assert y.tolist() == [p % 768 * 1000 + p + t for p, t in zip(phases, tests, strict=True)]
