"""Measures what coherence checks cost: integer programs with and without `insert-coherence-checks`, in turns.

    python bench/coherence.py [--quick] [--only NAME]... [--json] [--output FOLDER]

Each row is one program on one thread; its results are compared with numpy's first.

- plain: the program as it is; checked: compiled with `coherence=True`.
- cost: the checked program's time over the plain one's, less 1: the median of the turns' ratios, and that of the
  least times, which other programs disturb less. A product of matrices of 8 bits and 1,024 rows is to cost under 0.10.

`coherence.json` and `coherence.md` hold the result. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

# Before the runtime looks: one thread.
os.environ["HOLOGRAM_NUM_THREADS"] = "1"

import numpy as np
import turns
from numpy.typing import NDArray
from turns import Time

import hologram

ASKED = {"matmul-i8-1024": 0.10}
"""The greatest cost, by row."""


@dataclass(frozen=True)
class Program:
    """A program over memory; `expected` computes its result, the last argument, from the others."""

    text: str
    arguments: list[NDArray[Any]]
    expected: Callable[..., NDArray[Any]]


@dataclass
class Row:
    """One line of the table; times in milliseconds."""

    name: str
    plain: Time
    checked: Time
    cost: float
    least_cost: float
    asked: float | None
    foreign: float | None
    """The share of the processors that other programs had meanwhile."""


def random_numbers(shape: tuple[int, ...], dtype: str, seed: int) -> NDArray[Any]:
    """Random numbers over the whole range of a type."""
    info = np.iinfo(dtype)
    return np.random.default_rng(seed).integers(info.min, info.max, shape, dtype, endpoint=True)


def product_of_bytes(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """The product of bytes through f64, in which these sums are exact: numpy's product of integers takes seconds."""
    return (a.astype(np.float64) @ b.astype(np.float64)).astype(np.int32)


def times_and_plus(x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """x * y + x, wrapping."""
    return x * y + x


def matmul_i8(size: int) -> Program:
    """8 bits times 8 bits, summed up in 32."""
    narrow, wide = f"memref<{size}x{size}xi8>", f"memref<{size}x{size}xi32>"
    text = f"""
func.func @main(%a: {narrow}, %b: {narrow}, %c: {wide}) {{
  atlas.quantized_gemm ins(%a, %b : {narrow}, {narrow}) outs(%c : {wide}) {{type = #atlas.dtype<i8>}}
  func.return
}}
"""
    a, b = (random_numbers((size, size), "int8", seed) for seed in (0, 1))
    return Program(text, [a, b, np.zeros((size, size), np.int32)], product_of_bytes)


def matmul_i32(size: int) -> Program:
    """32 bits that wrap."""
    array = f"memref<{size}x{size}xi32>"
    text = f"""
func.func @main(%a: {array}, %b: {array}, %c: {array}) {{
  atlas.gemm ins(%a, %b : {array}, {array}) outs(%c : {array})
  func.return
}}
"""
    a, b = (random_numbers((size, size), "int32", seed) for seed in (0, 1))
    return Program(text, [a, b, np.zeros((size, size), np.int32)], np.matmul)


def map_i32(size: int) -> Program:
    """x * y + x, which wraps, over as many numbers as four such matrices have."""
    array = f"memref<{size}x{4 * size}xi32>"
    text = f"""
#same = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: {array}, %y: {array}, %r: {array}) {{
  atlas.map ins(%x, %y : {array}, {array}) outs(%r : {array}) maps [#same, #same, #same] {{
  ^bb0(%a: i32, %b: i32):
    %s = atlas.fma i32 %a, %b, %a
    atlas.yield %s : i32
  }}
  func.return
}}
"""
    x, y = (random_numbers((size, 4 * size), "int32", seed) for seed in (0, 1))
    return Program(text, [x, y, np.zeros_like(x)], times_and_plus)


KINDS = {"matmul-i8": matmul_i8, "matmul-i32": matmul_i32, "map-i32": map_i32}
SIZES = (256, 1024)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures the rows that are asked for."""
    names = [f"{kind}-{size}" for size in SIZES for kind in KINDS]
    options = turns.parse_rows("Measures what coherence checks cost.", arguments, names, 3.0)
    rows: list[Row] = []
    for name in options.names:
        sys.stderr.write(f"{name}\n")
        rows.append(measure(name, options))
    result = {**turns.about_run(), "unit": "milliseconds", "rows": [asdict(row) for row in rows]}
    turns.write(options, "coherence", result, markdown(result, rows))


def measure(name: str, options: argparse.Namespace) -> Row:
    """One row: checked first, then both take turns."""
    kind, _, size = name.rpartition("-")
    program = KINDS[kind](int(size) >> (5 if options.tiny else 0))
    *ins, out = program.arguments
    expected = program.expected(*ins)
    calls: dict[str, Callable[[], object]] = {}
    for kind, coherence in (("plain", False), ("checked", True)):
        kernel = hologram.compile(program.text, cache=False, coherence=coherence)
        out[...] = 0
        kernel(*ins, out)
        if not np.array_equal(out, expected):
            sys.exit(f"error: {name}: the result is not numpy's")
        calls[kind] = lambda kernel=kernel: kernel(*ins, out)
    found, share = turns.in_turns(calls, options.seconds)
    plain, checked = (Time.of(found[kind], 1e3) for kind in ("plain", "checked"))
    ratios = [c / p for p, c in zip(found["plain"], found["checked"], strict=True)]
    least_cost = checked.least / plain.least - 1
    return Row(name, plain, checked, statistics.median(ratios) - 1, least_cost, ASKED.get(name), share)


def markdown(result: dict[str, Any], rows: Sequence[Row]) -> str:
    """The table."""
    head = "| row | plain | checked | cost | asked | others' load |"
    lines = [head, "|" + "---|" * (head.count("|") - 1)]
    for row in rows:
        asked = "-" if row.asked is None else f"{row.asked:.0%}"
        lines.append(
            f"| {row.name} | {_time(row.plain)} | {_time(row.checked)} "
            f"| {row.cost:.1%} ({row.least_cost:.1%}) | {asked} | {turns.share(row.foreign)} |"
        )
    about = (
        "Milliseconds, median (least), one thread. `python bench/coherence.py`, whose first lines say what is compared."
    )
    return turns.page("Coherence checks", about, result, lines)


def _time(found: Time) -> str:
    return f"{found.median:.2f} ({found.least:.2f})"


if __name__ == "__main__":
    main()
