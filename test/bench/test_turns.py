"""The benchmarks of one process themselves, on few elements."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("bench")]

BENCH = Path(__file__).parents[2] / "bench"


def run(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCH / f"{script}.py"), "--tiny", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def result_of(script: str, folder: Path, *arguments: str) -> Any:
    """The JSON that a script writes; what it prints is the page."""
    done = run(script, *arguments, "--output", folder)
    assert done.returncode == 0, done.stderr
    assert (folder / f"{script}.md").read_text(encoding="utf-8") == done.stdout
    return json.loads((folder / f"{script}.json").read_text(encoding="utf-8"))


def test_coherence(tmp_path: Path):
    (row,) = result_of("coherence", tmp_path, "--only", "matmul-i8-1024")["rows"]
    assert row["name"] == "matmul-i8-1024"
    assert 0 < row["plain"]["least"] <= row["plain"]["median"]
    assert row["least_cost"] == row["checked"]["least"] / row["plain"]["least"] - 1
    assert row["asked"] == 0.1


def test_circuits(tmp_path: Path):
    result = result_of("circuits", tmp_path)
    (row,) = result["tiles"]
    assert row["name"] == "add"
    assert row["ratio"] == row["arrays_ns"] / row["circuit_ns"]
    assert {"read", "parse", "words", "tiles"} < result["texts"].keys()


def test_torus(tmp_path: Path):
    (row,) = result_of("torus", tmp_path)["rows"]
    assert row["name"] == "16K"
    assert 0 < row["ours"]["least"] <= row["ours"]["median"]
    assert row["numpy_ratio"] == row["numpy"]["median"] / row["ours"]["median"]
    assert row["of_memory"] == min(row[k]["median"] for k in ("plain", "streaming")) / row["ours"]["median"]


def test_instructions(tmp_path: Path):
    result = result_of("instructions", tmp_path, "--only", "fma", "--only", "logic")
    rows = {row["name"]: row for row in result["rows"]}
    assert list(rows) == ["fma", "fma of f64", "logic"]
    for row in rows.values():
        assert 0 < row["least_ns"] <= row["ns"]
        assert row["rate"] == 1 / row["ns"]
        assert row["count"] == 256 * 10 * 16 * len(row["instructions"])
    assert (result["device"], result["threads"], result["asked_ns"]) == ("cpu", 1, 10)
    assert result["fma_limit"] > 0


def test_pools(tmp_path: Path):
    result = result_of("pools", tmp_path)
    assert [(row["name"], row["memory"]) for row in result["rows"]] == [
        ("copy", 36864), ("sum", 36864), ("circuit", 24576)
    ]  # fmt: skip
    for row in result["rows"]:
        assert 0 < row["rate"] <= row["best_rate"]
        assert row["amplification"] == result["bytes"] / row["memory"]
        assert row["of_memcpy"] == pytest.approx(row["rate"] / result["memcpy"])
    assert result["read"] > 0


def test_library(tmp_path: Path):
    rows = {row["name"]: row for row in result_of("library", tmp_path, "--only", "gemm-500", "--only", "fft")["rows"]}
    assert list(rows) == ["gemm-500", "fft-64x1024", "fft-64x729"]
    for row in rows.values():
        assert 0 < row["ours"]["least"] <= row["ours"]["median"]
    assert rows["gemm-500"]["rate"] == 2 * 500**3 / rows["gemm-500"]["ours"]["median"] / 1e6


def test_wide(tmp_path: Path):
    rows = {row["name"]: row for row in result_of("wide", tmp_path, "--only", "add-128", "--only", "div-128")["rows"]}
    assert list(rows) == ["add-128", "div-128"]
    for row in rows.values():
        assert 0 < row["ours"]["least"] <= row["ours"]["median"]
        assert row["ratio"] == row["gmpy2"]["median"] / row["ours"]["median"]
        assert row["compile_seconds"] > 0
    assert (rows["add-128"]["asked"], rows["div-128"]["asked"]) == (5, 0.5)


def test_devices(tmp_path: Path):
    result = result_of("devices", tmp_path, "--only", "column-sum")
    (row,) = result["rows"]
    times, measured = row["times"], {name.partition(":")[0] for name in result["devices"]}
    assert times.keys() - measured == {"cpu", "narrow", "copy"}
    assert measured | result["missing"].keys() == {"opencl", "vulkan", "webgpu", "wasm"}
    assert row["ratios"].keys() | row["errors"].keys() == measured
    assert row["of_copy"] == times["copy"]["median"] / times["cpu"]["median"]


@pytest.mark.parametrize("script", ["coherence", "devices", "instructions", "library", "wide"])
def test_unknown_rows(script: str):
    done = run(script, "--only", "pow")
    assert done.returncode == 2
    assert "there is no row 'pow'" in done.stderr
