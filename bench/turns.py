"""The common part of the benchmarks of one process: their options, calls that take turns, and writing of results."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import machine
from environments import FOLDER

Calls = Mapping[str, Callable[[], object]]


@dataclass
class Time:
    """The time of one call, or of one element."""

    median: float
    least: float

    @staticmethod
    def of(found: Sequence[float], scale: float = 1.0) -> Time:
        """The median and the least of some times, in another unit."""
        return Time(statistics.median(found) * scale, min(found) * scale)


def parser(about: str) -> argparse.ArgumentParser:
    """The options that all have."""
    made = argparse.ArgumentParser(description=about)
    made.add_argument("--quick", action="store_true", help="a tenth of the time")
    made.add_argument("--tiny", action="store_true", help="as little as possible: to test the benchmark itself")
    made.add_argument("--json", action="store_true", help="print the result as JSON")
    made.add_argument("--output", type=Path, default=FOLDER / "results", metavar="FOLDER", help="where to write")
    return made


def parse(made: argparse.ArgumentParser, arguments: Sequence[str] | None, seconds: float) -> argparse.Namespace:
    """The options; `seconds` becomes what a row may take."""
    options = made.parse_args(arguments)
    options.seconds = 0.0 if options.tiny else seconds / 10 if options.quick else seconds
    return options


def parse_rows(
    about: str,
    arguments: Sequence[str] | None,
    names: Sequence[str],
    seconds: float,
    more: Callable[[argparse.ArgumentParser], object] | None = None,
) -> argparse.Namespace:
    """The options of a benchmark whose rows can be chosen, and `more`; ends with status 2 if there is no such row."""
    made = parser(about)
    made.add_argument("--only", action="append", default=[], metavar="NAME", help="a row, or the start of its name")
    if more is not None:
        more(made)
    options = parse(made, arguments, seconds)
    for start in options.only:
        if not any(name.startswith(start) for name in names):
            made.error(f"there is no row '{start}'; there are {', '.join(names)}")
    options.names = [n for n in names if not options.only or any(n.startswith(start) for start in options.only)]
    return options


def in_turns(
    calls: Calls, seconds: float, *, repeats: Mapping[str, int] | None = None, rare: Mapping[str, int] | None = None
) -> tuple[dict[str, list[float]], float | None]:
    """Seconds of a call of each, and the share of the processors that other programs had meanwhile.

    A turn of `name` is `repeats[name]` calls. One that is `rare` has its turn only every so many times.
    """
    each, every = repeats or {}, rare or {}
    found: dict[str, list[float]] = {name: [] for name in calls}
    before = machine.look([])
    end, turn = perf_counter() + seconds, 0
    while perf_counter() < end or turn < 3:
        for name, call in calls.items():
            if turn % every.get(name, 1):
                continue
            count = each.get(name, 1)
            start = perf_counter()
            for _ in range(count):
                call()
            found[name].append((perf_counter() - start) / count)
        turn += 1
    return found, machine.foreign(before, machine.look([]))


def about_run(*packages: str) -> dict[str, Any]:
    """The date, the machine and the versions of packages, ours among them, for a result."""
    versions = {name: importlib.metadata.version(name) for name in ("hologram-mlir", "llvmlite", "numpy", *packages)}
    return {"date": time.strftime("%Y-%m-%d"), "machine": machine.describe(), "versions": versions}


def page(title: str, about: str, result: Mapping[str, Any], lines: Sequence[str]) -> str:
    """A page of Markdown: what was measured where, and the tables."""
    where = ", ".join(f"{key} {value}" for key, value in (result["machine"] | result["versions"]).items())
    return f"# {title}\n\n{about}\n\n{result['date']}: {where}\n\n" + "\n".join(lines) + "\n"


def share(foreign: float | None) -> str:
    """The share of other programs, as a table has it."""
    return "-" if foreign is None else f"{foreign:.0%}"


def write(options: argparse.Namespace, name: str, result: Mapping[str, Any], table: str) -> None:
    """Writes both files and prints one of them."""
    options.output.mkdir(parents=True, exist_ok=True)
    as_json = json.dumps(result, indent=1) + "\n"
    (options.output / f"{name}.json").write_text(as_json, encoding="utf-8")
    (options.output / f"{name}.md").write_text(table, encoding="utf-8")
    sys.stdout.write(as_json if options.json else table)
