"""The benchmark of projections itself, on few elements."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("bench")]

SCRIPT = Path(__file__).parents[2] / "bench" / "torus.py"


def test_rows_and_files(tmp_path: Path):
    command = [sys.executable, str(SCRIPT), "--tiny", "--output", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "torus.json").read_text(encoding="utf-8"))
    (row,) = result["rows"]
    assert row["name"] == "16K"
    assert 0 < row["ours"]["least"] <= row["ours"]["median"]
    assert row["numpy_ratio"] == row["numpy"]["median"] / row["ours"]["median"]
    assert row["of_memory"] == min(row[k]["median"] for k in ("plain", "streaming")) / row["ours"]["median"]
    assert (tmp_path / "torus.md").read_text(encoding="utf-8") == done.stdout
