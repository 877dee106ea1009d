"""Kernels for the tests of hologram-compile, and runs of the tool."""

from __future__ import annotations

from pathlib import Path

from in_process import Outcome, run_tool

HEAD = """import hologram
from hologram.language import Array, Element, f32, get_global_id
"""
KERNEL = '''

@hologram.kernel(lanes="len(x)")
def {name}(x: Array[{type}]):
    """x = {value}"""
    i = get_global_id()
    if i < len(x):
        x[i] = {value}
'''


def kernel(name: str, value: str = "x[i] + x[i]", type: str = "f32", head: str = HEAD) -> str:
    """The text of a file with a kernel that changes each element."""
    return head + KERNEL.format(name=name, value=value, type=type)


def compiled(folder: Path, *args: str | Path, code: int = 0) -> Outcome:
    """Runs the tool in a folder, in this process alone unless it is told otherwise."""
    found = run_tool("hologram-compile", ["-j", "1", *args], cwd=folder)
    assert found.code == code, found.errors
    return found


def write(folder: Path, **files: str) -> None:
    """Writes Python files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
