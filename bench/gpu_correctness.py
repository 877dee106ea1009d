"""The correctness part of the GPU benchmark: the table of devices, `test/devices`, for this machine's."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from argparse import Namespace
from collections import Counter
from typing import Any

from environments import ROOT

KINDS = ("cuda", "opencl", "vulkan", "webgpu")
COLUMNS = ROOT / "docs" / "devices" / "columns"
SECONDS = 440
"""For all kinds of devices together."""


def check(options: Namespace, gpu: str) -> dict[str, Any]:
    """Runs the twelve kernels and every instruction on each kind of device, all kinds at a time.

    `gpu` is the device's name, whose last word is that of the columns: `h200-cuda.json`, which are kept in the
    output folder too.
    """
    name = gpu.lower().split()[-1]
    runs = {kind: start(kind, name, options) for kind in KINDS if not options.device or kind in options.device}
    counts: dict[str, dict[str, int]] = {}
    failures: list[str] = []
    for kind, process in runs.items():
        try:
            said = process.communicate(timeout=SECONDS)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            said = process.communicate()[0]
            failures.append(f"{kind}: not done in {SECONDS} s")
        path = COLUMNS / f"{name}-{kind}.json"
        if not path.exists():
            failures.append(f"{kind}: {' '.join(said.split())[-300:]}")
            continue
        shutil.copy(path, options.output)
        found = outcomes(json.loads(path.read_text("utf-8")))
        failures += [f"{kind}: {cell}: {outcome}" for cell, outcome in found.items() if classed(outcome) == "failed"]
        counts[kind] = {word: 0 for word in ("passed", "refused", "failed")} | Counter(map(classed, found.values()))
    return {"counts": counts, "failures": failures}


def start(kind: str, name: str, options: Namespace) -> subprocess.Popen[str]:
    """The program that fills in a column, in processes of its own: a device that dies takes no other with it."""
    path = os.pathsep.join(filter(None, [str(ROOT / "test"), os.environ.get("PYTHONPATH", "")]))
    shared = max((os.cpu_count() or 1) // len(KINDS), 1)
    command = [sys.executable, "-P", "-m", "devices", "--kinds", kind, "--name", name, "--processes", str(shared)]
    if options.tiny:
        command += ["--types", "f32,i32"]
    return subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True,
    )  # fmt: skip


def outcomes(column: dict[str, Any]) -> dict[str, str]:
    """What came of each cell."""
    kernels = {name: row["outcome"] for name, row in column["kernels"].items()}
    cells = {
        f"{name} {type}".strip(): row["outcome"]
        for name, instruction in column["cells"].items()
        for type, row in instruction["types"].items()
    }
    return kernels | cells


def classed(outcome: str) -> str:
    """The class of an outcome."""
    return "passed" if outcome == "pass" else "refused" if outcome.startswith("refused") else "failed"
