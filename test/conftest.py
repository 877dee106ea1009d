"""Random tests draw the same examples in every run of `make test`; HOLOGRAM_FUZZ (`make fuzz`) gives new ones. Random
programs and the examples stage by stage count as slow."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "hologram",
    deadline=None,
    print_blob=True,
    derandomize="HOLOGRAM_FUZZ" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("hologram")


@pytest.fixture
def no_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has its processor alone, whatever the one has that the tests run on."""
    from hologram.runtime import devices

    def status(name: str) -> devices.Status:
        title = devices.find_kind(name).title
        if name == "cpu":
            return devices.Status(name, title, True, "", "", 1)
        return devices.Status(name, title, False, "this machine has no such device", "use device 'cpu'")

    monkeypatch.setattr(devices, "status", status)


SLOW = [Path(__file__).parent / folder for folder in ("acceptance", "fuzz")]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(folder in item.path.parents for folder in SLOW):
            item.add_marker(pytest.mark.slow)


def pytest_configure(config: pytest.Config) -> None:
    """A run of `make fuzz` is recorded, by the process that starts the others."""
    if "HOLOGRAM_SEED" in os.environ and not hasattr(config, "workerinput"):
        from fuzz.record import Record

        config.pluginmanager.register(Record(os.environ["HOLOGRAM_SEED"]))
