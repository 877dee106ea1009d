"""hologram-compile writes what each target reads, and libraries; names of targets and files."""

from __future__ import annotations

import ctypes
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hologram
from hologram.driver.archives.build import build, build_program
from hologram.driver.artifacts import Inputs, Request
from hologram.driver.portable import PortableSource
from hologram.driver.source import read_source, text_source
from hologram.driver.targets import CPU, Target, read_targets
from hologram.errors import UsageError
from hologram.runtime import archive
from hologram.tools.compile import options, outputs
from hologram.tools.compile.inputs import find_inputs

from .programs import compiled, kernel, write

TEXTS = {
    "a.mlir": "hologram.kernel @a(",
    "a.atlas.mlir": "atlas.program @a_lanes(",
    "a.ll": "define void @a(",
    "a.opt.ll": "define void @a(",
    "a.s": "hologram_entries",
    "a.ptx": ".target sm_90",
    "a.wgsl": "@compute",
    "a.cl": "kernel ",
    "a.metal": "kernel void",
}
FORMS = "ir,atlas,json,llvm,llvm-opt,asm,ptx,wgsl,opencl,metal,spirv,wasm,object"


@pytest.mark.slow
def test_all_forms(tmp_path: Path):
    write(tmp_path / "k", a=kernel("a"))
    compiled(tmp_path, "k", "--emit", FORMS, "-o", "out")
    out = tmp_path / "out"
    for name, expected in TEXTS.items():
        assert expected in (out / name).read_text(), name
    assert (out / "a.spv").read_bytes()[:4] == b"\x03\x02\x23\x07"
    assert (out / "a.wasm").read_bytes()[:8] == b"\0asm\1\0\0\0"
    assert len(list(out.iterdir())) == len(FORMS.split(","))
    for name in ("a.mlir", "a.atlas.mlir", "a.ll", "a.opt.ll", "a.json", "a.o", "a.s"):
        x = np.arange(3, dtype=np.float32)
        hologram.compile(out / name, entry="a")(x)
        assert list(x) == [0, 2, 4], name


def test_a_form_for_several_targets(tmp_path: Path):
    write(tmp_path, a=kernel("a"), b=kernel("b"))
    compiled(tmp_path, "a.py", "b.py", "--emit", "ptx", "--target", "sm_80,cpu,sm_90", "-o", "out/")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "a.sm_80.ptx", "a.sm_90.ptx", "b.sm_80.ptx", "b.sm_90.ptx",
    ]  # fmt: skip
    assert ".target sm_80" in (tmp_path / "out" / "b.sm_80.ptx").read_text()


def test_a_file_says_its_form(tmp_path: Path):
    write(tmp_path, a=kernel("a"))
    compiled(tmp_path, "a.py", "-o", "x.json")
    assert json.loads((tmp_path / "x.json").read_text())["kernel"]["name"] == "a"
    assert compiled(tmp_path, "a.py", "--emit", "json", "-o", "-").text == (tmp_path / "x.json").read_text()
    compiled(tmp_path, "x.json", "-o", "x.mlir")
    assert "hologram.kernel @a(" in (tmp_path / "x.mlir").read_text()
    compiled(tmp_path, "a.py")
    assert (tmp_path / "a.so").read_bytes()[:4] == b"\x7fELF"
    compiled(tmp_path, "a.py", "--target", "cpu")
    assert (tmp_path / "a.holo").read_bytes()[:4] == b"HOLO"


def test_one_library_of_several_programs(tmp_path: Path):
    """The library has the entries of all programs, which are called by the launch ABI, and all their records."""
    write(tmp_path / "k", a=kernel("a"), b=kernel("b", "x[i] - 1.0"))
    (tmp_path / "k" / "c.mlir").write_text("func.func @c(%x: tensor<?xf16>) -> tensor<?xf16> {\n"
        "  %y = hologram.exp %x : tensor<?xf16>\n  return %y : tensor<?xf16>\n}\n")  # fmt: skip
    compiled(tmp_path, "k", "--emit", "shared", "-o", "k.so", "--header", "k.h")
    library = ctypes.CDLL(str(tmp_path / "k.so"))
    x = np.arange(3, dtype=np.float32)
    for name in ("a", "b"):
        trap = (ctypes.c_int64 * 8)()
        library[name](x.ctypes, ctypes.c_int64(3), trap)
        assert not trap[0]
    assert list(x) == [-1, 1, 3]
    hologram.compile(tmp_path / "k.so", entry="b")(x)
    assert list(x) == [-2, 0, 2]
    records = json.loads(ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(library, "hologram_entries"))))
    assert [record["name"] for record in records] == ["a", "b", "c"]
    header = (tmp_path / "k.h").read_text()
    assert all(f"void {name}(" in header for name in "abc")


@pytest.mark.slow
def test_code_of_this_machine_alone(tmp_path: Path):
    write(tmp_path, a=kernel("a"))
    compiled(tmp_path, "a.py", "-o", "a.o")
    compiled(tmp_path, "a.py", "-o", "b.ll")
    compiled(tmp_path, "a.o", "-o", "a.so")
    compiled(tmp_path, "b.ll", "-o", "b.so")
    assert "--emit shared" in compiled(tmp_path, "a.o", "-o", "a.holo", code=1).errors


def test_targets_have_one_name():
    assert read_targets("cpu, cuda,sm_90,cuda{arch=sm_90},webgpu{bindings=8},webgpu{limb=64 bindings=10}") == (
        Target("cpu", "cpu"),
        Target("sm_90", "cuda", (("arch", "sm_90"),)),
        Target("webgpu", "webgpu"),
        Target("webgpu{bindings=10 limb=64}", "webgpu", (("bindings", "10"), ("limb", "64"))),
    )
    with pytest.raises(UsageError, match="option 'arch' of 'cuda' can't be 'sm_90b'"):
        read_targets("cuda{arch=sm_90b}")


def test_every_target_has_stages():
    names = "cpu,wasm,vulkan,opencl,webgpu,metal,sm_75,sm_120"
    for target in read_targets(names):
        assert target.stages[-1].emits == "obj"
    assert "arch=sm_75" in str(read_targets("sm_75")[0].stages)


def test_names_of_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for folder in ("a", "b"):
        write(tmp_path / "k" / folder, same=kernel("k"), **{f"of_{folder}": kernel("k")})
    monkeypatch.chdir(tmp_path)
    inputs = find_inputs(["k", "k/a/same.py", str(tmp_path / "k")])
    assert [(i.path, i.name, i.program) for i in inputs] == [
        ("k/a/of_a.py", "k/a/of_a.py", "of_a"),
        ("k/a/same.py", "k/a/same.py", "a/same"),
        ("k/b/of_b.py", "k/b/of_b.py", "of_b"),
        ("k/b/same.py", "k/b/same.py", "b/same"),
    ]
    monkeypatch.chdir(tmp_path / "k")
    assert [i.name for i in find_inputs(["."])] == ["a/of_a.py", "a/same.py", "b/of_b.py", "b/same.py"]
    assert [i.name for i in find_inputs(["../k/a"])] == ["a/of_a.py", "a/same.py"]
    assert [i.name for i in find_inputs([str(tmp_path / "k" / "a" / "same.py"), "b/same.py"])] == [
        "same.py",
        "b/same.py",
    ]


def test_the_machine_form(tmp_path: Path):
    """Assembly and binary run as the kernel does, and are in archives."""
    write(tmp_path, a=kernel("a", "x[i] * 2.0 if i % 2 == 0 else x[i]"))
    compiled(tmp_path, "a.py", "--emit", "atlas-asm,atlas-binary,archive", "-o", "out")
    (program,) = archive.open(tmp_path / "out" / "a.holo").contents().programs
    assert program.isa == (tmp_path / "out" / "a.atlasb").read_bytes()
    for name in ("a.atlas", "a.atlasb"):
        x = np.ones(5, np.float32)
        run = hologram.compile(tmp_path / "out" / name)
        run.launch(x, 5, config=hologram.LaunchConfig.linear(5))
        assert list(x) == [2, 1, 2, 1, 2]


@pytest.mark.slow
def test_the_ir_of_archives_gives_the_same_code(tmp_path: Path):
    write(tmp_path, a=kernel("a", "x[i] // 3.0", head=kernel("b", "exp(x[i])").replace("f32,", "f32, exp,")))
    targets = read_targets("cpu,webgpu")
    first = build({"a": replace(read_source(tmp_path / "a.py"), name="a.py")}, "cpu,webgpu").programs[0]
    again = build_program(PortableSource("mlir", "a.mlir", first.ir), targets)
    assert [code.data for code in again.codes] == [code.data for code in first.codes]
    assert [entry.name for entry in first.entries] == ["b", "a"]


def test_names_of_files_that_share_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path / "k", a=kernel("k"))
    write(tmp_path / "l", a=kernel("k"), b=kernel("k"))
    (tmp_path / "l" / "b.json").write_text('{"kernel": {}}')
    monkeypatch.chdir(tmp_path)
    assert [i.program for i in find_inputs(["k", "l"])] == ["k/a", "l/a", "l/b.json", "l/b.py"]
    monkeypatch.chdir(tmp_path / "k")
    with pytest.raises(UsageError, match="would both be called 'a.py'"):
        find_inputs([str(tmp_path / "k" / "a.py"), str(tmp_path / "l" / "a.py")])


def test_the_machine_form_of_functions_over_arrays(tmp_path: Path):
    """They stand where they are called; sizes that they ask for are parameters behind the others."""
    text = kernel("a", "turned(part, lane_id(0), x[i], x)").replace(
        "    i = get", "    part = shared(f32, 256)\n    i = get"
    )
    text = text.replace("get_global_id\n", "barrier, get_global_id, lane_id, shared\n").replace(
        "\n\n@hologram", "\n\ndef turned(part, lane, v, x):\n    part[lane] = v\n    barrier()\n"
        "    return part[len(x) - 1 - lane]\n\n\n@hologram",
    )  # fmt: skip
    (tmp_path / "a.py").write_text(text.replace("if i < len(x):", "if len(x) == 256:"))
    compiled(tmp_path, "a.py", "-o", "a.atlas")
    x = np.arange(256, dtype=np.float32)
    run = hologram.compile(tmp_path / "a.atlas")
    sizes = [256] * (len(run.arguments) - 4)
    run.launch(x, *sizes, config=hologram.LaunchConfig.linear(256))
    assert list(x) == [*range(255, -1, -1)]


def test_help_names_all_forms():
    assert tuple(options.FORMS.split()) == tuple(outputs.FORMS)


PICK = """
func.func @pick(%i: index, %x: memref<?xf32>, %y: memref<f32>) {
  %v = memref.load %x[%i] : memref<?xf32>
  memref.store %v, %y[] : memref<f32>
  func.return
}
"""
FOREIGN = """
func.func private @strange()
func.func @calls() {
  func.call @strange() : () -> ()
  func.return
}
"""


@pytest.mark.parametrize("order", [(True, False, True), (False, True, False)], ids=str)
@pytest.mark.parametrize("form", ["atlas", "llvm"])
def test_what_is_trusted_is_not_what_is_guarded(tmp_path: Path, form: str, order: tuple[bool, ...]):
    """Neither comes from the cache in the place of the other."""
    (tmp_path / "pick.mlir").write_text(PICK)
    for trusted in order:
        text = compiled(tmp_path, "pick.mlir", "--emit", form, "-o", "-", *["--unsafe-memory"] * trusted).text
        assert ("out of range" in text) != trusted


@pytest.mark.parametrize("order", [(True, False, True), (False, True, False)], ids=str)
def test_assembly_of_what_only_trust_takes(tmp_path: Path, order: tuple[bool, ...]):
    write(tmp_path, a=kernel("a"))
    program = compiled(tmp_path, "a.py", "--emit", "ir", "-o", "-").text.rstrip().removesuffix("}")
    (tmp_path / "both.mlir").write_text(f"{program}{FOREIGN}}}")
    for trusted in order:
        command = ["both.mlir", "--emit", "atlas-asm", "-o", "-", *["--unsafe-memory"] * trusted]
        found = compiled(tmp_path, *command, code=0 if trusted else 1)
        assert (".program a" if trusted else "[guard-foreign-call]") in found.text + found.errors


def test_keys_say_what_is_trusted():
    """Of each form that the guards may change."""
    inputs = Inputs(text_source(PICK.encode(), "pick.mlir"))
    for form in outputs.FORMS.values():
        wants: list[Request] = []
        for trust in (False, True):
            targets = [CPU.changed(unsafe_memory=trust)]
            wants += [p.want for p in outputs.products([form], targets, named=False, unsafe_memory=trust)]
        if form.name != "archive":
            assert (len({inputs.key(want) for want in wants}) == 2) == (form.name not in ("ir", "json")), form.name
