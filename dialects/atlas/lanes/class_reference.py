"""Reference functions over classes (classes.md section 2): arrays of lanes in, arrays out."""

from __future__ import annotations

from functools import cache
from typing import Any

from hologram import classes
from hologram.dialects.atlas.instructions.dtypes import Array, DType
from hologram.dialects.atlas.instructions.storage import Trap
from hologram.dialects.lazy import np

NO_CLASS = "class out of range"
"""Why an instruction traps that is given no class."""


@cache
def _tables() -> tuple[Array, Array, Array]:
    """The mirrors, the degrees and the neighbours of the classes; beyond the last neighbour there are zeros."""
    mirrors = np.array([classes.mirror(c) for c in range(classes.CLASS_COUNT)], np.uint32)
    degrees = np.array([len(row) for row in classes.NEIGHBOURS], np.uint32)
    neighbours: Any = np.zeros((classes.CLASS_COUNT, classes.MAX_DEGREE + 1), np.uint32)
    for number, row in enumerate(classes.NEIGHBOURS):
        neighbours[number, : len(row)] = row
    return mirrors, degrees, neighbours


def checked(c: Array) -> Array:
    """Classes as indices; a Trap where one is none."""
    if (outside := c >= classes.CLASS_COUNT).any():
        raise Trap(NO_CLASS, outside)
    return c.astype(np.intp)


def mirror(t: DType, c: Array) -> Array:
    """The class with e7 flipped."""
    return _tables()[0][checked(c)]


def is_unity(t: DType, c: Array) -> Array:
    """Whether a class is one of the unity classes."""
    return np.isin(checked(c), classes.UNITY)


def neighbour_count(t: DType, c: Array) -> Array:
    """The degree of a class."""
    return _tables()[1][checked(c)]


def neighbour(t: DType, c: Array, i: Array) -> Array:
    """The neighbour with number i, 0 past the last one."""
    c, i = np.broadcast_arrays(c, i)
    return _tables()[2][checked(c), np.minimum(i, classes.MAX_DEGREE)]
