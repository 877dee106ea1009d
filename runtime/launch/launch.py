"""The shape that a launch is given beside its arguments, and what it gives back beside its results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hologram.errors import LaunchError
from hologram.errors.arguments import checked, described
from hologram.resonance import Resonance
from hologram.runtime.entry import Entry

U32_END = 1 << 32
SHARED_END = 1 << 31


@dataclass(frozen=True)
class Launch:
    """A launch that has ended."""

    result: Any
    """What calling the kernel gives: an array, a tuple of them, or None."""
    resonance: Resonance | None
    """R, summed over the lanes of all programs that were launched; None where no program accumulates it."""


@checked
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
        if self.total_threads >= 1 << 64:
            message = f"grid {self.grid} with blocks {self.block} has {self.total_threads} lanes, too many for 64 bits"
            raise LaunchError("launch-config-lanes", message, hint="launch parts of it one after another")
        if not 0 <= self.shared_bytes < SHARED_END:
            message = f"shared_bytes is {self.shared_bytes}, and must be from 0 to 2^31 - 1"
            raise LaunchError("launch-config-shared", message)

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
        """The number of lanes that it starts."""
        return math.prod(self.grid) * math.prod(self.block)


def with_sizes(entry: Entry, inputs: Sequence[int], args: Sequence[Any], config: LaunchConfig) -> list[Any]:
    """The arguments that must be given, by their numbers `inputs`, from those that are no sizes of the launch.

    Raises a LaunchError where the entry's launch is not of this shape.
    """
    shape = entry.shape
    if not isinstance(config, LaunchConfig):  # pyright: ignore[reportUnnecessaryIsInstance]
        message = f"config= is a LaunchConfig, not {described(config)}"
        raise LaunchError("launch-config-type", message, hint="hologram.LaunchConfig.linear(n) makes one")
    if shape is None:
        message = f"'{entry.name}' is a function that says itself how it launches programs, so it takes no LaunchConfig"
        raise LaunchError("launch-config-unused", message, hint="call it without config=")
    sizes = _sizes(entry, config)
    names = [entry.arguments[i].name for i in inputs]
    wanted = sum(name not in shape.names for name in names)
    if len(args) != wanted:
        message = f"'{entry.name}' takes {wanted} argument{'s' * (wanted != 1)} beside config=, found {len(args)}"
        hint = f"its signature is {entry.signature}, and config= says the sizes"
        raise LaunchError("launch-config-count", message, hint=hint)
    given = iter(args)
    return [sizes[name] if name in shape.names else next(given) for name in names]


def _sizes(entry: Entry, config: LaunchConfig) -> dict[str, int]:
    """The sizes that arguments say; those that the program fixes are compared."""
    shape = entry.shape
    assert shape is not None
    sizes: dict[str, int] = {}
    for group, wanted, given in (("grid", shape.grid, config.grid), ("block", shape.block, config.block)):
        for size, value in zip(wanted, given, strict=True):
            if isinstance(size, str):
                sizes[size] = value
            elif size != value:
                message = f"'{entry.name}' is a program for a {group} of {wanted}, and config= says {given}"
                raise LaunchError("launch-config-differs", message, hint=f"launch it with {group}={wanted}")
    if isinstance(shape.shared, str):
        sizes[shape.shared] = config.shared_bytes
    elif config.shared_bytes:
        message = f"'{entry.name}' has no shared array without a length for the {config.shared_bytes} shared bytes"
        raise LaunchError("launch-config-bytes", message, hint="leave shared_bytes at 0, or declare such an array")
    return sizes
