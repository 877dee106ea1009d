"""Symbolic sizes: integer polynomials over the sizes of a function's arguments, with a normal form for equality.

The text form is what entry records hold: `a[0] * b[1] + 2`, `((a[0] + -1) // (2))`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, field
from typing import TypeVar

ValueT = TypeVar("ValueT")


@dataclass(frozen=True)
class Atom:
    """An unknown: an argument's size or value by its text, or an SSA value that has no text; or a floor division."""

    text: str | None
    key: Hashable
    quotient: tuple[Size, Size] | None = None
    order: str = field(default="", compare=False)
    """Where it stands among the factors of a product and the terms of a sum: the same in every run."""
    natural: bool = field(default=True, compare=False)
    """Whether it can't be negative."""


Product = tuple[Atom, ...]


@dataclass(frozen=True)
class Size:
    """A sum of products of atoms: `terms` holds each sorted product with its coefficient."""

    terms: frozenset[tuple[Product, int]]

    @staticmethod
    def of(value: int) -> Size:
        """A constant."""
        return Size(frozenset({((), value)} if value else ()))

    @staticmethod
    def atom(text: str | None, key: Hashable = None, *, natural: bool = True, order: str | None = None) -> Size:
        """An unknown. One without a text needs a `key`, and an `order` that tells it from others."""
        place = order if order is not None else text or ""
        return Size(frozenset({((Atom(text, text if key is None else key, None, place, natural),), 1)}))

    @staticmethod
    def _from(terms: dict[Product, int]) -> Size:
        return Size(frozenset((k, v) for k, v in terms.items() if v))

    @property
    def constant(self) -> int | None:
        """The value, if it is a constant."""
        if not self.terms:
            return 0
        if len(self.terms) == 1:
            ((product, coefficient),) = self.terms
            return None if product else coefficient
        return None

    @property
    def natural(self) -> bool:
        """Return whether it is known not to be negative."""
        return all(coefficient > 0 and all(a.natural for a in product) for product, coefficient in self.terms)

    @property
    def ordered(self) -> list[tuple[Product, int]]:
        """The terms, longest products first, in the same order in every run."""
        return sorted(self.terms, key=lambda t: (-len(t[0]), [a.order for a in t[0]]))

    def __add__(self, other: Size) -> Size:
        terms = dict(self.terms)
        for product, coefficient in other.terms:
            terms[product] = terms.get(product, 0) + coefficient
        return Size._from(terms)

    def __sub__(self, other: Size) -> Size:
        return self + other * Size.of(-1)

    def __mul__(self, other: Size) -> Size:
        terms: dict[Product, int] = {}
        for left, a in self.terms:
            for right, b in other.terms:
                product = tuple(sorted((*left, *right), key=lambda atom: atom.order))
                terms[product] = terms.get(product, 0) + a * b
        return Size._from(terms)

    def __floordiv__(self, other: Size) -> Size:
        """The quotient rounded down, exact where every term divides."""
        a, b = self.constant, other.constant
        if a is not None and b:
            return Size.of(a // b)
        if b and all(c % b == 0 for _, c in self.terms):
            return Size(frozenset((p, c // b) for p, c in self.terms))
        if b is None and (ratio := self._ratio(other)) is not None:
            return ratio
        text = None if self.text is None or other.text is None else f"({self.text}) // ({other.text})"
        order = f"({self._order}) // ({other._order})"
        quotient = Atom(text, (self, other), (self, other), order, self.natural and other.natural)
        return Size(frozenset({((quotient,), 1)}))

    def _ratio(self, other: Size) -> Size | None:
        """The exact quotient when `other` is one product that divides every term."""
        if len(other.terms) != 1:
            return None
        ((divisor, coefficient),) = other.terms
        terms: dict[Product, int] = {}
        for product, c in self.terms:
            rest = list(product)
            for atom in divisor:
                if atom not in rest:
                    return None
                rest.remove(atom)
            if c % coefficient:
                return None
            terms[tuple(rest)] = c // coefficient
        return Size._from(terms)

    @property
    def _order(self) -> str:
        return " + ".join(" * ".join([*(a.order for a in product), str(c)]) for product, c in self.ordered)

    @property
    def text(self) -> str | None:
        """The expression in Python's syntax, or None if an unknown has no text."""
        parts: list[str] = []
        for product, coefficient in self.ordered:
            factors: list[str] = []
            for atom in product:
                if atom.text is None:
                    return None
                factors.append(atom.text if atom.quotient is None else f"({atom.text})")
            if coefficient != 1 or not factors:
                factors.append(str(coefficient))
            parts.append(" * ".join(factors))
        return " + ".join(parts) or "0"

    def evaluate(
        self,
        leaf: Callable[[Atom], ValueT],
        number: Callable[[int], ValueT],
        combine: Callable[[str, ValueT, ValueT], ValueT],
    ) -> ValueT:
        """Builds the value with a caller's operations: `combine` takes `+`, `*` or `//`."""
        total: ValueT | None = None
        for product, coefficient in self.ordered:
            value = number(coefficient) if coefficient != 1 or not product else None
            for atom in product:
                if atom.quotient is None:
                    factor = leaf(atom)
                else:
                    parts = [s.evaluate(leaf, number, combine) for s in atom.quotient]
                    factor = combine("//", parts[0], parts[1])
                value = factor if value is None else combine("*", value, factor)
            assert value is not None
            total = value if total is None else combine("+", total, value)
        return number(0) if total is None else total


@dataclass(frozen=True)
class Requirement:
    """A condition on sizes that must hold when the program runs: `left relation right`, with `==`, `<=` or `>=`."""

    left: Size
    relation: str
    right: Size

    @property
    def holds(self) -> bool | None:
        """Return whether it holds, or None where that depends on the arguments."""
        difference = self.left - self.right
        if (value := difference.constant) is not None:
            return {"==": value == 0, "<=": value <= 0, ">=": value >= 0}[self.relation]
        if self.relation == ">=" and difference.natural or self.relation == "<=" and (self.right - self.left).natural:
            return True
        return None

    @property
    def text(self) -> str | None:
        """The comparison in Python's syntax, or None if an unknown has no text."""
        left, right = self.left.text, self.right.text
        return None if left is None or right is None else f"{left} {self.relation} {right}"


RESERVED = ("min", "max")
"""What shape expressions call."""


def distinct_name(wanted: str, taken: Collection[str]) -> str:
    """A name that can stand in a shape expression, near to the wanted one and unlike those taken."""
    base = re.sub(r"[^A-Za-z0-9_$.]", "_", wanted) or "_"
    base = f"_{base}" if base[0].isdigit() else base
    name, number = base, 0
    while name in taken or name in RESERVED:
        number += 1
        name = f"{base}_{number}"
    return name
