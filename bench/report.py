"""The tables of a result, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from environments import OURS
from results import Outcome, Result, Row

LOADED = 0.1
"""Rows during which others had more of the processors than this are marked."""


def markdown(result: Result) -> str:
    """The whole report."""
    peers = list_peers(result)
    parts = ["# Benchmark", "", *head(result), ""]
    for threads in sorted({row.threads for row in result.rows if row.section == "calls"}):
        rows = [row for row in result.rows if row.threads == threads and row.section == "calls"]
        parts += [f"## {plural(threads)}", "", *table(rows, peers), ""]
    if compiling := [row for row in result.rows if row.section == "compiler"]:
        parts += ["## The compiler", "", *compiler_table(compiling, peers), ""]
    parts += notes(result)
    return "\n".join(parts).rstrip() + "\n"


def plural(threads: int) -> str:
    """A number of threads in words."""
    return f"{threads} thread{'s' * (threads > 1)}"


def list_peers(result: Result) -> list[str]:
    """All peers that any row names, in order."""
    return list(dict.fromkeys(name for row in result.rows for name in row.outcomes if name != OURS))


def head(result: Result) -> list[str]:
    """Machine, versions and limits."""
    machine = result.machine
    about = ", ".join([machine["processor"], f"{machine['cores']} cores", machine["memory"], machine["system"]])
    versions = "; ".join(
        f"{name}: " + ", ".join(f"{package} {version}" for package, version in packages.items())
        for name, packages in result.versions.items()
    )
    lines = [
        f"Measured {result.date}{' with `--quick`' if result.quick else ''} on {about}, Python {machine['python']}."
    ]
    lines += ["", f"Versions: {versions}.", ""]
    if result.limits:
        counts = sorted(result.limits, key=int)
        lines += [f"| limit | {' | '.join(plural(int(n)) for n in counts)} |"]
        lines += ["|---" + "|---:" * len(counts) + "|"]
        for name in result.limits[counts[0]]:
            unit = "GFLOP/s" if name.startswith("fused") else "GB/s"
            rates = (f"{result.limits[n].get(name, 0):.0f} {unit}" for n in counts)
            lines.append(f"| {name} | {' | '.join(rates)} |")
    return lines


def table(rows: Iterable[Row], peers: list[str], *, limits: bool = True) -> list[str]:
    """Medians, the ratio (the best peer's time over ours), and with `limits` our share of the limit."""
    lines = [f"| work (f32) | ours | {' | '.join(peers)} | ratio |{' of the limit |' * limits}"]
    lines.append("|---|---:|" + "---:|" * len(peers) + "---:|" + "---:|" * limits)
    for row in rows:
        best = row.best
        cells = [cell(row.outcomes.get(OURS))]
        cells += [f"**{cell(row.outcomes[p])}**" if p == best else cell(row.outcomes.get(p)) for p in peers]
        mark = " ⚠" if row.foreign is not None and row.foreign > LOADED else ""
        share = "  |" if row.share is None else f" {row.share:.2f} |"
        lines.append(f"| {row.title}{mark} | {' | '.join(cells)} | {ratio(row)} |{share * limits}")
    return lines


def compiler_table(rows: Iterable[Row], peers: list[str]) -> list[str]:
    """Times of the compiler, with what is promised of ours."""
    lines = [f"| | ours | at most | {' | '.join(peers)} |", "|---|---:|---:|" + "---:|" * len(peers)]
    for row in rows:
        bound = "" if row.promised is None else duration(row.promised)
        cells = [cell(row.outcomes[p]) if p in row.outcomes else "" for p in peers]
        mark = " ⚠" if row.foreign is not None and row.foreign > LOADED else ""
        lines.append(f"| {row.title}{mark} | {cell(row.outcomes.get(OURS))} | {bound} | {' | '.join(cells)} |")
    return lines


def cell(outcome: Outcome | None) -> str:
    """A time, or the word for why there is none."""
    if outcome is None:
        return ""
    return duration(outcome.seconds) if outcome.seconds is not None else outcome.status


def duration(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            value = seconds / scale
            return f"{value:.{max(0, 2 - (value >= 10) - (value >= 100))}f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def ratio(row: Row) -> str:
    """Above 1 we are faster."""
    return "" if row.ratio is None else f"{row.ratio:.2f}"


def notes(result: Result) -> list[str]:
    """The notes on how to read the tables, and why times are missing."""
    lines = [
        "Times are medians of calls that take turns. The ratio is the time of the best peer (bold) over ours: above 1",
        "we are faster. The last column is our share of what the machine's limits allow, measured in the same run.",
        "Results were compared with float64 references before and after. Libraries that allocate their results do so",
        "from memory that earlier results gave back; ours, numpy, numba and uor-hologram write into arrays that exist,",
        "and so do torch and onnxruntime where that is faster.",
    ]
    return [*lines, *remarks(result)]


def remarks(result: Result) -> list[str]:
    """The notes on the load of other programs, on missing times, and on how each library was called."""
    lines: list[str] = []
    shares = [row.foreign for row in result.rows if row.foreign is not None]
    if shares:
        lines += [
            "",
            f"Other programs had up to {max(shares):.0%} of the processors (⚠: rows with more than {LOADED:.0%}).",
        ]
    forms: dict[str, list[str]] = {}
    for row in result.rows:
        for name, outcome in row.outcomes.items():
            if outcome.status != "measured":
                where = f"{row.title}, {row.threads}T" if row.section == "calls" else row.title
                reason = escape(outcome.reason, quote=False)
                forms.setdefault(f"{name}: {outcome.status}: {reason}", []).append(where)
    if forms:
        lines += ["", "Without a time:", ""]
        lines += [
            f"- {reason} ({'; '.join(where[:6])}{'; ...' if len(where) > 6 else ''})" for reason, where in forms.items()
        ]
    return [*lines, "", *variants(result)]


def variants(result: Result) -> list[str]:
    """The ways that were fastest, a line a library."""
    ways: dict[str, dict[str, list[str]]] = {}
    for row in result.rows:
        for name, outcome in row.outcomes.items():
            if outcome.variant and row.threads == 1:
                ways.setdefault(name, {}).setdefault(outcome.variant, []).append(row.name)
    if not ways:
        return []
    lines = ["How each was called on one thread, the fastest of the ways tried:", ""]
    for name, found in ways.items():
        told = (f"`{way}` ({', '.join(rows[:4])}{', ...' if len(rows) > 4 else ''})" for way, rows in found.items())
        lines.append(f"- {name}: {'; '.join(told)}")
    return lines
