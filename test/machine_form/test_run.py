"""Assembly, binaries and modules of the machine form run on the CPU as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from hologram import isa
from hologram.errors import HologramError, InputError, TrapError
from in_process import run_tool

PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.parametrize("form", ["atlas", "atlasb", "module"])
def test_saxpy_runs_in_each_form(form: str, tmp_path: Path):
    module = isa.assemble((PROGRAMS / "saxpy.atlas").read_text("utf-8"))
    source: Any = module
    if form != "module":
        source = tmp_path / f"saxpy.{form}"
        source.write_bytes(isa.encode(module) if form == "atlasb" else isa.disassemble(module).encode())
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, dtype=np.float32)
    before = str(module)
    hologram.compile(source)(2.0, x, y, 1000, 4, 1, 1)
    assert np.array_equal(y, 2 * x + 1)
    assert str(module) == before


def test_blocks_share_memory_and_wait():
    x, sums = np.ones(1000, dtype=np.float32), np.zeros(4, dtype=np.float32)
    hologram.compile(PROGRAMS / "block_sum.atlas")(x, sums, 1000, 4, 1, 1)
    assert sums.tolist() == [256, 256, 256, 232]


def test_a_structured_loop_of_a_register_runs_exactly_as_often(tmp_path: Path):
    path = tmp_path / "count.atlas"
    path.write_text(
        ".program count(buf0: u32[?], r0: u32) {\n  mov_imm.u32 r1, 0\n  mov_imm.u32 r2, 1\n"
        "  loop r0, p0 {\n    add.u32 r1, r1, r2\n  }\n  stg.u32 [buf0], r1\n}\n", "utf-8"
    )  # fmt: skip
    kernel = hologram.compile(path)
    for count in (0, 1, 7):
        found = np.full(1, 99, dtype=np.int32)
        kernel(found, count, 1, 1, 1, 1, 1, 1)
        assert found[0] == count


def test_an_address_out_of_range_traps(tmp_path: Path):
    path = tmp_path / "far.atlas"
    path.write_text(".program far(buf0: f32[?]) {\n  ldg.f32 r0, [buf0 + 400]\n  stg.f32 [buf0], r0\n}\n", "utf-8")
    with pytest.raises(TrapError):
        hologram.compile(path)(np.ones(4, dtype=np.float32), 1, 1, 1, 1, 1, 1)


def test_errors_name_the_file(tmp_path: Path):
    path = tmp_path / "wrong.atlas"
    path.write_text(".program p() {\n  fmaa.f32 r0, r1\n}\n", "utf-8")
    with pytest.raises(InputError) as caught:
        hologram.compile(path)
    assert caught.value.where is not None
    assert (caught.value.where.file, caught.value.where.line) == (str(path), 2)


def test_a_damaged_binary_does_not_run(tmp_path: Path):
    path = tmp_path / "p.atlasb"
    path.write_bytes(isa.encode(isa.assemble((PROGRAMS / "saxpy.atlas").read_text("utf-8")))[:-1])
    with pytest.raises(HologramError, match="binary-length"):
        hologram.compile(path)


def test_the_command_line_runs_assembly():
    given = ["2.0", "f32[4]=iota", "f32[4]=ones", "4", "1", "1", "1"]
    done = run_tool("hologram-run", [PROGRAMS / "saxpy.atlas", *(word for a in given for word in ("--arg", a))])
    assert "[1. 3. 5. 7.]" in done.text
