"""What hologram-compile says: how far it is, the errors of all files, and where time and bytes went."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hologram.tools.compile_jobs import Outcome


def shown_progress(outcomes: Iterable[Outcome], total: int) -> Iterator[Outcome]:
    """The outcomes, with a bar on standard error while they come, if there are any and that is a terminal."""
    if not total or not sys.stderr.isatty():
        yield from outcomes
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("compiling", total=total)
        for outcome in outcomes:
            bar.update(task, advance=1, description=outcome.input.program)
            yield outcome


def report_errors(outcomes: Sequence[Outcome]) -> int:
    """Writes the errors of all files in their order; gives the exit code."""
    failed = [outcome for outcome in outcomes if outcome.error]
    for outcome in failed:
        sys.stderr.write(outcome.error + "\n")
    if failed and len(outcomes) > 1:
        files = "1 file" if len(failed) == 1 else f"{len(failed)} files"
        sys.stderr.write(f"{files} of {len(outcomes)} could not be compiled\n")
    return max((outcome.exit_code for outcome in failed), default=0)


@dataclass(frozen=True)
class Row:
    """A line of the statistics."""

    name: str
    milliseconds: float
    bytes: int
    note: str = ""


def statistics(outcomes: Sequence[Outcome], seconds: float) -> str:
    """Where time and bytes went: by file, by step and target, and in all."""
    files = [Row(o.input.program, o.seconds * 1e3, _bytes(o), _note(o)) for o in outcomes]
    steps = _steps(outcomes)
    failed, made = sum(bool(o.error) for o in outcomes), sum(o.made > 0 for o in outcomes)
    counts = f"{made} compiled, {len(outcomes) - made - failed} unchanged" + (f", {failed} failed" if failed else "")
    head = f"{len(outcomes)} files, {counts}, in {seconds:.2f} s"
    rows = [*_table("file", files), "", *_table("step", steps)]
    return "\n".join([head, "", *rows]) + "\n"


def _bytes(outcome: Outcome) -> int:
    return sum(len(piece.data) for piece in outcome.pieces.values())


def _note(outcome: Outcome) -> str:
    if outcome.error:
        return "failed"
    missing = [str(p.about["missing"]) for p in outcome.pieces.values() if "missing" in p.about]
    kept = "" if outcome.made else "unchanged"
    return "; ".join(filter(None, [kept, *(f"no machine form: {reason}" for reason in missing)]))


def _steps(outcomes: Sequence[Outcome]) -> list[Row]:
    """The time of reading and of each target, and the bytes of its code."""
    times: dict[str, float] = {}
    sizes: dict[str, int] = {}
    for outcome in outcomes:
        for name, seconds in outcome.times.items():
            times[name] = times.get(name, 0.0) + seconds
        for want, piece in outcome.pieces.items():
            name = want.form if want.target is None else want.target.name
            sizes[name] = sizes.get(name, 0) + len(piece.data)
    return [Row(name, times.get(name, 0.0) * 1e3, sizes.get(name, 0)) for name in dict.fromkeys([*times, *sizes])]


def _table(title: str, rows: Sequence[Row]) -> list[str]:
    width = max([len(title), *(len(row.name) for row in rows)])
    lines = [f"{title:{width}}        ms      bytes"]
    lines += [f"{r.name:{width}} {r.milliseconds:9.1f} {r.bytes:10,}  {r.note}".rstrip() for r in rows]
    return lines
