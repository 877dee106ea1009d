"""Splits the text of a circuit into tokens (classes.md section 6)."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from hologram.errors import CircuitError, did_you_mean

GENERATORS = ("mark", "copy", "swap", "merge", "split", "quote", "evaluate")
VARIANTS: dict[str, tuple[str, ...]] = {
    "merge": ("add", "mul", "min", "max", "abs", "exp", "log", "sqrt", "sigmoid", "tanh", "gelu", "relu"),
    "split": ("sub", "div"),
}
"""The variants of the generators that have any; the first is meant where none is named."""
AXES = ("R", "D", "T")
MAX_DIGITS = 1000
"""Of a number: Python converts longer ones slowly, and not at all past 4,300."""

_ALL_VARIANTS = frozenset(v for variants in VARIANTS.values() for v in variants)
_KINDS: dict[str, str] = {g: "generator" for g in GENERATORS} | {axis: "axis" for axis in AXES}
_TOKEN = re.compile(
    r"""[ \t\n]+ | //[^\n]*
      | (?P<class>c[0-9]+)
      | (?P<range>c\[)
      | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<number>[0-9]+)
      | (?P<mark><->|->|\|\||\.\.|[][@.(),^~+-])""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A token. Its kind is `generator`, `variant`, `axis`, `class`, `range`, `number`, `end`, or its own text."""

    kind: str
    text: str
    offset: int

    def __str__(self) -> str:
        return "the end of the text" if self.kind == "end" else f"'{self.text}'"


class Tokens:
    """The tokens of a text, which errors call by a name; the last one is the end."""

    def __init__(self, text: str, name: str):
        self.text, self.name = text, name
        self.list = self._split()

    def _split(self) -> list[Token]:
        text, found, at = self.text, list[Token](), 0
        match, end = _TOKEN.match, len(text)
        while at < end:
            piece = match(text, at)
            if piece is None:
                self._refuse_character(at)
            start, at = at, piece.end()
            kind = piece.lastgroup
            if kind is None:
                continue
            word = piece[0]
            if kind == "word":
                found.append(Token(_KINDS.get(word) or self._variant(word, start, found), word, start))
            else:
                found.append(Token(word if kind == "mark" else kind, word, start))
        found.append(Token("end", "", end))
        return found

    def _refuse_character(self, offset: int) -> NoReturn:
        raise CircuitError(
            "circuit-character", f"{self.text[offset]!r} means nothing in a circuit", self.text, offset, name=self.name,
            hint="comments start with //",
        )  # fmt: skip

    def _variant(self, word: str, offset: int, before: list[Token]) -> str:
        """`variant`, if the word stands where one may; no other word is left."""
        follows = len(before) > 1 and before[-1].kind == "." and before[-2].kind == "generator"
        if follows and word in _ALL_VARIANTS:
            return "variant"
        known = (*VARIANTS.get(before[-2].text, ()), *GENERATORS) if follows else GENERATORS
        hint = "a class is c00 to c95" if word[0] == "c" and len(word) < 3 else did_you_mean(word, known)
        raise CircuitError(
            "circuit-word", f"'{word}' is no word of circuits", self.text, offset, name=self.name, width=len(word),
            hint=hint or f"the generators are {', '.join(GENERATORS)}; transforms are written R+1, D-1, T+2 and ~",
        )  # fmt: skip

    def refuse(self, token: Token, expected: str) -> NoReturn:
        """Raises the error of a token that can't continue."""
        raise CircuitError(
            "circuit-token", f"expected {expected}, found {token}", self.text, token.offset, name=self.name,
            width=max(1, len(token.text)),
        )  # fmt: skip

    def number(self, token: Token, digits: str, what: str, end: int | None) -> int:
        """The number of a token; below `end`, if there is one."""
        short = digits.lstrip("0") or "0"
        value = int(short) if len(short) <= MAX_DIGITS else None
        if value is None or (end is not None and value >= end):
            shown = short if len(short) < 20 else f"of {len(short)} digits"
            limit = f"0 to {end - 1}" if end is not None else f"{MAX_DIGITS} digits"
            raise CircuitError(
                "circuit-number", f"{what} is {shown}, out of the range of {limit}", self.text, token.offset,
                name=self.name, width=len(token.text),
            )  # fmt: skip
        return value


__all__ = ["AXES", "GENERATORS", "VARIANTS", "Token", "Tokens"]
