"""The tutorials that change the project do so in a copy: their edits are made, what follows from declarations is
written, their examples run there, and so do the tests that the new declarations bring."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs.pages import ROOT, blocks, edited

FOLDERS = (
    *"api support plugins dialects transforms lowering interpreter frontend runtime driver kernels tools".split(),
    "test",
    "examples",
)
SOURCES = """
import runpy, sys
runpy.run_path("docs/number_opcodes.py", run_name="__main__")
for path, text in runpy.run_path("docs/derived.py")["sources"]().items():
    path.write_text(text, encoding="utf-8")
"""
INSTRUCTION = """
import os
from conformance import scalars
from conformance.batch import BACKENDS, PASS, Batch, outcomes
from conformance.values import rows
from hologram.dialects.atlas.instructions.types import DTYPES
from kernels.stdlib.cases import cases
from kernels.stdlib.vector_cases import ROWS
for name in ("f16", "bf16", "f32", "f64"):
    t = DTYPES[name]
    lines = [line for line in scalars.written(t) if line.cell.instruction == "copysign"]
    for backend in BACKENDS:
        found = outcomes(scalars._plain(t, lines, rows(t, 512)), backend)
        assert found and set(found.values()) == {PASS}, found
tested = cases(row for row in ROWS if row.kernel_name == "vector_copysign")
assert len(tested) == 2
for row, dtype in tested:
    given = row.draw(dtype, (257,))
    written = [a.copy() for a in given]
    row.kernel(*written)
    assert (problem := row.wrong(given, written)) is None, problem
"""
LIMITS = {"add-an-instruction": (3, 20, INSTRUCTION), "add-a-tensor-operation": (2, 12, "")}
"""The number of files that a tutorial may edit, of lines that it may add, and the tests that run afterwards."""


@pytest.mark.parametrize("name", LIMITS)
def test_tutorial_in_a_copy(name: str, tmp_path: Path):
    files, lines, tests = LIMITS[name]
    page = ROOT / "docs" / "tutorials" / f"{name}.mdx"
    copy = tmp_path / "tree"
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "docs").mkdir()
    for script in (ROOT / "docs").glob("*.py"):
        shutil.copy(script, copy / "docs")
    edits = [b for b in blocks(page.read_text(encoding="utf-8")) if b.language == "diff" and b.title is not None]
    for block in edits:
        path = copy / str(block.title)
        path.write_text(edited(path.read_text(encoding="utf-8"), block), encoding="utf-8")
    assert len({b.title for b in edits}) <= files
    assert sum(line.startswith("+") and len(line) > 1 for b in edits for line in b.text.splitlines()) <= lines

    package = tmp_path / "package" / "hologram"
    package.mkdir(parents=True)
    for path in [*(copy / "api").iterdir(), *(copy / folder for folder in FOLDERS[1:-2])]:
        (package / path.name).symlink_to(path)
    work = tmp_path / "work"
    work.mkdir()
    run(copy, tmp_path, "-c", SOURCES)
    run(work, tmp_path, str(copy / "test" / "docs" / "pages.py"), str(page))
    if tests:
        run(copy, tmp_path, "-c", tests)


def run(folder: Path, root: Path, *arguments: str) -> None:
    """Runs Python in a folder, with the package of the copy."""
    paths = os.pathsep.join(map(str, (root / "package", root / "tree" / "test")))
    environment = os.environ | {"PYTHONPATH": paths, "HOLOGRAM_CACHE_DIR": str(root / "cache")}
    command = [sys.executable, "-P", "-W", "error", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
