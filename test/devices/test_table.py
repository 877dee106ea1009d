"""The table of devices is that of the kept columns, and those pass; needs no device."""

from __future__ import annotations

import copy
from collections.abc import Collection
from itertools import product

import numpy as np
import pytest

from conformance import table
from conformance.batch import MAKERS, PASS, Batch, Cell, Check, Launch, Run, outcomes
from device_kernels import KERNELS
from devices import page, results
from devices.columns import GAPS, Column, reason
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.errors import DeviceError


def test_the_page_is_current():
    assert page.PAGE.read_text("utf-8") == page.text(results.columns()), "run `make device-conformance`"


def test_every_outcome_is_a_pass_or_an_allowed_refusal():
    assert list(page.unknown(results.columns())) == []


def test_every_gap_is_one():
    columns = results.columns()
    failing = [(columns[c]["kind"] if c in columns else "bits", cell) for c, cell, _ in page.problems(columns)]
    closed = [key for key in GAPS if not any(kind == key[0] and cell.startswith(key[1]) for kind, cell in failing)]
    assert not closed, f"{closed} pass by now: remove them from GAPS"


def test_no_column_is_stale():
    stale = {name: found for name, column in results.columns().items() if (found := results.stale(column))}
    assert not stale, f"run `make device-conformance`: {stale}"


def test_what_differs_is_found():
    column = {
        "kind": "cpu", "title": "one",
        "kernels": {"sum": {"digest": "", "outcome": PASS, "bits": "aa"}},
        "cells": {"add": {"digest": "", "types": {"f32": {"outcome": PASS, "bits": "bb"}}}},
    }  # fmt: skip
    other = copy.deepcopy(column) | {"kind": "opencl"}
    assert results.differing({"cpu": column, "opencl": other}) == []
    changed = copy.deepcopy(other)
    changed["kernels"]["sum"]["bits"] = "cc"  # pyright: ignore
    changed["cells"]["add"]["types"]["f32"]["bits"] = "dd"  # pyright: ignore
    found = results.differing({"cpu": column, "opencl": changed})
    assert [f.partition(":")[0] for f in found] == ["sum", "add f32"]
    assert len(list(page.problems({"cpu": column, "opencl": changed}))) == 2
    assert page.report({"cpu": column, "opencl": changed}) == 1
    assert page.report({"cpu": column}) == 0
    assert results.stale(column) == ["sum", "add"]


@pytest.mark.parametrize(("name", "type", "compared"), [
    ("gemm", "f32", False), ("gemm", "i32", True), ("attention", "f64", False), ("layer_norm", "f64", True),
])  # fmt: skip
def test_products_of_floats_promise_no_bits(name: str, type: str, compared: bool):
    def column(kind: str) -> dict[str, object]:
        row = {"outcome": PASS, "bits": kind}
        return {"kind": kind, "title": kind, "kernels": {}, "cells": {name: {"digest": "", "types": {type: row}}}}

    assert bool(results.differing({kind: column(kind) for kind in ("cpu", "opencl")})) == compared


def test_other_bits_than_the_kept_ones_are_found():
    name = next(n for n, row in results.read("h200-cuda")["cells"].items() if row["types"].get("f32", {}).get("bits"))
    kept = results.read("h200-cuda")["cells"][name]["types"]["f32"]
    assert results.other_bits(Column("opencl"), "f32", {name: kept}) == []
    assert len(results.other_bits(Column("opencl"), "f32", {name: {**kept, "bits": "other"}})) >= 1
    assert results.other_bits(Column("webgpu"), "f32", {name: {**kept, "bits": "other"}}) == []


@pytest.mark.parametrize(
    ("type", "tried"),
    [("i32", ["add mul div", "add", "mul", "div"]), ("i512", ["add mul", "add", "mul", "div"])],
)
def test_what_is_refused_spares_its_neighbours(monkeypatch: pytest.MonkeyPatch, type: str, tried: list[str]):
    monkeypatch.setattr(results, "MOST_BITS", 1024)
    cells = [Cell(name, types=(type,)) for name in ("add", "mul", "div")]
    programs: list[str] = []

    def part(wanted: Collection[Cell]) -> Batch:
        kept = [cell for cell in cells if cell in wanted]
        text = " ".join(cell.instruction for cell in kept)
        return Batch(text, [Launch([np.zeros(1)], [Check(cell, 0, lambda array: None) for cell in kept])], part)

    def run(text: str) -> Run:
        programs.append(text)
        if "mul" in text:
            raise DeviceError("test-refused", "no products")
        return lambda arguments, grid: None

    monkeypatch.setitem(MAKERS, "refusing", run)
    found = dict(results.apart(part(cells), "refusing", lambda cell: cell.instruction != "add", None))
    assert programs == tried
    assert [found[cell].partition(":")[0] for cell in cells] == [PASS, "refused", PASS]


@pytest.mark.parametrize(
    ("title", "type"),
    [
        *product(["scalar", "conversions", "windows", "spans", "memory", "class memory"], ["u512"]),
        ("atomics", "i32"),
        *product(table.ARRAYS, ["f16"]),
    ],
)
def test_parts_of_parts(title: str, type: str):
    """A cell that is refused in a part of a program is tried alone."""
    batch = next((table.GROUPS | table.ARRAYS)[title].of(DTYPES[type]))
    cells = batch.cells
    for kept in (cells[:3], cells[1:3], cells[1:2]):
        assert batch.part is not None
        batch = batch.part(kept)
        assert batch.cells == kept


@pytest.mark.parametrize(
    ("type", "wanted"),
    [
        ("u32", [12]),
        ("u256", [12]),
        ("u512", [6, 6]),
        ("u2048", [2, 2, 2, 2, 2, 2]),
        ("u4096", [2, 1, 2, 1, 2, 1, 2, 1]),
    ],
)
def test_programs_on_long_integers_are_short(monkeypatch: pytest.MonkeyPatch, type: str, wanted: list[int]):
    cells = [Cell(name, variant, (type,)) for name in ("ldg", "lds", "ldl", "stg") for variant in ("", "v2", "v4")]
    programs: list[list[Cell]] = []

    def part(wanted: Collection[Cell]) -> Batch:
        kept = [cell for cell in cells if cell in wanted]
        launch = Launch([np.zeros(1)], [Check(cell, 0, lambda array: None) for cell in kept])
        return Batch(" ".join(map(repr, kept)), [launch], part)

    def run(text: str) -> Run:
        programs.append([cell for cell in cells if repr(cell) in text])
        return lambda arguments, grid: None

    monkeypatch.setitem(MAKERS, "counting", run)
    found = dict(results.apart(part(cells), "counting", lambda cell: False, None))
    assert found == dict.fromkeys(cells, PASS)
    assert [len(program) for program in programs] == wanted


@pytest.mark.parametrize(
    ("kind", "instruction", "types", "widest", "allowed"),
    [
        ("webgpu", "atom.add", ["f32"], 32, True), ("webgpu", "atom.add", ["u32"], 32, False),
        ("vulkan", "add", ["i512"], 512, True), ("vulkan", "add", ["i256"], 256, False),
        ("opencl", "div", ["u2048"], 2048, True), ("opencl", "add", ["u2048"], 2048, False),
        ("opencl", "gemm", ["u2048"], 2048, True), ("opencl", "copy", ["u2048"], 2048, False),
        ("cuda", "div", ["u4096"], 4096, False), ("cpu", "add", ["f64"], 64, False),
        ("wasm", "lea", ["f64"], 64, False),
    ],
)  # fmt: skip
def test_reasons(kind: str, instruction: str, types: list[str], widest: int, allowed: bool):
    assert (reason(kind, instruction, "", types, widest) is not None) == allowed


def test_parts_of_functions_run_alone():
    """The arguments of what is left out are gone, and each launch has those that are left."""
    (batch,) = table.ARRAYS["networks"].of(DTYPES["u8"])
    assert batch.part is not None
    for cell in batch.cells:
        part = batch.part([cell])
        assert part.text.count("atlas.") < batch.text.count("atlas.")
        assert all(len(launch.arguments) == part.text.partition("{\n")[0].count("%a") for launch in part.launches)
        assert outcomes(part, "interpreter") == {cell: PASS}


def test_cells_are_those_of_a_whole_column():
    kept = results.read("cpu")["cells"]
    assert {name: set(row["types"]) for name, row in kept.items()} == {n: set(results.types_of(n)) for n in kept}
    assert set(kept) == set(table.declared())


def test_what_was_not_run_is_no_pass():
    whole = results.read("cpu")
    partial = copy.deepcopy(whole)
    del partial["kernels"]["saxpy"]
    del partial["cells"]["add"]["types"]["f32"]
    del partial["cells"]["mul"]
    text = page.text({"whole": whole, "partial": partial})
    rows = {line.split(" | ")[0]: line for line in text.splitlines() if line.startswith("| ")}
    cells = sum(len(row["types"]) for row in whole["cells"].values())
    lost = 1 + len(results.types_of("mul"))
    assert rows["| `whole`"].endswith(f"| {len(KERNELS)} pass | {cells} pass |")
    left = f"| {len(KERNELS) - 1} pass, **1 not run** | {cells - lost} pass, **{lost} not run** |"
    assert rows["| `partial`"].endswith(left)
    assert rows["| saxpy"] == "| saxpy | pass | not run |"
    assert rows["| `mul`"] == "| `mul` | pass | not run |"
    assert rows["| `add`"].startswith("| `add` | pass | pass: ")
    assert rows["| `add`"].endswith("; not run: f32 |")
