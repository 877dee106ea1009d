"""The 768-cycle on every position, as scalars, vectors and tensors, by the interpreter and on the CPU."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import hologram
from hologram.dialects import make_context
from hologram.dialects.sigil.cycle import GATES
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

POSITIONS = np.arange(768, dtype=np.int32)
ALL = (
    "func.func @main(%p: tensor<?xi32>, %q: tensor<?xi32>) -> ("
    + "tensor<?xi32>, " * (len(GATES) + 1)
    + "tensor<?xi1>) {\n"
    + "".join(f"  %g{name} = sigil.cycle.gate {name} %p : tensor<?xi32>\n" for name in GATES)
    + "  %r = sigil.cycle.partner 700 %p : tensor<?xi32>\n  %ok = sigil.cycle.holds 700 %r, %q : tensor<?xi32>\n"
    + "  func.return " + ", ".join(f"%g{name}" for name in GATES) + ", %r, %ok : "
    + "tensor<?xi32>, " * (len(GATES) + 1) + "tensor<?xi1>\n}\n"
)  # fmt: skip
SCALARS = """
func.func @main(%p: i64, %out: memref<4xi64>) {
  %i = arith.constant 0 : index
  %j = arith.constant 2 : index
  %a = sigil.cycle.gate T %p : i64
  memref.store %a, %out[%i] : memref<4xi64>
  %v = vector.broadcast %a : i64 to vector<2xi64>
  %w = sigil.cycle.partner 5 %v : vector<2xi64>
  vector.store %w, %out[%j] : memref<4xi64>, vector<2xi64>
  func.return
}
"""


pytestmark = pytest.mark.xdist_group("768-cycle")
"""One process, so that what follows is compiled once."""


@cache
def kernel() -> hologram.Kernel:
    return hologram.compile(ALL)


def test_the_table():
    assert GATES == {"I": 0, "H": 192, "X": 384, "Y": 384, "Z": 384, "T": 96, "S": 192}
    assert 2 * GATES["H"] % 768 != GATES["I"]


@pytest.mark.parametrize("run", ["interpreter", "cpu"])
def test_every_position(run: str):
    q = POSITIONS.copy()
    q[5] = 6
    if run == "cpu":
        found = kernel()(POSITIONS, q)
    else:
        found = interpret(parse_module(ALL, "cycle.mlir", make_context()), None, [POSITIONS, q])
    for (name, step), values in zip(GATES.items(), found, strict=False):
        assert np.array_equal(values, (POSITIONS + step) % 768), name
    assert np.array_equal(found[-2], (700 - POSITIONS) % 768)
    assert np.array_equal(found[-1], POSITIONS == q)


def test_scalars_and_vectors():
    scalars, out = hologram.compile(SCALARS), np.zeros(4, np.int64)
    for position in (0, 671, 672, 767):
        scalars(position, out)
        gate = (position + 96) % 768
        assert out.tolist() == [gate, 0, (5 - gate) % 768, (5 - gate) % 768]


CONTROLLED = """func.func @main(%p: tensor<?xi32>, %q: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %x = sigil.cycle.controlled X %p, %q : tensor<?xi32>
  %t = sigil.cycle.controlled T %p, %q : tensor<?xi32>
  %i = sigil.cycle.controlled I %p, %q : tensor<?xi32>
  func.return %x, %t, %i : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}
"""


@cache
def controlled() -> hologram.Kernel:
    return hologram.compile(CONTROLLED)


def run_controlled(run: str, p: np.ndarray, q: np.ndarray) -> list[np.ndarray]:
    if run == "cpu":
        return list(controlled()(p, q))
    return list(interpret(parse_module(CONTROLLED, "cycle.mlir", make_context()), None, [p, q]))


@pytest.mark.parametrize("run", ["interpreter", "cpu"])
def test_controlled_gates(run: str):
    """Every control position against some targets; the truth table of the controlled NOT on the halves of the cycle."""
    p = np.repeat(POSITIONS, 4)
    q = np.tile(np.array([0, 383, 384, 767], np.int32), 768)
    for values, step in zip(run_controlled(run, p, q), (384, 96, 0), strict=True):
        assert np.array_equal(values, np.where(p >= 384, (q + step) % 768, q))
    zero, one = 5, 5 + 384
    p, q = np.array([zero, zero, one, one], np.int32), np.array([zero, one, zero, one], np.int32)
    assert run_controlled(run, p, q)[0].tolist() == [zero, one, one, zero]


@pytest.mark.parametrize("run", ["interpreter", "cpu"])
def test_controls_and_targets_out_of_range_trap(run: str):
    good, bad = np.array([1, 2], np.int32), np.array([1, 768], np.int32)
    for p, q in ((good, bad), (bad, good)):
        with pytest.raises(hologram.TrapError, match="position out of the range of 0 to 767"):
            run_controlled(run, p, q)


@pytest.mark.parametrize("bad", [768, -1])
def test_positions_out_of_range_trap(bad: int):
    positions = POSITIONS.copy()
    positions[9] = bad
    with pytest.raises(hologram.TrapError, match="position out of the range of 0 to 767"):
        kernel()(positions, POSITIONS)
    with pytest.raises(hologram.TrapError, match="position out of the range of 0 to 767"):
        interpret(parse_module(ALL, "cycle.mlir", make_context()), None, [positions, POSITIONS])
