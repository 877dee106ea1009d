"""Times of the compiler and of compiled code, with numpy's beside them: `python bench/run.py [--json] [NAME...]`.

Each time is the best of several runs; a ratio is our time over numpy's. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from time import perf_counter

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


@dataclass(frozen=True)
class Row:
    """One measured time in milliseconds."""

    name: str
    milliseconds: float
    numpy_milliseconds: float | None = None


def best(run: Callable[[], object], times: int = 5) -> float:
    """The shortest of several runs in milliseconds, after one that does not count."""
    run()
    spent: list[float] = []
    for _ in range(times):
        start = perf_counter()
        run()
        spent.append(perf_counter() - start)
    return min(spent) * 1e3


def python(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def start_import() -> Row:
    """Start of an interpreter that imports hologram."""
    return Row("import hologram", best(python("-c", "import hologram")))


def start_opt() -> Row:
    """Start of the command."""
    command = [Path(sys.executable).with_name("hologram-opt"), "--version"]
    return Row("hologram-opt --version", best(lambda: subprocess.run(command, check=True, capture_output=True)))


def compile_chain() -> Row:
    """Three element-wise operations to an object, in a warm process, with nothing cached."""
    import hologram

    versions = count()
    kept = os.environ.get("HOLOGRAM_CACHE_MEGABYTES")
    os.environ["HOLOGRAM_CACHE_MEGABYTES"] = "0"
    try:
        return Row("compile a chain of three", best(lambda: hologram.compile(f"{CHAIN}// {next(versions)}\n")))
    finally:
        del os.environ["HOLOGRAM_CACHE_MEGABYTES"]
        if kept is not None:
            os.environ["HOLOGRAM_CACHE_MEGABYTES"] = kept


def add(size: int, name: str, times: int) -> Row:
    import numpy as np

    import hologram

    generator = np.random.default_rng(0)
    a, b = (generator.random(size, np.float32) for _ in range(2))
    out = np.empty_like(a)
    kernel = hologram.compile(ADD)
    ours = best(lambda: kernel(a, b, out=out), times)
    return Row(name, ours, best(lambda: np.add(a, b, out=out), times))


def launch() -> Row:
    """A call with almost no work: the cost of a launch."""
    return add(8, "add of 8 f32", 1000)


def add_large() -> Row:
    """A call bound by memory."""
    return add(1 << 24, "add of 16M f32", 10)


BENCHMARKS: dict[str, Callable[[], Row]] = {
    "import": start_import,
    "opt": start_opt,
    "compile": compile_chain,
    "launch": launch,
    "add": add_large,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the named benchmarks, or all."""
    parser = argparse.ArgumentParser(description="Times of the compiler and of compiled code.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - BENCHMARKS.keys():
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    if not options.json:
        print(f"{'':28}{'ms':>12}{'numpy ms':>12}{'ratio':>8}")
    for name in options.names or BENCHMARKS:
        row = BENCHMARKS[name]()
        if options.json:
            print(json.dumps(asdict(row)))
            continue
        peer = row.numpy_milliseconds
        columns = "" if peer is None else f"{peer:12.4f}{row.milliseconds / peer:8.2f}"
        print(f"{row.name:28}{row.milliseconds:12.4f}{columns}")


if __name__ == "__main__":
    main()
