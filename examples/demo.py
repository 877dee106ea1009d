"""Compiles the example programs, runs them on this CPU, checks them against numpy, and prints times and rates.

    python examples/demo.py [--json]

A ratio is numpy's time over ours, both writing into arrays that exist already. Compiled programs are kept in the disk
cache, so a second run compiles nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import hologram

HERE = Path(__file__).parent
Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Example:
    """One program: its inputs, numpy's way of computing it, and the work it does."""

    name: str
    size: str
    inputs: tuple[Any, ...]
    numpy: Callable[..., Array]
    amount: float
    """Bytes moved or operations done, in billions."""
    unit: str
    tolerance: float


@dataclass(frozen=True)
class Row:
    """The measurements of one program."""

    program: str
    size: str
    compile_ms: float
    cached: bool
    ms: float
    rate: str
    numpy_ms: float
    ratio: float
    error: float


def layer_norm(x: Array, gamma: Array, beta: Array, out: Array) -> Array:
    d = x - x.mean(axis=1, keepdims=True)
    deviation = np.sqrt((d * d).mean(axis=1, keepdims=True) + np.float32(1e-5))
    return np.add(d / deviation * gamma, beta, out=out)


def softmax(x: Array, out: Array) -> Array:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return np.divide(e, e.sum(axis=1, keepdims=True), out=out)


def fused_chain(a: Array, b: Array, c: Array, out: Array) -> Array:
    np.multiply(a, b, out=out)
    np.add(out, c, out=out)
    np.multiply(out, out, out=out)
    np.negative(out, out=out)
    return np.exp(out, out=out)


def saxpy(a: np.float32, x: Array, y: Array, out: Array) -> Array:
    np.multiply(a, x, out=out)
    return np.add(out, y, out=out)


def sum_of_squares(x: Array, out: Array) -> Array:
    return np.dot(x, x, out=out)


def matmul(a: Array, b: Array, bias: Array, out: Array) -> Array:
    return np.add(np.matmul(a, b, out=out), bias, out=out)


def block_sum(x: Array, out: Array) -> Array:
    whole = len(x) // 256 * 256
    x[:whole].reshape(-1, 256).sum(axis=1, out=out[: whole // 256])
    if whole < len(x):
        out[-1] = x[whole:].sum()
    return out


def examples() -> list[Example]:
    rng = np.random.default_rng(0)

    def normal(*shape: int) -> Array:
        return rng.standard_normal(shape, dtype=np.float32)

    n, rows, columns, k = 1 << 22, 4096, 1024, 512
    vectors = [normal(n) for _ in range(3)]
    x = normal(rows, columns)
    scales = normal(columns), normal(columns)
    a, b = normal(k, k), normal(k, k)
    return [
        Example("saxpy", f"{n}", (np.float32(2.5), *vectors[:2]), saxpy, 12e-9 * n, "GB/s", 1e-6),
        Example("fused_chain", f"{n}", tuple(vectors), fused_chain, 16e-9 * n, "GB/s", 1e-6),
        Example("sum_of_squares", f"{n}", (vectors[0],), sum_of_squares, 4e-9 * n, "GB/s", 1e-5),
        Example("softmax", f"{rows}x{columns}", (x,), softmax, 8e-9 * x.size, "GB/s", 1e-5),
        Example("layer_norm", f"{rows}x{columns}", (x, *scales), layer_norm, 8e-9 * x.size, "GB/s", 1e-4),
        Example("matmul", f"{k}x{k}x{k}", (a, b, normal(k)), matmul, 2e-9 * k**3, "GFLOP/s", 1e-3),
        Example("block_sum", f"{n + 100}", (normal(n + 100),), block_sum, 4e-9 * n, "GB/s", 1e-4),
    ]  # fmt: skip


def median_ms(run: Callable[[], Any], repeats: int = 9) -> float:
    """The median time of a call in milliseconds, after one call that is not counted."""
    run()
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def measure(example: Example) -> Row:
    """Compiles, checks and times one example; raises if the result is wrong."""
    before = hologram.cache_stats()
    start = time.perf_counter()
    kernel = hologram.compile(HERE / f"{example.name}.mlir")
    compile_ms = (time.perf_counter() - start) * 1e3
    cached = hologram.cache_stats().compiled == before.compiled
    out: Array = np.asarray(kernel(*example.inputs))
    wide = [v.astype(np.float64) for v in example.inputs]
    expected = example.numpy(*wide, out=np.empty(out.shape, np.float64))
    error = float(np.max(np.abs(out - expected) / (np.abs(expected) + 1)))
    if not error <= example.tolerance:
        raise SystemExit(f"error: {example.name} is off by {error:.3g}, more than {example.tolerance}")
    ours = median_ms(lambda: kernel(*example.inputs, out=out))
    theirs = median_ms(lambda: example.numpy(*example.inputs, out=out))
    rate = f"{example.amount / (ours / 1e3):.1f} {example.unit}"
    return Row(example.name, example.size, compile_ms, cached, ours, rate, theirs, theirs / ours, error)


def _cells(row: Row) -> list[str]:
    compile_time = "cached" if row.cached else f"{row.compile_ms:.0f} ms"
    times = (f"{row.ms:.2f} ms", row.rate, f"{row.numpy_ms:.2f} ms", f"{row.ratio:.2f}")
    return [row.program, row.size, compile_time, *times, f"{row.error:.1e}"]


def show(rows: list[Row]) -> None:
    threads = hologram.get_num_threads()
    table = Table(title=f"Example programs on this CPU, {threads} thread{'s' * (threads != 1)}")
    for title in ("program", "size", "compile", "time", "rate", "numpy", "ratio", "error"):
        table.add_column(title, justify="left" if title == "program" else "right")
    for row in rows:
        table.add_row(*_cells(row))
    console = Console(width=None if sys.stdout.isatty() else 110)
    console.print(table)
    compiled = sum(not row.cached for row in rows)
    cached = len(rows) - compiled
    console.print(f"compiled {compiled} programs, {cached} came from the cache; every result matches numpy")


def main() -> None:
    parser = argparse.ArgumentParser(description="Compile, check and time the example programs.")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    arguments = parser.parse_args()
    rows = [measure(example) for example in examples()]
    if arguments.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
    else:
        show(rows)


if __name__ == "__main__":
    main()
