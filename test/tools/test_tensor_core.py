"""ptxas and mlir-opt take the kernels of matrix products on tensor cores, and ptxas makes no product wait."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hologram.lowering.schedules.simt.tensor_core import TileShape
from nvvm.test_tensor_core import module_of, ptx_of
from tools.test_ptx import assemble

pytestmark = pytest.mark.tools

SHAPES = {
    "bf16": TileShape(256),
    "bf16-128": TileShape(128),
    "bf16-64": TileShape(64),
    "f16-transposed": TileShape(256, "f16", "f16", True, True, 2.0),
    "tf32": TileShape(256, "tf32", "f32", False, True),
    "fp8": TileShape(256, "e4m3", "bf16", False, True),
    "fp8-f32": TileShape(128, "e5m2", "f32", False, True),
}


@pytest.mark.parametrize("name", SHAPES)
def test_products_are_not_serialised(name: str, tmp_path: Path):
    said = assemble(ptx_of(SHAPES[name]), "sm_90a", tmp_path)
    assert "C75" not in said
    assert "0 bytes spill stores, 0 bytes spill loads" in said


def test_mlir_reads_the_kernel():
    program = os.environ.get("HOLOGRAM_MLIR_OPT", "mlir-opt")
    text = str(module_of(TileShape(64)))
    done = subprocess.run([program, "-"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
