"""What a launch is given beside its arguments, and what it gives back beside its results."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from hologram.errors import LaunchError
from hologram.resonance import Resonance

U32_END = 1 << 32


@dataclass(frozen=True)
class Launch:
    """A launch that has ended."""

    result: Any
    """What calling the kernel gives: an array, a tuple of them, or None."""
    resonance: Resonance | None
    """R, summed over the lanes of all programs that were launched; None where no program accumulates it."""


@dataclass(frozen=True)
class LaunchConfig:
    """The shape of a launch: sizes of the grid and of a block along x, y and z, and bytes of shared memory a block."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int = 0

    def __post_init__(self) -> None:
        sizes = (*self.grid, *self.block)
        if len(sizes) != 6 or min(sizes) < 1 or max(sizes) >= U32_END:
            message = f"the grid {self.grid} and the block {self.block} need three sizes each, from 1 to 2^32 - 1"
            raise LaunchError("launch-config-size", message, hint="LaunchConfig.linear(total) makes a shape")
        if self.shared_bytes < 0:
            raise LaunchError("launch-config-shared", f"shared_bytes is {self.shared_bytes}, which is below 0")

    @staticmethod
    def linear(total: int, block: int = 256) -> LaunchConfig:
        """At least `total` lanes along x, in blocks of `block`: the last block may have lanes past the end."""
        if total < 1 or block < 1:
            raise LaunchError("launch-config-linear", f"{total} lanes in blocks of {block} are no launch")
        return LaunchConfig((-(-total // block), 1, 1), (block, 1, 1))

    @staticmethod
    def grid_2d(width: int, height: int) -> LaunchConfig:
        """At least `width` times `height` lanes along x and y, in blocks of 16 by 16."""
        if width < 1 or height < 1:
            raise LaunchError("launch-config-2d", f"{width} by {height} lanes are no launch")
        return LaunchConfig((-(-width // 16), -(-height // 16), 1), (16, 16, 1))

    @property
    def total_threads(self) -> int:
        """How many lanes it starts."""
        return math.prod(self.grid) * math.prod(self.block)
