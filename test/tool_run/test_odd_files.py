"""Every tool says in a sentence that it can't read what is no file, or never ends, and goes on waiting for nothing."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hologram.support.regular_files import write_temporary
from hologram.tools.cli import unwritten
from in_process import run_tool

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")

COMMANDS = {
    "opt": ("hologram-opt", "{}.mlir"),
    "opt-binary": ("hologram-opt", "{}.atlasb"),
    "run": ("hologram-run", "{}.mlir"),
    "run-archive": ("hologram-run", "{}.holo"),
    "run-object": ("hologram-run", "{}.o"),
    "run-array": ("hologram-run", "good.mlir", "--arg", "{}.npy"),
    "compile": ("hologram-compile", "{}.py", "-o", "out.so"),
    "compile-json": ("hologram-compile", "{}.json", "-o", "out.so"),
    "compile-constants": ("hologram-compile", "good.mlir", "-o", "out.holo", "--constants", "{}.safetensors"),
    "inspect": ("hologram-compile", "inspect", "{}.holo"),
    "disasm": ("hologram-compile", "disasm", "{}.holo"),
    "verify": ("hologram-compile", "verify", "{}.holo"),
}
PROGRAM = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { func.return %a : tensor<?xf32> }\n"
ODD = ("pipe", "socket", "zero", "folder", "memory", "sparse")


def make(kind: str, path: Path) -> None:
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(path.name)
        case "folder":
            path.mkdir()
        case "sparse":
            path.touch()
            os.truncate(path, 1 << 42)
        case _:
            path.symlink_to({"zero": "/dev/zero", "memory": "/proc/self/mem"}[kind])


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file(command: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    if command == "compile-constants" and kind == "sparse":
        pytest.skip("tensors may take as much as there is")
    monkeypatch.chdir(tmp_path)
    Path("good.mlir").write_text(PROGRAM)
    tool, *args = COMMANDS[command]
    odd = next(arg for arg in args if arg.startswith("{}")).format("odd")
    make(kind, tmp_path / odd)
    outcome = run_tool(tool, [arg.format("odd") for arg in args])
    assert outcome.code in (1, 2), outcome.errors
    assert odd in outcome.errors
    assert "error: " in outcome.errors


def test_pipes_that_are_open_and_the_empty_device():
    """The shell's `<(command)` is one."""
    source, target = os.pipe()
    os.write(target, b"func.func @f() { func.return }")
    os.close(target)
    try:
        outcome = run_tool("hologram-opt", [f"/dev/fd/{source}"])
        assert (outcome.code, "@f" in outcome.text) == (0, True)
    finally:
        os.close(source)
    assert run_tool("hologram-opt", [os.devnull]).code == 0


def test_the_stream_of_a_program_stays_as_it_is(tmp_path: Path):
    """What can't be written goes nowhere only where the stream is the process's own."""
    with open(tmp_path / "out", "w+", encoding="utf-8") as stream:
        with contextlib.redirect_stdout(stream):
            unwritten(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        stream.write("kept")
        stream.seek(0)
        assert stream.read() == "kept"


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["opt", "run", "compile"])
def test_input_without_an_end(tool: str):
    with open("/dev/zero", "rb") as zero:
        command = [sys.executable, "-m", f"hologram.tools.{tool}", "-"]
        done = subprocess.run(command, stdin=zero, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "more than" in done.stderr
    assert "Traceback" not in done.stderr


def test_places_in_ir_that_are_no_files(tmp_path: Path):
    """An error's place may name any file, of which the line is shown."""
    os.mkfifo(tmp_path / "pipe.mlir")
    (tmp_path / "f.mlir").write_text(
        f"func.func @main(%a: tensor<?xf32>) {{\n  %0 = hologram.nothing %a : tensor<?xf32>\n  func.return\n"
        f'}} loc("{tmp_path / "pipe.mlir"}":1:1)\n'
    )
    assert run_tool("hologram-opt", [str(tmp_path / "f.mlir")]).code == 1


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "own"])
def test_files_for_reports_go_nowhere_else(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    place, victim = tmp_path / "tmp" / "report.mlir", tmp_path / "victim"
    place.parent.mkdir()
    victim.write_text("precious")
    match kind:
        case "link":
            place.symlink_to(victim)
        case "own":
            place.write_text("before")
        case _:
            make(kind, place)
    path = write_temporary("report.mlir", b"report")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"report", 0o600)
    assert victim.read_text() == "precious"
    assert (path == place) == (kind == "own")
