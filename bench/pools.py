"""Measures how fast data streams through memory of constant size: pools of the host, and circuits on class memory.

    python bench/pools.py [--quick] [--json] [--output FOLDER]

An array of 100 MB goes through a pool or through class memory, on one thread, in turns with what bounds it:

- `copy`: `pool.stream` alone, which copies each part into the pool.
- `sum`: the same, and a kernel that sums each part.
- `circuit`: `sigil.stream` of a circuit that squares, which copies each part into a class.
- `memcpy`: one `memmove` of the whole array to another one. It reads and writes memory; a pool stays in the cache.
- `read`: a loop of ours that reads the whole array (`bench/limits.py`).

Rates are bytes of the array in a second. The result of each row is compared with numpy's first. The first specification
asked for 11 GB/s. `pools.json` and `pools.md` hold the result. Run it on a quiet machine.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

# Before the runtime looks: one thread against one.
os.environ["HOLOGRAM_NUM_THREADS"] = "1"

import limits
import numpy as np
import turns
from turns import Time

import hologram
from hologram import sigil

ASKED = 11.0
"""GB/s."""
BYTES = 100_000_000
POOLS = (4096, 36864, 1 << 20)
"""The capacities; 36,864 bytes are three classes."""
SUM = """
func.func @sum(%x: tensor<?xf32>) -> tensor<f32> {
  %s = hologram.reduce sum %x {axes = [0 : i64]} : tensor<?xf32> to tensor<f32>
  func.return %s : tensor<f32>
}
"""
SQUARE = "merge.mul@c00[c00,c01]"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures all rows."""
    options = turns.parse(turns.parser("Measures streams through pools."), arguments, 5.0)
    numbers = np.random.default_rng(0).uniform(0, 1, (BYTES >> 10 if options.tiny else BYTES) // 4).astype(np.float32)
    calls = jobs(numbers, POOLS[1:2] if options.tiny else POOLS)
    check(calls, numbers)
    found, foreign = turns.in_turns(calls, options.seconds * len(calls))
    rates = {name: Time.of(all, 1e9 / numbers.nbytes) for name, all in found.items()}
    limits.start(1)
    read = limits.limit("read", time.monotonic(), options.seconds / 4 + 0.01)
    rows = [row(name, rates, numbers) for name in calls if name != "memcpy"]
    result = {
        **turns.about_run(), "bytes": numbers.nbytes, "memcpy": 1 / rates["memcpy"].median, "read": read,
        "asked": ASKED, "foreign": foreign, "rows": rows,
    }  # fmt: skip
    turns.write(options, "pools", result, markdown(result))


def jobs(numbers: Any, capacities: Sequence[int]) -> dict[str, Callable[[], float]]:
    """What is timed; each gives a number that says whether it did its work."""
    add: Any = hologram.compile(SUM, cache=False)
    total = np.zeros((), np.float32)
    executor = hologram.Executor()
    made: dict[str, Callable[[], float]] = {}
    for capacity in capacities:
        pool = hologram.Pool(capacity)

        def copy(pool: hologram.Pool = pool) -> float:
            return float(sum(part[-1] for part in pool.stream(numbers)))

        def summed(pool: hologram.Pool = pool) -> float:
            found = 0.0
            for part in pool.stream(numbers):
                add(part, total)
                found += float(total)
            return found

        made |= {f"copy {capacity}": copy, f"sum {capacity}": summed}
    circuit = sigil.parse(SQUARE)

    def squares() -> float:
        return float(sum(tile[-1] for (tile,) in sigil.stream(circuit, numbers, executor=executor)))

    made["circuit 24576"] = squares
    other = np.zeros_like(numbers)

    def memcpy() -> float:
        ctypes.memmove(other.ctypes.data, numbers.ctypes.data, numbers.nbytes)
        return float(other[-1])

    made["memcpy"] = memcpy
    return made


def check(calls: dict[str, Callable[[], float]], numbers: Any) -> None:
    """Compares what each gives with numpy's."""
    for name, call in calls.items():
        kind, _, size = name.partition(" ")
        each = {"circuit": 3072, "memcpy": len(numbers)}.get(kind, int(size or 4) // 4)
        ends = [min(start + each, len(numbers)) - 1 for start in range(0, len(numbers), each)]
        last = numbers[ends].astype(float)
        expected = {"sum": numbers.sum(dtype=float), "circuit": float((last * last).sum())}.get(kind, last.sum())
        if not np.isclose(call(), expected, 1e-5):
            sys.exit(f"error: {name}: the result differs from numpy's")


def row(name: str, rates: dict[str, Time], numbers: Any) -> dict[str, Any]:
    """A row of the result, with the memory that one pass takes beside the array."""
    kind, _, size = name.partition(" ")
    mine, limit = rates[name], rates["memcpy"]
    return {
        "name": kind, "memory": int(size), "rate": 1 / mine.median, "best_rate": 1 / mine.least,
        "of_memcpy": limit.median / mine.median, "amplification": numbers.nbytes / int(size),
    }  # fmt: skip


def markdown(result: dict[str, Any]) -> str:
    """The table."""
    lines = ["| stream | bytes of memory | GB/s | of memcpy | array over memory | asked |", "|---" * 6 + "|"]
    for row in result["rows"]:
        rates = f"{row['rate']:.2f} ({row['best_rate']:.2f}) | {row['of_memcpy']:.2f}"
        times = f"{row['amplification']:,.0f} | {result['asked']:g}"
        lines.append(f"| {row['name']} | {row['memory']:,} | {rates} | {times} |")
    about = f"{result['bytes']:,} bytes of f32 on one thread; medians (best). memcpy: {result['memcpy']:.2f} GB/s, "
    about += f"reading: {result['read']:.2f} GB/s, others' load {turns.share(result['foreign'])}. "
    about += "`python bench/pools.py`, whose"
    return turns.page("Streams through pools", f"{about} first lines say what is measured.", result, lines)


if __name__ == "__main__":
    main()
