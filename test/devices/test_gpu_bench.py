"""The benchmark of GPUs on a device of this machine, beside numpy in torch's place: that it runs, not how fast."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from devices import numpy_torch
from devices.columns import Column

pytestmark = pytest.mark.device
ROWS = ("add", "sum", "row-sum", "transpose", "matmul-f32")


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [str(Path(__file__).parents[2] / "bench"), *sys.path])
    monkeypatch.setitem(sys.modules, "torch", numpy_torch)
    found: Any = importlib.import_module("gpu")
    monkeypatch.setattr(found, "PORTABLE", ("opencl", "nothing"))
    monkeypatch.setattr(found, "BATCH_SECONDS", 1e-3)
    return found


def test_arrays_go_to_a_device_once_and_devices_that_fail_alone(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    if missing := Column("opencl").missing:
        pytest.skip(missing)
    sent: list[tuple[Any, ...]] = []
    plain = hologram.array

    def array(data: Any, *, device: str) -> Any:
        if device == "opencl" and not np.isnan(data).all():
            sent.append(data.shape)
        return plain(data, device=device)

    monkeypatch.setattr(hologram, "array", array)
    rows = [part for name in ROWS for part in ("--only", name)]
    with pytest.raises(SystemExit) as ended:
        bench.main(["--part", "portable", "--tiny", *rows, "--output", str(tmp_path)])
    assert ended.value.code == 1
    part = json.loads((tmp_path / "gpu.json").read_text("utf-8"))["parts"]["portable"]
    found = {row["row"]: row for row in part["rows"] if row["device"] == "opencl"}
    assert {name: row["error"] for name, row in found.items() if row["error"]} == {}
    assert [*found] == ["add", "sum", "row-sum", "transpose", "matmul-f32-4096"]
    assert [name for name, row in found.items() if row["peers"]] == ["transpose", "matmul-f32-4096"]
    assert len(part["failures"]) == len(found)
    assert all("on nothing: " in failure for failure in part["failures"])
    # Two of add, of which one is that of sum; one of row-sum and transpose; two of the product.
    assert sent == [(1 << 20,)] * 2 + [(64, 64)] + [(16, 16)] * 2


def test_what_launches_and_first_compiles_cost(bench: Any):
    if missing := Column("opencl").missing:
        pytest.skip(missing)
    host: Any = importlib.import_module("gpu_host")
    found = {row["row"]: row for row in host.check(bench.parse(["--tiny"]), "opencl")["rows"]}
    assert list(found) == ["launch", "call", "first compile", "from the disk cache"]
    assert all(row["seconds"] > 0 for row in found.values())
    with pytest.raises(RuntimeError, match="a sample of paper failed"):
        host.check(bench.parse(["--tiny"]), "paper")
