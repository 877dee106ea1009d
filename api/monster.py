"""The Monster as a place to route through: the sparse vectors that coordinates lift to, and the group's own numbers.

The least faithful representation has dimension 196,883; with the trivial one beside it, 196,884. A coordinate lifts to
a basis vector of that space, and `project_to_torus` takes it back. Sums and products of coordinates need no way through
the space: `route_add` and `route_mul` work on coordinates, in constant time, and for coordinates of integers give those
of the integers' sum and product. Nothing more is claimed: the group does not act here.

    >>> from hologram import monster
    >>> monster.lift_to_monster((9, 57))
    MonsterElement({922: 1})
    >>> monster.project_to_torus(monster.lift_to_monster((9, 57)))
    Coordinate(page=9, resonance=57)
"""

from __future__ import annotations

import json
import operator
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, TypeAlias

from hologram import torus
from hologram.errors import InputError
from hologram.errors.arguments import checked, described
from hologram.errors.names import no_other_names

MINIMAL_DIMENSION = 196_883
"""The degree of the least faithful representation."""
DIMENSION = 1 + MINIMAL_DIMENSION
CONJUGACY_CLASSES = 194
"""How many classes of conjugate elements the group has, and irreducible characters."""
FIRST = 1
"""The index that (0, 0) lifts to."""
PAGES, RESONANCES = torus.TORUS.moduli

Number: TypeAlias = "int | float | Fraction"
Coordinate: TypeAlias = "tuple[SupportsIndex, SupportsIndex]"


class Numbers(NamedTuple):
    """The group's numbers, from GAP's library of character tables (`test/monster/make_numbers.py` says how)."""

    degrees: tuple[int, ...]
    """The degrees of the irreducible characters, in the library's order."""
    centralisers: tuple[int, ...]
    """The orders of the centralisers of the conjugacy classes, in the library's order."""

    @property
    def order(self) -> int:
        """The order of the group: the centraliser of the identity is all of it."""
        return self.centralisers[0]

    @property
    def class_sizes(self) -> tuple[int, ...]:
        """The number of elements of each conjugacy class."""
        return tuple(self.order // c for c in self.centralisers)


def numbers() -> Numbers:
    """The degrees and centralisers, read at the first call."""
    return _numbers()


@cache
def _numbers() -> Numbers:
    text = resources.files("hologram").joinpath("monster_numbers.json").read_text(encoding="utf-8")
    document = json.loads(text)
    return Numbers(tuple(document["degrees"]), tuple(document["centralisers"]))


def _integer(name: str, value: SupportsIndex, end: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        message = f"{name} must be an integer, found {described(value)}"
        raise InputError("monster-integer", message, hint=f"{name} is 0 to {end - 1}") from None
    if not 0 <= number < end:
        raise InputError("monster-range", f"{name} is {number}, out of the range of 0 to {end - 1}")
    return number


def _coordinate(a: Coordinate) -> tuple[int, int]:
    pair: Any = a
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:  # pyright: ignore[reportUnknownArgumentType]
        message = f"a coordinate is a pair of integers, found {described(pair)}"
        raise InputError("monster-coordinate", message, hint="such as (9, 57)")
    page, resonance = a
    return _integer("page", page, PAGES), _integer("resonance", resonance, RESONANCES)


@checked
class MonsterElement(Mapping[int, Number]):
    """A sparse vector of dimension 196,884: the coefficients that are not 0 by their index. It never changes."""

    __slots__ = ("_terms",)

    def __init__(self, terms: Mapping[int, Number] = MappingProxyType({})):
        coefficients = {_integer("index", index, DIMENSION): value for index, value in terms.items()}
        self._terms = {index: coefficients[index] for index in sorted(coefficients) if coefficients[index]}

    @staticmethod
    def basis(index: SupportsIndex) -> MonsterElement:
        """The vector with a 1 at an index."""
        return MonsterElement({_integer("index", index, DIMENSION): 1})

    def __getitem__(self, index: int) -> Number:
        """The coefficient at an index; 0 where there is none."""
        return self._terms.get(_integer("index", index, DIMENSION), 0)

    def __iter__(self) -> Iterator[int]:
        return iter(self._terms)

    def __len__(self) -> int:
        """The number of coefficients that are not 0."""
        return len(self._terms)

    def __hash__(self) -> int:
        return hash(tuple(self._terms.items()))

    def __repr__(self) -> str:
        return f"MonsterElement({self._terms})"

    def __add__(self, other: MonsterElement) -> MonsterElement:
        if not isinstance(other, MonsterElement):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        return MonsterElement({i: self[i] + other[i] for i in {*self, *other}})

    def __neg__(self) -> MonsterElement:
        return self * -1

    def __sub__(self, other: MonsterElement) -> MonsterElement:
        return self + -other if isinstance(other, MonsterElement) else NotImplemented  # pyright: ignore

    def __mul__(self, factor: Number) -> MonsterElement:
        return MonsterElement({i: value * factor for i, value in self._terms.items()})

    __rmul__ = __mul__

    def dot(self, other: MonsterElement) -> Number:
        """The sum of the products of coefficients."""
        return sum(value * other[i] for i, value in self._terms.items())


def lift_to_monster(a: Coordinate) -> MonsterElement:
    """The basis vector of a coordinate, with index 1 + 96 page + resonance."""
    page, resonance = _coordinate(a)
    return MonsterElement.basis(FIRST + RESONANCES * page + resonance)


@checked
def project_to_torus(element: MonsterElement) -> torus.Coordinate:
    """The coordinate that lifts to a vector; an InputError where none does."""
    terms = list(element.items())
    last = FIRST + PAGES * RESONANCES
    if len(terms) != 1 or terms[0][1] != 1 or not FIRST <= terms[0][0] < last:
        text = repr(element) if len(terms) <= 4 else f"a vector of {len(terms)} terms"
        raise InputError(
            "monster-not-lifted",
            f"{text} is no lifted coordinate",
            hint=f"those have one coefficient, 1, at an index of {FIRST} to {last - 1}",
        )
    return torus.Coordinate(*divmod(terms[0][0] - FIRST, RESONANCES))


def route_add(a: Coordinate, b: Coordinate) -> torus.Coordinate:
    """The sum of two coordinates, page by page and resonance by resonance."""
    return torus.add(_coordinate(a), _coordinate(b))


def route_mul(a: Coordinate, b: Coordinate) -> torus.Coordinate:
    """The product of two coordinates, page by page and resonance by resonance."""
    return torus.mul(_coordinate(a), _coordinate(b))


if not TYPE_CHECKING:
    __getattr__ = no_other_names("hologram.monster", globals())
