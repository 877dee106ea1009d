"""Symbolic sizes: integer polynomials over the sizes of a function's arguments, with a normal form for equality.

The text form is what entry records hold: `a[0] * b[1] + 2`, `(a[0] - 1) // 2`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

ValueT = TypeVar("ValueT")


@dataclass(frozen=True)
class Atom:
    """An unknown: an argument's size or value by its text, or an SSA value that has no text; or a floor division."""

    text: str | None
    key: Hashable
    quotient: tuple[Size, Size] | None = None


@dataclass(frozen=True)
class Size:
    """A sum of products of atoms: `terms` maps each sorted product to its coefficient."""

    terms: frozenset[tuple[tuple[Atom, ...], int]]

    @staticmethod
    def of(value: int) -> Size:
        return Size(frozenset({((), value)} if value else ()))

    @staticmethod
    def atom(text: str | None, key: Hashable = None) -> Size:
        return Size(frozenset({((Atom(text, text if key is None else key),), 1)}))

    @staticmethod
    def _from(terms: dict[tuple[Atom, ...], int]) -> Size:
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

    def __add__(self, other: Size) -> Size:
        terms = dict(self.terms)
        for product, coefficient in other.terms:
            terms[product] = terms.get(product, 0) + coefficient
        return Size._from(terms)

    def __sub__(self, other: Size) -> Size:
        return self + other * Size.of(-1)

    def __mul__(self, other: Size) -> Size:
        terms: dict[tuple[Atom, ...], int] = {}
        for left, a in self.terms:
            for right, b in other.terms:
                product = tuple(sorted((*left, *right), key=lambda atom: (atom.text or "", str(atom.key))))
                terms[product] = terms.get(product, 0) + a * b
        return Size._from(terms)

    def __floordiv__(self, other: Size) -> Size:
        a, b = self.constant, other.constant
        if a is not None and b:
            return Size.of(a // b)
        if b and all(c % b == 0 for _, c in self.terms):
            return Size(frozenset((p, c // b) for p, c in self.terms))
        if b is None and (ratio := self._ratio(other)) is not None:
            return ratio
        text = None if self.text is None or other.text is None else f"({self.text}) // ({other.text})"
        return Size(frozenset({((Atom(text, (self, other), (self, other)),), 1)}))

    def _ratio(self, other: Size) -> Size | None:
        """The exact quotient when `other` is one product that divides every term."""
        if len(other.terms) != 1:
            return None
        ((divisor, coefficient),) = other.terms
        terms: dict[tuple[Atom, ...], int] = {}
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
    def text(self) -> str | None:
        """The expression in Python's syntax, or None if an unknown has no text."""
        parts: list[str] = []
        for product, coefficient in sorted(self.terms, key=lambda t: (-len(t[0]), str([a.text for a in t[0]]))):
            factors = [a.text if a.quotient is None else f"({a.text})" for a in product]
            if any(a.text is None for a in product):
                return None
            if coefficient != 1 or not factors:
                factors.append(str(coefficient))
            parts.append(" * ".join(f for f in factors if f is not None))
        return " + ".join(parts) or "0"

    def evaluate(
        self,
        leaf: Callable[[Atom], ValueT],
        number: Callable[[int], ValueT],
        combine: Callable[[str, ValueT, ValueT], ValueT],
    ) -> ValueT:
        """Builds the value with a caller's operations: `combine` takes `+`, `*` or `//`."""
        total: ValueT | None = None
        for product, coefficient in sorted(self.terms, key=lambda t: (-len(t[0]), str([str(a.key) for a in t[0]]))):
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
    """What must hold of sizes when the program runs: `left relation right`, with `==`, `<=` or `>=`."""

    left: Size
    relation: str
    right: Size

    @property
    def holds(self) -> bool | None:
        """Whether it holds, or None where that depends on the arguments."""
        difference = (self.left - self.right).constant
        if difference is None:
            return None
        return {"==": difference == 0, "<=": difference <= 0, ">=": difference >= 0}[self.relation]

    @property
    def text(self) -> str | None:
        left, right = self.left.text, self.right.text
        return None if left is None or right is None else f"{left} {self.relation} {right}"
