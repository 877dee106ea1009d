"""The table: which batches there are, the digests of what is declared, and what came of each instruction and type.

`docs/isa/conformance.json` keeps the outcomes, and the digest of each instruction's declaration that they are for.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance import arrays, conversions, general, memory, networks, products, scalars, state, windows
from conformance.batch import BACKENDS, PASS, Batch, Cell, outcomes
from conformance.functions import OPERATIONS
from hologram import isa
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.machine.instruction import FORMS, INSTRUCTIONS
from hologram.dialects.machine.listing import CONTROL
from hologram.dialects.machine.numbers import CONTROL_SIGNATURES
from hologram.errors import HologramError

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "docs" / "isa" / "conformance.json"
NOT_RUN = "not run: the conformance programs (test/conformance) have no row for it"

Row = dict[str, Any]
"""An instruction: `digest`, `cells` (how many were run), and for each backend the outcome by type."""


@dataclass(frozen=True)
class Group:
    """Instructions that programs run together."""

    names: Callable[[], Iterable[str]]
    batches: Callable[..., Iterator[Batch]]
    """Takes a type, if there are batches for each."""
    typed: bool = True
    single: bool = False
    """Whether the batches can be had of some instructions alone."""

    def jobs(self, wanted: Collection[str]) -> Iterator[Batch]:
        """Every batch that has some of these instructions."""
        for dtype in DTYPES.values() if self.typed else [DTYPES["u32"]]:
            yield from self.batches(dtype, wanted) if self.single else self.of(dtype)

    def of(self, dtype: DType) -> Iterator[Batch]:
        """The batches of a type; all of a group without types."""
        return self.batches(*[dtype][: self.typed])


def _named(*starts: str) -> Callable[[], Iterable[str]]:
    return lambda: [n for n in FORMS if n.startswith(starts)]


GROUPS: dict[str, Group] = {
    "scalar": Group(lambda: [n for n, f in FORMS.items() if scalars.is_scalar(f)], scalars.batches),
    "conversions": Group(_named("cvt"), conversions.conversions),
    "constants": Group(_named("mov_imm"), conversions.constants),
    "windows": Group(lambda: [n for n, f in FORMS.items() if any(x.times for x in f.fields)], windows.windows),
    "spans": Group(windows.span_names, windows.spans),
    "memory": Group(lambda: [*memory.PAIRS, *memory.PAIRS.values(), "lea"], memory.accesses),
    "atomics": Group(_named("atom."), memory.atomics),
    "pools": Group(lambda: ["pool.alloc", "pool.free"], memory.pools, False),
    "class memory": Group(lambda: ["bound.map", "cls.of", "nbr.load", "nbr.store"], state.class_memory),
    "state": Group(_named("cls.get", "phase."), state.lane_state, False),
    "resonance": Group(lambda: ["res.accum", "unity.test"], state.resonance),
    "special": Group(_named("special"), state.specials, False),
    "assertions": Group(lambda: ["assert"], state.assertions, False),
    "control": Group(lambda: [*CONTROL, "bar.sync", "memfence"], state.control, False),
}


ARRAYS: dict[str, Group] = {
    "array level": Group(lambda: arrays.NAMES, arrays.arrays, single=True),
    "products": Group(lambda: products.ADDED, products.products, single=True),
    "networks": Group(lambda: networks.ADDED, networks.networks, single=True),
    "general forms, collectives and transforms": Group(lambda: general.ADDED, general.general, single=True),
}
"""Groups of operations that lanes have no form of: MLIR, and no vectors for others."""


# Declarations


def instructions() -> list[str]:
    """Every instruction of lanes."""
    return [*CONTROL, *FORMS]


def declared() -> list[str]:
    """Every instruction of lanes, and every array-level operation."""
    return [*instructions(), *OPERATIONS]


def types_of(name: str) -> list[str]:
    """The types that an instruction is declared for, by its first type; an empty name if it has none."""
    if name in OPERATIONS:
        return [n for n in DTYPES if n in OPERATIONS[name].TYPES]
    form = FORMS.get(name)
    if form is None or not form.types:
        return [""]
    return [n for n in DTYPES if n in next(iter(form.types.values()))]


def digest(name: str) -> str:
    """A digest of an instruction's declaration: signature, types, meaning, traps."""
    form = FORMS.get(name)
    if name in OPERATIONS:
        op = OPERATIONS[name]
        return _hash([op.name, inspect.getdoc(op) or "", *types_of(name)])
    if form is None:
        return _hash([CONTROL_SIGNATURES[name]])
    types = [f"{k} {' '.join(n for n in DTYPES if n in v)}" for k, v in form.types.items()]
    traps = scalars.DECLARED[name].traps if name in scalars.DECLARED else None
    return _hash([form.signature, *types, inspect.getdoc(INSTRUCTIONS[name]) or "", traps or ""])


def _hash(parts: list[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


# Outcomes


def read() -> dict[str, Row]:
    """The kept outcomes."""
    return json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}


def stale(kept: Mapping[str, Row]) -> list[str]:
    """The instructions that were declared otherwise, or not at all, when the outcomes were found; and those gone."""
    now = {name: digest(name) for name in declared()}
    return [n for n in (*now, *kept) if n not in now or n not in kept or kept[n]["digest"] != now[n]]


def failed(rows: Mapping[str, Row]) -> list[str]:
    """The instructions with an outcome that is not 'pass'."""
    return [name for name, row in rows.items() if any(o != PASS for b in BACKENDS for o in row[b].values())]


def written(rows: Mapping[str, Row]) -> str:
    """The kept outcomes as text: an instruction a line."""
    lines = (f"  {json.dumps(name)}: {json.dumps(rows[name])}" for name in declared() if name in rows)
    return "{\n" + ",\n".join(lines) + "\n}\n"


def run(names: Iterable[str], say: Callable[[str], None] = lambda text: None) -> dict[str, Row]:
    """Runs the groups of these instructions on all backends, and gives the rows of all that these groups have."""
    wanted = set(names)
    found: dict[Cell, dict[str, str]] = {}
    for title, group in (GROUPS | ARRAYS).items():
        if wanted.isdisjoint(group.names()):
            continue
        count = len(found)
        for batch in group.jobs(wanted):
            for backend in BACKENDS:
                for cell, outcome in outcomes(batch, backend).items():
                    found.setdefault(cell, {})[backend] = outcome
        say(f"{title}: {len(found) - count} cells")
    ran = {cell.instruction for cell in found} | wanted
    return {name: _row(name, {c: o for c, o in found.items() if c.instruction == name}) for name in sorted(ran)}


def _row(name: str, cells: Mapping[Cell, Mapping[str, str]]) -> Row:
    """The row of an instruction: of the cells of a type the first that did not pass counts."""
    row: Row = {"digest": digest(name), "cells": len(cells)}
    for backend in BACKENDS:
        outcome = dict.fromkeys(types_of(name), NOT_RUN)
        for cell, by_backend in cells.items():
            type = cell.types[0] if cell.types else ""
            if outcome.get(type) in (None, NOT_RUN, PASS):
                shown = " ".join([*cell.types[1:], cell.variant]).strip()
                problem = by_backend[backend]
                outcome[type] = problem if problem == PASS or not shown else f"{shown}: {problem}"
        row[backend] = outcome
    return row


# Refusals


REFUSED = {
    "atom.": "atomics of 8, 16 and more than 64 bits are refused on every device",
}
"""Why instructions of a family are not defined for types that others of their kind have (isa.md section 7)."""


def refused(name: str) -> list[str]:
    """The types that an instruction refuses, of those with a row in isa.md section 7; each is tried."""
    if not name.startswith(tuple(REFUSED)):
        return []
    return [t for t in DTYPES if t not in types_of(name) and _is_refused(name, t)]


def _is_refused(name: str, type: str) -> bool:
    """Whether the assembler refuses a type."""
    source = "p0" if type == "bool" else "r0"
    operands = ", ".join([source] * (len(FORMS[name].fields) - 1))
    try:
        isa.assemble(
            f".program p(buf0: {type}[?], {source}: {type}) {{\n  {name}.{type} {source}, [buf0], {operands}\n}}"
        )
    except HologramError as error:
        return error.code == "asm-suffix"
    return False
