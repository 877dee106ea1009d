"""Plug-ins: what they bring works in the tools and in Python, by file and by entry point, and in other processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

import hologram
from docs.pages import ROOT, blocks
from hologram import isa, plugins
from hologram.dialects import make_context
from hologram.dialects.machine import container
from hologram.dialects.machine.numbers import numbers
from hologram.driver.graph import clear_memory
from hologram.errors import HologramError
from hologram.frontend.mlir import parse_module
from hologram.plugins.loading.load import PluginWarning
from hologram.runtime.cache import STATS
from in_process import run_tool
from plugin_state import fresh_plugins

FILES = {b.title: b.text for b in blocks((ROOT / "docs" / "plugins.mdx").read_text(encoding="utf-8")) if b.title}
PASS = """
from dataclasses import dataclass
from xdsl.passes import ModulePass
from xdsl.dialects.builtin import StringAttr, UnitAttr

@dataclass(frozen=True)
class MarkPass(ModulePass):
    '''Marks functions.'''
    name = "mark-functions"
    word: str = "here"
    def apply(self, ctx, op):
        if self.word == "fail":
            raise KeyError("no such thing")
        for f in op.ops:
            f.attributes["hologram.seen"] = UnitAttr()

def register(plugin):
    plugin.passes(MarkPass, only_on="func")
"""
MARK = '    plugin.mark("seen", "func.func", "unit", "It was seen.", written="mark-functions", read="nobody")\n'
ADD = """func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = hologram.add %a, %a : tensor<?xf32>
  func.return %r : tensor<?xf32>
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, with the files of the page, and a process without plug-ins."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "add.mlir").write_text(ADD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    clear_memory()
    with fresh_plugins():
        yield tmp_path


def opt(*args: str) -> str:
    """What hologram-opt writes with plug-ins of its own."""
    with fresh_plugins():
        found = run_tool("hologram-opt", args)
        assert found.code == 0, found.errors
        return found.text


# Passes, marks and pipelines


def test_passes_are_listed_described_and_options(folder: Path):
    Path("marks.py").write_text(PASS)
    assert "mark-functions" not in opt("--list-passes")
    assert "mark-functions" in opt("--load-plugin", "marks.py", "--list-passes")
    assert "word: str" in opt("--load-plugin=marks.py", "--help-pass", "mark-functions")
    for words in (["--mark-functions"], ["--mark-functions=word=there"], ["-p", "func.func(mark-functions),cse"]):
        assert "hologram.seen" in opt("add.mlir", "--load-plugin", "marks.py", *words)


def test_a_mark_is_declared_by_its_plugin(folder: Path):
    """The pass may leave the mark in front of a pipeline if the mark is declared."""
    Path("marks.py").write_text(PASS)
    words = ["add.mlir", "--load-plugin", "marks.py", "-p", "mark-functions,hologram-to-cpu{to=buffers}"]
    with fresh_plugins():
        refused = run_tool("hologram-opt", words)
    assert (refused.code, "[mark-unknown]" in refused.errors) == (1, True)
    Path("marks.py").write_text(PASS + MARK)
    assert "memref" in opt(*words)


def test_pipelines_are_listed_shown_and_dumped(folder: Path):
    assert "signs-to-cpu" in opt("--load-plugin", "signs.py", "--list-pipelines")
    assert "drop-double-neg" in opt("--load-plugin", "signs.py", "--show-pipeline", "signs-to-cpu")
    opt(
        "toward.mlir", "--load-plugin", "signs.py", "-p", "signs-to-cpu", "--dump-stages-to", "stages", "-o", "out.mlir"
    )
    names = sorted(os.listdir("stages"))
    assert names[2] == "02-signs.mlir"
    assert names[-1].endswith("obj.o")
    assert "stage 2 of signs-to-cpu: signs (drop-double-neg)" in Path("stages", names[2]).read_text()
    # What the stage may leave is what the one before may.
    resumed = opt(
        "stages/01-shapes.mlir", "--load-plugin", "signs.py", "-p", "signs-to-cpu{from=signs to=atlas}"
    )  # fmt: skip
    assert "atlas.signs.copysign" in resumed


def test_a_crash_of_a_pass_has_a_reproducer_that_names_the_plugin(folder: Path):
    Path("marks.py").write_text(PASS)
    words = ["add.mlir", "--load-plugin", "marks.py", "-p", "mark-functions{word=fail}"]
    with fresh_plugins():
        crashed = run_tool("hologram-opt", [*words, "--mlir-pass-pipeline-crash-reproducer", "again.mlir"])
    assert crashed.code == 1
    assert "marks.py:13: error: the plug-in 'marks' broke in pass 'mark-functions': KeyError" in crashed.errors
    assert f"--load-plugin {folder / 'marks.py'}" in Path("again.mlir").read_text()
    with fresh_plugins():
        again = run_tool("hologram-opt", ["--run-reproducer", "again.mlir", "--load-plugin", "marks.py"])
    assert (again.code, "[plugin-broke]" in again.errors) == (1, True)
    assert '      plugins: "marks"\n' in Path("again.mlir").read_text()
    with fresh_plugins():
        untrusted = run_tool("hologram-opt", ["--run-reproducer", "again.mlir"])
    assert "'again.mlir' needs the plug-in 'marks', which is not loaded [reproducer-plugins]" in untrusted.errors


def test_a_reproducer_loads_what_is_installed(folder: Path):
    text = Path("toward.mlir").read_text()
    block = 'pipeline: "builtin.module(drop-double-neg)", verify_each: true, plugins: "signs"'
    resources = f"{{-#\n  external_resources: {{\n    mlir_reproducer: {{{block}}}\n  }}\n#-}}\n"
    Path("again.mlir").write_text(f"{text}\n{resources}")
    sys.modules.pop("signs", None)
    with fresh_plugins([POINT]):
        done = run_tool("hologram-opt", ["--run-reproducer", "again.mlir"])
    assert (done.code, "signs.toward" in done.text) == (0, True), done.errors
    with fresh_plugins():
        refused = run_tool("hologram-opt", ["--run-reproducer", "again.mlir"])
    assert (refused.code, "[reproducer-plugins]" in refused.errors) == (1, True)


# Dialects


def test_a_dialect_is_read_printed_lowered_and_run(folder: Path):
    assert "signs     " in opt("--load-plugin", "signs.py", "--list-dialects")
    generic = opt("toward.mlir", "--load-plugin", "signs.py", "--print-op-generic")
    Path("generic.mlir").write_text(generic)
    assert "signs.toward %a" in opt("generic.mlir", "--load-plugin", "signs.py")
    words = ["--load-plugin", "signs.py", "--arg", "[1.5, -2]:f32", "--arg", "[-1, 1]:f32"]
    for device, name in (("cpu", "r"), ("interpreter", "result")):
        with fresh_plugins():
            ran = run_tool("hologram-run", ["toward.mlir", "--device", device, *words])
        assert ran.text == f"{name}: f32[2]\n[-1.5  2. ]\n", ran.errors
    with fresh_plugins():
        near = run_tool("hologram-opt", ["-", "--load-plugin", "signs.py"], stdin=b"sings.toward %a")
    assert "did you mean 'signs.toward'?" in near.errors


# Entry points


POINT = EntryPoint("signs", "signs:register", "hologram.plugins")


def test_installed_plugins_are_found_where_a_name_needs_them(folder: Path):
    a, b = np.array([1.5, -2], np.float32), np.array([-1, 1], np.float32)
    for program in ("toward.mlir", "add.mlir"):
        sys.modules.pop("signs", None)
        with fresh_plugins([POINT]):
            kernel = hologram.compile(program)
            assert (len(plugins.LOADED) == 1) == (program == "toward.mlir")
            assert kernel(*((a, b) if program == "toward.mlir" else (a,))).shape == (2,)
    with fresh_plugins([POINT]):
        assert "drop-double-neg" in run_tool("hologram-opt", ["--help-pass", "drop-double-neg"]).text
    with fresh_plugins([POINT]):
        assert "signs-to-cpu" in run_tool("hologram-opt", ["--list-pipelines"]).text
    with fresh_plugins([POINT]):
        assert "signs         signs: instruction signs.copysign" in run_tool("hologram-doctor", []).text


def test_code_with_installed_plugins_is_found_again_and_made_anew_when_they_change(folder: Path):
    """The cache says which programs need them, so that others never look for any."""

    def compiled() -> int:
        before = STATS.compiled
        clear_memory()
        sys.modules.pop("signs", None)
        with fresh_plugins([POINT]):
            hologram.compile("toward.mlir")
        return STATS.compiled - before

    assert [compiled(), compiled(), compiled()] == [1, 0, 0]
    Path("signs.py").write_text(FILES["signs.py"] + "\n# changed\n")
    assert [compiled(), compiled()] == [1, 0]


def test_an_installed_plugin_that_fails_is_a_warning_and_no_more(folder: Path):
    Path("broken.py").write_text("import nowhere_at_all\n")
    points = [EntryPoint("broken", "broken:register", "hologram.plugins"), POINT]
    with fresh_plugins(points):
        assert hologram.compile("add.mlir")(np.ones(2, np.float32)).tolist() == [2, 2]
        with pytest.warns(
            PluginWarning, match="the installed plug-in 'broken' of 'broken:register' is left out"
        ) as caught:
            hologram.compile("toward.mlir")
        assert len(caught) == 1
        assert "broken.py:1: error: the plug-in 'broken' fails: ModuleNotFoundError" in str(caught[0].message)
        assert "broken        can't be used" in run_tool("hologram-doctor", []).text
        hologram.compile("toward.mlir", opt_level=1)


def test_other_processes_load_the_same_plugins(folder: Path):
    for number in range(3):
        Path(f"p{number}.mlir").write_text(FILES["toward.mlir"].replace("main", f"main{number}"))
    words = ["-j", "2", "p0.mlir", "p1.mlir", "p2.mlir", "-o", "all.holo", "--load-plugin", "signs.py"]
    done = run_tool("hologram-compile", words)
    assert done.code == 0, done.errors
    with fresh_plugins():
        ran = run_tool("hologram-run", ["all.holo", "--entry", "main1", "--arg", "[1.5]:f32", "--arg", "[-1]:f32"])
        assert "[-1.5]" in ran.text, ran.errors


# Loading


def test_the_same_file_and_the_module_of_a_program_are_loaded_once(folder: Path):
    first = hologram.load_plugin("signs.py")
    assert hologram.load_plugin(folder / "signs.py") is first
    assert list(plugins.LOADED) == ["signs"]
    sys.modules.pop("signs", None)
    signs = import_module("signs")
    with fresh_plugins():
        plugin = hologram.load_plugin("signs.py")
        assert plugin.place == str(folder / "signs.py")
        assert next(row.thing for row in plugin.rows if row.kind == "pass").__module__ == "signs"
    with fresh_plugins():
        assert hologram.load_plugin(signs).name == "signs"


def test_a_folder_is_a_plugin(folder: Path):
    """Places of its own modules are relative to it."""
    Path("pack").mkdir()
    Path("pack", "__init__.py").write_text("from .passes import MarkPass\n\ndef register(p):\n    p.passes(MarkPass)\n")
    Path("pack", "passes.py").write_text(PASS)
    assert "hologram.seen" in opt("add.mlir", "--load-plugin", "pack", "--mark-functions")
    digests: set[str] = set()
    for text in ("", "# more\n"):
        Path("pack", "passes.py").write_text(PASS + text)
        with fresh_plugins():
            digests.add(hologram.load_plugin("pack").digest)
    assert len(digests) == 2


def test_modules_beside_a_file_are_part_of_it(folder: Path):
    Path("beside_a_plugin.py").write_text("X = 1\n")
    Path("user.py").write_text("import beside_a_plugin\n\ndef register(plugin): pass\n")
    digests: list[str] = []
    for text in ("X = 1\n", "X = 2\n"):
        Path("beside_a_plugin.py").write_text(text)
        sys.modules.pop("beside_a_plugin", None)
        with fresh_plugins():
            digests.append(hologram.load_plugin("user.py").digest)
    assert digests[0] != digests[1]


def test_a_plugin_that_fails_brings_nothing(folder: Path):
    Path("half.py").write_text(
        PASS.replace("    plugin.passes", "    plugin.passes(MarkPass)\n    1 / 0\n    plugin.passes")
    )
    with pytest.raises(HologramError, match="the plug-in 'half' fails: ZeroDivisionError"):
        hologram.load_plugin("half.py")
    assert run_tool("hologram-opt", ["add.mlir", "-p", "mark-functions"]).code == 2
    Path("half.py").write_text(PASS)
    hologram.load_plugin("half.py")
    assert run_tool("hologram-opt", ["add.mlir", "-p", "mark-functions"]).code == 0


def test_two_plugins_can_not_have_one_name(folder: Path):
    Path("one.py").write_text(PASS)
    Path("other.py").write_text(PASS)
    hologram.load_plugin("one.py")
    with pytest.raises(HologramError, match="a name that is taken: it is of the plug-in 'one'"):
        hologram.load_plugin("other.py")


def test_importing_costs_nothing_where_there_are_none(folder: Path):
    """A program without foreign names looks for no plug-in, found in the cache or not."""
    code = "import sys, hologram, numpy as np; hologram.compile('add.mlir')(np.ones(2, np.float32)); "
    code += "print('importlib.metadata' in sys.modules, 'hologram.plugins.loading.load' in sys.modules)"
    for _ in range(2):
        done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
        assert done.stdout == "False False\n", done.stdout + done.stderr


def test_a_setting_names_plugins(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOLOGRAM_PLUGINS", f"signs.py{os.pathsep}{folder / 'marks.py'}")
    Path("marks.py").write_text(PASS)
    assert "mark-functions" in opt("--list-passes")
    assert hologram.compile("toward.mlir") is not None
    assert sorted(plugins.LOADED) == ["marks", "signs"]


# Instructions in the machine form

HALF = """
from hologram.dialects.atlas.instructions.dtypes import FLOATS

def register(plugin):
    plugin.instruction("half", "a", FLOATS, "a / 2.", compose=lambda do, a: do.mul(a, 0.5))
"""
PROGRAM = """.program p(buf0: f32[?]) {
  ldg.f32 r0, [buf0]
  two.half.f32 r1, r0
  one.half.f32 r1, r1
  add.f32 r1, r1, r0
  stg.f32 [buf0], r1
  exit
}

.arrays q(buf0: f32[?], buf1: f32[?]) {
  parallel_map.one.half.f32 buf1, buf0
}
"""


def test_instructions_of_two_plugins_are_told_apart_in_a_binary(folder: Path):
    for name in ("one", "two"):
        Path(f"{name}.py").write_text(HALF)
        hologram.load_plugin(f"{name}.py")
    module = isa.assemble(PROGRAM)
    assert isa.disassemble(module) == PROGRAM
    data = isa.encode(module)
    _, major, minor, *_ = container.HEAD.unpack_from(data)
    assert (major, minor) == (1, container.OUTSIDE_MINOR)
    listed = {name: number for name, number in numbers().opcodes.items()}
    assert max(listed.values()) < container.OUTSIDE
    assert b"\x80\x80\x02\x08one.half" in data
    assert b"\x81\x80\x02\x08two.half" in data
    assert isa.encode(isa.decode(data)) == data
    assert isa.disassemble(isa.decode(data)) == PROGRAM
    with fresh_plugins():
        hologram.load_plugin("two.py")
        with pytest.raises(
            HologramError, match="'one.half' is of the plug-in 'one', and nothing that is loaded brings it"
        ):
            isa.decode(data)
    Path("one.py").write_text(HALF.replace('"a"', '"a b"').replace("do, a:", "do, a, b:"))
    with fresh_plugins():
        hologram.load_plugin("one.py")
        hologram.load_plugin("two.py")
        with pytest.raises(HologramError, match="the instruction 32768, 'one.half', is not known in this form"):
            isa.decode(data)


def test_threads_that_need_installed_plugins_at_once_all_find_them(folder: Path):
    Path("slow_one.py").write_text("import time\ntime.sleep(0.2)\n" + HALF)
    point = EntryPoint("slow_one", "slow_one:register", "hologram.plugins")
    text = "func.func @f(%a: f32) -> f32 {\n%r = atlas.slow_one.half f32 %a\nfunc.return %r : f32\n}"
    with fresh_plugins([point]), ThreadPoolExecutor(4) as pool:
        parsed = [pool.submit(parse_module, text, "text", make_context()) for _ in range(4)]
        assert all("atlas.slow_one.half" in str(future.result()) for future in parsed)
    sys.modules.pop("slow_one", None)
