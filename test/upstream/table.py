"""The table of docs/upstream.mdx: for each dialect how many pieces are read as upstream reads them, and refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from upstream.pieces import Piece, Verdict

PAGE = Path(__file__).parents[2] / "docs" / "upstream.mdx"
_ROW = re.compile(r"^\| `(\w+)` \|" + r" (\d+) \|" * 8 + "$", re.MULTILINE)
_HEAD = (
    "| dialect | valid pieces | read | equal to upstream's form | invalid pieces | refused | at the line "
    "| canonicalised | as upstream |\n|---|---|---|---|---|---|---|---|---|\n"
)


@dataclass
class Row:
    """The counts of a dialect. `read` are verified, printed, and the same when they are read again."""

    valid: int = 0
    read: int = 0
    equal: int = 0
    invalid: int = 0
    refused: int = 0
    at_line: int = 0
    changed: int = 0
    canonical: int = 0

    def numbers(self) -> list[int]:
        """The counts in the order of the table."""
        return [getattr(self, f.name) for f in fields(self)]


def rows_of(judged: Iterable[tuple[Piece, Verdict]]) -> dict[str, Row]:
    """The rows of the table that verdicts make."""
    rows: dict[str, Row] = {}
    for piece, verdict in judged:
        row = rows.setdefault(piece.group, Row())
        if piece.valid:
            row.valid += 1
            row.equal += verdict.word == "right"
            row.read += verdict.word in ("right", "other form")
        else:
            row.invalid += 1
            row.refused += verdict.word in ("right", "elsewhere")
            row.at_line += verdict.word == "right"
    return dict(sorted(rows.items()))


def count_canonical(rows: Mapping[str, Row], judged: Iterable[tuple[Piece, Verdict]]) -> None:
    """Counts what upstream's canonicalisation changes, and of how much ours makes the same."""
    for piece, verdict in judged:
        rows[piece.group].changed += verdict.word != "same"
        rows[piece.group].canonical += verdict.word == "right"


def written(rows: Mapping[str, Row]) -> str:
    """The table as text."""
    whole = Row(*(sum(column) for column in zip(*(row.numbers() for row in rows.values()), strict=True)))
    lines = [f"| `{name}` | {' | '.join(map(str, row.numbers()))} |" for name, row in {**rows, "all": whole}.items()]
    return _HEAD + "\n".join(lines) + "\n"


def kept() -> dict[str, Row]:
    """The rows of the page."""
    text = PAGE.read_text(encoding="utf-8")
    return {match[1]: Row(*map(int, match.groups()[1:])) for match in _ROW.finditer(text) if match[1] != "all"}


def write(rows: Mapping[str, Row]) -> None:
    """Puts the table into the page in place of the one that it has."""
    text = PAGE.read_text(encoding="utf-8")
    start, end = text.index(_HEAD[:10]), text.rindex("|\n") + 2
    PAGE.write_text(text[:start] + written(rows) + text[end:], encoding="utf-8")


def worse(rows: Mapping[str, Row], before: Mapping[str, Row]) -> list[str]:
    """What is less than before, by dialect."""
    found: list[str] = []
    for name, row in rows.items():
        old = before.get(name, Row())
        for field in ("read", "equal", "refused", "at_line", "canonical"):
            if getattr(row, field) < getattr(old, field):
                found.append(f"{name}: {field} {getattr(row, field)}, before {getattr(old, field)}")
    return found


def reasons(judged: Iterable[tuple[Piece, Verdict]]) -> list[tuple[str, int]]:
    """What is wrong, the most frequent first; places and names of values left out."""
    counts = Counter(
        f"{verdict.word}: {re.sub(r'^[^ ]*:[0-9]+: (?:error: )?', '', verdict.why)}"
        for _, verdict in judged
        if verdict.word not in ("right", "same")
    )
    return counts.most_common()
