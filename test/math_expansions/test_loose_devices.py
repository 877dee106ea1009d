"""The remainder on devices that promise bounds, not bits: its loop ends there too, and it is exact but for zeros that
stand for subnormal numbers. The interpreter plays such devices (isa.md section 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from hologram.dialects import make_context
from hologram.interpreter import interpret
from hologram.interpreter.core.scalars import SCALARS
from hologram.lowering.arithmetic.expand_math import ExpandMathPass
from math_expansions.jit import loop
from stages import parse

Array = np.ndarray[Any, Any]
COUNT = 230
LEAST = np.float32(2.0**-126)
COMPARISONS = ("arith.cmpf",)
FLUSHING = (*COMPARISONS, "arith.mulf", "math.fma", "arith.addf", "arith.subf", "arith.divf")
STEPS = 14
"""What no remainder of f32 needs more of: its exponents are less than 278 apart."""


def flushed(array: Array) -> Array:
    """Zeros for subnormal numbers."""
    array = np.asarray(array)
    if array.dtype != np.float32:
        return array
    return np.where(abs(array) < LEAST, np.copysign(np.float32(0), array), array).astype(np.float32)


def flushing(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(op: Any, args: Sequence[Array]) -> Array:
        return flushed(function(op, [flushed(a) for a in args]))

    return call


def rough(function: Callable[..., Any], off: float) -> Callable[..., Any]:
    """A division that is off by so many units in the last place, as far as whole ones go."""

    def call(op: Any, args: Sequence[Array]) -> Array:
        result = np.asarray(function(op, args))
        moved = (result.view(np.int32) + np.int32(off)).view(np.float32)
        return np.where(np.isfinite(result) & (abs(result) > 4 * LEAST), moved, result)

    return call


def operands() -> tuple[Array, Array]:
    """Edges with each other, and numbers of all sizes of which a third is near each other."""
    edges = np.array([0.0, -0.0, 1e-45, -3e-45, 1.1e-38, 1.2e-38, 1.0, -1.5, 3.0, 7.25, 3.4e38, np.inf, np.nan], "f4")
    random = np.random.default_rng(7)
    count = COUNT - edges.size**2
    x, y = (random.integers(0, 2**32, count, dtype=np.uint32).view(np.float32) for _ in range(2))
    with np.errstate(all="ignore"):
        near = (x * np.exp2(-random.integers(0, 40, count)) * random.uniform(0.9, 1.1, count)).astype(np.float32)
    y = np.where(random.integers(0, 3, count) == 0, near, y)
    a, b = (e.ravel() for e in np.meshgrid(edges, edges))
    return np.concatenate([a, x]), np.concatenate([b, y])


def same(found: Array, expected: Array) -> Array:
    return (found.view(np.uint32) == expected.view(np.uint32)) | (np.isnan(found) & np.isnan(expected))


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("off", [-2, 0, 2])
@pytest.mark.parametrize("flushes", [(), COMPARISONS, FLUSHING], ids=["nothing", "comparisons", "everything"])
def test_remainder(flushes: Sequence[str], off: int, fused: bool, monkeypatch: pytest.MonkeyPatch):
    module = parse(loop("arith.remf", "f32", 2, 1))
    ExpandMathPass(fma=fused).apply(make_context(), module)
    _change(monkeypatch, "arith.divf", lambda function: rough(function, off))
    for name in flushes:
        _change(monkeypatch, name, flushing)
    _count_divisions(monkeypatch)
    x, y = operands()
    with np.errstate(all="ignore"):
        interpret(module, None, [x, y, found := np.empty_like(x)])
        expected = np.fmod(x, y)
    right = same(found, expected)
    if flushes == FLUSHING:
        right |= same(found, flushed(expected))
    assert right.all(), list(zip(x[~right], y[~right], found[~right], expected[~right], strict=True))[:5]


def _change(monkeypatch: pytest.MonkeyPatch, name: str, change: Callable[[Any], Any]) -> None:
    """Changes what the interpreter computes for an operation."""
    table = SCALARS.table
    kind = next(kind for kind in table if not isinstance(kind, str) and kind.name == name)
    monkeypatch.setattr(SCALARS, "_found", {})
    monkeypatch.setitem(table, kind, change(table[kind]))


def _count_divisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes a loop without end an error."""
    left = [STEPS * COUNT]

    def counting(function: Any) -> Any:
        def call(op: Any, args: Sequence[Array]) -> Any:
            left[0] -= 1
            assert left[0] >= 0, "the loop goes on"
            return function(op, args)

        return call

    _change(monkeypatch, "arith.divf", counting)
