"""The speeds that issue 2 promises, so that nothing is built slow.

Two more stand beside what they measure: `hologram-opt --version` in tool_opt/test_opt.py, `import hologram` (its time,
and that it imports nothing heavy) in test_package.py.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from time import perf_counter

import numpy as np
import pytest

import hologram
from hologram.runtime.lower import lower_to_llvm_ir
from hologram.runtime.source import read_source

pytestmark = pytest.mark.speed

ATTEMPTS = 8
"""How often a time is taken anew before it counts as too long: others share the machine."""
SIZE = 1 << 24

CHAIN = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %a, %b : tensor<?xf32>
  %1 = hologram.mul %0, %b : tensor<?xf32>
  %2 = hologram.sub %1, %a : tensor<?xf32>
  func.return %2 : tensor<?xf32>
}
"""
ADD = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %a, %b : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
"""


def seconds(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def stage_times() -> str:
    """Where the time of lowering goes, for who must find out."""
    times: list[str] = []
    lower_to_llvm_ir(read_source(CHAIN), "cpu", None, "identity", lambda n, s: times.append(f"{n} {s * 1e3:.1f} ms"))
    return ", ".join(times)


def test_lowering_a_chain():
    """Three element-wise operations to loaded object code, in a warm process, without a cache."""
    hologram.compile(CHAIN, cache=False)
    spent: list[float] = []
    while len(spent) < 3 or (min(spent) >= 0.12 and len(spent) < 3 * ATTEMPTS):
        spent.append(seconds(lambda: hologram.compile(CHAIN, cache=False)))
    assert min(spent) < 0.12, stage_times()


def test_add_is_as_fast_as_numpy():
    """16M f32, both into an array that exists: medians of runs that take turns."""
    generator = np.random.default_rng(0)
    a, b = (generator.random(SIZE, np.float32) for _ in range(2))
    out = np.empty_like(a)
    kernel = hologram.compile(ADD, cache=False)
    kernel(a, b, out=out)
    np.testing.assert_array_equal(out, a + b)

    def ratio() -> float:
        pairs = [(seconds(lambda: kernel(a, b, out=out)), seconds(lambda: np.add(a, b, out=out))) for _ in range(9)]
        ours, numpys = zip(*pairs, strict=True)
        return statistics.median(ours) / statistics.median(numpys)

    found: list[float] = []
    while not found or (min(found) > 1.2 and len(found) < ATTEMPTS):
        found.append(ratio())
    assert min(found) <= 1.2, f"times numpy's, each attempt: {', '.join(f'{r:.2f}' for r in found)}"
