"""Kernels on device `cuda`, from `hologram.compile` to the driver's functions, over a stand-in for the library."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from device_programs import use_paper
from hologram.errors import DeviceError, LaunchError
from hologram.runtime import devices
from hologram.runtime.devices.cuda import device as cuda
from hologram.runtime.devices.cuda.driver import Driver
from hologram.runtime.launch.device_kernel import DeviceKernel
from runtime.fake_cuda import FakeCuda

ADD = """
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c = hologram.add %a, %b : tensor<?xf32>
  func.return %c : tensor<?xf32>
}
"""
SUMS = """
func.func @sums(%x: tensor<?xf32>) -> tensor<f32> {
  %r = hologram.reduce sum %x {axes = [0 : i64]} : tensor<?xf32> to tensor<f32>
  func.return %r : tensor<f32>
}
"""
LAUNCHED: list[tuple[tuple[int, ...], tuple[int, ...]]] = []


def _always(name: str) -> bool:
    return True


def _note(grid: tuple[int, ...], block: tuple[int, ...], shared: int, places: list[int]) -> None:
    LAUNCHED.append((grid, block))


@pytest.fixture(name="fake")
def a_fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeCuda]:
    fake = FakeCuda()
    library = Driver(fake)
    fake.kernels["add_kernel"] = _note
    LAUNCHED.clear()
    monkeypatch.setattr(cuda, "driver", lambda: library)
    monkeypatch.setattr(devices, "_open", {})
    monkeypatch.setattr(devices, "_is_library", _always)
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path))
    cuda.host_functions.cache_clear()
    yield fake
    cuda.host_functions.cache_clear()


def test_a_kernel_is_launched_and_launches_are_prepared(fake: FakeCuda):
    kernel: Any = hologram.compile(ADD, device="cuda")
    assert isinstance(kernel, DeviceKernel)
    x = np.ones(1000, np.float32)
    assert kernel(x, x).shape == (1000,)
    assert len(LAUNCHED) == 1
    a, b, c = (hologram.array(x, device="cuda") for _ in range(3))
    launch: Any = kernel.prepare(a, b, out=c)
    assert LAUNCHED[1:] == []
    assert launch() is None
    launch()
    assert LAUNCHED == [LAUNCHED[0]] * 3
    with pytest.raises(TypeError):
        launch(1)
    # What is prepared holds its arrays, and lets them go.
    alive = weakref.ref(c)
    del c
    gc.collect()
    assert alive() is not None
    del launch
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize(
    ("graphs", "said"),
    [
        (True, r"launch what was prepared of 'add_kernel': CUDA_ERROR_FAKE: said so"),
        (False, r"launch kernel 'add_kernel' with 1x1x1 blocks .*: CUDA_ERROR_FAKE: said so"),
    ],
)
def test_a_prepared_launch_that_fails_says_so(fake: FakeCuda, graphs: bool, said: str):
    """A failed launch raises its error, whether it was recorded or the driver records nothing."""
    fake.refuses_graphs = not graphs
    kernel: Any = hologram.compile(ADD, device="cuda")
    a = hologram.array(np.ones(1000, np.float32), device="cuda")
    launch = kernel.prepare(a, a, out=hologram.empty(1000, device="cuda"))
    assert len(fake.recorded) == graphs
    fake.refuses = 701
    with pytest.raises(DeviceError, match=said):
        launch()
    assert LAUNCHED == []
    fake.refuses = 0
    launch()
    assert len(LAUNCHED) == 1
    del launch
    gc.collect()
    assert fake.recorded == {}


def test_what_the_driver_refuses_is_not_recorded(fake: FakeCuda):
    kernel: Any = hologram.compile(ADD, device="cuda")
    a = hologram.array(np.ones(1000, np.float32), device="cuda")
    fake.refuses = 701
    launch = kernel.prepare(a, a, out=hologram.empty(1000, device="cuda"))
    assert fake.recorded == {}
    with pytest.raises(DeviceError, match="launch kernel 'add_kernel'"):
        launch()
    fake.refuses = 0
    launch()
    assert len(LAUNCHED) == 1


def test_programs_that_allocate_are_not_recorded(fake: FakeCuda):
    """Memory that kernels allocate is freed when they return, and may then be another kernel's."""
    fake.kernels |= {name: _note for name in ("sums_kernel", "sums_1_kernel", "sums_2_kernel")}
    kernel: Any = hologram.compile(SUMS, device="cuda")
    x = hologram.array(np.ones(1 << 20, np.float32), device="cuda")
    launch = kernel.prepare(x, out=hologram.empty((), device="cuda"))
    assert fake.recorded == {}
    assert LAUNCHED == []
    launch()
    assert LAUNCHED != []


def test_what_was_prepared_on_a_device_that_is_gone_touches_it_no_more(fake: FakeCuda):
    kernel: Any = hologram.compile(ADD, device="cuda")
    a = hologram.array(np.ones(1000, np.float32), device="cuda")
    launches = [kernel.prepare(a, a, out=hologram.empty(1000, device="cuda")) for _ in range(2)]
    fake.refuses = 700
    with pytest.raises(DeviceError, match="lost"):
        launches[0]()
    fake.refuses = 0
    before = fake.calls["cuGraphLaunch"]
    for launch in launches:
        with pytest.raises(DeviceError) as caught:
            launch()
        assert caught.value.code == "device-lost"
    assert fake.calls["cuGraphLaunch"] == before


class Foreign:
    """An array of another library."""

    def __init__(self, of: hologram.DeviceArray, **changed: Any):
        self.of = of
        self.__cuda_array_interface__ = {**of.__cuda_array_interface__, **changed}


def test_arrays_of_other_libraries_are_taken_where_they_lie(fake: FakeCuda):
    kernel: Any = hologram.compile(ADD, device="cuda")
    a = hologram.array(np.arange(100, dtype=np.float32), device="cuda")
    c = Foreign(hologram.empty(100, device="cuda"))
    before = fake.calls["cuMemAlloc_v2"]
    assert kernel(Foreign(a), Foreign(a, stream=7), out=c) is c
    assert fake.calls["cuMemAlloc_v2"] == before
    assert fake.calls["cuStreamSynchronize"] >= 1
    assert len(LAUNCHED) == 1
    # What is read only is not written; what has gaps, or begins anywhere, is not taken.
    address, _ = c.__cuda_array_interface__["data"]
    for changed, code in (
        ({"data": (address, True)}, "launch-cuda-read-only"),
        ({"strides": (8,)}, "launch-cuda-strides"),
        ({"data": (address + 4, False)}, "launch-cuda-alignment"),
        ({"data": (64, False)}, "launch-cuda-memory"),
        ({"data": (address, False), "shape": (1 << 40,)}, "launch-cuda-memory"),
        ({"data": (address, False), "shape": (-1,)}, "launch-producer"),
        ({"data": "here"}, "launch-array-interface"),
    ):
        with pytest.raises(LaunchError) as caught:
            kernel(a, a, out=Foreign(c.of, **changed))
        assert caught.value.code == code


def test_only_arrays_on_nvidia_s_gpus_have_the_interface(fake: FakeCuda, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(devices, "DEVICES", dict(devices.DEVICES))
    use_paper(devices.DEVICES)
    x = np.ones(3, np.float32)
    assert hasattr(hologram.array(x, device="cuda"), "__cuda_array_interface__")
    assert not hasattr(hologram.array(x, device="paper"), "__cuda_array_interface__")


def test_what_can_t_be_prepared(fake: FakeCuda):
    kernel: Any = hologram.compile(ADD, device="cuda")
    x = np.ones(10, np.float32)
    a = hologram.array(x, device="cuda")
    with pytest.raises(LaunchError, match="not all arrays are on the device"):
        kernel.prepare(a, x, out=a)
    with pytest.raises(LaunchError, match="not all arrays are on the device"):
        kernel.prepare(a, a)
