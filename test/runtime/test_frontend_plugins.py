"""Front ends of other packages."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import hologram
from docs.pages import ROOT, blocks
from hologram.errors import InputError
from hologram.frontend import find_frontend
from hologram.frontend.plugins import FrontendPlugin
from hologram.runtime import archive
from in_process import run_tool
from plugin_state import fresh_plugins

PAGE = ROOT / "docs" / "tutorials" / "add-a-frontend.mdx"
TEXT = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %out = hologram.neg %x : tensor<?xf32>
  func.return %out : tensor<?xf32>
}
"""


def _read(text: Any, name: str, context: Any) -> ModuleOp:
    from hologram.frontend.mlir import parse_module

    return parse_module(text.decode() if isinstance(text, bytes) else text, name, context)


def _raise(text: str, name: str, context: Any) -> ModuleOp:
    raise KeyError(text)


def _nothing(text: str, name: str, context: Any) -> Any:
    return None


PLUGINS: dict[str, Any] = {
    "plain": FrontendPlugin(_read),
    "bytes": FrontendPlugin(_read, binary=True),
    "raises": FrontendPlugin(_raise),
    "nothing": FrontendPlugin(_nothing),
    "nonsense": 7,
    "mlir": FrontendPlugin(_raise),
}
POINTS = [EntryPoint(name, f"test_frontend_plugins:PLUGINS.{name}", "hologram.frontends") for name in PLUGINS]
POINTS.append(EntryPoint("absent", "no_such_module:FRONTEND", "hologram.frontends"))


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The plugins."""

    def load(point: EntryPoint) -> Any:
        if point.name not in PLUGINS:
            raise ModuleNotFoundError(f"No module named {point.value!r}")
        return PLUGINS[point.name]

    monkeypatch.setattr(EntryPoint, "load", load)
    with fresh_plugins(POINTS):
        yield


@pytest.mark.parametrize("form", ["plain", "bytes"])
def test_compile_and_the_tools_take_its_files(form: str, tmp_path: Path):
    path = tmp_path / f"x.{form}"
    path.write_text(TEXT, encoding="utf-8")
    assert hologram.compile(path)(np.ones(2, np.float32)).tolist() == [-1, -1]
    assert "hologram.neg" in run_tool("hologram-opt", [str(path)]).out.decode()
    named = run_tool("hologram-opt", ["-f", form, "-"], stdin=TEXT.encode())
    assert b"hologram.neg" in named.out
    ran = run_tool("hologram-run", [str(path), "--arg", "[1, 2]:f32"])
    assert b"[-1. -2.]" in ran.out


def test_a_plugin_that_changes_is_not_taken_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "x.plain"
    path.write_text(TEXT, encoding="utf-8")
    x = np.full(2, 4, np.float32)
    assert hologram.compile(path)(x).tolist() == [-4, -4]
    other = FrontendPlugin(lambda text, name, context: _read(text.replace(".neg", ".sqrt"), name, context))
    monkeypatch.setitem(PLUGINS, "plain", other)
    with fresh_plugins(POINTS):
        assert hologram.compile(path)(x).tolist() == [2, 2]


def test_errors_show_the_lines_of_the_file(tmp_path: Path):
    path = tmp_path / "x.plain"
    path.write_text(TEXT.replace("neg", "nog"), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        hologram.compile(path)
    assert caught.value.where is not None
    assert (caught.value.where.file, caught.value.where.line) == (str(path), 2)


@pytest.mark.parametrize(
    ("form", "message", "code"),
    [
        ("raises", "failed on", "frontend-plugin"),
        ("nothing", "no ModuleOp, but NoneType", "frontend-plugin"),
        ("nonsense", "is no FrontendPlugin, but an int", "plugin-thing"),
        ("absent", "can't be loaded from 'no_such_module:FRONTEND': ModuleNotFoundError", "plugin-late"),
    ],
)
def test_what_is_wrong_with_a_plugin(form: str, message: str, code: str, tmp_path: Path):
    path = tmp_path / f"x.{form}"
    path.write_text(TEXT, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        hologram.compile(path)
    assert caught.value.code == code


def test_our_forms_stay_ours():
    assert find_frontend("mlir") is not None
    assert find_frontend("nothing-of-the-kind") is None


def test_unknown_forms_name_those_of_plugins(tmp_path: Path):
    (tmp_path / "x.plian").write_text("", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        hologram.compile(tmp_path / "x.plian")
    assert caught.value.hint == "did you mean '.plain'?"
    found = run_tool("hologram-opt", ["-f", "plian", str(tmp_path / "x.plian")])
    assert found.code == 2
    assert "did you mean 'plain'?" in found.errors


def test_a_missing_file(tmp_path: Path):
    with pytest.raises(InputError) as caught:
        hologram.compile(tmp_path / "x.plain")
    assert caught.value.code == "source-missing"


@pytest.mark.slow
def test_the_plugin_of_the_tutorial_is_installed_by_pip(tmp_path: Path):
    for block in blocks(PAGE.read_text(encoding="utf-8")):
        if block.title is not None:
            (tmp_path / block.title).write_text(block.text, encoding="utf-8")
    target = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", str(target)]
    subprocess.run([*pip, str(tmp_path)], check=True, capture_output=True)
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from hologram.tools.run.command import main; main()"
    args = [str(tmp_path / "saxpy.rpn"), "--arg", "[-1, 0, 1]:f32", "--arg", "[1, 1, 1]:f32"]
    done = subprocess.run([sys.executable, "-c", code, str(target), *args], capture_output=True, text=True, cwd="/")
    assert done.stdout == "out: f32[3]\n[0.  1.  3.5]\n", done.stderr


def test_hologram_compile_finds_its_files(tmp_path: Path):
    """Files of plugins are found in folders too; places are those that the plugin gave."""
    (tmp_path / "k").mkdir()
    (tmp_path / "k" / "x.plain").write_text(TEXT, encoding="utf-8")
    (tmp_path / "k" / "y.raises").write_text(TEXT, encoding="utf-8")
    found = run_tool("hologram-compile", ["k", "-o", "k.holo"], cwd=tmp_path)
    assert found.code == 1
    assert "the front end 'raises' failed on 'k/y.raises'" in found.errors
    (tmp_path / "k" / "y.raises").unlink()
    assert run_tool("hologram-compile", ["k", "-o", "k.holo"], cwd=tmp_path).code == 0
    opened = archive.open(tmp_path / "k.holo")
    assert opened.programs == ("x",)
    assert b'loc("k/x.plain":2:3)' in bytes(opened.ir(0))
