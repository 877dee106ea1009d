"""The outcomes of the twelve kernels and of the instructions of lanes on a column, with digests of the bits.

A column's results are kept in `docs/devices/columns/NAME.json`: those of this machine's devices by `make
device-conformance`, those of a GPU by `python -P -m devices --name h200 --kinds cuda,opencl` on that machine.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from conformance import products, table
from conformance.batch import PASS, Batch, Cell, Observe, outcomes
from conformance.bounds import promised
from conformance.functions import OPERATIONS
from device_kernels import KERNELS, DeviceKernel
from devices.columns import BOUNDED, EXACT, Column, backend, reason
from hologram.dialects import make_context
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.lanes.memory import VECTORS
from hologram.dialects.machine.instruction import FORMS
from hologram.driver.source import text_source
from hologram.errors import HologramError
from hologram.interpreter import interpret

FOLDER = table.ROOT / "docs" / "devices" / "columns"
Array = np.ndarray[Any, np.dtype[Any]]
Row = dict[str, str]
"""The outcome of an instruction by type."""
REFUSED = "refused: "
REASON = "isa.md section 7"
"""The texts of allowed refusals: any other error is a fault, even of a program that may be refused."""
ANY_ORDER = frozenset({*products.ADDED, "attention", "flash_attention", "scan", "fft"})
"""The operations of arrays that promise a tolerance for floats: they sum in an order that is the device's own."""
LONG, FEW, MOST_BITS = 256, 6, 12288
"""Programs on more bits than `LONG` have so many cells at most, which move so many bits together, or one: the time that
drivers take grows faster than the text."""


# The twelve kernels


def kernel_outcome(kernel: DeviceKernel, column: Column) -> tuple[str, str]:
    """The outcome of a kernel on all its edge sizes, and a digest of the bits of its results."""
    digest = hashlib.sha256()
    try:
        run = column.kernel(kernel.text)
        for sizes in kernel.edges:
            found = np.asarray(run(*kernel.arguments(sizes)))
            if (problem := _wrong(kernel, column, sizes, found)) is not None:
                return problem, ""
            digest.update(canonical(found))
    except HologramError as error:
        return f"error: {error}", ""
    return PASS, digest.hexdigest()[:16]


def _wrong(kernel: DeviceKernel, column: Column, sizes: tuple[int, ...], found: Array) -> str | None:
    arguments = kernel.arguments(sizes)
    if (error := kernel.error(arguments, found)) > 1:
        return f"{sizes}: {error:.3g} times the bound"
    exact = kernel.bits == "exact" and column.kind not in BOUNDED
    if exact and canonical(found) != canonical(reference(kernel, sizes)):
        return f"{sizes}: not the interpreter's bits"
    return None


_known: dict[tuple[str, tuple[int, ...]], Array] = {}


def reference(kernel: DeviceKernel, sizes: tuple[int, ...]) -> Array:
    """The results of the interpreter."""
    if (kernel.title, sizes) not in _known:
        module = text_source(kernel.text.encode(), f"{kernel.title}.mlir").read(make_context())
        (_known[kernel.title, sizes],) = interpret(module, None, kernel.arguments(sizes))
    return _known[kernel.title, sizes]


def canonical(array: Array) -> bytes:
    """The bytes of an array in which every NaN is the same."""
    if array.dtype.kind not in "fV" and array.dtype.name != "bfloat16":
        return array.tobytes()
    if array.dtype.kind == "V" and not array.dtype.name.startswith(("bfloat", "float")):
        return array.tobytes()
    plain = np.array(array)
    plain[np.isnan(plain)] = np.nan
    return plain.tobytes()


# The instructions of lanes


def jobs(types: Collection[str] | None = None, titles: Collection[str] | None = None) -> Iterator[tuple[str, str]]:
    """Groups of the conformance table whose titles begin so, and the types that each has programs for."""
    for title, group in (table.GROUPS | table.ARRAYS).items():
        if titles is not None and not title.startswith(tuple(titles)):
            continue
        for name in DTYPES if group.typed else [""]:
            if types is None or not name or name in types:
                yield title, name


def types_of(instruction: str) -> list[str]:
    """The types under which an instruction is a cell, its operands'; an empty name if its programs have none."""
    if instruction in OPERATIONS:
        return table.types_of(instruction)
    form = FORMS.get(instruction)
    typed = all(group.typed for group in table.GROUPS.values() if instruction in group.names())
    if form is None or not form.types or not typed:
        return [""]
    operands = [*form.types.values()][-1]
    return [name for name in DTYPES if name in operands]


def cells(column: Column, title: str, type: str, only: Collection[str] = ()) -> dict[str, dict[str, Any]]:
    """Outcomes and digests by instruction, of a group and a type; of the array level some operations alone."""
    found: dict[Cell, str] = {}
    digests: dict[str, Any] = {}

    group = (table.GROUPS | table.ARRAYS)[title]
    t = DTYPES[type or "u32"]
    for batch in _by_operation(group.of(t), only or [*group.names()]) if title in table.ARRAYS else group.of(t):
        # By cells in their order: a program that runs in parts gives the digest of one that runs whole.
        seen: dict[Cell, list[bytes]] = {cell: [] for cell in batch.cells}

        def observe(cell: Cell, array: Array, seen: dict[Cell, list[bytes]] = seen) -> None:
            seen[cell].append(canonical(array))

        with promised(column.kind in BOUNDED):
            parts = apart(batch, backend(column), lambda cell: _allowed(column, cell) is not None, observe)
            found |= {cell: judged(column, cell, outcome) for cell, outcome in parts}
        for cell, arrays in seen.items():
            for part in arrays:
                digests.setdefault(cell.instruction, hashlib.sha256()).update(part)
    rows: dict[str, dict[str, Any]] = {}
    for cell, outcome in found.items():
        row = rows.setdefault(cell.instruction, {"outcome": outcome})
        if row["outcome"] == PASS:
            row["outcome"] = outcome
        if cell.instruction in digests:
            row["bits"] = digests[cell.instruction].hexdigest()[:12]
    return rows


def _by_operation(batches: Iterable[Batch], names: Collection[str]) -> Iterator[Batch]:
    """Programs of a few cells of an operation of the array level: all together are long."""
    for batch, name in product(batches, names):
        assert batch.part is not None
        wanted = [cell for cell in batch.cells if cell.instruction == name]
        yield from (batch.part(wanted[n : n + FEW]) for n in range(0, len(wanted), FEW))


def apart(
    batch: Batch, name: str, may_be_refused: Callable[[Cell], bool], observe: Observe | None
) -> Iterator[tuple[Cell, str]]:
    """The outcome of each cell. A program that is refused runs again in parts: each cell that may be refused alone, and
    the others together; if the others are refused too, each of them alone."""
    cells = batch.cells
    runs = _runs(cells)
    if batch.part is not None and len(runs) > 1:
        for run in runs:
            yield from apart(batch.part(run), name, may_be_refused, observe)
        return
    found = outcomes(batch, name, observe)
    if batch.part is None or len(found) < 2 or not all(o.startswith(REFUSED) for o in found.values()):
        yield from found.items()
        return
    may = [cell for cell in found if may_be_refused(cell)]
    must = [cell for cell in found if cell not in may]
    groups = [must] if may and must else [[cell] for cell in must]
    for group in (*groups, *([cell] for cell in may)):
        yield from apart(batch.part(group), name, may_be_refused, observe)


def _runs(cells: Sequence[Cell]) -> list[list[Cell]]:
    """The cells, in their order, in runs whose programs drivers compile in seconds."""
    if _widest(cells) <= LONG:
        return [list(cells)]
    runs: list[list[Cell]] = []
    room = 0
    for cell in cells:
        moved = _widest([cell]) * VECTORS.get(cell.variant, 1)
        if not runs or len(runs[-1]) == FEW or moved > room:
            runs.append([])
            room = MOST_BITS
        runs[-1].append(cell)
        room -= moved
    return runs


def _widest(cells: Iterable[Cell]) -> int:
    """The bits of the widest type."""
    return max((DTYPES[t].bits for cell in cells for t in cell.types), default=0)


def _allowed(column: Column, cell: Cell) -> str | None:
    """The reason for which a column may refuse a cell."""
    return reason(column.kind, cell.instruction, cell.variant, cell.types, _widest([cell]))


def judged(column: Column, cell: Cell, outcome: str) -> str:
    """An outcome, with the reason for a refusal that isa.md section 7 allows."""
    if not outcome.startswith(REFUSED):
        return outcome
    allowed = _allowed(column, cell)
    if allowed is None or REASON not in outcome:
        return f"error: {outcome.removeprefix(REFUSED)}"
    return f"{REFUSED}{allowed}"


# A column's file


def path_of(name: str) -> Path:
    """The file of a column."""
    return FOLDER / f"{name}.json"


def run(
    column: Column,
    kernels: Collection[str],
    groups: Sequence[tuple[str, str]],
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Kernels and groups of cells on a column."""
    found: dict[str, Any] = {"kind": column.kind, "title": column.title, "kernels": {}, "cells": {}}
    for name in kernels:
        outcome, bits = kernel_outcome(KERNELS[name], column)
        found["kernels"][name] = {"digest": kernel_digest(name), "outcome": outcome, "bits": bits}
        say(f"{name}: {outcome}")
    for title, type in groups:
        rows = cells(column, title, type)
        for instruction, row in rows.items():
            of = found["cells"].setdefault(instruction, {"digest": table.digest(instruction), "types": {}})
            of["types"][type] = row
        bad = [n for n, row in rows.items() if row["outcome"] != PASS and not row["outcome"].startswith(REFUSED)]
        say(f"{title} {type}: {len(rows)} instructions" + (f", {len(bad)} wrong: {', '.join(bad[:5])}" if bad else ""))
    return found


Job = tuple[Sequence[str], Sequence[tuple[str, str]]]
"""Kernels and groups of cells."""


def parts(kind: str, jobs: Sequence[Job], processes: int) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """The outcomes of the jobs, each as soon as it is done, with its messages."""
    if processes < 2:
        yield from (part(kind, job) for job in jobs)
        return
    # Devices do not survive a fork.
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        for done in as_completed([pool.submit(part, kind, job) for job in jobs]):
            yield done.result()


def part(kind: str, job: Job) -> tuple[dict[str, Any], list[str]]:
    """The outcomes of a job, and its messages."""
    said: list[str] = []
    return run(Column(kind), *job, said.append), said


def kernel_digest(name: str) -> str:
    """A digest of what a kernel is."""
    kernel = KERNELS[name]
    return hashlib.sha256(f"{kernel.text}{kernel.edges}{kernel.bits}".encode()).hexdigest()[:16]


def merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """A column's results with newer ones in them."""
    found: dict[str, Any] = {**old, **new, "kernels": {**old.get("kernels", {}), **new["kernels"]}}
    cells: dict[str, dict[str, Any]] = dict(old.get("cells", {}))
    found["cells"] = cells
    for name, row in new["cells"].items():
        known = cells.get(name)
        types: dict[str, Any] = {}
        if known is not None and known["digest"] == row["digest"]:
            types = known["types"]
        cells[name] = {"digest": row["digest"], "types": {**types, **row["types"]}}
    return found


def read(name: str) -> dict[str, Any]:
    """A column's kept results."""
    path = path_of(name)
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def write(name: str, column: Mapping[str, Any]) -> None:
    """Keeps a column's results: an instruction a line."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    order = {n: i for i, n in enumerate(table.declared())}
    cells = sorted((n for n in column["cells"] if n in order), key=order.__getitem__)
    lines = [f"    {json.dumps(n)}: {json.dumps(column['cells'][n])}" for n in cells]
    kernels = [f"    {json.dumps(n)}: {json.dumps(column['kernels'][n])}" for n in KERNELS if n in column["kernels"]]
    head = [f"  {json.dumps(key)}: {json.dumps(column[key])}" for key in ("kind", "title")]
    parts = [*head, '  "kernels": {\n' + ",\n".join(kernels) + "\n  }", '  "cells": {\n' + ",\n".join(lines) + "\n  }"]
    path_of(name).write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")


def columns() -> dict[str, dict[str, Any]]:
    """Every column that has a file: this machine's first."""
    return {path.stem: read(path.stem) for path in sorted(FOLDER.glob("*.json"), key=lambda p: ("-" in p.stem, p.stem))}


def stale(column: Mapping[str, Any]) -> list[str]:
    """The kernels and instructions that a column has results of that are for another declaration. What it has none of
    counts as not run, which the page says."""
    kernels = [n for n, row in column["kernels"].items() if n not in KERNELS or row["digest"] != kernel_digest(n)]
    known = set(table.declared())
    cells = [n for n, row in column["cells"].items() if n not in known or row["digest"] != table.digest(n)]
    return kernels + cells


def other_bits(column: Column, type: str, rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Instructions whose results have not the bits that kept columns have, where they are promised."""
    if column.kind not in EXACT:
        return []
    kept = [c for c in columns().values() if c["kind"] in EXACT]
    return [
        f"{name} {type}: {row['bits']}, {c['title']}: {bits}"
        for name, row in rows.items()
        for c in kept
        if row["outcome"] == PASS and "bits" in row and (bits := _bits(c, name, type)) not in (None, row["bits"])
    ]


def differing(columns: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The differences between the columns that promise equal bits."""
    exact = {n: c for n, c in columns.items() if c["kind"] in EXACT}
    found: list[str] = []
    for name, kernel in KERNELS.items():
        bits = {n: c["kernels"].get(name, {}).get("bits") for n, c in exact.items()}
        if kernel.bits != "bounded" and len({b for b in bits.values() if b}) > 1:
            found.append(f"{name}: {bits}")
    for instruction in table.declared():
        for type in types_of(instruction):
            bits = {n: _bits(c, instruction, type) for n, c in exact.items()}
            if len({b for b in bits.values() if b}) > 1:
                found.append(f"{instruction} {type}: {bits}")
    return found


def _bits(column: Mapping[str, Any], instruction: str, type: str) -> str | None:
    """The digest of the bits of an instruction that passed, where they are promised."""
    if instruction in ANY_ORDER and DTYPES[type].is_float:
        return None
    row = column["cells"].get(instruction, {}).get("types", {}).get(type, {})
    return row.get("bits") if row.get("outcome") == PASS else None
