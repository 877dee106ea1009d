"""The short examples in Python run as their texts say, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import hologram

EXAMPLES = Path(__file__).parents[2] / "examples"
PRINTED = {
    "python_kernels": ["axpy: True", "sums of blocks: True"],
    "tensor_functions": ["attention: True", "normalized: True, True"],
    "executors": [
        "<hologram.Buffer f32[3072] in classes 0 to 0>: [0.  0.5 1.  1.5]",
        "<hologram.Executor on cpu, 96 classes free>, since the buffer was freed",
        "a circuit on classes 10 to 13: [5. 5. 5.]",
    ],
    "pools": [
        "109 parts through 36864 bytes: True",
        "b'en first is gone'",
        "a circuit over a stream: True",
    ],
    "archives": ["scale(x: f32[?], by: f32[?]) -> (y: f32[?])", "[2. 4. 6.]"],
}
"""The lines of each, without arguments."""
OTHERS = {"demo", "devices", "expressions", "loops"}
"""Examples whose output depends on the machine, or that have tests of their own."""


def run(name: str, *args: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-P", str(EXAMPLES / f"{name}.py"), *args], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", PRINTED)
def test_prints(name: str):
    assert run(name) == PRINTED[name]


def test_devices():
    *states, compiled, sums = run("devices", "cpu")
    assert [state.split()[0] for state in states] == list(hologram.devices())
    assert states[0] == "cpu      ready: 1"
    assert compiled.startswith("compiled for cpu, which computes with f32 f64 ")
    assert sums == "[0. 2. 4. 6. 8.]"


def test_the_archive_stays_where_a_file_is_named(tmp_path: Path):
    file = tmp_path / "scale.holo"
    assert run("archives", str(file)) == PRINTED["archives"]
    assert list(hologram.load(file)) == ["scale"]


def test_all_are_short_listed_and_tested():
    found = {path.stem for path in EXAMPLES.glob("*.py")}
    assert found == PRINTED.keys() | OTHERS
    page = (EXAMPLES.parent / "docs" / "index.mdx").read_text(encoding="utf-8")
    assert not [name for name in found if f"`{name}.py`" not in page]
    lengths = {name: len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) for name in PRINTED}
    assert max(lengths.values()) < 60, lengths
