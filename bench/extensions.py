"""Compares array-level extensions with other libraries: Fourier transforms, sparse products, convolutions, attention.

    python bench/extensions.py [--quick] [--only NAME]... [--threads 1,2] [--peer NAME]... [--json] [--output FOLDER]

As `run.py` does: each library in a process and an environment of its own, in turns, on fresh data, results compared
with float64 references before and after. It writes `extensions.json` and `extensions.md`, whose first table says of
each row that something is asked of whether it holds, and ends with status 1 if a result is wrong or one of ours is
missing. Run it on a quiet machine; what others took of it meanwhile is in the result.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import coordinator
import extension_cases
import machine
import processes
import report
import results
from coordinator import Effort
from environments import FOLDER, HERE, NotInstalled, Peer, read_peers, us
from results import Result, Row

PEERS = ("numpy", "torch", "jax", "onnxruntime")
"""The peers of peers.toml that have such rows."""
FULL = Effort(1.6, 0.03, 30, (3, 12), 0)
QUICK = Effort(0.5, 0.015, 8, (2, 4), 0)
TINY = Effort(0.02, 0.001, 2, (2, 2), 0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures the rows that are asked for."""
    options = parse(arguments)
    result = measure(options)
    as_json, table = results.to_json(result), markdown(result)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "extensions.json").write_text(as_json, encoding="utf-8")
    (options.output / "extensions.md").write_text(table, encoding="utf-8")
    sys.stdout.write(as_json if options.json else table)
    if failures := result.failures():
        sys.stderr.write("".join(f"error: {failure}\n" for failure in failures))
        sys.exit(1)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options; ends with status 2 if they make no sense."""
    parser = argparse.ArgumentParser(description="Compares array-level extensions with other libraries.")
    parser.add_argument("--quick", action="store_true", help="fewer turns")
    parser.add_argument("--tiny", action="store_true", help="few elements: to test the benchmark itself")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="a row, or the start of its name")
    parser.add_argument("--threads", default="1,2", metavar="N,N", help="numbers of threads (1,2)")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME", help="only this peer; 'none' for none")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--output", type=Path, default=FOLDER / "results", metavar="FOLDER", help="where to write")
    options = parser.parse_args(arguments)
    names = [case.name for case in extension_cases.make_cases()]
    for start in options.only:
        if not any(name.startswith(start) for name in names):
            parser.error(f"there is no row '{start}'; there are {', '.join(names)}")
    if not all(n.isdecimal() and int(n) > 0 for n in options.threads.split(",")):
        parser.error(f"--threads is '{options.threads}', expected numbers like 1,2")
    options.threads = sorted({min(int(n), os.cpu_count() or 1) for n in options.threads.split(",")})
    options.peers = list_peers()
    known = [peer.name for peer in options.peers]
    if unknown := set(options.peer) - {*known, "none"}:
        parser.error(f"there is no peer {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    return options


def list_peers() -> list[Peer]:
    """The libraries, as the two files name them."""
    others = [peer for peer in read_peers(HERE / "peers.toml") if peer.name in PEERS]
    return [*read_peers(HERE / "extensions.toml"), *others]


def measure(options: argparse.Namespace) -> Result:
    """All rows on each number of threads."""
    effort = TINY if options.tiny else QUICK if options.quick else FULL
    peers = [us(), *(peer for peer in options.peers if not options.peer or peer.name in options.peer)]
    wanted = [
        case
        for case in extension_cases.make_cases()
        if not options.only or any(case.name.startswith(start) for start in options.only)
    ]
    pythons = coordinator.find_pythons(peers, _say)
    result = Result(time.strftime("%Y-%m-%d"), machine.describe(), {}, {}, quick=options.quick)
    for threads in options.threads:
        with coordinator.started(peers, threads, pythons) as team:
            result.versions.update(team.versions)
            for case in wanted:
                _say(f"{case.title}, {threads}T")
                row = coordinator.measure_row(case, team, effort, {}, options.tiny)
                result.rows.append(replace(row, outcomes=_offered(row)))
    return result


def _say(words: str) -> None:
    sys.stderr.write(f"{words}\n")


def _offered(row: Row) -> dict[str, results.Outcome]:
    """The results without libraries that have no such row: the table shows an empty cell for each of these."""
    return {name: o for name, o in row.outcomes.items() if o.status != "not run" or not o.reason.startswith("it has")}


def markdown(result: Result) -> str:
    """The whole report."""
    head = ["# Extensions", "", *report.head(result), ""]
    parts = [*head, *asked(result)]
    peers = report.list_peers(result)
    for threads in sorted({row.threads for row in result.rows}):
        rows = [row for row in result.rows if row.threads == threads]
        parts += [f"## {report.plural(threads)}", "", *report.table(rows, peers, limits=False), ""]
    about = [
        "Times are medians of calls that take turns. The ratio is the time of the best peer (bold) over ours: above 1",
        "we are faster. Results were compared with float64 references before and after. `python bench/extensions.py`.",
    ]
    return "\n".join([*parts, *about, *report.remarks(result)]).rstrip() + "\n"


def asked(result: Result) -> list[str]:
    """The table of required ratios of a peer's time to ours, and whether each is reached."""
    lines = ["| row | threads | peer | at least | found | |", "|---|---:|---|---:|---:|---|"]
    wanted = {case.name: case.asked for case in extension_cases.make_cases()}
    for row in result.rows:
        for threads, name, least in wanted[row.name]:
            peer = row.best if name == "best" else name
            theirs = row.outcomes[peer].seconds if peer in row.outcomes else None
            if threads != row.threads or theirs is None or row.ours is None:
                continue
            found = theirs / row.ours
            words = "holds" if found >= least else "**missed**"
            lines.append(f"| {row.title} | {threads} | {peer} | {least:.2f} | {found:.2f} | {words} |")
    return ["## What is asked", "", *lines, ""] if len(lines) > 2 else []


if __name__ == "__main__":
    try:
        main()
    except (processes.Failed, NotInstalled) as failure:
        sys.exit(f"error: {failure}")
