"""Sizes in tensor functions: integers that are not known yet, and what a trace takes to be true of them.

A trace is made for the arrays of one call, and serves every call for which its guards hold. A comparison is decided by
the sizes of that call and becomes a guard; so does whatever needs a size as a plain number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hologram.dialects.sizes import Atom, Requirement, Size

S = TypeVar("S", int, Size)
_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Facts:
    """The sizes of one trace: what they are in its call, what they are known to equal, and the guards."""

    def __init__(self) -> None:
        self.actual: dict[Atom, int] = {}
        """What the unknowns are in the call that is traced, in the order in which they came."""
        self.known: dict[Atom, Size] = {}
        """What unknowns equal by the guards, over those that are left."""
        self.guards: dict[str, None] = {}
        """What must hold for the trace to serve a call, in order, as expressions of entry records."""

    def unknown(self, text: str, value: int, *, natural: bool = True) -> Size:
        """A new unknown, called `text` in expressions, which is `value` in this call."""
        size = Size.atom(text, natural=natural)
        ((product, _),) = size.terms
        self.actual[product[0]] = value
        return size

    def value(self, size: Size) -> int:
        """Return what a size is in this call."""
        return size.evaluate(self.actual.__getitem__, int, _combined)

    def settled(self, size: Size) -> Size:
        """A size in terms of what is left unknown."""
        if not self.known or size.constant is not None:
            return size
        return size.evaluate(self._settled_atom, Size.of, _combined)

    def _settled_atom(self, atom: Atom) -> Size:
        known = self.known.get(atom)
        return Size(frozenset({((atom,), 1)})) if known is None else known

    def holds(self, left: Size, relation: str, right: Size) -> bool:
        """Return whether sizes compare so in this call; where that depends on the call, it becomes a guard."""
        left, right = self.settled(left), self.settled(right)
        result = _RELATIONS[relation](self.value(left), self.value(right))
        if _decided(left, relation, right):
            return result
        actual = relation if result else _OPPOSITE[relation]
        self.guards[f"{left.text} {actual} {right.text}"] = None
        if actual == "==":
            self._learn(left - right)
        return result

    def number(self, size: Size) -> int:
        """Return what a size is in this call, and in every one that the trace serves."""
        value = self.value(size)
        self.holds(size, "==", Size.of(value))
        if self.settled(size).constant is None:
            # A product or a quotient does not say what its unknowns are, and types are made of these.
            for atom in _atoms(self.settled(size)):
                self.number(Size(frozenset({((atom,), 1)})))
        return value

    def _learn(self, zero: Size) -> None:
        """Takes a sum to be 0: one of its unknowns, the last to come, is what the others make it."""
        places = {atom: n for n, atom in enumerate(self.actual)}
        alone = [(p[0], c) for p, c in zero.terms if len(p) == 1 and p[0].quotient is None and abs(c) == 1]
        usable = [(atom, c) for atom, c in alone if not _occurs(atom, zero, (atom,))]
        if not usable:
            return
        atom, coefficient = max(usable, key=lambda found: places[found[0]])
        own = Size(frozenset({((atom,), 1)}))
        self.known[atom] = (own * Size.of(coefficient) - zero) * Size.of(coefficient)
        self.known = {a: self.settled(s) for a, s in self.known.items()}


def _decided(left: Size, relation: str, right: Size) -> bool:
    """Return whether a comparison comes out alike in every call."""
    required = relation if relation in ("==", "<=", ">=") else _OPPOSITE[relation]
    return Requirement(left, required, right).holds is not None


def _atoms(size: Size) -> list[Atom]:
    """The unknowns in a size."""
    atoms: list[Atom] = []
    for product, _ in size.ordered:
        for atom in product:
            atoms += [atom] if atom.quotient is None else [a for part in atom.quotient for a in _atoms(part)]
    return atoms


def _occurs(atom: Atom, size: Size, but: tuple[Atom, ...]) -> bool:
    """Return whether an unknown stands in a size elsewhere than as the one product `but`."""
    for product, _ in size.terms:
        if product == but:
            continue
        for factor in product:
            if factor == atom or (factor.quotient and any(_occurs(atom, part, ()) for part in factor.quotient)):
                return True
    return False


def _combined(kind: str, a: S, b: S) -> S:
    return a + b if kind == "+" else a * b if kind == "*" else a // b
