"""Compares compiled code with the libraries that people use in its place, side by side on this machine.

    python bench/run.py [--quick] [--only NAME]... [--threads 1,2] [--peer NAME]... [--json] [--output FOLDER] [--add]

Each library runs in a process and an environment of its own; a coordinator lets them take turns. It writes `cpu.json`,
`cpu.md`, `ratios.svg` and `roofline.svg`, and ends with status 1 if a result is wrong or one of ours is missing. Run it
on a quiet machine; what others took of it meanwhile is in the result.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cases
import compiler
import coordinator
import machine
import plots
import processes
import report
import results
from coordinator import FULL, QUICK, Effort, Team
from environments import FOLDER, HERE, OURS, NotInstalled, Peer, read_peers, us
from results import BadResult, Result, Row
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

QUICK_ODD = 5
"""The number of matrix products of odd sizes that a quick run measures."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the rows that are asked for."""
    options = parse(arguments)
    if options.render:
        result = load(options.output / "cpu.json")
    else:
        earlier = options.output / "cpu.json"
        result = Run(options, load(earlier) if options.add and earlier.exists() else None).run()
    write(result, options.output)
    show(result, options.output, options.json)
    if failures := result.failures():
        sys.stderr.write("".join(f"error: {failure}\n" for failure in failures))
        sys.exit(1)


def names(quick: bool = False) -> list[str]:
    """All rows, or those of a quick run, in the order of the tables."""
    made = few(cases.make_cases()) if quick else cases.make_cases()
    return [*(case.name for case in made), *(row[0] for row in coordinator.COMPILES), *compiler.STARTS]


def few(made: Sequence[cases.Case]) -> list[cases.Case]:
    """Return the rows of a quick run, which leaves out some odd sizes."""
    odd = [case for case in made if case.kind == "gemm" and "x" in case.name]
    return [case for case in made if case not in odd[QUICK_ODD:]]


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options; ends with status 2 if they make no sense."""
    parser = argparse.ArgumentParser(description="Compares compiled code with other libraries, side by side.")
    parser.add_argument("--quick", action="store_true", help="under 3 minutes, fewer turns and odd sizes")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="a row, or the start of its name")
    parser.add_argument("--threads", default="1,2", metavar="N,N", help="numbers of threads (1,2)")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME", help="only this peer; 'none' for none")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--output", type=Path, default=FOLDER / "results", metavar="FOLDER", help="where to write")
    parser.add_argument("--add", action="store_true", help="keep the rows of an earlier result there")
    parser.add_argument("--render", action="store_true", help="measure nothing, write tables and plots again")
    parser.add_argument(
        "--peers", type=Path, default=HERE / "peers.toml", metavar="FILE", help="a file like peers.toml"
    )
    parser.add_argument("--tiny", action="store_true", help="few elements: to test the benchmark itself")
    parser.add_argument("--list", action="store_true", help="print the names of the rows, with --quick of those")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(names(options.quick)))
        sys.exit()
    for name in options.only:
        if not any(known.startswith(name) for known in names()):
            parser.error(f"there is no row '{name}'; --list prints them")
    if not all(n.isdecimal() and int(n) > 0 for n in options.threads.split(",")):
        parser.error(f"--threads is '{options.threads}', expected numbers like 1,2")
    options.threads = sorted({min(int(n), os.cpu_count() or 1) for n in options.threads.split(",")})
    try:
        options.peers = read_peers(options.peers)
    except (OSError, ValueError, KeyError) as error:
        parser.error(f"the file of peers can't be read: {error}")
    known = [peer.name for peer in options.peers]
    if unknown := set(options.peer) - {*known, "none"}:
        parser.error(f"there is no peer {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    return options


class Run:
    """One run of the benchmark."""

    def __init__(self, options: argparse.Namespace, earlier: Result | None):
        self.options = options
        self.earlier = earlier
        self.effort: Effort = QUICK if options.quick else FULL
        if options.tiny:
            self.effort = replace(self.effort, row=0.05, turn=0.001, rounds=(2, 2), limit=0.01)
        self.peers: list[Peer] = [us(), *(p for p in options.peers if not options.peer or p.name in options.peer)]
        self.result = Result(time.strftime("%Y-%m-%d"), machine.describe(), {}, {}, quick=options.quick)
        self.cases = [case for case in cases.make_cases() if self.wanted(case.name)]
        if options.quick and not options.only:
            self.cases = few(self.cases)
        self.compiles = [row for row in coordinator.COMPILES if self.wanted(row[0])]
        self.starts = [name for name in compiler.STARTS if self.wanted(name)]
        self.pythons: dict[str, str | NotInstalled] = {}

    def wanted(self, name: str) -> bool:
        """Return whether the options select a row."""
        return not self.options.only or any(name.startswith(start) for start in self.options.only)

    def run(self) -> Result:
        """Measures all rows."""
        columns = (TextColumn("{task.description:36}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        total = len(self.peers) + len(self.options.threads) * (len(self.cases) + 1 if self.cases else 0)
        total += len(self.compiles) + len(self.starts)
        with Progress(*columns, console=Console(stderr=True)) as self.bar:
            self.task = self.bar.add_task("", total=total)
            try:
                self.run_all()
            except KeyboardInterrupt:
                sys.stderr.write("interrupted: what was measured is kept\n")
            self.bar.update(self.task, completed=total)
        return self.whole()

    def whole(self) -> Result:
        """The rows measured so far, joined with those of the earlier result."""
        return self.result if self.earlier is None else joined(self.earlier, self.result)

    def keep(self, row: Row) -> None:
        """Adds a row and writes all that there is, so that nothing is lost when the run is ended."""
        self.result.rows.append(row)
        write(self.whole(), self.options.output)

    def run_all(self) -> None:
        """Environments, then all rows."""
        self.pythons = coordinator.find_pythons(self.peers, self.say)
        for threads in self.options.threads if self.cases else ():
            self.run_calls(threads)
        self.run_compiles()
        for name in self.starts:
            self.say(name)
            self.keep(compiler.measure_start(name))

    def say(self, words: str) -> None:
        """Print that the next step begins."""
        self.bar.update(self.task, description=words, advance=1)

    def run_calls(self, threads: int) -> None:
        """All rows on one number of threads."""
        with coordinator.started(self.peers, threads, self.pythons) as team:
            self.result.versions.update(team.versions)
            self.say(f"the machine's limits, {threads}T")
            for worker in team.workers.values():
                worker.stop()
            limits = self.measure_limits(team)
            for case in self.cases:
                self.say(f"{case.title}, {threads}T")
                row = coordinator.measure_row(case, team, self.effort, limits, self.options.tiny)
                self.keep(row)
            self.measure_limits(team)

    def measure_limits(self, team: Team) -> dict[str, float]:
        """The machine's limits, before the rows and once more after them: the better ones count."""
        found = coordinator.measure_limits(team, self.effort, str(self.pythons[OURS]))
        known = self.result.limits.get(str(team.threads), found)
        limits = {name: max(rate, known[name]) for name, rate in found.items()}
        self.result.limits[str(team.threads)] = limits
        measured = {case.name: case for case in self.cases}
        for row in self.result.rows:
            if row.threads == team.threads and row.name in measured and not self.options.tiny:
                row.limit = coordinator.least_seconds(measured[row.name], limits)
        return limits

    def run_compiles(self) -> None:
        """The rows of the compiler."""
        if not self.compiles:
            return
        with coordinator.started(self.peers, 1, self.pythons) as team:
            self.result.versions.update(team.versions)
            for worker in team.workers.values():
                worker.stop()
            for row in self.compiles:
                self.say(row[1])
                peers = [peer for peer in self.peers if peer.name in team.workers]
                self.keep(coordinator.measure_compile(row, team, peers, self.pythons, self.options.quick))


def load(path: Path) -> Result:
    """An earlier result; ends the program if there is none."""
    try:
        return results.read_result(path)
    except BadResult as error:
        sys.exit(f"error: {path} holds no result: {error}")


def joined(old: Result, new: Result) -> Result:
    """The two as one."""
    try:
        return results.join(old, new, names())
    except BadResult as error:
        sys.exit(f"error: the earlier result can't be added to: {error}")


def write(result: Result, folder: Path) -> None:
    """The four files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cpu.json").write_text(results.to_json(result), encoding="utf-8")
    (folder / "cpu.md").write_text(report.markdown(result), encoding="utf-8")
    (folder / "ratios.svg").write_text(plots.ratio_bars(result), encoding="utf-8")
    (folder / "roofline.svg").write_text(plots.roofline(result), encoding="utf-8")


def show(result: Result, folder: Path, as_json: bool) -> None:
    """The result on standard output."""
    if as_json:
        sys.stdout.write(results.to_json(result))
        return
    console = Console(width=None if sys.stdout.isatty() else 180)
    console.print(Markdown(report.markdown(result)))
    console.print(f"written to {folder}")


if __name__ == "__main__":
    try:
        main()
    except (processes.Failed, NotInstalled) as failure:
        sys.exit(f"error: {failure}")
