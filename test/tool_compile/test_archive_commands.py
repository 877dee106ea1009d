"""hologram-compile inspect, disasm, verify."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hologram.tools.compile import command
from in_process import run_tool

from .programs import compiled, kernel, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("archive")
    write(found, a=kernel("a"), b=kernel("b"))
    compiled(found, "a.py", "b.py", "-o", "x.holo")
    return found


def test_inspect(folder: Path):
    text = run_tool("hologram-compile", ["inspect", "x.holo"], cwd=folder).text
    assert "a (a.py)\n  a(x: f32[?])\n" in text
    data = json.loads(run_tool("hologram-compile", ["inspect", "--json", "x.holo"], cwd=folder).text)
    assert [program["name"] for program in data["programs"]] == ["a", "b"]


def test_disasm(folder: Path):
    found = run_tool("hologram-compile", ["disasm", "x.holo", "b", "--form", "ir", "--form", "isa"], cwd=folder).text
    assert "hologram.kernel @b(" in found
    assert ".program b_lanes(" in found
    assert "@a(" not in found


def test_verify(folder: Path):
    assert run_tool("hologram-compile", ["verify", "x.holo"], cwd=folder).text.startswith("x.holo: 2 programs")
    data = bytearray((folder / "x.holo").read_bytes())
    data[-100] ^= 1
    (folder / "y.holo").write_bytes(data)
    found = run_tool("hologram-compile", ["verify", "y.holo"], cwd=folder)
    assert found.code == 1
    assert "y.holo" in found.errors


def test_each_command_has_help():
    for name in command.ARCHIVES:
        assert f"hologram-compile {name}" in run_tool("hologram-compile", [name, "--help"]).text
