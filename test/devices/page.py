"""The page of the table of devices, from the kept columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from conformance import table
from conformance.batch import PASS
from device_kernels import KERNELS
from devices.columns import gap
from devices.results import REFUSED, differing, types_of

PAGE = table.ROOT / "docs" / "devices" / "conformance.mdx"
HEAD = """\
---
title: "Devices: conformance"
description: "Twelve kernels, the instructions of lanes and the operations of the array level on every device."
---

This page is made by `make device-conformance`, which runs the programs of the [conformance table](/isa/conformance) and
twelve kernels (`test/device_kernels.py`) on the devices of a machine and keeps the outcomes in `docs/devices/columns`,
a file a column. A cell is an instruction, or an operation of the array level, under a type; it passes, or the device
refuses it when it is compiled, for a reason that the profiles of the instruction set give. What has no outcome counts
as not run.

Results are held against the interpreter: integers and moves exactly, floats as the profile of the device says. The
devices `cpu`, `cuda` and `opencl` give equal bits on everything but what the instruction set promises a tolerance for
(float products of matrices, convolutions, contractions, attention, scans and transforms): the digests of their results
are compared.
"""
NO, NOT_RUN = "**no**", "not run"
Columns = Mapping[str, Mapping[str, Any]]


def text(columns: Columns) -> str:
    """The whole page."""
    return HEAD + "\n" + "\n".join(_parts(columns))


def _parts(columns: Columns) -> Iterator[str]:
    yield "## Columns\n\n| column | device | kernels | instructions and operations |\n|---|---|---|---|"
    for name, column in columns.items():
        kernels = [column["kernels"].get(kernel, {}).get("outcome") for kernel in KERNELS]
        outcomes = [o for n in table.declared() for o in _outcomes(column, n).values()]
        yield f"| `{name}` | {column['title']} | {_counts(kernels)} | {_counts(outcomes)} |"
    yield "\n## The twelve kernels\n\n| kernel | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns)
    for name, kernel in KERNELS.items():
        found = (_short(c["kernels"].get(name, {}).get("outcome")) for c in columns.values())
        yield f"| {kernel.title} | " + " | ".join(found) + " |"
    yield "\nSizes: none, one, odd ones, more than a block of threads has.\n"
    for title, group in (table.GROUPS | table.ARRAYS).items():
        yield f"## {title.capitalize()}\n\n| instruction | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns)
        for name in group.names():
            yield f"| `{name}` | " + " | ".join(_cell(_outcomes(c, name)) for c in columns.values()) + " |"
        yield ""
    yield from _refusals(columns)
    if failures := list(problems(columns)):
        yield "## What does not pass yet\n\n| column | cell | missing | outcome |\n|---|---|---|---|"
        for column, cell, outcome in failures:
            missing = gap(_kind(columns, column), cell)
            yield f"| `{column}` | {cell} | {missing or ''} | `{_quoted(outcome)}` |"
        yield ""


def _outcomes(column: Mapping[str, Any], name: str) -> dict[str, str | None]:
    """The outcomes of an instruction under each of its types; empty where it was not run."""
    types = column["cells"].get(name, {}).get("types", {})
    return {type: types.get(type, {}).get("outcome") for type in types_of(name)}


def _counts(outcomes: Collection[str | None]) -> str:
    counts = Counter(map(_short, outcomes))
    words = {"pass": "{} pass", "refused": "{} refused", NO: "**{} fail**", NOT_RUN: "**{} not run**"}
    return ", ".join(said.format(counts[word]) for word, said in words.items() if counts[word])


def _short(outcome: str | None) -> str:
    if outcome is None:
        return NOT_RUN
    return "pass" if outcome == PASS else "refused" if outcome.startswith(REFUSED) else NO


def _cell(outcomes: Mapping[str, str | None]) -> str:
    """The types of an instruction by what came of them."""
    by_outcome: dict[str, list[str]] = {}
    for type, outcome in outcomes.items():
        by_outcome.setdefault(_short(outcome), []).append(type)
    if len(by_outcome) == 1:
        (only,) = by_outcome
        return only
    return "; ".join(f"{outcome}: {' '.join(types)}" for outcome, types in by_outcome.items())


def _refusals(columns: Columns) -> Iterator[str]:
    reasons: dict[tuple[str, str], list[str]] = {}
    for name, column in columns.items():
        for instruction, of in column["cells"].items():
            for type, row in of["types"].items():
                if row["outcome"].startswith(REFUSED):
                    reason = row["outcome"].removeprefix(REFUSED)
                    reasons.setdefault((name, reason), []).append(f"{instruction} {type}".strip())
    if reasons:
        yield "## What is refused\n\n| column | reason | cells |\n|---|---|---|"
        yield from (f"| `{name}` | {reason} | {len(found)} |" for (name, reason), found in reasons.items())
        yield ""


def _quoted(text: str) -> str:
    return " ".join(text.split()).replace("|", "&#124;").replace("`", "'")[:300]


def problems(columns: Columns) -> Iterator[tuple[str, str, str]]:
    """The cells that neither passed nor were refused: column, cell, outcome."""
    for name, column in columns.items():
        for kernel, row in column["kernels"].items():
            if row["outcome"] != PASS:
                yield name, kernel, row["outcome"]
        for instruction, of in column["cells"].items():
            for type, row in of["types"].items():
                if row["outcome"] != PASS and not row["outcome"].startswith(REFUSED):
                    yield name, f"{instruction} {type}".strip(), row["outcome"]
    for difference in differing(columns):
        yield "cpu, cuda, opencl", difference.partition(":")[0], f"bits differ:{difference.partition(':')[2]}"


def _kind(columns: Columns, column: str) -> str:
    """The kind of a column, or `bits` of what is compared between columns."""
    return columns[column]["kind"] if column in columns else "bits"


def unknown(columns: Columns) -> Iterator[tuple[str, str, str]]:
    """The problems that no row of the gaps explains."""
    for column, cell, outcome in problems(columns):
        if gap(_kind(columns, column), cell) is None:
            yield column, cell, outcome


def report(columns: Columns) -> int:
    """Prints what did not pass and is not known to be missing; 1 if there is any."""
    found = list(unknown(columns))
    for column, cell, outcome in found:
        print(f"{column}: {cell}: {' '.join(outcome.split())[:300]}")
    known = len(list(problems(columns))) - len(found)
    print(f"{len(found)} outcomes are neither a pass nor a refusal that is allowed; {known} are known to be missing")
    return 1 if found else 0
