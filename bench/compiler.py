"""Times of the compiler alone: starting, importing, lowering. There is nothing of peers to compare them with."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from coordinator import summary
from environments import OURS
from results import Outcome, Row

from hologram.kernels import stdlib

LOWER = """
import json, sys, time
from hologram.driver.graph import Build
from hologram.driver.compilation import llvm_ir
from hologram.driver.source import read_source
source, times = read_source(sys.argv[1]), []
for _ in range(9):
    start = time.perf_counter()
    llvm_ir(Build(source, cache=False))
    times.append(time.perf_counter() - start)
print(json.dumps(times[1:]))
"""
LOAD = """
import sys
import numpy as np
x, y = np.ones(1000, np.float32), np.empty(1000, np.float32)
BEFORE
from time import perf_counter
start = perf_counter()
import hologram
hologram.load(sys.argv[1], strict=True)["vector_add"](x, x, y)
print(perf_counter() - start)
"""
LLVM = "import llvmlite.binding"
USED = """
import hologram
hologram.compile("func.func @main(%a: memref<?xf32>) { return }")
"""
CHAIN = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %ab = hologram.mul %a, %b : tensor<?xf32>
  %abc = hologram.add %ab, %c : tensor<?xf32>
  %y = hologram.relu %abc : tensor<?xf32>
  func.return %y : tensor<?xf32>
}
"""


def timed(*command: str) -> Callable[[], list[float]]:
    """The seconds of five runs of a command, after one that does not count."""

    def run() -> list[float]:
        times: list[float] = []
        for _ in range(6):
            start = perf_counter()
            subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)
            times.append(perf_counter() - start)
        return times[1:]

    return run


def loading(before: str = "") -> Callable[[], list[float]]:
    """The seconds until a kernel of an archive has run, in processes that have numpy and what `before` imports."""

    def run() -> list[float]:
        with TemporaryDirectory() as folder:
            archive = str(Path(folder, "vector.holo"))
            sources = stdlib.ROOT / "vector"
            command = [str(Path(sys.executable).with_name("hologram-compile")), str(sources), "-o", archive]
            subprocess.run([*command, "--target", "cpu"], check=True, capture_output=True)
            code = LOAD.replace("BEFORE", before)
            runs = [
                subprocess.run([sys.executable, "-P", "-c", code, archive], check=True, capture_output=True, text=True)
                for _ in range(12)
            ]
            return [float(done.stdout) for done in runs[2:]]

    return run


def lowering() -> list[float]:
    """The seconds from text to LLVM IR in a warm process; the rest of a compile is LLVM's."""
    done = subprocess.run([sys.executable, "-c", LOWER, CHAIN], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


STARTS: dict[str, tuple[str, float | None, Callable[[], list[float]]]] = {
    # name: (title, seconds that a test holds it to, its times)
    "lower": ("of the first compile, to LLVM IR", None, lowering),
    "import": ("import hologram", 0.15, timed(sys.executable, "-c", "import hologram")),
    "load": ("a kernel of an archive", 0.1, loading()),
    "load-llvm": ("a kernel of an archive, llvmlite loaded, Hologram not yet imported", None, loading(LLVM)),
    "load-used": ("a kernel of an archive, after hologram.compile", 0.005, loading(USED)),
    "opt": ("hologram-opt --version", 0.25, timed(str(Path(sys.executable).with_name("hologram-opt")), "--version")),
}


def measure_start(name: str) -> Row:
    """One of these rows."""
    title, promised, run = STARTS[name]
    try:
        outcome = summary(run())
    except (subprocess.CalledProcessError, OSError, ValueError) as error:
        outcome = Outcome("failed", reason=str(error)[:200])
    return Row(name, title, "compiler", 1, "call", {OURS: outcome}, promised=promised)
