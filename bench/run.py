"""Times of the compiler and of compiled code, with numpy's beside them.

    python bench/run.py [--json] [--quick] [NAME...]

Times of the compiler are the best of several runs; times beside numpy's are medians of runs that take turns, and a
ratio is ours over numpy's. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
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
    bound: float | None = None
    """What test/acceptance/test_speed.py and its like hold it to: milliseconds, or a ratio where numpy has a time."""


def best(run: Callable[[], object], times: int = 5) -> float:
    """The shortest of several runs in milliseconds, after one that does not count."""
    run()
    return min(once(run) for _ in range(times))


def in_turns(ours: Callable[[], object], theirs: Callable[[], object], times: int) -> tuple[float, float]:
    """The medians of two things that take turns, in milliseconds."""
    pairs = [(once(ours), once(theirs)) for _ in range(times)]
    first, second = zip(*pairs, strict=True)
    return statistics.median(first), statistics.median(second)


def once(run: Callable[[], object]) -> float:
    """The time of one run in milliseconds."""
    start = perf_counter()
    run()
    return (perf_counter() - start) * 1e3


def python(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def start_import() -> Row:
    """Start of an interpreter that imports hologram."""
    return Row("import hologram", best(python("-c", "import hologram")), bound=150)


def start_opt() -> Row:
    """Start of the command."""
    command = [Path(sys.executable).with_name("hologram-opt"), "--version"]
    return Row(
        "hologram-opt --version", best(lambda: subprocess.run(command, check=True, capture_output=True)), bound=250
    )


def compile_chain() -> Row:
    """Three element-wise operations to an object, in a warm process, with nothing cached."""
    import hologram

    versions = count()
    kept = os.environ.get("HOLOGRAM_CACHE_MEGABYTES")
    os.environ["HOLOGRAM_CACHE_MEGABYTES"] = "0"
    try:
        spent = best(lambda: hologram.compile(f"{CHAIN}// {next(versions)}\n"), 9)
        return Row("compile a chain of three", spent, bound=120)
    finally:
        del os.environ["HOLOGRAM_CACHE_MEGABYTES"]
        if kept is not None:
            os.environ["HOLOGRAM_CACHE_MEGABYTES"] = kept


def lower_chain() -> Row:
    """Of that, the way to LLVM IR; the rest is LLVM's."""
    from hologram.runtime.lower import lower_to_llvm_ir
    from hologram.runtime.source import read_source

    source = read_source(CHAIN)
    spent = best(lambda: lower_to_llvm_ir(source, "cpu", None, "identity", lambda stage, seconds: None), 9)
    return Row("  of that, to LLVM IR", spent)


def add(size: int, name: str, times: int, bound: float | None = None) -> Row:
    import numpy as np

    import hologram

    generator = np.random.default_rng(0)
    a, b = (generator.random(size, np.float32) for _ in range(2))
    out = np.empty_like(a)
    kernel = hologram.compile(ADD)
    kernel(a, b, out=out)
    ours, theirs = in_turns(lambda: kernel(a, b, out=out), lambda: np.add(a, b, out=out), times)
    return Row(name, ours, theirs, bound)


def launch() -> Row:
    """A call with almost no work: the cost of a launch."""
    return add(8, "add of 8 f32", 1000)


def add_large() -> Row:
    """A call bound by memory."""
    return add(1 << 24, "add of 16M f32", 25, 1.2)


BENCHMARKS: dict[str, Callable[[], Row]] = {
    "import": start_import,
    "opt": start_opt,
    "compile": compile_chain,
    "lower": lower_chain,
    "launch": launch,
    "add": add_large,
}
QUICK = ("compile", "launch")


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the named benchmarks, or all."""
    parser = argparse.ArgumentParser(description="Times of the compiler and of compiled code.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(QUICK)}")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - BENCHMARKS.keys():
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    if not options.json:
        print(f"{'':28}{'ms':>12}{'numpy ms':>12}{'ratio':>8}{'at most':>12}")
    for name in options.names or (QUICK if options.quick else BENCHMARKS):
        row = BENCHMARKS[name]()
        print(json.dumps(asdict(row)) if options.json else line(row))


def line(row: Row) -> str:
    """A line of the table."""
    peer = row.numpy_milliseconds
    columns = " " * 20 if peer is None else f"{peer:12.4f}{row.milliseconds / peer:8.2f}"
    bound = "" if row.bound is None else f"{row.bound:9g} ms" if peer is None else f"{row.bound:12g}"
    return f"{row.name:28}{row.milliseconds:12.4f}{columns}{bound}".rstrip()


if __name__ == "__main__":
    main()
