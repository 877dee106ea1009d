"""The reference pages are what `make docs` writes."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.listing import CONTROL
from hologram.dialects.machine.spelling import spellings

ROOT = Path(__file__).resolve().parents[2]


REFERENCE = [f"reference/{name}" for name in (
    "hologram", "atlas", "class", "torus", "algebra", "sigil", "machine", "monster", "passes", "marks", "errors",
    "library", "ops",
)]  # fmt: skip
INSTRUCTIONS = [f"isa/{name}" for name in (
    "arithmetic", "logic", "functions", "conversions", "memory", "reductions", "atomics", "control", "state",
    "array-level",
)]  # fmt: skip


SCHEMA = "reference/kernel.schema.json"


@pytest.mark.parametrize("name", [*REFERENCE, *INSTRUCTIONS, SCHEMA])
def test_reference_is_current(name: str, generated: dict[Path, str]):
    path = ROOT / "docs" / (name if name == SCHEMA else f"{name}.mdx")
    check(path, generated[path])


def test_sources_are_current():
    for path, text in runpy.run_path(str(ROOT / "docs" / "generate.py"))["sources"]().items():
        check(path, text)


def check(path: Path, text: str) -> None:
    """A file is what `make docs` would write."""
    found = path.read_text(encoding="utf-8").splitlines()
    expected = text.splitlines()
    differs = next((i for i, pair in enumerate(zip(found, expected, strict=False)) if pair[0] != pair[1]), None)
    if differs is None and len(found) != len(expected):
        differs = min(len(found), len(expected))
    assert differs is None, f"{path.name} is stale at line {differs + 1}: run `make docs` and commit docs"


def test_every_instruction_has_its_section_and_an_example(generated: dict[Path, str]):
    texts = [generated[ROOT / "docs" / f"{name}.mdx"] for name in INSTRUCTIONS]
    for name in [*CONTROL, *FORMS]:
        (text,) = (t for t in texts if f"\n### {name}\n" in t)
        code = "\n".join(re.findall(r"^```(?:python|text title).*?^```$", text, re.MULTILINE | re.DOTALL))
        spelled = [s for s, found in spellings().items() if any(f.name == name for f in found)]
        assert any(re.search(rf"(?<![\w.]){re.escape(s)}(?![\w])", code) for s in spelled), f"no example of '{name}'"


def test_every_page_is_listed(generated: dict[Path, str]):
    names = {p.relative_to(ROOT / "docs").as_posix().removesuffix(".mdx") for p in generated}
    assert names == {*REFERENCE, *INSTRUCTIONS, SCHEMA}


@pytest.fixture(scope="module")
def generated() -> dict[Path, str]:
    """The pages as they would be written now."""
    return runpy.run_path(str(ROOT / "docs" / "generate.py"))["pages"]()
