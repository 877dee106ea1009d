"""Arrays, launches and failures on a GPU, by each of the ways to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from device_runtime import *  # noqa: F403  # the tests of each device
from device_runtime import check_killed_helper
from hologram.runtime.devices import open_device, status

pytestmark = pytest.mark.gpu


@pytest.fixture(params=["cuda", "opencl", "vulkan", "webgpu"])
def device(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The first device of a kind, which is a GPU where there is one."""
    name = f"{request.param}:0"
    if not (found := status(request.param)).ready:
        pytest.skip(f"{name}: {found.why}")
    if not open_device(name).is_gpu:
        pytest.skip(f"{name} is no GPU")
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "cache"))
    return name


def test_cuda_survives_the_death_of_its_compiler():
    check_killed_helper("cuda")
