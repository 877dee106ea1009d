"""Tests on devices. At the end stands which devices were not run, and why: none is left out in silence."""

from __future__ import annotations

import pytest

from devices.columns import LOCAL, Column


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Names the devices that are not here."""
    if "device" not in (terminalreporter.config.getoption("-m") or "").replace("not device", ""):
        return
    for column in LOCAL:
        if column.missing:
            terminalreporter.write_line(f"not run: {column.kind}: {column.missing}")


@pytest.fixture(params=LOCAL, ids=lambda column: column.kind)
def column(request: pytest.FixtureRequest) -> Column:
    """Each device that tests can expect, skipped where it is not installed."""
    found: Column = request.param
    if found.missing:
        pytest.skip(f"{found.kind}: {found.missing}")
    return found
