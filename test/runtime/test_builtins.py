"""The half float conversions for processors without instructions for them, bit for bit against numpy's."""

from __future__ import annotations

import platform

import numpy as np
import pytest

import hologram
from hologram.driver import codegen
from hologram.runtime import dtypes
from hologram.support.host_target import HostTarget, host_target
from runtime_programs import LLVM_TYPES, buffer, loop, program, record

pytestmark = pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="others have them all")


def converter(source: str, target: str) -> hologram.Kernel:
    args = [buffer("x", source), buffer("r", target, access="write", result="(x[0],)")]
    a, b = LLVM_TYPES[source], LLVM_TYPES[target]
    op = "fptrunc" if dtypes.dtype(source).numpy.itemsize > dtypes.dtype(target).numpy.itemsize else "fpext"
    body = f"  %p = getelementptr {a}, ptr %x, i64 %i\n  %v = load {a}, ptr %p\n  %w = {op} {a} %v to {b}\n"
    return hologram.compile(
        program(
            record(args), loop("%x_n0", f"{body}  %q = getelementptr {b}, ptr %r, i64 %i\n  store {b} %w, ptr %q\n")
        ),
        cache=False,
    )


def values(source: str) -> np.ndarray:
    """Special values, and all neighbourhoods of roundings."""
    if source == "f16":
        return np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    halves = np.arange(1 << 16, dtype=np.uint16)
    with np.errstate(all="ignore"):
        near = [
            halves.view(np.float16).astype(source),
            (halves.astype(np.uint32) << 16).view(np.float32).astype(source),
        ]
    wide = np.concatenate(near)
    bits = wide.view(np.uint32 if source == "f4" else np.uint64)
    one = bits.dtype.type(1)
    middles = [bits + (one << one * at) for at in ((12, 15) if source == "f4" else (41, 44))]
    around = [part + step * one for part in (bits, *middles) for step in (0, 1)]
    around += [part - one for part in (bits, *middles)]
    anything = np.random.default_rng(5).integers(0, 2 ** (8 * bits.itemsize), 200_000, dtype=bits.dtype)
    return np.concatenate([*around, anything]).view(wide.dtype)


@pytest.mark.parametrize(
    ("source", "target"), [("f16", "f32"), ("f32", "f16"), ("f32", "bf16"), ("f64", "f16"), ("f64", "bf16")]
)
def test_conversions(source: str, target: str, monkeypatch: pytest.MonkeyPatch):
    plain = HostTarget(host_target().triple, "x86-64", "")
    monkeypatch.setattr(codegen, "host_target", lambda: plain)
    x = values({"f16": "f16", "f32": "f4", "f64": "f8"}[source])
    found = converter(source, target)(x)
    if (source, target) == ("f64", "bf16"):
        expected = exact_bfloat(x)
    else:
        with np.errstate(all="ignore"):
            expected = x.astype(dtypes.dtype(target).numpy)
    nan = np.isnan(x)
    assert np.isnan(found[nan].astype(np.float32)).all()
    kind = np.uint32 if target == "f32" else np.uint16
    np.testing.assert_array_equal(found[~nan].view(kind), expected[~nan].view(kind))


def exact_bfloat(x: np.ndarray) -> np.ndarray:
    """Rounds doubles to bfloat16 once: numpy goes through float32 and rounds twice."""
    element = dtypes.dtype("bf16").numpy
    with np.errstate(all="ignore"):
        guess = x.astype(np.float32).astype(element)
        best = guess.copy()
        for step in (-1, 1):
            other = (guess.view(np.uint16) + np.uint16(step % 65536)).view(element)
            # The magnitude past the largest finite number counts as 2^128 when distances are compared.
            gap, error = np.abs(value_of(other) - x), np.abs(value_of(best) - x)
            even = (other.view(np.uint16) & 1) == 0
            same_sign = np.signbit(other.astype(np.float32)) == np.signbit(x)
            better = same_sign & ((gap < error) | ((gap == error) & even)) & ~np.isnan(other.astype(np.float32))
            best = np.where(better, other, best)
    return best


def value_of(x: np.ndarray) -> np.ndarray:
    wide = x.astype(np.float64)
    return np.where(np.isinf(wide), np.copysign(2.0**128, wide), wide)
