"""MSL has no compiler here: what can be said of its text without one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from in_process import run_tool

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize("name", ["saxpy", "block_sum"])
def test_msl_is_well_formed(name: str):
    flat = run_tool("hologram-opt", [str(EXAMPLES / f"{name}.mlir"), "-p", "hologram-to-metal{to=device}", "-t", "msl"])
    text = flat.text
    assert flat.code == 0, flat.errors
    for opened, closed in ("()", "{}", "[]"):
        assert text.count(opened) == text.count(closed)
    for line in (x.strip() for x in text.splitlines()):
        code = line.partition("//")[0].rstrip()
        unfinished = line.startswith(("#", "//", "kernel void", "[[", "static ", "if (")) or code.endswith((",", ")"))
        assert not code or unfinished or code[-1] in "{};", line
    for kernel in re.findall(r"kernel void \w+\((.*?)\)\n\{", text, re.DOTALL):
        numbers = [int(n) for n in re.findall(r"\[\[buffer\((\d+)\)\]\]", kernel)]
        assert numbers == [*range(len(numbers))]
        assert all(f"uint3 {i} [[" in kernel for i in ("thread_id", "block_id", "block_dim", "grid_dim"))
    defined = set(re.findall(r"^static \w+ (\w+)\(", text, re.MULTILINE))
    assert defined >= set(re.findall(r"\b(hologram_\w+)\(", text))


@pytest.mark.parametrize("form", ["ptx", "amdgcn", "wgsl", "opencl-c", "msl"])
def test_what_has_no_device_code_is_no_empty_text(form: str):
    done = run_tool("hologram-opt", [str(EXAMPLES / "saxpy.mlir"), "-t", form])
    assert (done.code, done.text) == (1, "")
    assert "[device-code-none]" in done.errors
