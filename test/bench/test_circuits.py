"""The benchmark of circuits itself, on few operations."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "bench" / "circuits.py"
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("bench")]


def test_rows_and_files(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--tiny", "--output", str(tmp_path)], capture_output=True, text=True, check=True
    )
    result = json.loads((tmp_path / "circuits.json").read_text(encoding="utf-8"))
    (row,) = result["tiles"]
    assert row["name"] == "add"
    assert row["ratio"] > 0
    assert {"read", "parse", "words", "tiles"} < result["texts"].keys()
    assert (tmp_path / "circuits.md").read_text(encoding="utf-8") == done.stdout
