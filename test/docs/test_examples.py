"""The examples of the pages and the README run, and write what is shown. Each page has a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs.pages import ROOT, Block, Wrong, blocks, check, has_examples, matches, run_line, run_python

PAGES = [p for p in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.mdx"))] if has_examples(p)]
IN_A_COPY = {"add-an-instruction.mdx", "add-a-tensor-operation.mdx"}
"""Pages that change the project: `test_tutorials.py` runs them."""
NEED_CC = {"add-a-device.mdx"}
"""Pages whose examples compile C."""
MADE = "This page is made from the declarations"
TOGETHER = [p for p in PAGES if p.parent.name == "isa" and MADE in p.read_text(encoding="utf-8")]
"""The pages of the instructions, whose small examples need no process each."""


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An object cache for all pages of this process."""
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize(
    "page",
    [p for p in PAGES if p not in TOGETHER and p.name not in IN_A_COPY],
    ids=lambda p: p.relative_to(ROOT).as_posix(),
)
def test_examples(page: Path, tmp_path: Path, cache: Path):
    if page.name in NEED_CC and shutil.which("cc") is None:
        pytest.skip("there is no 'cc'")
    run_pages([page], tmp_path, cache)


def test_examples_of_instructions(tmp_path: Path, cache: Path):
    run_pages(TOGETHER, tmp_path, cache)


def run_pages(pages: list[Path], folder: Path, cache: Path) -> None:
    """Runs the examples of pages in one process."""
    command = [sys.executable, "-W", "error", str(ROOT / "test" / "docs" / "pages.py"), *map(str, pages)]
    environment = os.environ | {"HOLOGRAM_CACHE_DIR": str(cache)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


# The checker itself


def test_an_output_belongs_to_the_block_before_it():
    page = '```python\nprint(1)\n```\nprose\n```text\n1\n```\n```mlir title="a.mlir"\nx\n```\n'
    first, second, third = blocks(page)
    assert first.output is not None
    assert (first.output.text, first.output.line) == ("1\n", second.line)
    assert second.output is None
    assert third.title == "a.mlir"


def test_dots_stand_for_anything():
    assert matches("a\n...\nz\n", "a\nb\nc\nz")
    assert matches("x ... z\n", "x y z\n")
    assert not matches("a\n...\nz\n", "a\nb\n")
    assert not matches("a\n", "a\nb\n")


@pytest.mark.parametrize(
    "text",
    [
        "print(1)  # 2\n",
        "1 + 1  # 3\n",
        "x = [1, 2]  # [1, 3]\n",
        "print(1.5, 2)  # 1.5 ... 3\n",
        "print(1)  # 1\nprint(2)\n",
        "print(\n    1\n)  # 2\n",
        "'a' + 'b'  # ac\n",
    ],
)
def test_comments_that_lie_are_found(text: str):
    with pytest.raises(Wrong):
        run_python(Block(1, "python", None, text), {})


@pytest.mark.parametrize(
    "text",
    [
        "print([0.0, 2.0])  # [0.0, 2.0]\n",
        "1 + 1  # 2\n",
        "x = [1, 2]  # [1, ...]\n",
        "x = [1, 2]  # two numbers\n",
        "print(1.5, 2)  # 1.5 ...\n",
        "'a' + 'b'  # 'ab'\n",
        "x = 3\nprint('# 4')\n",
    ],
)
def test_comments_that_tell_what_is_so(text: str):
    run_python(Block(1, "python", None, text), {})


def test_wrong_examples_are_found():
    with pytest.raises(Wrong, match="the page shows"):
        check(Block(1, "python", None, "print(1)\n", Block(4, "text", None, "2\n")), "1\n")
    with pytest.raises(Wrong, match="may not run 'rm'"):
        run_line("rm x")
    with pytest.raises(Wrong, match="exits with 2, not 0"):
        run_line("hologram-opt --no-such-option")
    assert "no-such-option" in run_line("hologram-opt --no-such-option  # exits with 2")
