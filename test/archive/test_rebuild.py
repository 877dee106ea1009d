"""`verify --rebuild` finds code that is not what the archive's IR compiles to, whatever the digests say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fuzz.archive_mutations import Parts
from hologram.driver.archives.build import build
from hologram.driver.archives.load import UNSAFE
from hologram.driver.archives.rebuild import rebuild
from hologram.driver.archives.verify import verify
from hologram.driver.source import text_source
from hologram.errors import InputError
from hologram.lowering.pipelines.device_targets import TARGETS
from hologram.runtime.archive import Archive, Program, write
from in_process import run_tool

ADD = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %a, %b : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
"""
DIVIDE = ADD.replace("f32", "i32").replace("hologram.add", "hologram.div").replace("@main", "@divide")
LOADS = """
func.func @main(%i: index, %x: memref<?xf32>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%i] : memref<?xf32>
  memref.store %v, %y[%c0] : memref<1xf32>
  func.return
}
"""
ADDRESS = LOADS.replace("%v =", '%a = "memref.extract_aligned_pointer_as_index"(%x) : (memref<?xf32>) -> index\n  %v =')
PROGRAMS = {"add": ADD, "divide": DIVIDE}


@pytest.fixture(scope="module")
def made() -> Archive:
    return build({name: text_source(PROGRAMS[name].encode(), f"{name}.mlir") for name in PROGRAMS}, "cpu,webgpu,sm_90")


def test_code_names_all_options(tmp_path: Path):
    """Those that have their default too, as that may be another one later, and those that are empty."""
    targets = ["webgpu{bindings=10 features=i64,f64 limb=64}", "opencl{block=64 limb=32}", "vulkan", "cpu", "sm_90"]
    made = build({"add": text_source(ADD.encode(), "add.mlir")}, ",".join(targets))
    found = {code.target: dict(code.options) for code in made.programs[0].codes}
    given = {"bindings": "10", "features": "i64,f64", "limb": "64"}
    assert found["webgpu"] == {**TARGETS["webgpu"].options, **given}
    assert found["opencl"] == {**TARGETS["opencl"].options, "block": "64", "limb": "32"}
    assert found["vulkan"] == dict(TARGETS["vulkan"].options)
    assert found["cpu"] == found["sm_90"] == {}
    assert command(made, tmp_path)[0] == 0


def changed(made: Archive, **changes: Any) -> Archive:
    """The archive with changes to its first program."""
    first, *others = sorted(made.programs, key=lambda program: program.name)
    return replace(made, programs=(replace(first, **changes), *others))


def command(archive: Archive, tmp_path: Path) -> tuple[int, str]:
    (tmp_path / "a.holo").write_bytes(write(archive))
    outcome = run_tool("hologram-compile", ["verify", "--rebuild", str(tmp_path / "a.holo")])
    return outcome.code, outcome.text + outcome.errors


def test_what_was_not_changed(made: Archive, tmp_path: Path):
    code, text = command(made, tmp_path)
    assert (code, "6 codes are what their IR compiles to" in text) == (0, True), text


@pytest.mark.parametrize("level", [0, 2])
def test_any_level_of_optimisation(level: int):
    archive = build({"add": text_source(PROGRAMS["add"].encode(), "add.mlir")}, opt_level=level)
    assert rebuild(write(archive)).same == 1


@pytest.mark.parametrize("text", [LOADS, ADDRESS, ADD], ids=["loads", "address", "add"])
def test_programs_that_are_trusted(text: str):
    """They have no guards, and are made again without."""
    archive = build({"f": text_source(text.encode(), "f.mlir")}, "cpu,sm_90", unsafe_memory=True)
    assert rebuild(write(archive)).same == 2


def test_who_takes_the_trust_away_is_found():
    archive = build({"f": text_source(LOADS.encode(), "f.mlir")}, unsafe_memory=True)
    (program,) = archive.programs
    assert program.ir.startswith(UNSAFE)
    for other in (replace(program, ir=program.ir.removeprefix(UNSAFE)), guarded(UNSAFE)):
        with pytest.raises(InputError, match="is not what its IR compiles to"):
            rebuild(write(replace(archive, programs=(other,))))


def guarded(front: bytes) -> Program:
    """A program with guards, whose IR begins with other words."""
    (program,) = build({"f": text_source(LOADS.encode(), "f.mlir")}).programs
    return replace(program, ir=front + program.ir)


def test_changed_ir(made: Archive, tmp_path: Path):
    """The digests fit, and so do the entries: plain `verify` finds nothing."""
    text = made.programs[0].ir.decode() if made.programs[0].name == "add" else made.programs[1].ir.decode()
    assert "hologram.add" in text
    archive = changed(made, ir=text.replace("hologram.add", "hologram.sub").encode())
    verify(write(archive))
    code, said = command(archive, tmp_path)
    assert (code, "[archive-rebuilt]" in said) == (1, True), said


@pytest.mark.parametrize("part", range(3))
def test_changed_code(part: int, made: Archive):
    first = min(made.programs, key=lambda program: program.name)
    code = bytearray(first.codes[part].data)
    code[-100] ^= 1
    codes = tuple(replace(c, data=bytes(code)) if n == part else c for n, c in enumerate(first.codes))
    with pytest.raises(InputError, match="is not what its IR compiles to"):
        rebuild(write(changed(made, codes=codes)))


def test_other_compilers_and_processors(made: Archive, tmp_path: Path):
    code, text = command(replace(made, compiler="hologram 0.0.9"), tmp_path)
    assert (code, "can't tell: it was made by hologram 0.0.9" in text) == (3, True)
    first = min(made.programs, key=lambda program: program.name)
    host = first.codes[0].host
    assert host is not None
    other = replace(first.codes[0], host=host.changed(features=(*host.features, "zzz")))
    code, text = command(changed(made, codes=(other,)), tmp_path)
    assert (code, "can't tell: there is code for another processor" in text) == (3, True)


@pytest.mark.parametrize("action", ["disasm", "inspect", "verify"])
def test_ir_that_is_no_text(action: str, made: Archive, tmp_path: Path):
    data = bytearray(write(made))
    parts = Parts.of(bytes(data))
    row = next(row for row in parts.rows if row.kind == b"TEXT")
    parts.body[row.offset - parts.at : row.offset - parts.at + 4] = b"\xff\xfe\x80\xc3"
    (tmp_path / "a.holo").write_bytes(parts.sealed())
    outcome = run_tool("hologram-compile", [action, str(tmp_path / "a.holo")])
    assert outcome.code in (0, 1), outcome.errors
    assert "Traceback" not in outcome.errors
    assert (action == "verify") == (outcome.code == 1)
