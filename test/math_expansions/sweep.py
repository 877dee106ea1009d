"""Every f32 input of every function of one operand, and many pairs of every function of two: `make ulp`.

Results are held against numpy's f64 functions. Where these can't tell whether a bound holds, for an error within a
millionth of it or above, gmpy2 decides, with 120 bits. Takes some minutes a function and core; `--stride 64` looks at
every 64th input only.

    make ulp ARGS="exp log --jobs 8"
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rich.console import Console
from rich.progress import Progress

from math_expansions.accuracy import Array, Exact, error_f32
from math_expansions.inputs import pairs
from math_expansions.jit import compiled
from math_expansions.references import FUNCTIONS

CHUNK = 2**17
"""Inputs at a time: what keeps all the arrays in a core's cache."""
TASK = 2**24
"""Inputs a process gets at once."""
CHECKED = 1000
"""Inputs of one task that gmpy2 looks at, at most."""


@dataclass(frozen=True)
class Task:
    """A part of the inputs of one function: bit patterns from `start`, or pairs by a seed."""

    name: str
    start: int
    stride: int


@dataclass(frozen=True)
class Worst:
    """The largest error of one form, and the operands that have it."""

    name: str
    fused: bool
    error: float = -1.0
    at: tuple[float, ...] = ()


def inputs(task: Task) -> Iterator[tuple[Array, ...]]:
    """The operands of a task, in chunks."""
    function = FUNCTIONS[task.name]
    if function.operands == 2:
        for part in range(TASK // CHUNK // task.stride or 1):
            yield pairs("f32", function, CHUNK // 4, task.start + part)
        return
    for start in range(task.start, task.start + TASK, CHUNK * task.stride):
        stop = min(start + CHUNK * task.stride, task.start + TASK)
        yield (np.arange(start, stop, task.stride, dtype=np.int64).astype(np.uint32).view(np.float32),)


def run(task: Task) -> list[Worst]:
    """The largest error of each form on a task's inputs."""
    function = FUNCTIONS[task.name]
    found = {fused: Worst(task.name, fused) for fused in (True, False)}
    for operands in inputs(task):
        with np.errstate(all="ignore"):
            wide = [x.astype(np.float64) for x in operands]
            exact = Exact(function.wide(*wide), function.slack(*wide))
        for fused, worst in found.items():
            got = compiled(function.op, "f32", operands=function.operands, fused=fused)(*operands)
            found[fused] = max(worst, largest(task.name, fused, got, exact, operands), key=lambda w: w.error)
    return list(found.values())


def largest(name: str, fused: bool, got: Array, exact: Exact, operands: Sequence[Array]) -> Worst:
    """The largest error of results; gmpy2's word where it is near the bound or above."""
    errors = exact.errors(got)
    at = int(np.argmax(errors))
    bound = FUNCTIONS[name].bound("f32")
    doubtful = np.flatnonzero(errors > bound * (1 - 1e-6))[:CHECKED]
    for k in doubtful:
        errors[k] = error_f32(
            float(got[k]),
            FUNCTIONS[name].exact,
            *(float(x[k]) for x in operands),
            slack=float(FUNCTIONS[name].slack(*(x[k].astype(np.float64) for x in operands))),
        )
    if len(doubtful):
        at = int(np.argmax(errors))
    return Worst(name, fused, float(errors[at]), tuple(float(x[at]) for x in operands))


def tasks(names: Sequence[str], stride: int, pair_tasks: int) -> list[Task]:
    """All tasks, those of one function together."""
    found: list[Task] = []
    for name in names:
        unary = FUNCTIONS[name].operands == 1
        found += [Task(name, n * TASK, stride) for n in range(2**32 // TASK if unary else pair_tasks)]
    return found


def report(console: Console, results: Sequence[Worst]) -> bool:
    """Prints the largest error of each form; whether all bounds hold."""
    good = True
    for name, fused in dict.fromkeys((r.name, r.fused) for r in results):
        worst = max((r for r in results if (r.name, r.fused) == (name, fused)), key=lambda r: r.error)
        bound = FUNCTIONS[name].bound("f32")
        holds = worst.error <= bound
        good = good and holds
        place = ", ".join(x.hex() for x in worst.at)
        form = "fma   " if fused else "no fma"
        console.print(f"{name:8} {form} {worst.error:8.4f} of {bound:g} at {place}{'' if holds else '  TOO LARGE'}")
    return good


def main() -> None:
    """Exit code 1 if a bound does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="functions; all of them by default")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--stride", type=int, default=1, help="look at every STRIDEth input")
    parser.add_argument("--pairs", type=int, default=64, help="tasks of 2**24 pairs for a function of two operands")
    options = parser.parse_args()
    names = options.names or list(FUNCTIONS)
    if unknown := [n for n in names if n not in FUNCTIONS]:
        parser.error(f"there is no function {', '.join(unknown)}; there are {', '.join(FUNCTIONS)}")
    work = tasks(names, options.stride, options.pairs)
    console = Console()
    results: list[Worst] = []
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool, Progress(console=console) as progress:
        bar = progress.add_task("", total=len(work))
        for task, found in zip(work, pool.imap(run, work), strict=True):
            results += found
            progress.update(bar, advance=1, description=task.name)
    sys.exit(not report(console, results))


if __name__ == "__main__":
    main()
