"""The Atlas state and class memory on the devices that need no hardware."""

from __future__ import annotations

import pytest

from classes.test_class_tiles import test_staging_changes_nothing
from device_state import *  # noqa: F403  # the tests of each device
from device_state import executors_of
from devices.columns import LOCAL, Column

__all__ = ["test_staging_changes_nothing"]
pytestmark = pytest.mark.device
KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]


@pytest.fixture(autouse=True, params=KINDS, ids=lambda column: column.kind)
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device whose executors the tests use."""
    found: Column = request.param
    if found.missing:
        pytest.skip(f"{found.kind}: {found.missing}")
    executors_of(found.device, monkeypatch)
