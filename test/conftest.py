"""Random tests draw the same examples in every run of `make test`; HOLOGRAM_FUZZ (`make fuzz`) gives new ones. Random
programs and the examples stage by stage count as slow.

HOLOGRAM_TESTS says which of the chosen tests run: `all`; `sample`, a sixth of those with parameters; `measured`, what
coverage is measured of, or `unmeasured`, what is left then."""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

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


HERE = Path(__file__).parent
SLOW = [HERE / folder for folder in ("acceptance", "fuzz")]
UNMEASURED = {
    "canonicalize", "conformance", "core_to_llvm", "docs", "gpu_level", "math_expansions", "nvvm", "schedules",
    "test_lit.py", "test_must_fail.py", "transforms", "wide_integers",
}  # fmt: skip
"""Tests that reach little code of the runtime for the time they take: measuring coverage doubles it."""
TESTS = os.environ.get("HOLOGRAM_TESTS", "all")


def _is_chosen(item: pytest.Item) -> bool:
    """Return whether a test is one of those that HOLOGRAM_TESTS names. The share of tests is always the same one."""
    folder = item.path.relative_to(HERE).parts[0]
    share = 6 if TESTS == "sample" else 3
    in_share = not hasattr(item, "callspec") or crc32(f"{item.path.name} {item.name}".encode()) % share == 0
    if TESTS == "sample":
        return in_share or folder == "fuzz"
    return (TESTS == "measured") == (in_share and folder not in UNMEASURED)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if any(folder in item.path.parents for folder in SLOW):
            item.add_marker(pytest.mark.slow)
    if TESTS != "all":
        chosen = {id(item) for item in items if _is_chosen(item)}
        config.hook.pytest_deselected(items=[item for item in items if id(item) not in chosen])
        items[:] = [item for item in items if id(item) in chosen]


def pytest_configure(config: pytest.Config) -> None:
    """A run of `make fuzz` is recorded, by the process that starts the others."""
    if "HOLOGRAM_SEED" in os.environ and not hasattr(config, "workerinput"):
        from fuzz.record import Record

        config.pluginmanager.register(Record(os.environ["HOLOGRAM_SEED"]))
