"""The table of marks is whole: its words are names of passes and attributes, and code spells no mark itself."""

from __future__ import annotations

import ast
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, UnitAttr

from hologram.dialects.marks import MARKS, Mark
from hologram.errors import did_you_mean
from hologram.lowering.pipelines.pipelines import all_passes

ROOT = Path(__file__).resolve().parents[2]
FOLDERS: tuple[str, ...] = runpy.run_path(str(ROOT / "setup.py"))["FOLDERS"]
PARTS = {
    "front ends", "assembly", "people", "hologram-run", "the reference interpreter", "the writer of LLVM IR",
    "every pass that adds a trap",
}  # fmt: skip
"""The modules beside passes that write and read marks."""
KINDS = {kind.name for kind in (ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, UnitAttr)}
OTHERS = {"dialects/hologram/kernels.py": {"hologram.lanes"}, "frontend/kernels/imports.py": {"hologram.kernels"}}
"""An operation and a package of the same names."""


@pytest.mark.parametrize("mark", MARKS.values(), ids=MARKS)
def test_words(mark: Mark) -> None:
    known = {*all_passes(), *PARTS}
    words = {*mark.written.split(", "), *mark.read.split(", "), *mark.dropped}
    assert words <= known
    assert set(mark.types) <= KINDS


def test_no_mark_is_near_by_the_prefix_alone() -> None:
    assert did_you_mean("hologram.small", MARKS) is None
    assert did_you_mean("hologram.paralel", MARKS) == "did you mean 'hologram.parallel'?"
    assert did_you_mean("count", ["counts"]) == "did you mean 'counts'?"


def spelled() -> Iterator[tuple[str, int, str]]:
    """The marks that code outside of the table spells."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in MARKS:
                    if node.value not in OTHERS.get(name, ()):
                        yield name, node.lineno, node.value


def test_code_uses_the_constants() -> None:
    assert list(spelled()) == []
