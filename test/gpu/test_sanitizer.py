"""The twelve kernels under compute-sanitizer: accesses out of bounds, and races in shared memory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from device_kernels import KERNELS

pytestmark = pytest.mark.gpu

TOOL = shutil.which("compute-sanitizer")
RUN = """
import sys
import hologram
from device_kernels import KERNELS

for name, kernel in KERNELS.items():
    program = hologram.compile(kernel.text, device=sys.argv[1])
    sizes = [size for size in kernel.edges if all(size)]
    for size in (sizes[0], sizes[len(sizes) // 2], sizes[-1]):
        arguments, out = kernel.arguments(size), kernel.result(size)
        program(*arguments, out=out)
        assert kernel.error(arguments, out) <= 1, (name, size)
    print("ran", name)
"""


def run(*command: str) -> str:
    """The output of a command that runs every kernel."""
    path = os.pathsep.join([str(Path(__file__).resolve().parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [*command, sys.executable, "-P", "-c", RUN, "cuda"],
        capture_output=True, text=True, timeout=300, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.stdout.count("ran ") == len(KERNELS), done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(TOOL is None, reason="compute-sanitizer is not installed")
@pytest.mark.parametrize(
    ("tool", "said"),
    [("memcheck", "ERROR SUMMARY: 0 errors"), ("racecheck", "RACECHECK SUMMARY: 0 hazards displayed")],
)
def test_the_sanitizer_finds_nothing(tool: str, said: str):
    """The compile helper is another process, in which there is nothing to look at."""
    assert said in run(TOOL or "", "--tool", tool, "--target-processes", "application-only")
