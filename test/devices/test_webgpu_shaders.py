"""Modules of WGSL, with a wgpu that takes them without its own checks and with one that does not."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from devices.columns import LOCAL
from hologram.errors import DeviceError
from hologram.runtime.devices import open_device
from hologram.runtime.devices.protocol import KernelInfo

pytestmark = pytest.mark.device
ADD = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
WRONG = b"@compute @workgroup_size(1) fn k() { let x = y; }"


@pytest.fixture(params=["trusted", "checked"])
def device(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (column,) = (c for c in LOCAL if c.kind == "webgpu")
    if column.missing:
        pytest.skip(f"webgpu: {column.missing}")
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "cache"))
    calls: Any = import_module("wgpu.backends.wgpu_native._api").libf
    assert hasattr(calls, "wgpuDeviceCreateShaderModuleTrusted")
    if request.param == "checked":
        monkeypatch.delattr(calls, "wgpuDeviceCreateShaderModuleTrusted")
    return column.device


@pytest.mark.parametrize("size", [0, 1, 1000])
def test_a_program_runs(device: str, size: int):
    a = np.arange(size, dtype=np.float32)
    found = hologram.compile(ADD, device=device)(a, a)
    assert np.array_equal(found, 2 * a)


def test_wrong_code_is_an_error_of_ours(device: str):
    with pytest.raises(DeviceError, match="does not take the code"):
        open_device(device).load(WRONG, [KernelInfo("k", (1, 1, 1), 0, ())], 0)


def test_many_launches_in_a_row_are_all_done(device: str):
    add = hologram.compile(ADD, device=device)
    one = hologram.array(np.ones(100, np.float32), device=device)
    total = hologram.array(np.zeros(100, np.float32), device=device)
    for _ in range(150):
        total = add(total, one)
    assert np.array_equal(total.numpy(), np.full(100, 150, np.float32))
