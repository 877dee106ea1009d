"""Helpers for tests of the interpreter: running text, edge values, and rounding by code of their own."""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from hologram.dialects import make_context
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.errors import HologramError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret, interpret_program

Array = np.ndarray[Any, np.dtype[Any]]


def run(text: str, *args: Any, entry: str | None = None, step_limit: int = 100_000) -> tuple[Array, ...]:
    """Parses, verifies and interprets a module."""
    module = parse_module(text, "test.mlir", make_context())
    module.verify()
    return interpret(module, entry, args, step_limit=step_limit)


def launch(
    text: str, args: Sequence[Any], grid: Sequence[int] = (1, 1, 1), block: Sequence[int] | None = None,
    name: str = "p", step_limit: int = 100_000,
) -> None:  # fmt: skip
    """Parses, verifies and launches a program."""
    module = parse_module(text, "test.mlir", make_context())
    module.verify()
    interpret_program(module, name, args, grid, block, step_limit=step_limit)


def fails(code: str, call: Any, *args: Any, **options: Any) -> HologramError:
    """The error with this code that a call must raise."""
    with pytest.raises(HologramError) as caught:
        call(*args, **options)
    assert caught.value.code == code, str(caught.value)
    return caught.value


CONDITIONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
"""The conditions of `setcc` as functions of Python's numbers."""


# Integers


def wrap(value: int, t: DType) -> int:
    """A Python integer modulo 2^bits in the range of the type."""
    value %= 1 << t.bits
    return value - (1 << t.bits) if t.kind == "signed" and value >> (t.bits - 1) else value


def integers(t: DType) -> list[int]:
    """Edge values and some others."""
    generator = random.Random(t.name)
    top = 1 << t.bits
    found = [0, 1, 2, 3, 7, t.bits, top - 1, top - 2, top // 2, top // 2 - 1, top // 2 + 1, top // 3]
    return [wrap(v, t) for v in found + [generator.randrange(top) for _ in range(4)]]


def to_storage(values: Sequence[int], t: DType) -> Array:
    """Values in storage form."""
    signed = DTYPES["i" + t.name[1:]] if t.is_integer else t
    return np.array([wrap(v, signed) for v in values], signed.numpy)


# Floats: an independent rounding, by bisection over bit patterns

_BITS: dict[str, Any] = {
    "f8E4M3FN": np.uint8, "f8E5M2": np.uint8, "f16": np.uint16, "bf16": np.uint16, "f32": np.uint32, "f64": np.uint64,
}  # fmt: skip


def from_bits(bits: int, t: DType) -> float:
    return float(np.array([bits], _BITS[t.name]).view(t.numpy)[0])


def infinity_bits(t: DType) -> int:
    """The pattern past the greatest finite number: infinity, or NaN where there is none."""
    with np.errstate(all="ignore"):
        return int(np.array([math.inf]).astype(t.numpy).view(_BITS[t.name])[0])


def nearest(value: Fraction, t: DType) -> float:
    """The float of the type nearest to a rational, ties to even, overflow to infinity."""
    size = abs(value)
    low, high = 0, infinity_bits(t)
    while high - low > 1:
        middle = (low + high) // 2
        if Fraction(from_bits(middle, t)) <= size:
            low = middle
        else:
            high = middle
    below = Fraction(from_bits(low, t))
    # The step past the greatest finite value is as long as the one before it.
    above = 2 * below - Fraction(from_bits(low - 1, t)) if high == infinity_bits(t) else Fraction(from_bits(high, t))
    up = size - below > above - size or size - below == above - size and low % 2 == 1
    rounded = from_bits(high if up else low, t)
    return rounded if value >= 0 else -rounded


def floats(t: DType) -> list[float]:
    """Edge values and some others, all of the type."""
    generator = random.Random(t.name)
    top = infinity_bits(t)
    patterns = [1, 2, top - 1, top // 2, top // 3, *(generator.randrange(top) for _ in range(4))]
    found = [0.0, 1.0, 0.5, 1.5, 2.5, 3.0, math.inf, *(from_bits(b, t) for b in patterns)]
    return [*found, *(-v for v in found), math.nan]


def to_array(values: Sequence[float], t: DType) -> Array:
    with np.errstate(all="ignore"):
        return np.array(values, np.float64).astype(t.numpy)


def ordered(values: Array, t: DType) -> list[int]:
    """Floats as integers in which neighbours differ by one."""
    bits = [int(b) for b in values.view(_BITS[t.name])]
    sign = 1 << (t.bits - 1)
    return [-(b - sign) if b & sign else b for b in bits]


def same(found: Array, expected: Sequence[Any]) -> bool:
    """Equal values; any NaN equals any NaN, zeros have equal signs."""
    wanted = np.array(expected, np.float64)
    value = found.astype(np.float64)
    both_nan = np.isnan(wanted) & np.isnan(value)
    return bool(np.all(both_nan | (wanted == value) & (np.signbit(wanted) == np.signbit(value))))


# Lane programs

SHARED = "memref<64xf32, #atlas.space<shared>>"
GLOBAL = "memref<?xf32>"
REGISTERS = """
  %l32 = atlas.special lane.x : i32
  %l = atlas.cvt u32 to i64 %l32
  %b32 = atlas.special block.x : i32
  %b = atlas.cvt u32 to i64 %b32
  %i = atlas.special gid : i64
  %zero = atlas.mov_imm 0 : i64
  %one = atlas.mov_imm 1 : i64
  %fone = atlas.mov_imm 1.0 : f32
"""


def program(body: str, arguments: str = "%x: memref<?xf32>, %o: memref<?xf32>", block: str = "block [64, 1, 1]") -> str:
    """A program @p that has its lane, block and linear number, and some constants at hand."""
    return f"atlas.program @p({arguments}) {block} {{\n{REGISTERS}{body}\n}}"


def zeros(count: int) -> Array:
    return np.zeros(count, np.float32)
