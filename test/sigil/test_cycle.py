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


@pytest.mark.parametrize("bad", [768, -1])
def test_positions_out_of_range_trap(bad: int):
    positions = POSITIONS.copy()
    positions[9] = bad
    with pytest.raises(hologram.TrapError, match="position out of the range of 0 to 767"):
        kernel()(positions, POSITIONS)
    with pytest.raises(hologram.TrapError, match="position out of the range of 0 to 767"):
        interpret(parse_module(ALL, "cycle.mlir", make_context()), None, [positions, POSITIONS])
