"""LLVM IR that LLVM's own tools take without flags, and what code calls."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from hologram.lowering.targets.objects.native import self_contained
from hologram.support.host_target import HostTarget, host_target
from in_process import opt

EXAMPLES = {path.stem: path.read_text() for path in (Path(__file__).parents[2] / "examples").glob("*.mlir")}
CALLED = {"aligned_alloc", "free", "memcpy", "memmove", "memset"}
"""What docs/launch-abi.mdx says that objects call."""
TINY = "func.func @f(%x: i32) -> i32 {\n  func.return %x : i32\n}"


def cpu(text: str, form: str) -> str:
    found = opt(text, "-p", "hologram-to-cpu", "-t", form)
    assert found.code == 0, found.err
    return found.text


@pytest.mark.parametrize("form", ["llvm-ir", "llvm-opt"])
@pytest.mark.parametrize("name", ["saxpy", "sum_of_squares"])
def test_text_says_what_it_is_for(name: str, form: str):
    written, host = cpu(EXAMPLES[name], form), host_target()
    assert f'target triple = "{host.triple}"' in written
    assert 'target datalayout = "e-' in written
    groups = dict(re.findall(r"^attributes (#\d+) = \{(.*)\}$", written, re.MULTILINE))
    for line in re.findall(r"^define .*$", written, re.MULTILINE):
        said = line + "".join(text for number, text in groups.items() if f"{number} " in line)
        assert f'"target-cpu"="{host.cpu}"' in said
        assert f'"target-features"="{host.features}"' in said
    declared = set(re.findall(r"^declare .*?@([\w.]+)\(", written, re.MULTILINE))
    assert {name for name in declared if not name.startswith("llvm.")} <= CALLED


def test_another_triple_has_no_features():
    written = opt(TINY, "-p", "hologram-to-cpu", "-t", "llvm-ir{triple=wasm32}").text
    assert 'target triple = "wasm32"' in written
    assert "target-cpu" not in written


def test_groups_of_attributes_are_numbered_apart():
    text = "define void @f() #0 {\n  ret void\n}\ndefine void @g() {\n  ret void\n}\nattributes #0 = { noinline }\n"
    target = HostTarget("x86_64-unknown-linux-gnu", "haswell", "+avx2")
    written = self_contained(text, target)
    assert "define void @f() #1 #0 {" in written
    assert "define void @g() #1 {" in written
    assert 'attributes #1 = { "target-cpu"="haswell" "target-features"="+avx2" }' in written
    assert self_contained(written, target).count("attributes #") == 2


@pytest.mark.tools
@pytest.mark.parametrize("name", EXAMPLES)
def test_tools_of_llvm_give_our_code(name: str, tmp_path: Path):
    folder = Path(os.environ["HOLOGRAM_LLVM_AS"]).parent

    def run(tool: str, *args: str) -> str:
        return subprocess.run([folder / tool, *args], cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    for form in ("llvm-ir", "llvm-opt"):
        (tmp_path / f"{form}.ll").write_text(cpu(EXAMPLES[name], form))
    run("opt", "-O3", "llvm-ir.ll", "-S", "-o", "optimised.ll")
    ours = plain(cpu(EXAMPLES[name], "asm"))
    for given in ("optimised.ll", "llvm-opt.ll"):
        found = run("llc", "-O3", "-relocation-model=pic", "-asm-verbose=0", given, "-o", "-")
        assert plain(found) == ours
    run("llc", "-O3", "-relocation-model=pic", "-filetype=obj", "optimised.ll", "-o", "k.o")
    assert set(run("llvm-nm", "-u", "--format=just-symbols", "k.o").split()) <= CALLED


def plain(assembly: str) -> list[str]:
    """The lines without the file's name."""
    return [line for line in assembly.splitlines() if not line.lstrip().startswith(".file")]
