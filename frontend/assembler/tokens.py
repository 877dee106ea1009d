"""Splits assembly text into tokens. A line ends a statement, except inside round and square brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hologram.errors import InputError, Where

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\f]+|//[^\n]*|[;\#][^\n]*)
      | (?P<newline>\n)
      | (?P<number>0[xX][0-9a-fA-F]+|0[bB][01]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)
      | (?P<word>[A-Za-z_Φφ][\w.$]*)
      | (?P<directive>\.[A-Za-z_]\w*)
      | (?P<text>"(?:[^"\\\n]|\\[^\n])*")
      | (?P<special>%[\w.]*)
      | (?P<punctuation>->|[@!\[\](){}<>,:+*?-])""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token: `kind` is a group's name of the pattern, or `end`."""

    kind: str
    text: str
    line: int
    column: int

    def part(self, text: str) -> Token:
        """The last place in the token where a text stands, in letters of any case."""
        return replace(self, text=text, column=self.column + self.text.lower().rindex(text.lower()))

    def __str__(self) -> str:
        kind = self.kind if self.text else "end"
        return {"newline": "the end of the line", "end": "the end of the text"}.get(kind, f"'{self.text}'")


def split(text: str, name: str) -> list[Token]:
    """The tokens of a text, which errors call `name`; newlines stand only where they end a statement."""
    return list(_tokens(text, name))


def _tokens(text: str, name: str) -> Iterator[Token]:
    at, line, start, depth, last = 0, 1, 0, 0, (1, 1)
    while at < len(text):
        match = _TOKEN.match(text, at)
        column = at - start + 1
        if match is None:
            raise InputError(
                "asm-character", f"'{text[at]}' means nothing in assembly", where=Where(name, line, column),
                hint="comments start with // or ;",
            )  # fmt: skip
        kind, lexeme = str(match.lastgroup), match[0]
        at = match.end()
        if kind == "newline":
            if depth == 0:
                yield Token(kind, lexeme, line, column)
            line, start = line + 1, at
        elif kind != "blank":
            depth = max(0, depth + (lexeme in "([") - (lexeme in ")]"))
            yield Token(kind, lexeme, line, column)
            last = line, at - start + 1
    # What is missing at the end is missing behind the last word.
    yield Token("newline", "", *last)
    yield Token("end", "", *last)
