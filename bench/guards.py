"""Measures what the guards of programs at the kernel level cost, against the same programs with `unsafe_memory=True`.

    python bench/guards.py [--quick] [--only NAME]... [--json] [--output FOLDER]

Each row is a function of loops over memrefs, on one thread, whose result is compared with numpy's before any time
counts; the two forms take turns in one process. `proven` has no check that is left: the loop's bound is the array's
size. In the other rows nothing proves an access, so that it is checked each time:

- bound: the bound of a loop is an argument, as of a stencil of three points over arrays of sizes of their own.
- gather: indices come from an array.
- histogram: the same, and what is there is read and written.
- matmul: the sizes of two matrices are those of the result, which nothing says.

`guards.json` and `guards.md` hold the result.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

# Before the runtime looks: one thread against one.
os.environ["HOLOGRAM_NUM_THREADS"] = "1"

import numpy as np
import turns
from turns import Time

import hologram

HEAD = "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"


@dataclass
class Program:
    """A program, its arguments, and what the last one must become."""

    text: str
    arguments: list[Any]
    expected: Any


@dataclass
class Row:
    """One program's times in milliseconds."""

    name: str
    guarded: Time
    trusted: Time
    ratio: float
    """Guarded by trusted: the median over the turns."""
    foreign: float | None


def _function(arguments: str, body: str) -> str:
    return f"func.func @main({arguments}) {{\n{HEAD}{body}  func.return\n}}\n"


def proven(n: int) -> Program:
    """y[i] = 2 x[i], the loop over the size of both."""
    body = """\
  %n = memref.dim %y, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %y[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %y[%i] : memref<?xf32>
  }
"""
    return Program(_function("%y: memref<?xf32>", body), [np.zeros(n, np.float32)], np.zeros(n, np.float32))


def bound(n: int) -> Program:
    """y[i] = x[i - 1] + x[i] + x[i + 1] up to an argument."""
    body = """\
  scf.for %i = %c1 to %n step %c1 {
    %l = arith.subi %i, %c1 : index
    %r = arith.addi %i, %c1 : index
    %a = memref.load %x[%l] : memref<?xf32>
    %b = memref.load %x[%i] : memref<?xf32>
    %c = memref.load %x[%r] : memref<?xf32>
    %d = arith.addf %a, %b : f32
    %e = arith.addf %d, %c : f32
    memref.store %e, %y[%i] : memref<?xf32>
  }
"""
    x, y = np.arange(n, dtype=np.float32) % 7, np.zeros(n, np.float32)
    expected = y.copy()
    expected[1:-1] = x[:-2] + x[1:-1] + x[2:]
    return Program(_function("%n: index, %x: memref<?xf32>, %y: memref<?xf32>", body), [n - 1, x, y], expected)


def gather(n: int) -> Program:
    """y[i] = x[k[i]]."""
    body = """\
  %n = memref.dim %k, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %w = memref.load %k[%i] : memref<?xi32>
    %j = arith.index_cast %w : i32 to index
    %v = memref.load %x[%j] : memref<?xf32>
    memref.store %v, %y[%i] : memref<?xf32>
  }
"""
    x, k = np.arange(n, dtype=np.float32), np.random.default_rng(1).integers(0, n, n, np.int32)
    arguments = "%k: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>"
    return Program(_function(arguments, body), [k, x, np.zeros_like(x)], x[k])


def histogram(n: int) -> Program:
    """The counts of 256 values, set to 0 first."""
    body = """\
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %m = memref.dim %h, %c0 : memref<?xi32>
  scf.for %i = %c0 to %m step %c1 {
    memref.store %z, %h[%i] : memref<?xi32>
  }
  %n = memref.dim %k, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %w = memref.load %k[%i] : memref<?xi32>
    %j = arith.index_cast %w : i32 to index
    %v = memref.load %h[%j] : memref<?xi32>
    %s = arith.addi %v, %o : i32
    memref.store %s, %h[%j] : memref<?xi32>
  }
"""
    k = np.random.default_rng(2).integers(0, 256, n, np.int32)
    expected = np.bincount(k, minlength=256).astype(np.int32)
    return Program(_function("%k: memref<?xi32>, %h: memref<?xi32>", body), [k, np.zeros(256, np.int32)], expected)


def matmul(n: int) -> Program:
    """c = a @ b by three loops, row by row, over the sizes of c and the columns of a."""
    side = round(n**0.5) // 4
    body = """\
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %z, %c[%i, %j] : memref<?x?xf32>
    }
    scf.for %l = %c0 to %k step %c1 {
      %v = memref.load %a[%i, %l] : memref<?x?xf32>
      scf.for %j = %c0 to %n step %c1 {
        %w = memref.load %b[%l, %j] : memref<?x?xf32>
        %o = memref.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %v, %w : f32
        %s = arith.addf %o, %p : f32
        memref.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
"""
    a, b = (np.random.default_rng(s).integers(-3, 4, (side, side)).astype(np.float32) for s in (3, 4))
    arguments = "%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>"
    return Program(_function(arguments, body), [a, b, np.zeros_like(a)], a @ b)


PROGRAMS: dict[str, Callable[[int], Program]] = {
    "proven": proven, "bound": bound, "gather": gather, "histogram": histogram, "matmul": matmul,
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures the rows that are asked for."""
    options = turns.parse_rows("Measures what guards cost.", arguments, list(PROGRAMS), 2.0)
    rows = [measure(name, options) for name in options.names]
    result = {**turns.about_run(), "unit": "milliseconds", "rows": [asdict(row) for row in rows]}
    turns.write(options, "guards", result, markdown(result, rows))


def measure(name: str, options: Any) -> Row:
    """One row: checked first, then both take turns."""
    program = PROGRAMS[name](1 << (10 if options.tiny else 20))
    calls: dict[str, Callable[[], object]] = {}
    for kind, trusted in (("guarded", False), ("trusted", True)):
        kernel = hologram.compile(program.text, cache=False, unsafe_memory=trusted)
        program.arguments[-1][...] = 0
        kernel(*program.arguments)
        if not np.array_equal(program.arguments[-1], program.expected):
            sys.exit(f"error: {name}: the result is not numpy's")
        calls[kind] = lambda kernel=kernel: kernel(*program.arguments)
    found, foreign = turns.in_turns(calls, options.seconds)
    guarded, trusted_time = (Time.of(found[kind], 1e3) for kind in ("guarded", "trusted"))
    ratio = statistics.median(g / t for g, t in zip(found["guarded"], found["trusted"], strict=True))
    return Row(name, guarded, trusted_time, ratio, foreign)


def markdown(result: dict[str, Any], rows: Sequence[Row]) -> str:
    """The table."""
    head = "| row | guarded | with unsafe_memory | ratio | others' load |"
    lines = [head, "|" + "---|" * (head.count("|") - 1)]
    for row in rows:
        times = " | ".join(f"{t.median:.3f} ({t.least:.3f})" for t in (row.guarded, row.trusted))
        lines.append(f"| {row.name} | {times} | {row.ratio:.2f} | {turns.share(row.foreign)} |")
    about = (
        "Milliseconds, median (least), one thread. `python bench/guards.py`, whose first lines say what is compared."
    )
    return turns.page("What guards cost", about, result, lines)


if __name__ == "__main__":
    main()
