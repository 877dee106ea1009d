"""Programs at the kernel level that would break the process: each gives a value, traps, or is refused.

The folder `programs` has them; `// WANT:` says what must come: `value` with arrays (`_` is any), `trap` or `error` with
a part of the message or the code, `refused` with the code. They run in a process of their own.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parent / "programs"
FILES = sorted(FOLDER.glob("*.mlir"))
RUNNER = Path(__file__).resolve().parent / "run_programs.py"


@cache
def outcomes(level: int, device: str) -> dict[str, list[Any]]:
    """What each program comes to at a level on a device; one at which the process dies comes to `died`."""
    found: dict[str, list[Any]] = {}
    left: list[str] = [str(path) for path in FILES]
    while left:
        done = subprocess.run([sys.executable, str(RUNNER), str(level), device, *left], capture_output=True, text=True)
        lines: list[list[Any]] = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
        assert lines, done.stderr
        found |= {str(line[0]): line[1:] for line in lines if line[1] != "begins"}
        if lines[-1][1] == "begins":
            found[str(lines[-1][0])] = ["died", str(done.returncode), done.stderr]
        left = [path for path in left if path not in found]
    return found


@pytest.mark.parametrize(
    ("level", "device"),
    [pytest.param(0, "cpu", marks=pytest.mark.slow), (3, "cpu"), pytest.param(3, "wasm", marks=pytest.mark.device)],
)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_hostile_program_does_no_harm(path: Path, level: int, device: str):
    wanted = re.search(r"// WANT: (\w+) (.*)", path.read_text(encoding="utf-8"))
    assert wanted is not None
    kind, *outcome = outcomes(level, device)[str(path)]
    assert kind == wanted[1], outcome
    if kind == "value":
        texts = re.findall(r"_|\[[^]]*\]", wanted[2])
        assert texts
        for text, array in zip(texts, outcome[0], strict=False):
            assert text == "_" or json.loads(text) == array
    else:
        assert wanted[2] in outcome[0] or wanted[2] in outcome[1]
