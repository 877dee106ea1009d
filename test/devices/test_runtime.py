"""Arrays, launches and failures on the devices that need no hardware."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import device_programs
import hologram
from device_runtime import *  # noqa: F403  # the tests of each device
from device_runtime import ADD, A, check_killed_helper, fails
from devices.columns import LOCAL, Column
from hologram.errors import InputError
from hologram.runtime import devices
from hologram.runtime.devices import open_device
from hologram.runtime.devices.vulkan.commands import Records
from runtime_programs import add

pytestmark = pytest.mark.device

KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]


@pytest.fixture(params=KINDS, ids=lambda column: column.kind)
def device(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    found: Column = request.param
    if found.missing:
        pytest.skip(f"{found.kind}: {found.missing}")
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "cache"))
    return found.device


def test_auto_leaves_code_to_the_device_it_is_for(device: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(devices, "_best", lambda: device)
    (tmp_path / "add.ll").write_text(add())
    kernel = hologram.compile(tmp_path / "add.ll", device="auto")
    assert kernel.device == "cpu"
    assert kernel(A, A).tolist() == (A + A).tolist()
    with pytest.raises(InputError, match="object-device"):
        hologram.compile(tmp_path / "add.ll", device=device)


# One kind each


def _here(kind: str) -> Any:
    (column,) = [c for c in KINDS if c.kind == kind]
    if column.missing:
        pytest.skip(column.missing)
    return open_device(column.device)


def test_opencl_keeps_time():
    device = _here("opencl")
    before = device.record()
    kernel = hologram.compile(ADD, device="opencl")
    x = hologram.array(A, device="opencl")
    kernel(x, x)
    after = device.record()
    after.wait()
    assert 0 < after.elapsed(before) < 60


def test_opencl_binaries_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    device = _here("opencl")
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path))
    code = b"kernel void f(global int *x) { x[0] = 1; }"
    assert device._find(code) is None
    device.load(code, [], 0).close()
    assert device._find(code) is not None
    (path,) = (p for p in tmp_path.rglob("*") if p.is_file())
    blob = bytearray(path.read_bytes())
    path.write_bytes(bytes(blob[:-1]))
    assert device._find(code) is None


@pytest.mark.parametrize(("kind", "format"), [("opencl", "opencl-c"), ("webgpu", "wgsl")])
def test_code_that_is_refused(kind: str, format: str):
    _here(kind)
    error = fails("device-build", hologram.compile, device_programs.add(kind, format, b"nonsense here"), device=kind)
    assert "nonsense" in str(error)
    assert (hologram.compile(ADD, device=kind)(A, A) == 2 * A).all()


def test_webgpu_waits_for_what_was_asked_after_a_wait():
    device = _here("webgpu")
    kernel = hologram.compile(ADD, device="webgpu")
    x = hologram.array(A, device="webgpu")
    for _ in range(3):
        device.synchronize()
        assert device.record().done
        kernel(x, x, hologram.empty(1000, device="webgpu"))
        event = device.record()
        assert not event.done
        event.wait()
        assert event.done
        assert device.commands.finished == device.commands.batch - 1


def test_webgpu_devices_that_break():
    device = _here("webgpu")
    kernel = hologram.compile(ADD, device="webgpu")
    device._device.destroy()
    fails("device-lost", kernel, A, A)
    assert (kernel(A, A) == 2 * A).all()


@pytest.mark.parametrize("call", ["begin", "submit", "vkWaitSemaphores"])
def test_vulkan_devices_that_are_lost(call: str, monkeypatch: pytest.MonkeyPatch):
    device = _here("vulkan")
    vk = device.handles.vk
    kernel = hologram.compile(ADD, device="vulkan")
    assert (kernel(A, A) == 2 * A).all()

    def lost(*given: object) -> int:
        if call.startswith("vk"):
            raise vk.VkErrorDeviceLost
        return vk.VK_ERROR_DEVICE_LOST

    with monkeypatch.context() as patched:
        patched.setattr(vk if call.startswith("vk") else Records, call, lost)
        fails("device-lost", kernel, A, A)
    assert (kernel(A, A) == 2 * A).all()


def test_wasm_survives_the_death_of_its_compiler():
    _here("wasm")
    check_killed_helper("wasm")


@pytest.mark.parametrize("device", ["vulkan", "webgpu"])
def test_halves_are_rounded_on_old_processors(device: str):
    """Mesa rounds f64 by other code where the processor has no AVX2, and takes what is just above a half for less."""
    program = f"""
import numpy as np, hologram
x = np.array([0.5, 1.5, 2.5, -2.5, 127.5, -0.0, 1.50000001, 1 - 2.0**-53, 2.0**52 - 0.5, 2.0**52 + 1, -np.inf, np.nan])
got = hologram.jit(hologram.ops.round)(hologram.array(x, device="{device}")).numpy()
assert got.tobytes() == np.round(x).tobytes(), got
"""
    environment = {**os.environ, "GALLIUM_OVERRIDE_CPU_CAPS": "avx"}
    subprocess.run([sys.executable, "-P", "-c", program], env=environment, check=True)
