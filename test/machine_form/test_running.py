"""Assembly and binary as programs: compiled, interpreted, run from the command line and from C."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hologram
from hologram.errors import HologramError
from in_process import run_tool

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).parent / "programs"
EXAMPLE = ROOT / "examples" / "expressions.py"
SAXPY = """
// y = a x + y
.program saxpy(r0: f32, buf0: f32[?], buf1: f32[?], r2: u64) {
  .launch block(64, 1, 1)
  mov.u64 r3, %gid
  setge.u64 p0, r3, r2
  @p0 bra end
  mov_imm.u64 r4, 4
  mul.u64 r5, r3, r4
  ldg.f32 r6, [buf0 + r5]
  ldg.f32 r7, [buf1 + r5]
  fma.f32 r8, r0, r6, r7
  stg.f32 [buf1 + r5], r8
end:
}
"""
X = np.arange(100, dtype=np.float32)


@pytest.fixture(params=["text", "text file", "binary", "binary file", "module"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> object:
    module = hologram.isa.assemble(SAXPY)
    match request.param:
        case "text":
            return SAXPY
        case "text file":
            (tmp_path / "saxpy.atlas").write_text(SAXPY)
            return tmp_path / "saxpy.atlas"
        case "binary":
            return hologram.isa.encode(module)
        case "binary file":
            (tmp_path / "saxpy.atlasb").write_bytes(hologram.isa.encode(module))
            return tmp_path / "saxpy.atlasb"
        case _:
            return module


def test_every_form_compiles(source: object):
    kernel = hologram.compile(source)
    y = np.ones(100, np.float32)
    kernel(2.0, X, y, 90, 2, 1, 1)
    expected = np.ones(100, np.float32)
    expected[:90] += 2 * X[:90]
    assert np.array_equal(y, expected)


@pytest.mark.parametrize("device", ["cpu", "interpreter"])
@pytest.mark.parametrize("suffix", [".atlas", ".atlasb"])
def test_from_the_command_line(tmp_path: Path, device: str, suffix: str):
    path = tmp_path / f"saxpy{suffix}"
    path.write_bytes(SAXPY.encode() if suffix == ".atlas" else hologram.isa.encode(hologram.isa.assemble(SAXPY)))
    values = ["3", "f32[4]=iota", "f32[4]=ones", "4", "1", "1", "1"]
    done = run_tool("hologram-run", [str(path), "--device", device, *(w for v in values for w in ("--arg", v))])
    assert done.code == 0, done.errors
    assert "[ 1.  4.  7. 10.]" in done.text


def test_an_access_past_the_end_traps_and_names_the_line():
    y = np.ones(100, np.float32)
    place = "<text>:10:3: error: program 'saxpy' trapped in lane 100: atlas.ldg f32: index out of range"
    with pytest.raises(hologram.errors.TrapError, match=place):
        hologram.compile(SAXPY)(2.0, X, y, 128, 2, 1, 1)


def test_errors_of_assembly_show_the_place(tmp_path: Path):
    path = tmp_path / "wrong.atlas"
    path.write_text(SAXPY.replace("fma.f32 r8", "fmaa.f32 r8"))
    done = run_tool("hologram-run", [str(path)])
    assert done.code == 1
    assert re.search(r"wrong.atlas:12:3: error: .*fmaa.*\n.*\n.*\n.*did you mean 'fma'", done.errors)


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
        found = np.full(1, 99, dtype=np.uint32)
        kernel(found, count, 1, 1, 1, 1, 1, 1)
        assert found[0] == count


def test_a_damaged_binary_does_not_run(tmp_path: Path):
    path = tmp_path / "p.atlasb"
    path.write_bytes(hologram.isa.encode(hologram.isa.assemble((PROGRAMS / "saxpy.atlas").read_text("utf-8")))[:-1])
    with pytest.raises(HologramError, match="binary-length"):
        hologram.compile(path)


# The example


def example(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-P", str(EXAMPLE), *words], capture_output=True, text=True)


def test_the_toy_compiler_runs_what_it_emits():
    done = example("y = 2 * x + sin(x) / (1 + abs(-z))", "--run")
    assert done.returncode == 0, done.stderr
    rows = {m[1]: np.fromstring(m[2], sep=" ") for m in re.finditer(r"(\w+) = \[(.*)\]", done.stdout)}
    expected = 2 * rows["x"] + np.sin(rows["x"]) / (1 + np.abs(rows["z"]))
    np.testing.assert_allclose(rows["y"], expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 * x", "an assignment looks like"),
        ("y = 2 *", "ends too early"),
        ("y = (x", "a parenthesis is not closed"),
        ("y = x x", "'x' can't stand there"),
        ("y = cosh(x)", "there is no function 'cosh'"),
        ("y = y + 1", "'y' is written"),
        ("y = x + %", "'%' can't stand there"),
        ("y = " + "x + " * 300 + "1", "too long"),
    ],
)
def test_the_toy_compiler_says_what_is_wrong(text: str, message: str):
    done = example(text)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


C_PROGRAM = """
#include <stdio.h>
#include "hologram.h"
int main(void) {
  hologram_program program;
  hologram_error error;
  const hologram_entry *entry;
  float x[] = {1, 2, 3}, b[] = {10, 20, 30}, y[3];
  int64_t n[] = {3}, one = 1;
  uint64_t size = 3;
  hologram_value arguments[] = {
      hologram_array(HOLOGRAM_F32, x, 1, n), hologram_array(HOLOGRAM_F32, b, 1, n),
      hologram_array(HOLOGRAM_F32, y, 1, n),
      hologram_scalar(HOLOGRAM_U64, &size), hologram_scalar(HOLOGRAM_INDEX, &one),
      hologram_scalar(HOLOGRAM_INDEX, &one), hologram_scalar(HOLOGRAM_INDEX, &one)};
  if (hologram_open("./axpb.so", &program, &error) || hologram_find(&program, "y", &entry, &error) ||
      hologram_run(entry, arguments, 7, &error))
    return puts(error.message), 1;
  printf("%g %g %g\\n", y[0], y[1], y[2]);
  return 0;
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no 'cc'")
def test_the_toy_compiler_for_c(tmp_path: Path):
    (tmp_path / "axpb.atlas").write_text(example("y = 2 * x + b").stdout)
    assert run_tool("hologram-compile", ["axpb.atlas", "--c-library", "."], cwd=tmp_path).code == 0
    (tmp_path / "main.c").write_text(C_PROGRAM)
    command = ["cc", "-std=c99", "-Wall", "-Werror", "main.c", "-I.", "-L.", "-lhologram", "-Wl,-rpath,.", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "12 24 36\n"
