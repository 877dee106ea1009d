"""The benchmark of GPUs itself, where there is none."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[2] / "bench"


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(BENCH)!r}); {code}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed and may find a GPU")
def test_nothing_is_measured_without_a_gpu(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, str(BENCH / "gpu.py"), "--output", str(tmp_path)], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: torch is not installed")
    assert not list(tmp_path.iterdir())


def test_unknown_parts():
    done = run("import gpu; gpu.main(sys.argv[1:])", "--part", "speed")
    assert done.returncode == 2
    assert "invalid choice: 'speed'" in done.stderr


def test_what_is_asked():
    code = """
import json, gpu, gpu_rows
found = []
for name, device, ours in (("add", "cuda", 2.0), ("softmax", "cuda", 0.5), ("matmul-f32", "vulkan", 1.0)):
    (row,) = gpu_rows.find([name])
    outcome = gpu.Outcome(name, device)
    gpu.judge(outcome, row, {"ours": ours, "torch": 1.0, "compiled": 1.0}, row.bytes / 1.92)
    found.append([outcome.share, outcome.missed, len(outcome.asked)])
print(json.dumps(found))
""".strip()
    done = run(f"exec({code!r})")
    assert done.returncode == 0, done.stderr
    (add, softmax, product) = json.loads(done.stdout)
    assert add == [pytest.approx(0.96), False, 1]
    assert softmax[1:] == [False, 1]
    assert product[1:] == [False, 1]


def test_what_is_asked_of_the_host():
    code = """
import json, gpu_host
rows = [gpu_host.row(*given) for given in (("launch", "cuda", 2e-6), ("launch", "cuda", 4e-6), ("call", "cuda", 1.0))]
print(json.dumps([[row["missed"], row["asked"]] for row in [*rows, gpu_host.row("launch", "opencl", 1.0)]]))
""".strip()
    done = run(f"exec({code!r})")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [
        [False, ["at most 3 us: 2.0"]], [True, ["at most 3 us: 4.0"]], [False, []], [False, []],
    ]  # fmt: skip


def test_the_page_and_the_plot(tmp_path: Path):
    row: dict[str, Any] = {
        "row": "add", "device": "cuda", "seconds": 1e-3, "peers": {"torch": 2e-3}, "share": 0.9, "teraflops": None,
        "asked": ["0.95 of the copy limit: 0.900"], "missed": True, "error": "",
    }  # fmt: skip
    broken: dict[str, Any] = {**row, "row": "sum", "device": "webgpu", "peers": {}, "error": "DeviceError: lost"}
    about: dict[str, Any] = {"date": "2026-01-01", "machine": {"gpu": "a card"}, "failures": []}
    parts: dict[str, Any] = {
        "correctness": {**about, "counts": {"cuda": {"passed": 3, "refused": 2, "failed": 0}}},
        "streams": {
            **about, "copy_bytes_per_second": 4e12, "rows": [row, broken],
            "failures": ["sum on webgpu: DeviceError: lost"],
        },
    }  # fmt: skip
    done = run(
        "import gpu_report, json, pathlib; gpu_report.write(json.loads(sys.argv[1]), pathlib.Path(sys.argv[2]))",
        json.dumps({"parts": parts}),
        str(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "gpu.md").read_text("utf-8")
    assert "| cuda | 3 | 2 | 0 |" in page
    assert "| add | cuda | 1000.0 us | 0.900 |  | 2000.0 us |  | 0.95 of the copy limit: 0.900 | **missed** |" in page
    assert "- failed: sum on webgpu: DeviceError: lost" in page
    assert ">2.00</text>" in (tmp_path / "gpu.svg").read_text("utf-8")


def test_programs_that_hang_end_with_all_their_processes_and_kept_results_are_no_outcome(tmp_path: Path):
    code = """
import argparse, json, pathlib, subprocess, sys, time
import gpu_correctness as c
folder = pathlib.Path(sys.argv[1])
c.SECONDS, c.COLUMNS = 3, folder
good = json.dumps({"kernels": {"saxpy": {"outcome": "pass"}}, "cells": {}})
(folder / "card-vulkan.json").write_text(good)
hang = "import subprocess; print('begun', flush=True); subprocess.run(['sleep', '60'])"
writes = f"import pathlib; pathlib.Path({str(folder / 'card-opencl.json')!r}).write_text({good!r})"
def start(kind, name, options):
    text = writes if kind == "opencl" else hang
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True, start_new_session=True)
c.start = start
options = argparse.Namespace(device=["opencl", "vulkan", "webgpu"], output=folder / "out", tiny=False)
options.output.mkdir()
begin = time.monotonic()
found = c.check(options, "a Card")
print(json.dumps([found, time.monotonic() - begin]))
""".strip()
    done = run(f"exec({code!r})", str(tmp_path))
    assert done.returncode == 0, done.stderr
    found, seconds = json.loads(done.stdout)
    assert found["counts"] == {"opencl": {"passed": 1, "refused": 0, "failed": 0}}
    assert found["failures"] == [
        "vulkan: not done in 3 s", "vulkan: begun", "webgpu: not done in 3 s", "webgpu: begun",
    ]  # fmt: skip
    assert seconds < 20
