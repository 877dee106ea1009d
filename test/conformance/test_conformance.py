"""The conformance table is current and passes, and some cells are run; `make conformance ARGS=--all` runs all."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from conformance import page, table, vectors
from conformance.batch import BACKENDS, PASS, Batch, Cell, Check, Launch, on_cpu, on_interpreter, outcomes
from conformance.bounds import promised as promise
from conformance.conversions import conversion
from conformance.exact import Exactly, Within, scalar
from conformance.memory import same_bytes
from conformance.values import blank, decode, encode, rows
from conformance.windows import reduction
from hologram import isa
from hologram.dialects.atlas.instructions.types import DTYPES

SUBSET = [
    ("scalar", "u8"), ("conversions", "i128"), ("class memory", "f32"), ("control", ""), ("array level", "f8E5M2"),
    ("products", "i256"), ("networks", "u32"), ("general forms, collectives and transforms", "bf16"),
]  # fmt: skip
"""Groups and types that every run of the tests runs: about five seconds."""


def test_the_table_is_current():
    stale = table.stale(table.read())
    assert not stale, f"the outcomes of {', '.join(stale)} are stale: run `make conformance` and commit docs/isa"


def test_the_page_is_current():
    assert page.PAGE.read_text("utf-8") == page.text(table.read()), "run `make conformance` and commit docs/isa"


def test_every_cell_passes():
    kept = table.read()
    wrong = [f"{n} {t} on {b}: {o}" for n, r in kept.items() for b in BACKENDS for t, o in r[b].items() if o != PASS]
    assert not wrong, wrong


def test_every_type_of_every_instruction_has_an_outcome():
    kept = table.read()
    for name in table.declared():
        assert all(list(kept[name][backend]) == table.types_of(name) for backend in BACKENDS)


@pytest.mark.parametrize(("title", "type"), SUBSET)
@pytest.mark.parametrize("backend", BACKENDS)
def test_cells(title: str, type: str, backend: str):
    group = (table.GROUPS | table.ARRAYS)[title]
    found: dict[Cell, str] = {}
    for batch in group.of(DTYPES[type or "u32"]):
        found |= outcomes(batch, backend)
    assert found
    assert {cell: outcome for cell, outcome in found.items() if outcome != PASS} == {}


# The checks themselves


COPY = """
.program batch(buf0: i32[?], buf1: i32[?]) {
  .launch block(4, 1, 1)
  mov_imm.u64 r1, 4
  mul.u64 r1, r255, r1
  ldg.i32 r2, [buf0 + r1]
  div.i32 r2, r2, r2
  stg.i32 [buf1 + r1], r2
}
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_wrong_is_found(backend: str):
    t, cell = DTYPES["i32"], Cell("div", types=("i32",))
    ones, zero = encode([1, 1, 1, 1], t), encode([1, 0, 1, 1], t)
    out, right = blank(4, t), Check(cell, 1, same_bytes(ones))

    def outcome(*launches: Launch) -> str:
        return outcomes(Batch(COPY, list(launches)), backend)[cell]

    assert outcome(Launch([ones, out], [right]), Launch([zero, out], trap=cell, reason="division by zero")) == PASS
    assert "bytes are not" in outcome(Launch([ones, out], [Check(cell, 1, same_bytes(zero))]))
    assert outcome(Launch([zero, out], [right])).startswith("traps:")
    assert "does not trap" in outcome(Launch([ones, out], trap=cell, reason="division by zero"))
    assert outcome(Launch([zero, out], trap=cell, reason="out of range")).startswith("traps:")
    assert outcome(Launch([ones, out], sums=(cell, [1] + [0] * 95))) == "the sums of R are wrong"
    refused = outcomes(Batch(COPY.replace("div.i32", "div.bool"), [Launch([], [right])]), backend)
    assert refused[cell].startswith("refused:")


def test_judges():
    f16, f64 = DTYPES["f16"], DTYPES["f64"]
    assert Exactly(-0.0)(0.0)
    assert Exactly(math.nan)(1.0)
    assert Exactly(math.nan)(math.nan) is None
    third = scalar("div", f16, (1.0, 3.0))
    assert third is not None
    assert third(0.333251953125) is None
    assert third(0.33349609375)
    assert Within("exp", f64, (1.0,))(2.718281828459045) is None
    assert Within("exp", f64, (1.0,))(2.71828182845905)
    assert scalar("add", DTYPES["u8"], (255, 1)) == Exactly(0)
    assert scalar("no such instruction", f16, (1.0,)) is None


TINY = 1e-40
"""A subnormal number of f32."""


@pytest.mark.parametrize(
    ("name", "row", "bits", "bounds"),
    [
        # What is right for every device, and what else only for one that promises bounds; all else is wrong for both.
        ("add", (1.0, 2.0), [3.0], []),
        ("add", (TINY, -0.0), [TINY], [0.0]),
        ("add", (TINY, 1e-37), [1.001e-37], [1e-37]),
        ("mul", (1e-20, -1e-20), [-1e-40], [-0.0]),
        ("sign", (-TINY,), [-1.0], [-0.0]),
        ("ceil", (TINY,), [1.0], [0.0]),
        ("setlt", (0.0, TINY), [True], [False]),
        ("setlt", (0.0, 1e-37), [True], []),
        ("max", (-0.0, -TINY), [-0.0], []),
        ("mad", (1.0000001, 1.0000001, -1.0000002), [0.0], [1.4210855e-14]),
        ("fma", (1.0000001, 1.0000001, -1.0000002), [1.4210855e-14], [0.0]),
        ("lerp", (1.0, 1.0000001, 0.5), [1.0], []),
        ("div", (1.0, 3.0), [0.33333334], [0.33333328, 0.3333334]),
        ("div", (1.0, TINY), [math.inf], []),
        ("div", (-1e-38, 100.0), [-1e-40], [-0.0]),
        ("rcp", (3.0,), [0.33333334], [0.33333337]),
        ("sqrt", (2.0,), [1.4142135], []),
        ("log", (TINY,), [-92.10341], [-math.inf]),
        ("exp", (-90.0,), [8.194014e-40], [0.0]),
    ],
)
def test_judges_of_devices_that_promise_bounds(name: str, row: tuple[float, ...], bits: list[Any], bounds: list[Any]):
    f32 = DTYPES["f32"]
    (given,) = (tuple(float(np.float32(v)) for v in row),)
    judge = scalar(name, f32, given)
    assert judge is not None
    others = [0.0, -0.0, 1.0, -1.0, 3.0000002, 0.3333331, 0.3333336, 1.4142137, 1e-38, math.inf, math.nan]
    others = [True, False] if isinstance(bits[0], bool) else others
    right = [v if isinstance(v, bool) else float(np.float32(v)) for v in bits]
    more = [v if isinstance(v, bool) else float(np.float32(v)) for v in bounds]
    wrong = [v for v in others if all(Exactly(v)(w) for w in (*right, *more))]
    for promised, allowed in ((False, right), (True, [*right, *more])):
        with promise(promised):
            assert [v for v in allowed if judge(v) is not None] == []
            assert [v for v in (*wrong, *([] if promised else more)) if judge(v) is None] == []


def test_sums_and_conversions_of_devices_that_promise_bounds():
    f32, f64 = DTYPES["f32"], DTYPES["f64"]
    total = reduction("add", f32, [TINY, 0.0, 0.0])
    widened = conversion(f32, f64, TINY)
    for judge, exact in ((total, float(np.float32(TINY))), (widened, TINY)):
        assert judge(exact) is None
        assert judge(0.0) is not None
        with promise():
            assert judge(0.0) is None
            assert judge(-0.0) is not None
            assert judge(2 * TINY) is not None


@pytest.mark.parametrize("name", ["bool", "u8", "i64", "bf16", "f64", "i256"])
def test_values_keep_their_encoding(name: str):
    t = DTYPES[name]
    values = [row[0] for row in rows(t) if row[0] == row[0]]
    assert decode(encode(values, t), t) == values
    assert len(rows(t)) % 64 == 0


def test_a_type_without_an_outcome_counts_as_not_run():
    row = table.run([])
    assert row == {}
    assert table.refused("add") == []
    assert "u8" in table.refused("atom.add")


# Golden vectors


VECTORS = [("scalar", "u16"), ("state", "")]
"""The files whose programs are run, and the type."""


def test_the_vectors_are_current():
    stale = vectors.stale()
    assert not stale, f"the golden vectors of {', '.join(stale)} are stale: run `make conformance` and commit docs/isa"


def test_the_vectors_name_every_instruction():
    named = {n for title in table.GROUPS for p in vectors.read(title)["programs"] for n in p["instructions"]}
    assert named == set(table.instructions())


@pytest.mark.parametrize(("title", "type"), VECTORS)
def test_vectors(title: str, type: str):
    programs = [p for p in vectors.read(title)["programs"] if p["type"] == type]
    assert programs
    for program in programs:
        module = isa.decode(bytes.fromhex(program["binary"]))
        assert isa.disassemble(module) == program["assembly"]
        vectors.check(program, on_interpreter(program["assembly"]))
        vectors.check(program, on_cpu(program["assembly"]))


def test_vectors_that_differ_are_found():
    (program,) = vectors.read("pools")["programs"]
    run = on_interpreter(program["assembly"])
    vectors.check(program, run)
    (launch,) = program["launches"]
    (result,) = launch["results"].items()
    wrong = {"results": {result[0]: result[1][:-2] + "77"}}, {"trap": "division"}
    for change in wrong:
        with pytest.raises(vectors.Differs):
            vectors.check(program | {"launches": [launch | change]}, run)
    with pytest.raises(vectors.Differs, match="it traps"):
        vectors.check(program | {"launches": [launch | {"grid": [2, 1, 1]}]}, run)
