"""The Atlas state and class memory on a GPU, by each of the ways to it."""

from __future__ import annotations

import pytest

from classes.test_class_memory import test_types
from classes.test_class_tiles import test_staging_changes_nothing
from classes.test_state import test_accumulates_exactly, test_unity
from device_state import *  # noqa: F403  # the tests of each device
from device_state import executors_of
from hologram.runtime.devices import open_device, status

__all__ = ["test_accumulates_exactly", "test_staging_changes_nothing", "test_types", "test_unity"]
pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True, params=["cuda", "opencl", "vulkan", "webgpu"])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first device of a kind, which is a GPU where there is one."""
    name = f"{request.param}:0"
    if not (found := status(request.param)).ready or not open_device(name).is_gpu:
        pytest.skip(f"{name}: {found.why or 'it is no GPU'}")
    executors_of(name, monkeypatch)
