"""The benchmark of array-level extensions itself, on few elements and against nobody."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("bench")]

SCRIPT = Path(__file__).parents[2] / "bench" / "extensions.py"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), "--tiny", "--peer", "none", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def test_rows_of_every_kind(tmp_path: Path):
    """Results are compared with references, so ours are right if they have a time."""
    rows = ["fft-1k", "sparse-2048x64", "conv2d-128", "attention-causal"]
    starts = [word for row in rows for word in ("--only", row)]
    done = run("--threads", "1", *starts, "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "extensions.json").read_text(encoding="utf-8"))
    assert len(result["rows"]) == len(rows)
    for row, start in zip(result["rows"], rows, strict=True):
        ours = row["outcomes"]["ours"]
        assert row["name"].startswith(start)
        assert ours["status"] == "measured"
        assert 0 <= ours["error"] <= 1
    assert (tmp_path / "extensions.md").read_text(encoding="utf-8") == done.stdout


def test_unknown_rows():
    done = run("--only", "nothing")
    assert done.returncode == 2
    assert "there is no row 'nothing'; there are fft-1m" in done.stderr
