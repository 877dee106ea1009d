"""The benchmark of coherence checks itself, on small matrices."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("bench")]

SCRIPT = Path(__file__).parents[2] / "bench" / "coherence.py"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), "--tiny", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def test_rows_and_files(tmp_path: Path):
    done = run("--only", "matmul-i8-1024", "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "coherence.json").read_text(encoding="utf-8"))
    (row,) = result["rows"]
    assert row["name"] == "matmul-i8-1024"
    assert 0 < row["plain_least"] <= row["plain"]
    assert row["least_cost"] == row["checked_least"] / row["plain_least"] - 1
    assert row["asked"] == 0.1
    assert (tmp_path / "coherence.md").read_text(encoding="utf-8") == done.stdout


def test_unknown_rows():
    done = run("--only", "pow")
    assert done.returncode == 2
    assert "there is no row 'pow'" in done.stderr
