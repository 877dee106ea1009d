"""Integers of 128 to 4096 bits, compiled: against Python's integers, and the reference interpreter's conversions."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hologram
from hologram.dialects.atlas.reference import convert
from hologram.dialects.atlas.types import DTYPES
from hologram.errors import LaunchError, TrapError

Limbs = NDArray[np.uint64]
WIDTHS = (128, 256, 512, 1024, 2048, 4096)
COUNT = 60


def to_limbs(values: list[int], bits: int) -> Limbs:
    words = [(v >> (64 * k)) & (2**64 - 1) for v in values for k in range(bits // 64)]
    return np.array(words, np.uint64).reshape(len(values), bits // 64)


def from_limbs(limbs: Limbs, signed: bool) -> list[int]:
    bits = 64 * limbs.shape[-1]
    found = [sum(int(w) << (64 * k) for k, w in enumerate(row)) for row in limbs]
    return [v - (1 << bits) if signed and v >> (bits - 1) else v for v in found]


def in_range(value: int, bits: int, signed: bool) -> int:
    value %= 1 << bits
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def numbers(bits: int, signed: bool, seed: int) -> list[int]:
    """Edges, runs of ones and zeros, limbs that try the digits of a division, and random sizes."""
    rng = random.Random(seed)
    edges = [
        0,
        1,
        2,
        (1 << bits) - 1,
        1 << (bits - 1),
        (1 << (bits - 1)) - 1,
        (1 << (bits - 1)) + 1,
        1 << 64,
        2**64 - 1,
    ]
    limbs = [0, 1, 2**63, 2**64 - 1, 2**63 - 1, 2**64 - 2]
    patterns = [
        sum(rng.choice(limbs) << (64 * k) for k in range(rng.randint(1, bits // 64))) for _ in range(COUNT // 3)
    ]
    runs = [((1 << rng.randint(1, bits)) - 1) << rng.randrange(bits) for _ in range(COUNT // 3)]
    sizes = [rng.getrandbits(rng.randint(1, bits)) for _ in range(COUNT // 3)]
    return [in_range(v, bits, signed) for v in (*edges, *patterns, *runs, *sizes)]


def program(inputs: list[str], result: str, body: str, results: tuple[str, ...] = ("r",)) -> str:
    """A map over one axis; the body computes %r, or all of `results`, of %a, %b."""
    names = ["a", "b"][: len(inputs)]
    ins, outs = [f"memref<?x{t}>" for t in inputs], [f"memref<?x{result}>"] * len(results)
    outer = ", ".join(f"%{n}s: {t}" for n, t in zip((*names, *results), (*ins, *outs), strict=True))
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * len((*ins, *outs)))
    blocks = ", ".join(f"%{n}: {t}" for n, t in zip(names, inputs, strict=True))

    def listed(names: Sequence[str], types: Sequence[str], suffix: str) -> str:
        return f"{', '.join(f'%{n}{suffix}' for n in names)} : {', '.join(types)}"

    return f"""
func.func @main({outer}) {{
  atlas.map ins({listed(names, ins, "s")}) outs({listed(results, outs, "s")}) maps [{maps}] {{
  ^bb0({blocks}):
    {body}
    atlas.yield {listed(results, [result] * len(results), "")}
  }}
  func.return
}}
"""


def truncated(divide: Callable[[int, int], int]) -> Callable[[int, int], int]:
    """Python's divmod rounds down; ours toward zero."""

    def call(a: int, b: int) -> int:
        quotient = abs(a) // abs(b)
        quotient = -quotient if (a < 0) != (b < 0) else quotient
        return divide(quotient, a - quotient * b)

    return call


BINARY: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": truncated(lambda q, r: q),
    "rem": truncated(lambda q, r: r),
    "and": lambda a, b: a & b,
    "xor": lambda a, b: a ^ b,
    "min": min,
    "max": max,
}


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize("signed", [False, True], ids=["unsigned", "signed"])
def test_arithmetic(bits: int, signed: bool):
    t = f"{'i' if signed else 'u'}{bits}"
    a = numbers(bits, signed, bits)
    b = numbers(bits, signed, bits + 1)[::-1]
    b[:8] = a[:8]
    divisors = [v or 3 for v in b]
    body = "\n".join(f"%{name} = atlas.{name} {t} %a, %b" for name in BINARY)
    outs = [np.zeros((len(a), bits // 64), np.uint64) for _ in BINARY]
    kernel = hologram.compile(program([f"i{bits}"] * 2, f"i{bits}", body, tuple(BINARY)))
    kernel(to_limbs(a, bits), to_limbs(divisors, bits), *outs)
    for (name, meaning), out in zip(BINARY.items(), outs, strict=True):
        want = [in_range(meaning(x, y), bits, signed) for x, y in zip(a, divisors, strict=True)]
        assert from_limbs(out, signed) == want, name


@pytest.mark.parametrize("bits", [128, 256, 4096])
def test_unary_shifts_and_comparisons(bits: int):
    body = f"""%s = atlas.cvt i{bits} to u32 %b
    %n = atlas.neg i{bits} %a
    %m = atlas.abs i{bits} %n
    %l = atlas.shl i{bits} %m, %s
    %h = atlas.shr i{bits} %a, %s
    %x = atlas.not u{bits} %l
    %p = atlas.setcc lt i{bits} %a, %b
    %q = atlas.setcc ltu i{bits} %a, %b
    %y = atlas.sel i{bits} %p, %x, %h
    %r = atlas.sel i{bits} %q, %y, %a"""
    a, b = numbers(bits, True, 1), numbers(bits, True, 2)
    c = np.zeros((len(a), bits // 64), np.uint64)
    hologram.compile(program([f"i{bits}"] * 2, f"i{bits}", body))(to_limbs(a, bits), to_limbs(b, bits), c)

    def meaning(x: int, y: int) -> int:
        amount = (y % 2**32) % bits
        magnitude = abs(in_range(-x, bits, True))
        chosen = ~(magnitude << amount) if x < y else x >> amount
        return in_range(chosen if x % (1 << bits) < y % (1 << bits) else x, bits, True)

    assert from_limbs(c, True) == [meaning(x, y) for x, y in zip(a, b, strict=True)]


FLOATS = ("f16", "bf16", "f32", "f64")


@pytest.mark.parametrize("bits", [128, 256, 4096])
@pytest.mark.parametrize("signed", [False, True], ids=["unsigned", "signed"])
@pytest.mark.parametrize("name", FLOATS)
def test_to_float_rounds_once(name: str, bits: int, signed: bool):
    source, target = DTYPES[f"{'i' if signed else 'u'}{bits}"], DTYPES[name]
    ties = [(1 << n) + (1 << (n - k)) + d for n in (65, 90, 126) for k in (9, 12, 25, 54) for d in (-1, 0, 1)]
    values = numbers(bits, signed, 3) + ties + [-v for v in ties if signed]
    c = np.zeros(len(values), target.numpy)
    kernel = hologram.compile(program([f"i{bits}"], name, f"%r = atlas.cvt {source.name} to {name} %a"))
    kernel(to_limbs(values, bits), c)
    with np.errstate(all="ignore"):
        want: Any = convert(source, target, np.array(values, object))
    np.testing.assert_array_equal(c.view(f"u{target.bits // 8}"), want.view(f"u{target.bits // 8}"))


@pytest.mark.parametrize("bits", [128, 1024, 4096])
@pytest.mark.parametrize("signed", [False, True], ids=["unsigned", "signed"])
@pytest.mark.parametrize("name", FLOATS)
def test_from_float_truncates_and_saturates(name: str, bits: int, signed: bool):
    source, target = DTYPES[name], DTYPES[f"{'i' if signed else 'u'}{bits}"]
    rng = np.random.default_rng(5)
    scales = 2.0 ** rng.uniform(-5, 1023, 200)
    plain = [0.0, -0.0, 0.5, -0.99, 1.5, -2.5, 2.0**127, -(2.0**127), 2.0**128, 5e-324, np.inf, -np.inf, np.nan]
    with np.errstate(all="ignore"):
        values = np.concatenate([plain, scales, -scales, rng.uniform(-1e6, 1e6, 50)]).astype(source.numpy)
    c = np.zeros((len(values), bits // 64), np.uint64)
    hologram.compile(program([name], f"i{bits}", f"%r = atlas.cvt {name} to {target.name} %a"))(values, c)
    with np.errstate(all="ignore"):
        want = [int(v) for v in np.asarray(convert(source, target, values))]
    assert from_limbs(c, signed) == want


def test_division_by_zero_traps_with_its_values():
    kernel = hologram.compile(program(["i256"] * 2, "i256", "%r = atlas.div i256 %a, %b"))
    a, b = to_limbs([5, 7, 9], 256), to_limbs([1, 0, 1], 256)
    with pytest.raises(TrapError, match=r"lane 1: atlas.div i256: integer division by zero \(values 7, 0\)"):
        kernel(a, b, np.zeros_like(a))


def test_results_are_allocated_as_limbs():
    kernel = hologram.compile(
        "func.func @main(%a: tensor<?x3xi128>, %b: tensor<?x3xi128>) -> tensor<?x3xi128> {\n"
        "  %0 = hologram.add %a, %b : tensor<?x3xi128>\n  func.return %0 : tensor<?x3xi128>\n}"
    )
    a = to_limbs([2**64 - 1] * 6, 128).reshape(2, 3, 2)
    found = kernel(a, a)
    assert found.shape == (2, 3, 2)
    assert found.dtype == np.uint64
    assert from_limbs(found.reshape(-1, 2), False) == [2**65 - 2] * 6
    assert kernel(a[:0], a[:0]).shape == (0, 3, 2)
    strided = np.concatenate([a, a, a])[::2]
    np.testing.assert_array_equal(kernel(strided, strided), np.concatenate([found] * 3)[::2])
    unaligned = np.zeros(25, np.uint64)[1:13].reshape(2, 3, 2)
    np.testing.assert_array_equal(kernel(a, a, unaligned), found)


def test_limbs_that_do_not_fit():
    kernel = hologram.compile(program(["i256"], "i256", "%r = atlas.neg i256 %a"))
    good = to_limbs([1, 2], 256)
    for wrong in (good[:, :3], good.astype(np.float64), np.zeros((), np.uint64)):
        with pytest.raises(LaunchError, match="a last axis of 4 limbs of u64") as caught:
            kernel(wrong, good)
        assert caught.value.code == "launch-limbs"
    apart = np.zeros((2, 8), np.uint64)[:, ::2]
    with pytest.raises(LaunchError, match="lie 16 bytes apart"):
        kernel(apart, good)
