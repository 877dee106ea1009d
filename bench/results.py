"""The results of a run: read and written as JSON, and joined with those of an earlier run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from environments import OURS

VERSION = 1
STATUSES = ("measured", "wrong", "failed", "not run")
SECTIONS = ("calls", "compiler")


class BadResult(Exception):
    """A file that is no result of this version."""


@dataclass
class Outcome:
    """The outcome of one row for one library."""

    status: str
    seconds: float | None = None
    """The median, if it was measured."""
    low: float | None = None
    high: float | None = None
    """The first and third quartile."""
    samples: int = 0
    variant: str = ""
    """The way it was called."""
    error: float | None = None
    """The largest error of its results, in units of what is allowed."""
    reason: str = ""
    """The reason why there is no time."""


@dataclass
class Row:
    """One line of a table."""

    name: str
    title: str
    section: str
    threads: int
    bound: str
    """compute, memory, or call for what no limit is told of."""
    outcomes: dict[str, Outcome]
    bytes: int = 0
    operations: int = 0
    limit: float | None = None
    """The least seconds that the machine's limits, measured in the same run, allow."""
    foreign: float | None = None
    """The share of the processors that other programs had meanwhile."""
    promised: float | None = None
    """Seconds that a test holds it to."""

    @property
    def ours(self) -> float | None:
        """Our time."""
        return self.outcomes[OURS].seconds if OURS in self.outcomes else None

    @property
    def best(self) -> str | None:
        """The fastest peer."""
        times = {n: o.seconds for n, o in self.outcomes.items() if n != OURS and o.seconds is not None}
        return min(times, key=lambda name: times[name] or 0) if times else None

    @property
    def ratio(self) -> float | None:
        """The best peer's time over ours."""
        theirs = self.outcomes[self.best].seconds if self.best else None
        return theirs / self.ours if theirs is not None and self.ours else None

    @property
    def share(self) -> float | None:
        """The share of the machine's limit that our code reaches."""
        return self.limit / self.ours if self.limit is not None and self.ours else None


@dataclass
class Result:
    """One run, or several joined."""

    date: str
    machine: dict[str, str]
    versions: dict[str, dict[str, str]]
    limits: dict[str, dict[str, float]]
    """The limits by number of threads: GB/s, and GFLOP/s of fused multiply-adds."""
    rows: list[Row] = field(default_factory=list[Row])
    quick: bool = False
    version: int = VERSION

    def failures(self) -> list[str]:
        """The failures of a run: wrong results of any library, and missing results of ours."""
        return [
            f"{row.title} on {row.threads} thread{'s' * (row.threads > 1)}: {name}: {outcome.status}: {outcome.reason}"
            for row in self.rows
            for name, outcome in row.outcomes.items()
            if outcome.status == "wrong" or (name == OURS and outcome.status != "measured")
        ]


def to_json(result: Result) -> str:
    """The text of the file."""
    return json.dumps(asdict(result), indent=1, allow_nan=False) + "\n"


def from_json(text: str) -> Result:
    """The result that a text holds; raises BadResult if it is none."""
    try:
        data: Any = json.loads(text)
        if data["version"] != VERSION:
            raise BadResult(f"it has version {data['version']}, this is {VERSION}")
        rows = [_make(Row, {**r, "outcomes": _outcomes(r["outcomes"])}) for r in data["rows"]]
        return _make(Result, {**data, "rows": rows})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadResult(f"{type(error).__name__}: {error}") from None


def _outcomes(data: Mapping[str, Any]) -> dict[str, Outcome]:
    made = {name: _make(Outcome, outcome) for name, outcome in data.items()}
    for name, outcome in made.items():
        if outcome.status not in STATUSES or (outcome.status == "measured") != (outcome.seconds is not None):
            raise ValueError(f"'{name}' has status '{outcome.status}' and time {outcome.seconds}")
    return made


def _make(kind: type[Any], data: Mapping[str, Any]) -> Any:
    """An object of exactly these fields."""
    if unknown := data.keys() ^ {f.name for f in fields(kind)}:
        raise ValueError(f"{kind.__name__} has other fields: {', '.join(sorted(unknown))}")
    return kind(**data)


def read_result(path: Path) -> Result:
    """The result in a file; raises BadResult."""
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadResult(str(error)) from None


def join(old: Result, new: Result, order: list[str]) -> Result:
    """The new rows, and the old ones that were not measured again. The machine must be the same."""
    if old.machine != new.machine:
        raise BadResult(f"it was measured on another machine: {old.machine}")
    known = {(row.name, row.threads) for row in new.rows}
    rows = [*new.rows, *(row for row in old.rows if (row.name, row.threads) not in known)]
    rows.sort(key=lambda row: (row.threads, order.index(row.name) if row.name in order else len(order)))
    versions = {**old.versions, **new.versions}
    limits = {**old.limits, **new.limits}
    return Result(new.date, new.machine, versions, limits, rows, old.quick or new.quick)
