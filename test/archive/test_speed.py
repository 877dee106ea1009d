"""The time until a kernel of an archive runs. `make speed` runs these tests alone.

The bounds are for what comes behind `import numpy`, which brings the arrays.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hologram.runtime.archive import Archive, Program, save
from machine_speed import allowed
from sample_archives import PROGRAMS

TIMED = """
import sys
import numpy as np
x = np.ones(1000, np.float32)
BEFORE
from time import perf_counter
start = perf_counter()
import hologram
kernel = hologram.load(sys.argv[1], strict=True)["add150.add"]
assert (kernel(x, x) == 2).all()
print(perf_counter() - start)
"""
COMPILE = f"""
import hologram
hologram.compile('''{PROGRAMS["add"]}''', entry="add")(x, x)
"""


@pytest.fixture(scope="module")
def library(programs: tuple[Program, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with twice as many programs as the library has, each with code for three targets."""
    add = next(program for program in programs if program.name == "add")
    codes = (*add.codes, *(replace(add.codes[0], target=target) for target in ("sm_90", "webgpu")))
    path = tmp_path_factory.mktemp("library") / "library.holo"
    save(Archive(tuple(replace(add, name=f"add{n}", codes=codes) for n in range(230))), path)
    return path


def seconds(path: Path, before: str) -> float:
    """The least of several processes; the first ones fill the cache."""
    command = [sys.executable, "-P", "-c", TIMED.replace("BEFORE", before), str(path)]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True) for _ in range(8)]
    return min(float(run.stdout) for run in runs)


@pytest.mark.speed
def test_a_fresh_process(library: Path):
    """100 ms in a process that has loaded nothing but numpy."""
    assert seconds(library, "") < allowed(0.1)


@pytest.mark.speed
def test_a_process_that_has_loaded_llvm(library: Path):
    """10 ms where LLVM is loaded and nothing of ours."""
    assert seconds(library, "import llvmlite.binding") < allowed(0.01)


@pytest.mark.speed
def test_a_process_that_has_compiled(library: Path):
    """5 ms where LLVM is loaded, modules of the archive's own included."""
    assert seconds(library, COMPILE) < allowed(0.005)
