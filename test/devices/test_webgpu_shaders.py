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


SCALED = """
func.func @main(%a: f32, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %n = hologram.dim %x {axis = 0 : i64} : tensor<?xf32> to index
  %as = hologram.fill %a sizes(%n) : f32 to tensor<?xf32>
  %p = hologram.mul %as, %x : tensor<?xf32>
  %r = hologram.add %p, %y : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def test_each_launch_has_its_own_scalars(device: str):
    """There are more of them than have room at a time, and some come again."""
    scaled = hologram.compile(SCALED, device=device)
    x = hologram.array(np.ones(100, np.float32), device=device)
    totals = [hologram.array(np.zeros(100, np.float32), device=device) for _ in range(2)]
    factors = [float(n % 300) for n in range(700)]
    for number, factor in enumerate(factors):
        scaled(factor, x, totals[number % 2], out=totals[(number + 1) % 2])
    assert np.array_equal(totals[len(factors) % 2].numpy(), np.full(100, sum(factors), np.float32))


def test_launches_on_memory_that_comes_and_goes(device: str):
    """A launch is not given the old content of memory where another array is now."""
    add = hologram.compile(ADD, device=device)
    opened = open_device(device)
    for number in range(40):
        a = hologram.array(np.full(64, number, np.float32), device=device)
        b = hologram.array(np.full(64, 1, np.float32), device=device)
        for _ in range(3):
            b = add(a, b)
        if number % 3 == 0:
            opened.trim()
        assert np.array_equal(b.numpy(), np.full(64, 3 * number + 1, np.float32))
        del a, b
