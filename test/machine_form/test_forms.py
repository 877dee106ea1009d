"""Text, machine IR and binary are exact inverses: on the corpus, on each instruction, at the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from hologram import isa
from hologram.dialects.machine.from_listing import module_of
from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.listing import Code
from hologram.dialects.machine.to_listing import listing_of
from hologram.errors import HologramError, VerifyError
from hologram.lowering.machine.assembly import print_assembly
from in_process import run_tool
from machine_form.random_programs import check_inverses, random_line, random_listing

CORPUS = sorted((Path(__file__).parent / "programs").glob("*.atlas"))


@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.stem)
def test_corpus(path: Path):
    check_inverses(path.read_text(encoding="utf-8"))


def test_every_instruction():
    random = Random(1)
    listing = random_listing(random, 0)
    program = next(item for item in listing if isinstance(item, Code) and not item.is_function)
    program.lines[:0] = [random_line(random, form, False) for form in FORMS.values() for _ in range(2)]
    check_inverses(print_assembly(listing_of(module_of(listing))))


MESSY = """
; Everything that does not survive: comments, blanks, aliases, cases, structure.
.program  messy ( r0 : f32 ,
    buf0: f32[ ? ] )
{
  .launch grid(4,1,1) block(0x100, 1, 1)
  MOV.u32 R1, %lane.x   // the lane
  SETcc.lt.F32 p0, r0, r0
  @ ! P0 bra @done
  loop 3, r5 { BarSync 1 }
  ldg.f32 r2, [buf0 + 4 + r1 + 0x10 - 8]
  lDG.f32 r2, [Φ(21, 2, 5)]
  mov_imm.f32 r3, 1e0
done: }
"""
CANONICAL = """\
.program messy(r0: f32, buf0: f32[?]) {
  .launch block(256, 1, 1) grid(4, 1, 1)
  mov.u32 r1, %lane.x
  setlt.f32 p0, r0, r0
  @!p0 bra done
  mov_imm.u32 r5, 3
L0:
  bar.sync 1
  loop r5, L0
  ldg.f32 r2, [buf0 + r1 + 12]
  ldg.f32 r2, [c21 + 517]
  mov_imm.f32 r3, 1.0
done:
  exit
}
"""


def test_what_is_not_canonical_becomes_so():
    assert isa.disassemble(isa.assemble(MESSY)) == CANONICAL
    check_inverses(CANONICAL)


FIRST_SPECIFICATION = """
.program p(buf0: f32[?]) {
  .shared shared0: f32[4]
  LDG.f32 r0, [buf0]
  STS.F32 [shared0 + 4], r0
  ClsGet r1
  ClsGet.f32 r1, [c21 + 64]
  MIRROR.u32 r2, r1
  UnityTest.f32 p0, r0
  NBRLoad.f32 r3, [c5 + 8], r1
  NBRStore.f32 [Φ(r1, r2, r4)], r1, r3
  ResAccum.f32 r1, r0
  PhaseRead r5, r1
  PhaseWrite r1, r5
  BoundMap.f32 r6, r1, r2, r5
  MemFence.block
  BarSync 1
  RSQRT.f32 r0, r0
  SETltu.u32 p1, r1, r2
}
"""


def test_spellings_of_the_first_specification():
    text = isa.disassemble(isa.assemble(FIRST_SPECIFICATION))
    lines = [line.strip() for line in text.splitlines()]
    for line in (
        "cls.get r1", "cls.get.f32 r1, [c21 + 64]", "mirror.u32 r2, r1", "unity.test.f32 p0, r0",
        "nbr.load.f32 r3, [c5 + 8], r1", "nbr.store.f32 [Φ(r1, r2, r4)], r1, r3", "res.accum.f32 r1, r0",
        "phase.read r5, r1", "phase.write r1, r5", "bound.map.f32 r6, r1, r2, r5", "memfence.block", "bar.sync 1",
        "setltu.u32 p1, r1, r2",
    ):  # fmt: skip
        assert line in lines
    check_inverses(text)


def test_a_loop_over_a_register_has_a_guard():
    module = isa.assemble(".program p(r0: u64) {\n  loop.u64 r0, p1 {\n  }\n}")
    assert isa.disassemble(module) == (
        ".program p(r0: u64) {\n  cvt.bool.u64 p1, r0\n  @!p1 bra L1\nL0:\n  loop.u64 r0, L0\nL1:\n  exit\n}\n"
    )


def test_a_loop_of_no_iterations_is_skipped():
    text = isa.disassemble(isa.assemble(".program p() {\n  loop 0, r0 {\n    bar.sync 1\n  }\n}"))
    assert "  bra L1\n" in text
    check_inverses(text)


def test_labels_without_names_get_free_ones():
    text = ".program p() {\nL0:\n  loop 2, r1 {\n  }\n  bra L0\n}\n"
    assert "L1:\n  loop r1, L1\n" in isa.disassemble(isa.assemble(text))


def test_empty_module():
    check_inverses("")


def test_names_live_in_their_own_section():
    module = isa.assemble(".program p() {\nhere:\n  bra here\n}")
    assert b"NAME" in isa.encode(module)
    assert b"NAME" not in isa.encode(isa.assemble(".program p() {\n  loop 2, r1 {\n  }\n}"))


def test_verifier_errors_point_at_the_line():
    with pytest.raises(VerifyError) as caught:
        isa.assemble(".program p() {\n  exit\n  ldg.f32 r0, [buf3]\n}", "bad.atlas")
    assert caught.value.where is not None
    assert (caught.value.where.file, caught.value.code) == ("bad.atlas", "machine-object-undeclared")


def test_registers_past_the_last_are_refused_at_their_line():
    with pytest.raises(HologramError, match="r255 to r256") as caught:
        isa.assemble(".program p() {\n  mov.u128 r0, r255\n}")
    assert caught.value.where is not None
    assert caught.value.where.line == 2


def test_builder():
    builder = isa.ProgramBuilder()
    pool = builder.pool("f32", 16)
    p = builder.program("double", block=(256, 1, 1), grid=(4, 1, 1))
    n, x = p.scalar("u64"), p.buffer("f32")
    i, four, v, outside = p.register("u64"), p.register("u64"), p.register("f32"), p.register("bool")
    end = p.label("end")
    p.emit("mov.u64", i, "%gid")
    p.emit("setge.u64", outside, i, n)
    p.bra(end, outside)
    p.emit("mov_imm.u64", four, 4)
    p.emit("mul.u64", i, i, four)
    with p.loop(3) as counter:
        assert counter.text == "r4"
        p.emit("ldg.f32", v, x[i])
        p.emit("add.f32", v, v, v)
        p.emit("stg.f32", x[i, 0], v)
    p.place(end)
    f = builder.function("one")
    one = f.result("f32")
    f.emit("mov_imm.f32", one, 1.0)
    f.emit("ret")
    module = builder.build()
    assert pool.text == "pool0"
    assert "  @p0 bra end\n" in isa.disassemble(module)
    check_inverses(isa.disassemble(module))


def test_builder_errors_show_the_line():
    p = isa.ProgramBuilder().program("p")
    p.emit("fmaa.f32", p.register("f32"))
    builder = isa.ProgramBuilder([p])
    with pytest.raises(HologramError, match="did you mean") as caught:
        builder.build()
    assert "fmaa.f32 r0" in str(caught.value)


def test_import_is_light():
    code = "import sys, hologram.isa; sys.exit(bool({'numpy', 'llvmlite', 'xdsl.ir'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# The command line


def test_tool_reads_and_writes_all_forms(tmp_path: Path):
    text = tmp_path / "p.atlas"
    text.write_text(CANONICAL, "utf-8")
    assert run_tool("hologram-opt", [text, "-o", tmp_path / "p.mlir"]).code == 0
    assert run_tool("hologram-opt", [tmp_path / "p.mlir", "-o", tmp_path / "p.atlasb"]).code == 0
    again = run_tool("hologram-opt", [tmp_path / "p.atlasb", "-t", "atlas-asm"])
    assert (again.text, again.code) == (CANONICAL, 0)
    binary = run_tool("hologram-opt", ["-f", "atlas-asm", "-t", "atlas-binary"], stdin=CANONICAL.encode())
    assert binary.out == (tmp_path / "p.atlasb").read_bytes()
    back = run_tool("hologram-opt", ["-f", "atlas-binary", "-t", "atlas-asm"], stdin=binary.out)
    assert back.text == CANONICAL


def test_tool_splits_assembly():
    text = CANONICAL + "// -----\n" + CANONICAL
    out = run_tool("hologram-opt", ["-f", "atlas", "-t", "atlas-asm", "--split-input-file"], stdin=text.encode())
    assert out.text == text


def test_tool_refuses_a_damaged_binary(tmp_path: Path):
    path = tmp_path / "p.atlasb"
    data = bytearray(isa.encode(isa.assemble(CANONICAL)))
    data[-1] ^= 1
    path.write_bytes(data)
    outcome = run_tool("hologram-opt", [path])
    assert outcome.code == 1
    assert "[binary-digest]" in outcome.errors
