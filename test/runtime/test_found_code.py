"""Kernels and tensor functions of another process, whose code is on disk, run without xDSL."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KERNEL = """
from hologram.language import Array, f32, get_global_id

def scaled(v):
    return v * 2.0

@hologram.kernel(lanes="y.shape[0]")
def add(x: Array[f32], y: Array[f32]):
    i = get_global_id()
    if i < y.shape[0]:
        y[i] = scaled(x[i])

x, y = np.ones(3, np.float32), np.zeros(3, np.float32)
add(x, y)
assert (y == 2).all()
"""
FUNCTION = """
@hologram.jit
def add(x):
    return x + x

assert (add(np.ones(3, np.float32)) == 2).all()
"""


@pytest.mark.parametrize("form", [KERNEL, FUNCTION], ids=["kernel", "tensor function"])
def test_what_is_found_needs_no_xdsl(form: str, tmp_path: Path):
    path = tmp_path / "program.py"
    path.write_text(f"import sys\nimport numpy as np\nimport hologram\n{form}\nsys.exit('xdsl.ir' in sys.modules)\n")
    environment = {**os.environ, "HOLOGRAM_CACHE_DIR": str(tmp_path / "cache")}
    for imported in (1, 0):
        assert subprocess.run([sys.executable, "-P", str(path)], env=environment, timeout=60).returncode == imported
