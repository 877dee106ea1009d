"""The page of the table, from the kept outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from conformance.batch import BACKENDS, PASS
from conformance.table import ARRAYS, GROUPS, REFUSED, ROOT, Row, declared, refused
from hologram.dialects.atlas.instructions.types import ALL, BOOL, DTYPES, FLOATS, INTEGERS, NUMBERS

PAGE = ROOT / "docs" / "isa" / "conformance.mdx"
HEAD = """\
---
title: "Conformance"
description: "Every instruction on every type: what the interpreter and the CPU make of it."
---

This page is made by `make conformance`, which runs every instruction on every type that it is declared for, by the
reference interpreter and compiled for the CPU. A cell is an instruction with its modifiers (conditions, vector forms,
memory spaces) under its types. Programs are made from the declarations, many cells in one, as assembly for the
instructions of lanes and as functions of MLIR for those of the array level; `test/conformance` holds them.

- Inputs are ordinary, edge (least, greatest, powers of two and their neighbours; zeros of both signs, subnormal
  numbers, infinities, NaN; all pairs of those) and trapping ones. A trap must name its reason on both backends, and the
  launch after it works.
- Integers are equal to what Python's integers give. Floats are equal to what MPFR gives, rounded once to the type; of
  functions with a [stated bound](/reference/passes#bounds-of-math-functions) no farther from MPFR's value than it. For
  16-bit floats the bound is that of f32, rounded once.
- Of moves, loads, stores and `cvt.bits` every byte is compared.

At the array level, arrays have an odd size, one element along an axis, none, and more than a vector holds, among them
NaN, infinities and zeros of both signs; traps are indices and positions out of range, row starts that do not ascend,
the least of nothing, groups that do not divide. What promises bits is compared to the bit: maps, moves, sums and
products in their association, norms. The rest is held to these bounds, u being the unit roundoff of f32 (of f64 for
f64), and a last rounding to the type:

- matrix products, convolutions, contractions, sparse products: (n + 3) u times the sum of the magnitudes of the n
  products; a scan by sum or product of n elements (n + 1) u;
- softmax: what the bound of `exp`, the additions of the sum and the division allow, relative to each element;
- attention: the error of the scores, twice, and that of softmax and a sum, times the sum of magnitudes;
- `rope`: what the bounds of `sin` and `cos` and three roundings allow;
- `fft` of n: (8 + 4 log2 n) u times the sum of magnitudes.

Golden vectors for other implementations are in the repository, in `docs/isa/vectors`: many of these programs as text
and binary, with inputs, results and traps. A README there has the format.
"""


def text(rows: Mapping[str, Row]) -> str:
    """The whole page."""
    return HEAD + "\n" + "\n".join(_parts(rows))


def _parts(rows: Mapping[str, Row]) -> Iterator[str]:
    total = sum(row["cells"] for row in rows.values())
    failed = list(_exceptions(rows))
    yield f"{total} cells on each backend; {len(failed) or 'none'} did not pass.\n"
    names = [name for name in declared() if name in rows]
    for title, group in (GROUPS | ARRAYS).items():
        mine = [n for n in group.names() if n in names]
        names = [n for n in names if n not in mine]
        yield f"## {title.capitalize()}\n\n" + "".join(_table(mine, rows))
    if names:
        yield "## Others\n\n" + "".join(_table(names, rows))
    if failed:
        yield "## What did not pass\n\n| instruction | type | backend | outcome |\n|---|---|---|---|\n" + "".join(
            failed
        )
    yield "## What is refused\n\nAs the table of profiles allows:\n"
    for start, reason in REFUSED.items():
        yield (
            "".join(f"- `{n}`: {_types(refused(n))}\n" for n in rows if n.startswith(start)) + f"\nBecause {reason}.\n"
        )


def _table(names: list[str], rows: Mapping[str, Row]) -> Iterator[str]:
    yield "| instruction | cells | " + " | ".join(BACKENDS) + " |\n|---|---|" + "---|" * len(BACKENDS) + "\n"
    for name in names:
        row = rows[name]
        outcomes = " | ".join(_outcome(row[backend]) for backend in BACKENDS)
        yield f"| `{name}` | {row['cells']} | {outcomes} |\n"


def _outcome(by_type: Mapping[str, str]) -> str:
    passed = [t for t, outcome in by_type.items() if outcome == PASS]
    others = [t for t, outcome in by_type.items() if outcome != PASS]
    parts = [f"pass: {_types(passed)}" if passed != [""] else "pass"] if passed else []
    return "; ".join(parts + ([f"**no**: {_types(others)}"] if others else []))


def _types(names: list[str]) -> str:
    """Types in short."""
    groups = {
        ALL: "all types", NUMBERS: "all numbers", FLOATS: "all floats", INTEGERS: "all integers",
        INTEGERS | BOOL: "all integers, `bool`",
    }  # fmt: skip
    return groups.get(frozenset(names)) or " ".join(f"`{n}`" for n in DTYPES if n in names)


def _exceptions(rows: Mapping[str, Row]) -> Iterator[str]:
    for name, row in rows.items():
        for backend in BACKENDS:
            for type, outcome in row[backend].items():
                if outcome != PASS:
                    said = " ".join(outcome.split()).replace("|", "&#124;").replace("`", "'")
                    yield f"| `{name}` | {f'`{type}`' if type else ''} | {backend} | `{said}` |\n"
