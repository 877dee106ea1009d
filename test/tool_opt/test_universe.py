"""The stock xdsl-opt with what this package adds to it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from xdsl.dialects import get_all_dialects as stock_dialects
from xdsl.transforms import get_all_passes as stock_passes
from xdsl.universe import Universe

from hologram.tools.universe import UNIVERSE, additions

PROGRAM = """\
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = hologram.add %a, %a : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
func.func private @unused() {
  func.return
}
"""


def test_no_name_is_one_of_xdsl():
    assert not UNIVERSE.all_dialects.keys() & stock_dialects().keys()
    assert not UNIVERSE.all_passes.keys() & stock_passes().keys()
    assert {"hologram", "atlas"} <= UNIVERSE.all_dialects.keys()
    assert {"symbol-dce", "verify"} <= UNIVERSE.all_passes.keys()


def test_it_is_found_beside_others():
    assert UNIVERSE.all_dialects.keys() <= Universe.get_multiverse().all_dialects.keys()


def test_a_fault_of_ours_does_not_break_the_stock_tool():
    def broken() -> dict[str, object]:
        raise RuntimeError

    assert additions(broken, dict) == {}  # pyright: ignore[reportArgumentType]


def test_the_stock_tool_reads_our_operations_and_runs_our_passes(tmp_path: Path):
    source = tmp_path / "f.mlir"
    source.write_text(PROGRAM)
    tool = Path(sys.executable).parent / "xdsl-opt"
    ran = subprocess.run([tool, source, "-p", "symbol-dce,verify"], capture_output=True, text=True, timeout=60)
    assert ran.stderr == ""
    assert "hologram.add %a, %a : tensor<4xf32>" in ran.stdout
    assert "@unused" not in ran.stdout
