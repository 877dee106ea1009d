"""A package that brings a dialect, passes, a pipeline, an instruction and a composition, installed by pip."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from docs.pages import ROOT, blocks

FILES = {b.title: b.text for b in blocks((ROOT / "docs" / "plugins.mdx").read_text(encoding="utf-8")) if b.title}
COMPILES = """
import hologram, numpy as np
from hologram.runtime.cache import STATS
kernel = hologram.compile("toward.mlir")
print(kernel(np.float32([1.5, -2]), np.float32([-1, 1])), STATS.compiled, STATS.disk_hits)
"""
CALLS = """
import numpy as np
from hologram import ops
from hologram.language import signs_copysign
print(ops.signs_copysign(np.float32([2]), np.float32([-1])), signs_copysign)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page's files, and the package in its folder `installed`."""
    folder = tmp_path_factory.mktemp("signs")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index", "--target"]
    subprocess.run([*pip, str(folder / "installed"), str(folder)], check=True, capture_output=True)
    (folder / "signs.py").unlink()
    return folder


def run(folder: Path, *words: str) -> str:
    """What Python writes in a process that has the package."""
    environment = os.environ | {"PYTHONPATH": str(folder / "installed"), "HOLOGRAM_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-P", "-W", "error", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_tools_and_programs_use_it(folder: Path):
    opt = ("-m", "hologram.tools.opt")
    assert "hologram.signs_copysign" in run(folder, *opt, "toward.mlir", "-p", "convert-signs-to-hologram")
    assert "signs.copysign.f32" in run(folder, *opt, "negate.atlas", "-t", "atlas-asm")
    assert "signs-to-cpu" in run(folder, *opt, "--list-pipelines")
    assert "signs         hologram-signs: instruction signs.copysign" in run(folder, "-m", "hologram.tools.doctor")
    words = ("toward.mlir", "--arg", "[1.5, -2]:f32", "--arg", "[-1, 1]:f32")
    assert run(folder, "-m", "hologram.tools.run", *words) == "r: f32[2]\n[-1.5  2. ]\n"
    assert run(folder, "-c", CALLS).startswith("[-2.] hologram.language.signs_copysign")


def test_its_code_is_kept_until_it_changes(folder: Path):
    assert run(folder, "-c", COMPILES).startswith("[-1.5  2. ]")
    assert run(folder, "-c", COMPILES) == "[-1.5  2. ] 0 1\n"
    source = folder / "installed" / "signs.py"
    changed = source.read_text(encoding="utf-8").replace("core.either(", "core.xor(")
    source.write_text(changed, encoding="utf-8")
    assert run(folder, "-c", COMPILES) == "[-1.5  2. ] 1 0\n"
