"""The reference pages are what `make docs` writes."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["hologram", "atlas", "machine", "passes", "errors"])
def test_reference_is_current(name: str, generated: dict[Path, str]):
    path = ROOT / "docs" / "reference" / f"{name}.mdx"
    found = path.read_text(encoding="utf-8").splitlines()
    expected = generated[path].splitlines()
    differs = next((i for i, pair in enumerate(zip(found, expected, strict=False)) if pair[0] != pair[1]), None)
    if differs is None and len(found) != len(expected):
        differs = min(len(found), len(expected))
    assert differs is None, f"{path.name} is stale at line {differs + 1}: run `make docs` and commit docs/reference"


@pytest.fixture(scope="module")
def generated() -> dict[Path, str]:
    """The pages as they would be written now."""
    return runpy.run_path(str(ROOT / "docs" / "generate.py"))["pages"]()
