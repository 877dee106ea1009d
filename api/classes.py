"""The 96 classes: their memory, and the two systems of classes that share the numbers 0 to 95.

A class holds 48 pages of 256 bytes; `address` and `place` go between (class, page, byte) and a byte of class memory.
*Graph classes* are what the ISA's `mirror`, `nbr.count`, `nbr.get` and `is_unity` mean: vertices of the Atlas graph.
*Sigil classes* are what circuits and `classify` mean. The two are told apart by name: `mirror` is the graph's,
`sigil_mirror` the circuits'. All is arithmetic on small integers; a number out of range is an InputError.
"""

from __future__ import annotations

import operator
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

from hologram.errors.arguments import checked
from hologram.errors.names import Table as _Table
from hologram.errors.names import no_other_names

CLASS_COUNT = 96
PAGES_PER_CLASS = 48
BYTES_PER_PAGE = 256
BYTES_PER_CLASS = PAGES_PER_CLASS * BYTES_PER_PAGE
F32_PER_CLASS = BYTES_PER_CLASS // 4
ARENA_BYTES = CLASS_COUNT * BYTES_PER_CLASS
"""The bytes of class memory."""
PHASE_MODULUS = 8 * CLASS_COUNT
MAX_DEGREE = 6
"""The most neighbours that a class has."""
UNITY = (1, 4)
"""The unity classes of the graph."""


def _in_range(name: str, value: SupportsIndex, end: int) -> int:
    """`value` as an integer of 0 to `end` - 1."""
    from hologram.errors import InputError

    try:
        number = operator.index(value)
    except TypeError:
        message = f"{name} must be an integer, found {value!r}"
        raise InputError("class-integer", message, hint=f"{name} is 0 to {end - 1}") from None
    if not 0 <= number < end:
        raise InputError("class-range", f"{name} is {number}, out of the range of 0 to {end - 1}")
    return number


def _class(value: SupportsIndex) -> int:
    return _in_range("class", value, CLASS_COUNT)


# Class memory


class Place(NamedTuple):
    """A byte of class memory."""

    class_: int
    page: int
    byte: int


def address(class_: SupportsIndex, page: SupportsIndex = 0, byte: SupportsIndex = 0) -> int:
    """Return the address of a byte in class memory: class * 12288 + page * 256 + byte."""
    number, page = _class(class_), _in_range("page", page, PAGES_PER_CLASS)
    return number * BYTES_PER_CLASS + page * BYTES_PER_PAGE + _in_range("byte", byte, BYTES_PER_PAGE)


def place(address: SupportsIndex) -> Place:
    """The class, page and byte at an address; the inverse of `address`."""
    class_, rest = divmod(_in_range("address", address, ARENA_BYTES), BYTES_PER_CLASS)
    return Place(class_, *divmod(rest, BYTES_PER_PAGE))


# Graph classes


class Vertex(NamedTuple):
    """A vertex of the Atlas graph: e in {0, 1}, d45 in {-1, 0, 1}."""

    e1: int
    e2: int
    e3: int
    d45: int
    e6: int
    e7: int


EDGE_STEPS = _Table("classes.EDGE_STEPS", {"e1": 48, "e2": 24, "e3": 12, "e6": 6})
"""What flipping each of these adds to the class, or takes away. e7 never flips on an edge."""
MIRROR_STEP = 3
"""The same of e7, which the mirror flips."""
_STEPS = (*EDGE_STEPS.values(), MIRROR_STEP)


def vertex(class_: SupportsIndex) -> Vertex:
    """The vertex that a class is."""
    number = _class(class_)
    e1, e2, e3, e6, e7 = (number // step % 2 for step in _STEPS)
    return Vertex(e1, e2, e3, number % 3 - 1, e6, e7)


@checked
def class_of(vertex: Vertex | tuple[int, ...]) -> int:
    """The class that a vertex is: 48 e1 + 24 e2 + 12 e3 + 6 e6 + 3 e7 + (d45 + 1)."""
    from hologram.errors import InputError

    if len(vertex) != 6:
        raise InputError(
            "class-vertex", f"a vertex has 6 parts, not {len(vertex)}", hint="they are e1, e2, e3, d45, e6, e7"
        )
    e1, e2, e3, d45, e6, e7 = vertex
    bits = {"e1": e1, "e2": e2, "e3": e3, "e6": e6, "e7": e7}
    flips = sum(_in_range(name, bit, 2) * step for (name, bit), step in zip(bits.items(), _STEPS, strict=True))
    return flips + _in_range("d45 + 1", d45 + 1, 3)


def _find_neighbours(class_: int) -> tuple[int, ...]:
    here = vertex(class_)
    adjacent = [class_ + (-step if getattr(here, name) else step) for name, step in EDGE_STEPS.items()]
    adjacent += [class_ + step for step in (-1, 1) if -1 <= here.d45 + step <= 1]
    return tuple(sorted(adjacent))


NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(map(_find_neighbours, range(CLASS_COUNT)))
"""The neighbours of each class, in ascending order."""


def neighbours(class_: SupportsIndex) -> tuple[int, ...]:
    """The neighbours of a class, in ascending order."""
    return NEIGHBOURS[_class(class_)]


def degree(class_: SupportsIndex) -> int:
    """Return the number of neighbours of a class: 6 where d45 is 0, else 5."""
    return len(NEIGHBOURS[_class(class_)])


def mirror(class_: SupportsIndex) -> int:
    """The class with e7 flipped."""
    number = _class(class_)
    return number - MIRROR_STEP if number // MIRROR_STEP % 2 else number + MIRROR_STEP


def is_unity(class_: SupportsIndex) -> bool:
    """Return whether a class is one of the two unity classes."""
    return _class(class_) in UNITY


def graph_class(byte: SupportsIndex) -> int:
    """The graph's own byte map: bits 0 to 4 are e1, e2, e3, e6, e7, and ((byte >> 5) & 3) mod 3 is d45 + 1."""
    number = _in_range("byte", byte, 256)
    return sum((number >> bit & 1) * step for bit, step in enumerate(_STEPS)) + (number >> 5 & 3) % 3


# Sigil classes


class Sigil(NamedTuple):
    """The parts of a sigil class: h2 in 0 to 3, d in 0 to 2, l in 0 to 7."""

    h2: int
    d: int
    l: int  # noqa: E741


_D_OF_BITS = (0, 1, 2, 0)
"""d of the bits b5 b4 of a byte: none, b4 alone, b5 alone, both."""


def sigil(class_: SupportsIndex) -> Sigil:
    """The parts of a sigil class."""
    h2, rest = divmod(_class(class_), 24)
    return Sigil(h2, *divmod(rest, 8))


def sigil_class(byte: SupportsIndex) -> int:
    """The sigil class of a byte, 24 h2 + 8 d + l: h2 = byte >> 6, l = (byte >> 1) & 7, d from the bits between."""
    number = _in_range("byte", byte, 256)
    return 24 * (number >> 6) + 8 * _D_OF_BITS[number >> 4 & 3] + (number >> 1 & 7)


def canonical_byte(class_: SupportsIndex) -> int:
    """The least byte of a sigil class: 64 h2 + 16 d + 2 l."""
    h2, d, l = sigil(class_)  # noqa: E741
    return 64 * h2 + 16 * d + 2 * l


@checked
def classify(data: bytes | bytearray | memoryview) -> int:
    """The sigil class of the exclusive or of all bytes; of no bytes that of 0."""
    return sigil_class(reduce(int.__xor__, bytes(data), 0))


def label(class_: SupportsIndex) -> str:
    """`c21 (h2=0, d=2, l=5)`."""
    h2, d, l = sigil(class_)  # noqa: E741
    return f"c{operator.index(class_):02} (h2={h2}, d={d}, l={l})"


@checked
def rotate(class_: SupportsIndex, k: int = 1) -> int:
    """R^k: h2 moves by k, modulo 4."""
    return (_class(class_) + 24 * k) % CLASS_COUNT


@checked
def triality(class_: SupportsIndex, k: int = 1) -> int:
    """D^k: d moves by k, modulo 3."""
    number = _class(class_)
    return number // 24 * 24 + (number % 24 + 8 * k) % 24


@checked
def twist(class_: SupportsIndex, k: int = 1) -> int:
    """T^k: l moves by k, modulo 8."""
    number = _class(class_)
    return number // 8 * 8 + (number % 8 + k) % 8


def sigil_mirror(class_: SupportsIndex) -> int:
    """M, written ~: d = 1 and d = 2 change places."""
    h2, d, l = sigil(class_)  # noqa: E741
    return 24 * h2 + 8 * (-d % 3) + l


class Transform(NamedTuple):
    """An element R^r D^d T^t M^mirror of the group of order 192: the mirror acts first, and R, D and T commute.

    `Transform.of` brings any powers to r in 0 to 3, d in 0 to 2, t in 0 to 7, so that equal elements are equal.
    """

    r: int = 0
    d: int = 0
    t: int = 0
    mirror: bool = False

    @staticmethod
    @checked
    def of(r: int = 0, d: int = 0, t: int = 0, mirror: bool = False) -> Transform:
        """The element with these powers, which may be any integers."""
        return Transform(r % 4, d % 3, t % 8, bool(mirror))

    @staticmethod
    @checked
    def power(letter: str, k: int) -> Transform:
        """`r`, `d` or `t` to a power."""
        from hologram.errors import InputError

        if letter not in ("r", "d", "t"):
            raise InputError("class-transform", f"there is no transform '{letter}'", hint="they are r, d and t")
        return Transform.of(r=k * (letter == "r"), d=k * (letter == "d"), t=k * (letter == "t"))

    @checked
    def after(self, first: Transform) -> Transform:
        """The element that acts as `first` and then this one; M D = D^-1 M, all else commutes."""
        d = self.d + (-first.d if self.mirror else first.d)
        return Transform.of(self.r + first.r, d, self.t + first.t, self.mirror != first.mirror)

    @property
    def inverse(self) -> Transform:
        """The element that undoes this one."""
        return Transform.of(-self.r, self.d if self.mirror else -self.d, -self.t, self.mirror)

    def __call__(self, class_: SupportsIndex) -> int:
        """Return what it makes of a sigil class."""
        start = sigil_mirror(class_) if self.mirror else class_
        return rotate(triality(twist(start, self.t), self.d), self.r)


if not TYPE_CHECKING:
    __getattr__ = no_other_names("hologram.classes", globals())
