"""The laws of words: the completed, terminating and confluent system of classes.md section 6.

The letters are operations: c is copy of class 5, X mark of 21, Z of 42, S of 7, I of 0; e is the empty word. The laws
HXH = Z, H^2 = X^2 = Z^2 = I, S^2 = Z, I I = I with H = c X are what the rules come from.
"""

from __future__ import annotations

from typing import TypeAlias

from hologram.dialects.sigil.syntax import RANGE, single
from hologram.dialects.sigil.tree import Body, Leaf, transformed

LETTERS = {("copy", 5): "c", ("mark", 21): "X", ("mark", 42): "Z", ("mark", 7): "S", ("mark", 0): "I"}
"""The letter of a generator and the class that it works on."""
Entry: TypeAlias = tuple[str, int | None, Body]
"""A letter, or nothing, the page that it names, and the operation that it is, alone in a list."""
RULES = {
    "I": "",
    "XX": "",
    "ZZ": "",
    "SS": "Z",
    "SZ": "ZS",
    "cX": "Zc",
    "cc": "ZX",
    "ZcZ": "XZc",
    "cZX": "ZXc",
    "cZc": "Z",
    "ZXZc": "cZ",
    "SXZc": "ZScZ",
}
"""The rules, from left to right."""
_MARKS = {letter: number for (_, number), letter in LETTERS.items()}
_BY_LAST: dict[str, list[str]] = {}
for _left in RULES:
    _BY_LAST.setdefault(_left[-1], []).append(_left)


def letter_of(leaf: Leaf) -> str:
    """The letter that an operation is; nothing for other operations."""
    if leaf.target.form == RANGE:
        return ""
    return LETTERS.get((leaf.generator, leaf.target.sigils[0].class_), "")


def canonical_words(body: Body) -> Body:
    """The circuit by the laws, without prefixes. A body of which nothing remains is `mark@c00`.

    Operations match that name the same page, or none; the destination of a copy is kept, but means nothing.
    """
    return transformed(body, _reduce)


def _reduce(body: Body) -> Body:
    """A sequence by the rules: what can't change stands on a stack, and what a rule gives comes to be read again."""
    done: list[Entry] = []
    # The next one stands last.
    left = [_entry(body[number : number + 1]) for number in range(len(body) - 1, -1, -1)]
    while left:
        done.append(left.pop())
        letter, page, _ = done[-1]
        for rule in _BY_LAST.get(letter, ()):
            matched = done[-len(rule) :]
            if [e[0] for e in matched] == [*rule] and all(e[1] == page for e in matched):
                del done[-len(rule) :]
                left += reversed(_replaced(RULES[rule], matched, page))
                break
    reduced = [node for _, _, nodes in done for node in nodes]
    return reduced or [Leaf("mark", single(0), place=_place(body))]


def _entry(node: Body) -> Entry:
    (only,) = node
    if not isinstance(only, Leaf):
        return "", None, node
    return letter_of(only), only.target.sigils[0].page, node


def _replaced(letters: str, matched: list[Entry], page: int | None) -> list[Entry]:
    """The operations of a rule's right side; a copy is one of the left side."""
    old = {letter: nodes for letter, _, nodes in matched}
    place = _place(matched[0][2])
    return [
        (letter, page, old[letter] if letter in old else [Leaf("mark", single(_MARKS[letter], page), place=place)])
        for letter in letters
    ]


def _place(body: Body) -> object:
    return body[0].place if body else 0
