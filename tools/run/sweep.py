"""`hologram-run --sweep N=1000,1000000`: the times of a program by the sizes of its arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hologram.errors import UsageError
from hologram.runtime.limbs import shown
from hologram.support.digits import whole_number

SWEEP = re.compile(r"([A-Z]\w*)=([\d_]+(?:,[\d_]+)*)")
SIZED = re.compile(r"([a-z]\w*)\[([^\]]*)\](=.*)")
"""A value that is made: its type, sizes and rule."""
MOST_SIZE = (1 << 63) - 1


@dataclass(frozen=True)
class Sweep:
    """A name in the values of arguments, and what it stands for, one after the other."""

    name: str
    sizes: tuple[int, ...]

    @staticmethod
    def read(text: str) -> Sweep:
        """Read it from the command line; raises a UsageError if it is none."""
        match = SWEEP.fullmatch(text)
        sizes = [whole_number(size.replace("_", ""), MOST_SIZE) for size in match[2].split(",")] if match else [None]
        if match is None or None in sizes:
            hint = "write --sweep N=1000,1000000 and N in the values: --arg f32[N]=ones; the name is in capital letters"
            raise UsageError("run-sweep", f"{shown(text)} is no name and its sizes", hint=hint)
        return Sweep(match[1], tuple(size for size in sizes if size is not None))

    def check(self, values: Sequence[str]) -> None:
        """A UsageError if no value has the name."""
        if all(self.put(value, 1) == value for value in values):
            hint = f"write it as a size, --arg f32[{self.name}]=ones, or as a number, --arg {self.name}"
            raise UsageError("run-sweep-unused", f"no --arg has the size {self.name}", hint=hint)

    def put(self, value: str, size: int) -> str:
        """The value of an argument with the size in place of the name."""
        if value == self.name:
            return str(size)
        if (match := SIZED.fullmatch(value)) is None:
            return value
        sizes = [str(size) if part == self.name else part for part in match[2].split("x")]
        return f"{match[1]}[{'x'.join(sizes)}]{match[3]}"


@dataclass(frozen=True)
class Row:
    """One size: the median time of a launch, of how many, and the bytes of the arrays that the program is given and
    gives, each counted once."""

    size: int
    seconds: float
    launches: int
    bytes: int

    def json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        row = {"size": self.size, "median_seconds": self.seconds, "launches": self.launches, "bytes": self.bytes}
        return row | {"bytes_per_second": self.bytes / self.seconds}


def measure(
    sweep: Sweep, values: Sequence[str], launch: Callable[[tuple[str, ...]], tuple[float, int, int]]
) -> list[Row]:
    """A row for each size; `launch` runs the program on values and gives median seconds, launches and bytes."""
    return [Row(size, *launch(tuple(sweep.put(value, size) for value in values))) for size in sweep.sizes]


def table(name: str, rows: Sequence[Row]) -> str:
    """The rows as text."""
    lines = [f"{name:>12} {'us a launch':>14} {'launches':>9} {'arrays':>10} {'GB/s':>8}"]
    for row in rows:
        rate = row.bytes / row.seconds / 1e9
        lines.append(
            f"{row.size:>12} {row.seconds * 1e6:>14.2f} {row.launches:>9} {_bytes(row.bytes):>10} {rate:>8.2f}"
        )
    return "\n".join(lines) + "\n"


def _bytes(count: int) -> str:
    power = min(len(str(count)) - 1, 11) // 3
    return f"{count / 1000**power:.3g} {('B', 'kB', 'MB', 'GB')[power]}"
