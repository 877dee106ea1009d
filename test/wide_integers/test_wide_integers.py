"""Integers of 128 to 4096 bits, compiled: against Python's integers, and the reference interpreter's conversions.

A width's instructions are all in one program, which is compiled once.
"""

from __future__ import annotations

import functools
import operator
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import hologram
from hologram.dialects.atlas.instructions.reference import convert
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.errors import LaunchError, TrapError, UsageError

Limbs = NDArray[np.uint64]
WIDTHS = (128, 256, 512, 1024, 2048, 4096)
COUNT = 60


def to_limbs(values: Sequence[int], bits: int) -> Limbs:
    """The limbs of integers, modulo the width."""
    return hologram.limbs([v % (1 << bits) for v in values], f"u{bits}")


def in_range(value: int, bits: int, signed: bool) -> int:
    value %= 1 << bits
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def numbers(bits: int, seed: int) -> list[int]:
    """Edges, runs of ones and zeros, limbs that try the digits of a division, and random sizes."""
    rng = random.Random(seed)
    top = 1 << (bits - 1)
    edges = [0, 1, 2, 2 * top - 1, top, top - 1, top + 1, 1 << 64, 2**64 - 1]
    limbs = [0, 1, 2**63, 2**64 - 1, 2**63 - 1, 2**64 - 2]
    patterns = [
        sum(rng.choice(limbs) << (64 * k) for k in range(rng.randint(1, bits // 64))) for _ in range(COUNT // 3)
    ]
    runs = [((1 << rng.randint(1, bits)) - 1) << rng.randrange(bits) for _ in range(COUNT // 3)]
    sizes = [rng.getrandbits(rng.randint(1, bits)) for _ in range(COUNT // 3)]
    return [v % (1 << bits) for v in (*edges, *patterns, *runs, *sizes)]


def program(ins: Mapping[str, str], outs: Mapping[str, str], body: str) -> str:
    """A map over one axis; the body computes the values of `outs` of those of `ins`, all with their types."""
    both = [*ins.items(), *outs.items()]

    def listed(names: Mapping[str, str], suffix: str, type: str) -> str:
        types = ", ".join(type.replace("T", t) for t in names.values())
        return f"{', '.join(f'%{n}{suffix}' for n in names)} : {types}"

    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * len(both))
    return f"""
func.func @main({", ".join(f"%{n}s: memref<?x{t}>" for n, t in both)}) {{
  atlas.map ins({listed(ins, "s", "memref<?xT>")}) outs({listed(outs, "s", "memref<?xT>")}) maps [{maps}] {{
  ^bb0({", ".join(f"%{n}: {t}" for n, t in ins.items())}):
    {body}
    atlas.yield {listed(outs, "", "T")}
  }}
  func.return
}}
"""


def truncated(a: int, b: int) -> tuple[int, int]:
    """Python's divmod rounds down; ours toward zero."""
    quotient = abs(a) // abs(b)
    quotient = -quotient if (a < 0) != (b < 0) else quotient
    return quotient, a - quotient * b


MEANINGS: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": lambda a, b: truncated(a, b)[0],
    "rem": lambda a, b: truncated(a, b)[1],
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "min": min,
    "max": max,
}
UNARY: dict[str, Callable[[int], int]] = {"neg": operator.neg, "abs": abs, "not": operator.invert}
SHIFTS: dict[str, Callable[[int, int], int]] = {"shl": lambda a, n: a << n, "shr": lambda a, n: a >> n}
CONDITIONS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip


@functools.cache
def all_instructions(bits: int) -> tuple[Any, list[str]]:
    """A kernel with every instruction on %a and %b, signed and unsigned, and the names of its outs.

    Of the two widest, which take LLVM longest, one is unsigned and one signed alone.
    """
    lines: list[str] = []
    outs: dict[str, str] = {}
    for t in (f"{sign}{bits}" for sign in {2048: "u", 4096: "i"}.get(bits, "ui")):
        rows = [(f"{op}_{t}", f"atlas.{op} {t} %a, %b", f"i{bits}") for op in MEANINGS]
        rows += [(f"{op}_{t}", f"atlas.{op} {t} %a", f"i{bits}") for op in UNARY if op != "neg" or t[0] == "i"]
        rows += [(f"{op}_{t}", f"atlas.{op} {t} %a, %n", f"i{bits}") for op in SHIFTS]
        rows += [(f"{c}_{t}", f"atlas.setcc {c} {t} %a, %b", "i1") for c in CONDITIONS]
        rows += [(f"sel_{t}", f"atlas.sel {t} %lt_{t}, %a, %b", f"i{bits}")]
        rows += [(f"narrow_{t}", f"atlas.cvt {t} to u32 %a", "i32"), (f"some_{t}", f"atlas.cvt {t} to bool %a", "i1")]
        lines += [f"%{name} = {text}" for name, text, _ in rows]
        outs |= {name: type for name, _, type in rows}
    wider = {f"wide_{t}": f"atlas.cvt {t} to i{bits} %n" for t in ("u32", "i32")}
    lines += [f"%{name} = {text}" for name, text in wider.items()]
    outs |= dict.fromkeys(wider, f"i{bits}")
    ins = {"a": f"i{bits}", "b": f"i{bits}", "n": "i32"}
    return hologram.compile(program(ins, outs, "\n    ".join(lines))), list(outs)


def meaning(name: str, bits: int, a: int, b: int, n: int) -> int:
    """The result of an instruction, by Python's integers."""
    op, _, t = name.rpartition("_")
    signed = t[0] == "i"
    if op == "wide":
        return in_range(in_range(n, 32, signed), bits, False)
    a, b = in_range(a, bits, signed), in_range(b, bits, signed)
    if op in SHIFTS:
        return SHIFTS[op](a, n % bits)
    if op in ("narrow", "some"):
        return in_range(a, 32, True) if op == "narrow" else a != 0
    if op == "sel":
        return a if a < b else b
    return UNARY[op](a) if op in UNARY else {**MEANINGS, **CONDITIONS}[op](a, b)


def check_all(bits: int, a: Sequence[int], b: Sequence[int], n: Sequence[int]) -> None:
    """Every instruction on every pair."""
    kernel, names = all_instructions(bits)
    small = {**dict.fromkeys(CONDITIONS, np.bool_), "some": np.bool_, "narrow": np.int32}
    types = [small.get(name.split("_")[0]) for name in names]
    outs = [np.zeros((len(a), bits // 64), np.uint64) if t is None else np.zeros(len(a), t) for t in types]
    kernel(to_limbs(a, bits), to_limbs(b, bits), np.array(n, np.uint32).view(np.int32), *outs)
    for name, type, out in zip(names, types, outs, strict=True):
        found = hologram.integers(out, f"u{bits}") if type is None else out.tolist()
        want = [meaning(name, bits, *row) for row in zip(a, b, n, strict=True)]
        assert found == [w % (1 << bits) if type is None else w for w in want], name


@pytest.mark.slow
@pytest.mark.parametrize("bits", WIDTHS)
def test_instructions(bits: int):
    a, b = numbers(bits, bits), numbers(bits, bits + 1)[::-1]
    b[:8] = a[:8]
    # The least over -1, and over itself.
    least = 1 << (bits - 1)
    a, b = [*a, least, least, 0], [v or 3 for v in (*b, (1 << bits) - 1, least, least)]
    edges = [0, 1, 63, 64, 65, bits - 1, bits, bits + 1, 2 * bits + 7, 2**32 - 1]
    check_all(bits, a, b, [edges[i % len(edges)] for i in range(len(a))])


@pytest.mark.parametrize("bits", [128, 512, 2048])
@given(data=st.data())
@settings(max_examples=25)
def test_instructions_on_found_numbers(bits: int, data: st.DataObject):
    limb = st.sampled_from([0, 1, 2**63, 2**64 - 1, 2**63 - 1, 2**32, 2**64 - 2**32]) | st.integers(0, 2**64 - 1)
    words = st.lists(limb, min_size=1, max_size=bits // 64)
    number = words.map(lambda ws: sum(w << (64 * k) for k, w in enumerate(ws)))
    rows = data.draw(st.lists(st.tuples(number, number.map(lambda v: v or 1), st.integers(0, 2**32 - 1)), min_size=1,
                              max_size=4))  # fmt: skip
    check_all(bits, *(list(column) for column in zip(*rows, strict=True)))


FLOATS = ("f16", "bf16", "f32", "f64")


@pytest.mark.parametrize("bits", [128, 256, 2048])
def test_to_float_rounds_once(bits: int):
    outs = {f"{f}_{sign}": f for f in FLOATS for sign in "iu"}
    body = "\n".join(f"%{f}_{sign} = atlas.cvt {sign}{bits} to {f} %a" for f in FLOATS for sign in "iu")
    ties = [(1 << n) + (1 << (n - k)) + d for n in (65, 90, 126) for k in (9, 12, 25, 54) for d in (-1, 0, 1)]
    values = numbers(bits, 3) + ties + [-v for v in ties]
    found = {name: np.zeros(len(values), DTYPES[f].numpy) for name, f in outs.items()}
    hologram.compile(program({"a": f"i{bits}"}, outs, body))(to_limbs(values, bits), *found.values())
    for name, f in outs.items():
        target = DTYPES[f]
        given = [in_range(v, bits, name[-1] == "i") for v in values]
        with np.errstate(all="ignore"):
            want: Any = convert(DTYPES[f"{name[-1]}{bits}"], target, np.array(given, object))
        as_bits = f"u{target.bits // 8}"
        np.testing.assert_array_equal(found[name].view(as_bits), want.view(as_bits), name)


@pytest.mark.parametrize("bits", [128, 2048])
def test_from_float_truncates_and_saturates(bits: int):
    rng = np.random.default_rng(5)
    scales = 2.0 ** rng.uniform(-5, 1023, 200)
    plain = [0.0, -0.0, 0.5, -0.99, 1.5, -2.5, 2.0**127, -(2.0**127), 2.0**128, 5e-324, np.inf, -np.inf, np.nan]
    wide = np.concatenate([plain, scales, -scales, rng.uniform(-1e6, 1e6, 50)])
    with np.errstate(all="ignore"):
        values = {f: wide.astype(DTYPES[f].numpy) for f in FLOATS}
    outs = {f"{f}_{sign}": f"i{bits}" for f in FLOATS for sign in "iu"}
    body = "\n".join(f"%{f}_{sign} = atlas.cvt {f} to {sign}{bits} %{f}" for f in FLOATS for sign in "iu")
    found = [np.zeros((len(wide), bits // 64), np.uint64) for _ in outs]
    hologram.compile(program({f: f for f in FLOATS}, outs, body))(*values.values(), *found)
    for name, out in zip(outs, found, strict=True):
        f, sign = name.split("_")
        with np.errstate(all="ignore"):
            want = [int(v) for v in np.asarray(convert(DTYPES[f], DTYPES[f"{sign}{bits}"], values[f]))]
        assert hologram.integers(out, f"{sign}{bits}") == want, name


# Scalars, in both directions

SCALED = """
func.func @main(%x: memref<?xi256>, %s: i256 {hologram.type = "KIND"}, %n: i32, %r: memref<?xi256>) {
  atlas.map ins(%x, %s, %n : memref<?xi256>, i256, i32) outs(%r : memref<?xi256>)
      maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>] {
  ^bb0(%a: i256, %b: i256, %c: i32):
    %w = atlas.cvt i32 to i256 %c
    %p = atlas.mul i256 %a, %b
    %q = atlas.add i256 %p, %w
    atlas.yield %q : i256
  }
  func.return
}
"""


@pytest.mark.parametrize("kind", ["i256", "u256"])
def test_scalars_of_any_size(kind: str):
    kernel = hologram.compile(SCALED.replace("KIND", kind))
    assert kernel.signature.startswith(f"main(x: i256[?], s: {kind}, n: i32")
    x = [0, 1, -1, 5**50]
    low, high = (-(2**255), 2**255 - 1) if kind == "i256" else (0, 2**256 - 1)
    for s in (low, high, 3**100, np.int64(7), np.uint64(2**64 - 1)):
        out = np.zeros((4, 4), np.uint64)
        kernel(hologram.limbs(x, "i256"), s, -5, out)
        assert hologram.integers(out, "i256") == [in_range(v * int(s) - 5, 256, True) for v in x]
    for wrong in (low - 1, high + 1, 2**20000, -(2**20000)):
        with pytest.raises(LaunchError, match=f"out of the range of {kind}") as caught:
            kernel(hologram.limbs(x, "i256"), wrong, -5, hologram.limbs(x, "i256"))
        assert caught.value.code == "launch-scalar-range"
    for wrong in (1.0, True, None, "1", hologram.limbs(1, "i256")):
        with pytest.raises(LaunchError, match="argument 's' must be an integer"):
            kernel(hologram.limbs(x, "i256"), wrong, -5, hologram.limbs(x, "i256"))


def test_scalars_reach_all_threads():
    kernel = hologram.compile(SCALED.replace("KIND", "i256"))
    x = np.zeros((30_000, 4), np.uint64)
    x[:, 0] = np.arange(len(x))
    out = np.zeros_like(x)
    kernel(x, -(3**100), 1, out)
    rows = [0, 8191, 8192, len(x) - 1]
    assert hologram.integers(out[rows], "i256") == [1 - i * 3**100 for i in rows]


def test_scalars_of_lanes_and_of_calls():
    text = """
func.func @store(%s: i1024, %r: memref<?xi1024>) {
  %c0 = arith.constant 0 : index
  memref.store %s, %r[%c0] : memref<?xi1024>
  func.return
}
func.func @main(%s: i1024, %r: memref<?xi1024>, %x: memref<?xi1024>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %t = arith.muli %s, %s : i1024
  func.call @store(%t, %r) : (i1024, memref<?xi1024>) -> ()
  atlas.launch @p grid(%two, %one, %one) args(%t, %x : i1024, memref<?xi1024>)
  func.return
}
atlas.program @p(%s: i1024, %x: memref<?xi1024>) block [2, 1, 1] {
  %i = atlas.special gid : i64
  %v = atlas.ldg i1024 %x[%i : i64] : memref<?xi1024>
  %w = atlas.add i1024 %v, %s
  atlas.stg i1024 %w, %x[%i : i64] : memref<?xi1024>
}
"""
    r, x = np.zeros((1, 16), np.uint64), hologram.limbs([0, 1, 2, 3], "i1024")
    kernel = hologram.compile(text, entry="main")
    kernel(-(7**300), r, x)
    square = in_range(7**600, 1024, True)
    assert hologram.integers(r, "i1024") == [square]
    assert hologram.integers(x, "i1024") == [in_range(square + i, 1024, True) for i in range(4)]


def test_arrays_without_axes_take_and_give_integers():
    kernel = hologram.compile(
        "func.func @main(%a: tensor<i512>, %b: tensor<i512>) -> tensor<i512> {\n"
        "  %0 = hologram.mul %a, %b : tensor<i512>\n  func.return %0 : tensor<i512>\n}"
    )
    found = kernel(-(3**50), hologram.limbs(5**60, "i512"))
    assert hologram.integers(found, "i512") == -(3**50) * 5**60
    assert hologram.integers(kernel(2**511 - 1, 2), "i512") == -2


def test_limbs_and_integers():
    values = [[0, -1, 2**127 - 1], [1, -(2**127), 2**64]]
    array = hologram.limbs(values, "i128")
    assert (array.shape, array.dtype) == ((2, 3, 2), np.uint64)
    assert hologram.integers(array, "i128") == values
    assert hologram.integers(array[::-1, 1], "u128") == [2**127, 2**128 - 1]
    assert hologram.integers(array.view(np.int64), "i128") == values
    assert hologram.limbs([], "u256").shape == (0, 4)
    assert hologram.limbs([np.uint64(2**64 - 1), 3], "i128").tolist() == [[2**64 - 1, 0], [3, 0]]
    assert hologram.integers(hologram.limbs(np.arange(3, dtype=np.uint8), "u4096"), "u4096") == [0, 1, 2]
    wrong_values: list[tuple[Any, str]] = [
        (-1, "u128"), (2**127, "i128"), (1.0, "i128"), (True, "i128"), ("1", "u256"), (2**20000, "u128"),
    ]  # fmt: skip
    for value, dtype in wrong_values:
        with pytest.raises(UsageError, match=f"is no {dtype}"):
            hologram.limbs([1, value], dtype)
    with pytest.raises(UsageError, match="there is no integer type of limbs 'u129'"):
        hologram.limbs([1], "u129")
    for wrong in (array[:, :, :1], array.astype(np.float64), np.zeros((), np.uint64)):
        with pytest.raises(UsageError, match="i128 has a last axis of 2 limbs"):
            hologram.integers(wrong, "i128")


def test_division_by_zero_traps_with_its_values():
    kernel = hologram.compile(program({"a": "i256", "b": "i256"}, {"r": "i256"}, "%r = atlas.div i256 %a, %b"))
    a, b = to_limbs([5, 7, 9], 256), to_limbs([1, 0, 1], 256)
    with pytest.raises(TrapError, match=r"lane 1: atlas.div i256: integer division by zero \(values 7, 0\)"):
        kernel(a, b, np.zeros_like(a))


@pytest.mark.parametrize(
    ("dtype", "value", "told"),
    [
        ("i128", -(2**100) - 5, "-0x10000000000000000000000005, 0"),
        ("u128", 2**128 - 1, "0xffffffffffffffffffffffffffffffff, 0"),
        ("i256", -3, "-3, 0"),
        ("u256", 2**255 + 1, f"{2**255 + 1:#x}, 0"),
        ("i512", 2**400 + 7, "0x7, the low 320 of 512 bits, 0"),
        ("u64", 2**64 - 2, "18446744073709551614, 0"),
    ],
)
def test_traps_tell_whole_values(dtype: str, value: int, told: str):
    """All bits that the trap record has words for, and by the type of the value."""
    bits = int(dtype[1:])
    kernel = hologram.compile(
        program({"a": f"i{bits}", "b": f"i{bits}"}, {"r": f"i{bits}"}, f"%r = atlas.rem {dtype} %a, %b"), opt_level=1
    )
    a = np.array([value], np.uint64).view(np.int64) if bits == 64 else to_limbs([value % 2**bits], bits)
    with pytest.raises(TrapError) as caught:
        kernel(a, np.zeros_like(a), np.zeros_like(a))
    assert f"atlas.rem {dtype}: integer division by zero (values {told})" in str(caught.value)


def test_results_are_allocated_as_limbs():
    kernel = hologram.compile(
        "func.func @main(%a: tensor<?x3xi128>, %b: tensor<?x3xi128>) -> tensor<?x3xi128> {\n"
        "  %0 = hologram.add %a, %b : tensor<?x3xi128>\n  func.return %0 : tensor<?x3xi128>\n}"
    )
    a = to_limbs([2**64 - 1] * 6, 128).reshape(2, 3, 2)
    found = kernel(a, a)
    assert found.shape == (2, 3, 2)
    assert found.dtype == np.uint64
    assert hologram.integers(found.reshape(-1, 2), "u128") == [2**65 - 2] * 6
    assert kernel(a[:0], a[:0]).shape == (0, 3, 2)
    strided = np.concatenate([a, a, a])[::2]
    np.testing.assert_array_equal(kernel(strided, strided), np.concatenate([found] * 3)[::2])
    unaligned = np.zeros(25, np.uint64)[1:13].reshape(2, 3, 2)
    np.testing.assert_array_equal(kernel(a, a, unaligned), found)


def test_limbs_that_do_not_fit():
    kernel = hologram.compile(program({"a": "i256"}, {"r": "i256"}, "%r = atlas.neg i256 %a"))
    good = to_limbs([1, 2], 256)
    for wrong in (good[:, :3], good.astype(np.float64), np.zeros((), np.uint64)):
        with pytest.raises(LaunchError, match="a last axis of 4 limbs of u64") as caught:
            kernel(wrong, good)
        assert caught.value.code == "launch-limbs"
    apart = np.zeros((2, 8), np.uint64)[:, ::2]
    with pytest.raises(LaunchError, match="lie 16 bytes apart"):
        kernel(apart, good)
