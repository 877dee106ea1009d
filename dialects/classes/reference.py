"""Reference functions of the dialect `class` (classes.md section 2): arrays of integers in, arrays out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hologram import classes

if TYPE_CHECKING:
    from collections.abc import Callable

    from hologram.dialects.atlas.instructions.types import Array


def _table(function: Callable[[int], int], count: int) -> Array:
    return np.array([function(n) for n in range(count)], np.int64)


_OF_BYTE = _table(classes.sigil_class, 256)
_GRAPH_OF_BYTE = _table(classes.graph_class, 256)
_CANONICAL = _table(classes.canonical_byte, classes.CLASS_COUNT)
_SIGIL_MIRROR = _table(classes.sigil_mirror, classes.CLASS_COUNT)
_MIRROR = _table(classes.mirror, classes.CLASS_COUNT)
_DEGREE = _table(classes.degree, classes.CLASS_COUNT)
_NEIGHBOURS: Any = np.array(
    [[*found, *[0] * (classes.MAX_DEGREE + 1 - len(found))] for found in classes.NEIGHBOURS], np.int64
)


def check(c: Array) -> Array:
    """The class itself."""
    return c


def classify(byte: Array) -> Array:
    """The sigil class of a byte."""
    return _OF_BYTE[byte]


def canonical_byte(c: Array) -> Array:
    """The least byte of a sigil class."""
    return _CANONICAL[c]


def graph_class(byte: Array) -> Array:
    """The graph class of a byte."""
    return _GRAPH_OF_BYTE[byte]


def rotate(c: Array, k: Array) -> Array:
    """R^k."""
    return (c + 24 * (k % 4)) % classes.CLASS_COUNT


def triality(c: Array, k: Array) -> Array:
    """D^k."""
    return c // 24 * 24 + (c % 24 + 8 * (k % 3)) % 24


def twist(c: Array, k: Array) -> Array:
    """T^k."""
    return c // 8 * 8 + (c % 8 + k % 8) % 8


def sigil_mirror(c: Array) -> Array:
    """M."""
    return _SIGIL_MIRROR[c]


def transform(element: classes.Transform, c: Array) -> Array:
    """An element of the group."""
    return _table(element, classes.CLASS_COUNT)[c]


def mirror(c: Array) -> Array:
    """e7 flipped."""
    return _MIRROR[c]


def degree(c: Array) -> Array:
    """The number of neighbours."""
    return _DEGREE[c]


def neighbour(c: Array, i: Array) -> Array:
    """The neighbour with number i, 0 past the last one; a negative i counts as a large unsigned one."""
    return _NEIGHBOURS[c, np.where(i < 0, classes.MAX_DEGREE, np.minimum(i, classes.MAX_DEGREE))]


def is_unity(c: Array) -> Array:
    """Return whether it is a unity class."""
    return np.isin(c, classes.UNITY)


def address(c: Array, page: Array, byte: Array) -> Array:
    """The place of a byte in class memory."""
    return c * classes.BYTES_PER_CLASS + page * classes.BYTES_PER_PAGE + byte


def address_class(address: Array) -> Array:
    """The class of an address."""
    return address // classes.BYTES_PER_CLASS


def address_page(address: Array) -> Array:
    """The page of an address."""
    return address % classes.BYTES_PER_CLASS // classes.BYTES_PER_PAGE


def address_byte(address: Array) -> Array:
    """The byte of an address."""
    return address % classes.BYTES_PER_PAGE


def fold_bytes(data: Array) -> Array:
    """The exclusive or of all bytes."""
    return np.asarray(np.bitwise_xor.reduce(data.ravel()))


_LABELS = np.array([list(classes.label(c).encode()) for c in range(classes.CLASS_COUNT)], np.int64)


def labels(c: Array) -> Array:
    """The labels of classes, as the bytes of their text along a last axis."""
    return _LABELS[c]
