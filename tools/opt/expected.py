"""Checks diagnostics against what the text says of them, as `mlir-opt --verify-diagnostics` does.

`// expected-error {{part of the message}}` stands on the line of the error, or says which: `@below`, `@above`, `@+2`,
`@-1`, `@unknown` (an error without a place). `expected-error-re {{literal {{regex}} literal}}` matches regular
expressions. Warnings, notes and remarks are written the same way; our hints count as notes that need not be expected.
The message is matched together with its `[code]`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hologram.errors import HologramError, InputError, Where

_HEAD = r"expected-(?P<kind>error|warning|note|remark)%s\s*(?:@(?P<at>[+-]\d+|below|above|unknown))?\s*"
_LITERAL = re.compile(_HEAD % "" + r"\{\{(?P<text>.*?)\}\}")
_REGEX = re.compile(_HEAD % "-re" + r"\{\{(?P<text>.*)\}\}")


@dataclass
class Expectation:
    """One directive."""

    kind: str
    line: int | None
    """The line that the diagnostic is expected on; None for one without a place."""
    pattern: re.Pattern[str]
    text: str
    at: int
    """The line that the directive stands on."""
    met: bool = False


def find_expectations(text: str, name: str) -> list[Expectation]:
    """The directives of a text."""
    lines = text.splitlines()
    by_line = [_directives(line) for line in lines]
    marked = [bool(directives) for directives in by_line]
    return [_expectation(match, number, marked, name) for number, matches in enumerate(by_line, 1) for match in matches]


def _directives(line: str) -> list[re.Match[str]]:
    if "expected-" not in line:
        return []
    return [*_LITERAL.finditer(line), *_REGEX.finditer(line)]


def _expectation(match: re.Match[str], number: int, marked: Sequence[bool], name: str) -> Expectation:
    text = match["text"]
    where = Where(name, number, match.start() + 1, len(match.group()))
    try:
        pattern = re.compile(_nested_regex(text) if match.re is _REGEX else re.escape(text))
    except re.error as error:
        raise InputError("expected-regex", f"this is no regular expression: {error}", where=where) from None
    return Expectation(match["kind"], _line(match["at"], number, marked), pattern, text, number)


def _nested_regex(text: str) -> str:
    """`literal {{regex}} literal` as one regular expression."""
    parts = re.split(r"\{\{(.*?)\}\}", text)
    return "".join(part if i % 2 else re.escape(part) for i, part in enumerate(parts))


def _line(at: str | None, number: int, marked: Sequence[bool]) -> int | None:
    """The line meant; `below` and `above` pass over lines that hold directives themselves."""
    match at:
        case None:
            return number
        case "unknown":
            return None
        case "below":
            return next((n for n in range(number + 1, len(marked) + 1) if not marked[n - 1]), number + 1)
        case "above":
            return next((n for n in range(number - 1, 0, -1) if not marked[n - 1]), number - 1)
        case _:
            return number + int(at)


def unmet(errors: Sequence[HologramError], text: str, name: str, *, only_expected: bool = False) -> list[HologramError]:
    """Return what differs between the errors that came and those that `text` expects; nothing if all is as it says."""
    expected = find_expectations(text, name)
    surprises: list[HologramError] = []
    for error in errors:
        line = error.where.line if error.where else None
        if not _meet(expected, "error", line, f"{error.message} [{error.code}]") and not only_expected:
            surprises.append(
                InputError(
                    "diagnostic-unexpected", f"unexpected error: {error.message} [{error.code}]", where=error.where
                )
            )
        if error.hint:
            _meet(expected, "note", line, error.hint)
    return surprises + [
        InputError(
            "diagnostic-missing",
            f'expected {e.kind} "{e.text}" was not produced'
            + ("" if e.line in (None, e.at) else f" for line {e.line}"),
            where=Where(name, e.at),
        )
        for e in expected
        if not e.met
    ]


def _meet(expected: Sequence[Expectation], kind: str, line: int | None, message: str) -> bool:
    for expectation in expected:
        if not expectation.met and expectation.kind == kind and expectation.line == line:
            if expectation.pattern.search(message):
                expectation.met = True
                return True
    return False
