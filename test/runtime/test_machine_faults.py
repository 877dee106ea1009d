"""A machine without LLVM, memory, space or handles: what can run runs, and the rest ends in a sentence."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hologram.errors.machine import MachineError, machine_error

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of processes differ elsewhere")
PROGRAM = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %a, %b : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
"""
RUN = ("hologram.tools.run", "p.mlir", "--arg", "f32[3]=ones", "--arg", "f32[3]=ones")
WITHOUT = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "llvmlite":
            raise ModuleNotFoundError("No module named 'llvmlite'", name="llvmlite")
sys.meta_path.insert(0, Finder())
"""


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "not enough memory"),
        (OSError(errno.ENOSPC, "No space left on device", "/x"), "'/x': No space left"),
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files"),
        (RuntimeError("can't start new thread"), "not enough memory"),
        (FileNotFoundError(2, "No usable temporary directory found in []"), "temporary files"),
        (OSError("Could not find/load shared object file 'libllvmlite.so'"), "LLVM's library"),
        (ModuleNotFoundError("No module named 'xdsl'", name="xdsl.ir"), "package 'xdsl'"),
    ],
)
def test_what_the_machine_lacks(error: Exception, words: str):
    wrapper = ValueError("around it")
    wrapper.__cause__ = error
    for given in (error, wrapper):
        found = machine_error(given)
        assert isinstance(found, MachineError)
        assert words in found.message
        assert found.hint


@pytest.mark.parametrize(
    "error", [ValueError("x"), KeyError("x"), OSError(errno.ENOENT, "No such file"), ImportError()]
)
def test_other_errors(error: Exception):
    assert machine_error(error) is None


def run(folder: Path, *command: str, before: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    module, *args = command
    start = f"sys.argv = {['x', *args]!r}\nimport runpy\nrunpy.run_module({module!r}, None, '__main__')"
    code = f"import sys\n{before}\n{start}"
    return subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, cwd=folder, timeout=120,
        env={**os.environ, "HOLOGRAM_CACHE_DIR": str(folder / "cache"), **environment},
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.mlir").write_text(PROGRAM)
    return tmp_path


def test_without_llvm(folder: Path):
    """What the cache and archives have runs; what must be compiled says what is missing."""
    compile = ("hologram.tools.compile", "p.mlir", "--target", "cpu", "-o", "p.holo")
    assert run(folder, *compile).returncode == 0
    missing = run(folder, *RUN, before=WITHOUT, HOLOGRAM_CACHE_DIR=str(folder / "empty"))
    assert missing.returncode == 1, missing.stderr
    assert "the package 'llvmlite' can't be imported" in missing.stderr
    assert "Traceback" not in missing.stderr
    assert run(folder, *RUN).returncode == 0
    archived = (RUN[0], "p.holo", *RUN[2:])
    for command in (RUN, archived):
        done = run(folder, *command, before=WITHOUT)
        assert (done.returncode, "[2. 2. 2.]" in done.stdout) == (0, True), done.stderr


LIMITS = {
    "memory": "import resource; resource.setrlimit(resource.RLIMIT_AS, (N << 20, N << 20))",
    "files": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (N, N))",
}


@pytest.mark.slow
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("share", range(6))
def test_small_limits(limit: str, share: int, folder: Path):
    """It works, or ends in a sentence; OpenBLAS ends the process itself where it has no memory."""
    number = {"memory": 150 + 50 * share, "files": 5 + 3 * share}[limit]
    for command in (RUN, ("hologram.tools.compile", "p.mlir", "--target", "cpu,sm_90", "-o", "p.holo")):
        done = run(folder, *command, "--no-cache" if command is RUN else "--stats",
                   before=f"N = {number}; {LIMITS[limit]}", OPENBLAS_NUM_THREADS="1")  # fmt: skip
        assert done.returncode in (0, 1), done.stderr
        assert "Traceback" not in done.stderr or "click" in done.stderr, done.stderr


@pytest.mark.parametrize("name", ["HOLOGRAM_NUM_THREADS", "HOLOGRAM_DEBUG", "HOLOGRAM_CACHE_MEGABYTES"])
def test_settings_of_5000_digits(name: str, folder: Path):
    done = run(folder, *RUN, **{name: "9" * 5000})
    assert (done.returncode, "of 5000 characters" in done.stderr) == (2, True), done.stderr
