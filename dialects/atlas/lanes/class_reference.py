"""Reference functions over classes (classes.md section 2): arrays of lanes in, arrays out. Imported at first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hologram import classes
from hologram.dialects.atlas.instructions.instruction import Trap
from hologram.dialects.atlas.lanes.state import NO_CLASS

if TYPE_CHECKING:
    from hologram.dialects.atlas.instructions.types import Array, DType

_MIRRORS = np.array([classes.mirror(c) for c in range(classes.CLASS_COUNT)], np.uint32)
_DEGREES = np.array([len(found) for found in classes.NEIGHBOURS], np.uint32)
_NEIGHBOURS: Any = np.zeros((classes.CLASS_COUNT, classes.MAX_DEGREE + 1), np.uint32)
for _class, _found in enumerate(classes.NEIGHBOURS):
    _NEIGHBOURS[_class, : len(_found)] = _found


def checked(c: Array) -> Array:
    """Classes as indices; a Trap where one is none."""
    if (outside := c >= classes.CLASS_COUNT).any():
        raise Trap(NO_CLASS, outside)
    return c.astype(np.intp)


def mirror(t: DType, c: Array) -> Array:
    """The class with e7 flipped."""
    return _MIRRORS[checked(c)]


def is_unity(t: DType, c: Array) -> Array:
    """Whether a class is one of the unity classes."""
    return np.isin(checked(c), classes.UNITY)


def neighbour_count(t: DType, c: Array) -> Array:
    """The degree of a class."""
    return _DEGREES[checked(c)]


def neighbour(t: DType, c: Array, i: Array) -> Array:
    """The neighbour with number i, 0 past the last one."""
    c, i = np.broadcast_arrays(c, i)
    return _NEIGHBOURS[checked(c), np.minimum(i, classes.MAX_DEGREE)]
