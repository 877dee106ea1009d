"""Loops that stay loops: the heat equation, Newton's iteration and a recurrence, each one program on any device.

    python examples/loops.py [--device opencl] [--plot heat.png]

It prints the temperature along a rod as it spreads, and checks all results against numpy. With `--plot` it draws the
temperature in time too, which needs matplotlib (`pip install matplotlib`).
"""

# matplotlib may be missing, and tensor functions are typed by what they are called with.
# pyright: basic

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import hologram
from hologram import ops

POINTS, STEPS, SNAPSHOTS = 64, 1000, 8
SHADES = " .:-=+*#%@"


def spread(u: Any, steps: Any) -> Any:
    """The heat equation, explicitly in time, on a rod whose ends keep their temperature."""
    return ops.fori_loop(0, steps, lambda _, u: u + 0.25 * ops.pad(u[2:] - 2 * u[1:-1] + u[:-2], (1, 1)), u)


def history(u: Any, steps: Any) -> Any:
    """The temperatures at some times, by a scan whose steps are loops themselves."""

    def step(u: Any, _: Any) -> Any:
        later = spread(u, steps)
        return later, later

    return ops.scan(step, u, length=SNAPSHOTS)[1]


def root(x: Any) -> Any:
    """Newton's iteration for square roots, until no element changes by much."""
    start = (x + 1, x)
    far = lambda pair: ops.max(ops.abs(pair[0] - pair[1])) > 1e-5  # noqa: E731
    return ops.while_loop(far, lambda pair: ((pair[0] + x / pair[0]) / 2, pair[0]), start)[0]


def smoothed(x: Any) -> Any:
    """The recurrence y[i] = 0.9 y[i - 1] + 0.1 x[i]."""

    def step(last: Any, new: Any) -> Any:
        now = 0.9 * last + 0.1 * new
        return now, now

    return ops.scan(step, 0.0, x)[1]


def in_numpy(u: Any, x: Any) -> list[Any]:
    """The same in Python and numpy, step by step."""
    rows: list[Any] = []
    for step in range(STEPS):
        u = u + 0.25 * np.pad(u[2:] - 2 * u[1:-1] + u[:-2], 1)
        if (step + 1) % (STEPS // SNAPSHOTS) == 0:
            rows.append(u)
    last, smooth = 0.0, []
    for value in x:
        last = 0.9 * last + 0.1 * value
        smooth.append(last)
    return [np.stack(rows), np.sqrt(x), np.array(smooth)]


def main() -> None:
    """Runs the three programs, and shows the first."""
    parser = argparse.ArgumentParser(prog="loops")
    parser.add_argument("--device", default="cpu", help="where they run (default cpu)")
    parser.add_argument("--plot", metavar="FILE", help="draw the temperatures there: .png, .svg, .pdf")
    given = parser.parse_args()
    compiled = hologram.jit(device=given.device)
    u = np.zeros(POINTS, np.float32)
    u[POINTS // 2 - 4 : POINTS // 2 + 4] = 1
    x = np.linspace(1, 9, 17, dtype=np.float32)
    found = [compiled(history)(u, STEPS // SNAPSHOTS), compiled(root)(x), compiled(smoothed)(x)]
    for name, ours, theirs in zip(("heat", "roots", "recurrence"), found, in_numpy(u, x), strict=True):
        np.testing.assert_allclose(ours, theirs, 1e-4, 1e-5)
        print(f"{name}: as numpy's")
    rows = np.vstack([u, found[0]])
    for row, time in zip(rows, range(0, STEPS + 1, STEPS // SNAPSHOTS), strict=True):
        print(f"{time:5} |{''.join(SHADES[min(9, int(v / max(row.max(), 1e-9) * 9.99))] for v in row)}|")
    if given.plot:
        draw(rows, given.plot)


def draw(rows: Any, file: str) -> None:
    """Writes a plot of the temperatures at all times."""
    try:
        from matplotlib import pyplot  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise SystemExit("--plot needs matplotlib: pip install matplotlib") from None
    pyplot.plot(rows.T)
    pyplot.legend([f"step {n * (STEPS // SNAPSHOTS)}" for n in range(len(rows))])
    pyplot.xlabel("point")
    pyplot.ylabel("temperature")
    pyplot.savefig(file)
    print(f"wrote {file}")


if __name__ == "__main__":
    main()
