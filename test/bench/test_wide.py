"""The benchmark of wide integers itself, on few elements."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("bench")]

SCRIPT = Path(__file__).parents[2] / "bench" / "wide.py"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), "--tiny", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def test_rows_and_files(tmp_path: Path):
    done = run("--only", "add-128", "--only", "div-128", "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "wide.json").read_text(encoding="utf-8"))
    rows = {row["name"]: row for row in result["rows"]}
    assert list(rows) == ["add-128", "div-128"]
    for row in rows.values():
        assert 0 < row["ours"]["least"] <= row["ours"]["median"]
        assert row["ratio"] == row["gmpy2"]["median"] / row["ours"]["median"]
        assert row["compile_seconds"] > 0
    assert (rows["add-128"]["asked"], rows["div-128"]["asked"]) == (5, 0.5)
    assert (tmp_path / "wide.md").read_text(encoding="utf-8") == done.stdout


def test_unknown_rows():
    done = run("--only", "pow")
    assert done.returncode == 2
    assert "there is no row 'pow'" in done.stderr
