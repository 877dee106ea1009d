"""The correctness part of the GPU benchmark: the table of devices, `test/devices`, for this machine's."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from argparse import Namespace
from collections import Counter
from pathlib import Path
from typing import Any

from environments import ROOT

KINDS = ("cuda", "opencl", "vulkan", "webgpu")
COLUMNS = ROOT / "docs" / "devices" / "columns"
SECONDS = 440
"""The time limit for all kinds of devices together."""


def check(options: Namespace, gpu: str) -> dict[str, Any]:
    """Runs the twelve kernels and every instruction on each kind of device, all kinds at a time.

    `gpu` is the device's name, whose last word is that of the columns: `h200-cuda.json`, which are kept in the
    output folder too.
    """
    name = gpu.lower().split()[-1]
    kinds = [kind for kind in KINDS if not options.device or kind in options.device]
    paths = {kind: COLUMNS / f"{name}-{kind}.json" for kind in kinds}
    before = {kind: written(path) for kind, path in paths.items()}
    until = time.monotonic() + SECONDS
    runs = {kind: start(kind, name, options) for kind in kinds}
    counts: dict[str, dict[str, int]] = {}
    failures: list[str] = []
    for kind, process in runs.items():
        said, is_done = ended(process, until - time.monotonic())
        if not is_done:
            failures.append(f"{kind}: not done in {SECONDS} s")
        # What is kept of another run says nothing of this one.
        if written(paths[kind]) == before[kind]:
            failures.append(f"{kind}: {' '.join(said.split())[-300:]}")
            continue
        shutil.copy(paths[kind], options.output)
        found = outcomes(json.loads(paths[kind].read_text("utf-8")))
        failures += [f"{kind}: {cell}: {outcome}" for cell, outcome in found.items() if classed(outcome) == "failed"]
        counts[kind] = {word: 0 for word in ("passed", "refused", "failed")} | Counter(map(classed, found.values()))
    return {"counts": counts, "failures": failures}


def written(path: Path) -> int:
    """The time at which a file was written; 0 if there is none."""
    return path.stat().st_mtime_ns if path.exists() else 0


def ended(process: subprocess.Popen[str], seconds: float) -> tuple[str, bool]:
    """Return the output of a program and whether it ended by itself; after `seconds`, kill it with all its children."""
    try:
        return process.communicate(timeout=max(seconds, 0.0))[0], True
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0], False


def start(kind: str, name: str, options: Namespace) -> subprocess.Popen[str]:
    """The program that fills in a column, in processes of its own: a device that dies takes no other with it."""
    path = os.pathsep.join(filter(None, [str(ROOT / "test"), os.environ.get("PYTHONPATH", "")]))
    shared = max((os.cpu_count() or 1) // len(KINDS), 1)
    command = [sys.executable, "-P", "-m", "devices", "--kinds", kind, "--name", name, "--processes", str(shared)]
    if options.tiny:
        command += ["--types", "f32,i32"]
    return subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, start_new_session=True,
    )  # fmt: skip


def outcomes(column: dict[str, Any]) -> dict[str, str]:
    """The outcome of each cell."""
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
