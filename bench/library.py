"""Compares kernels of the library on the CPU with numpy, in one process and in turns.

    python bench/library.py [--quick] [--only NAME]... [--json] [--output FOLDER]

Kernels of lanes and blocks run on the CPU as loops; what is compared, a row a kernel, is how long a call takes on one
thread of ours, and numpy's functions for the same with one thread of its own. Products of matrices have a column for
what they reach of 10^9 operations a second (a multiplication and an addition are two). Results are compared first.

Times are medians with the least beside them, in milliseconds. `library.json` and `library.md` hold the result. Run it
on a quiet machine.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

# Before the runtime and numpy look: one thread against one.
os.environ["HOLOGRAM_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import turns
from turns import Time

import hologram
from hologram.kernels.stdlib.fourier.fft import fft
from hologram.kernels.stdlib.matrix.gemm import gemm
from hologram.kernels.stdlib.norm.batch_norm import batch_norm_statistics
from hologram.kernels.stdlib.vector.vector_add import vector_add

Array = Any


@dataclass
class Case:
    """Two calls, and their results."""

    ours: Callable[[], object]
    numpy: Callable[[], object]
    results: Callable[[], Sequence[tuple[Array, Array]]]
    """Pairs of what ours and what numpy has left."""
    operations: int = 0


@dataclass
class Row:
    """One line of the table."""

    name: str
    ours: Time
    numpy: Time
    rate: float | None
    """The rate of the median: 10^9 operations a second."""
    foreign: float | None
    """The share of the processors that other programs had meanwhile."""


def random(*shape: int) -> Array:
    """Numbers around 0."""
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def product(n: int) -> Case:
    """The product of two square matrices."""
    a, b, c, wanted = (random(n, n) for _ in range(4))
    return Case(lambda: gemm(a, b, c, 1.0, 0.0), lambda: np.matmul(a, b, out=wanted), lambda: [(c, wanted)], 2 * n**3)


def transforms(batch: int, n: int) -> Case:
    """Fourier transforms of `batch` rows."""
    x, out = random(batch, n, 2), random(batch, n, 2)
    numbers = x.view(np.complex64)[..., 0]
    return Case(
        lambda: fft(x, out),
        lambda: np.fft.fft(numbers),
        lambda: [(out.view(np.complex64)[..., 0], np.fft.fft(numbers))],
    )


def statistics(batch: int, channels: int, size: int) -> Case:
    """Means and variances of channels."""
    x, mean, variance = random(batch, channels, size), random(channels), random(channels)
    return Case(
        lambda: batch_norm_statistics(x, mean, variance),
        lambda: (x.mean((0, 2)), x.var((0, 2))),
        lambda: [(mean, x.mean((0, 2))), (variance, x.var((0, 2)))],
    )


def sums(n: int) -> Case:
    """Element by element, for a kernel without blocks."""
    a, b, c, wanted = (random(n) for _ in range(4))
    return Case(lambda: vector_add(a, b, c), lambda: np.add(a, b, out=wanted), lambda: [(c, wanted)])


CASES: dict[str, Callable[[], Case]] = {
    "gemm-512": lambda: product(512),
    "gemm-500": lambda: product(500),
    "fft-64x1024": lambda: transforms(64, 1024),
    "fft-64x729": lambda: transforms(64, 729),
    "batch_norm_statistics-32x64x3136": lambda: statistics(32, 64, 3136),
    "vector_add-1M": lambda: sums(1 << 20),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures all rows."""
    options = turns.parse_rows("Compares kernels of the library with numpy.", arguments, [*CASES], 5.0)
    rows = [measure(name, options.seconds) for name in options.names]
    result = {**turns.about_run(), "unit": "milliseconds", "rows": [asdict(row) for row in rows]}
    turns.write(options, "library", result, markdown(result, rows))


def measure(name: str, seconds: float) -> Row:
    """One row: checked first, then both take turns."""
    case = CASES[name]()
    hologram.set_num_threads(1)
    case.ours()
    case.numpy()
    for found, wanted in case.results():
        if not np.allclose(found, wanted, rtol=1e-3, atol=1e-3):
            sys.exit(f"error: ours differs from numpy's in {name}")
    times, foreign = turns.in_turns({"ours": case.ours, "numpy": case.numpy}, seconds)
    ours, numpy = (Time.of(times[kind], 1e3) for kind in ("ours", "numpy"))
    return Row(name, ours, numpy, case.operations / ours.median / 1e6 if case.operations else None, foreign)


def markdown(result: dict[str, Any], rows: Sequence[Row]) -> str:
    """The table."""
    head = "| kernel | ours | numpy | numpy's time over ours | 10^9 operations a second | others' load |"
    lines = [head, "|" + "---|" * (head.count("|") - 1)]
    for row in rows:
        rate = "-" if row.rate is None else f"{row.rate:.0f}"
        lines.append(
            f"| {row.name} | {_time(row.ours)} | {_time(row.numpy)} | {row.numpy.median / row.ours.median:.2f} "
            f"| {rate} | {turns.share(row.foreign)} |"
        )
    about = (
        "Milliseconds a call, median (least), f32, one thread. `python bench/library.py`, whose first lines say what "
    )
    return turns.page("Kernels of the library", about + "is compared.", result, lines)


def _time(found: Time) -> str:
    return f"{found.median:.3f} ({found.least:.3f})"


if __name__ == "__main__":
    main()
