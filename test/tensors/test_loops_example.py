"""The example of loops runs as its text says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "loops.py"


def test_the_example_of_loops():
    done = subprocess.run([sys.executable, "-P", str(EXAMPLE)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:3] == ["heat: as numpy's", "roots: as numpy's", "recurrence: as numpy's"]
    assert len(lines) == 12
    assert len({len(line) for line in lines[3:]}) == 1
