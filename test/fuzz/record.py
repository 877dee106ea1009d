"""The record of `make fuzz`: the last whole run of each file of random tests, and of each device, with the seed that
repeats it.

Runs of fewer than 10,000 programs, and those that are broken off, are not recorded.
"""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest

from .counts import DEVICE_PROGRAMS, PROGRAMS

PATH = Path(__file__).parent / "last_run.json"
WHOLE = 10_000
"""The programs of a run that is recorded."""


class Record:
    """Collects the outcomes of a run in the process that starts it, and writes them when it ends."""

    def __init__(self, seed: str):
        self.seed = seed
        self.rows: dict[str, dict[str, Any]] = {}

    def pytest_report_header(self) -> str:
        return f"random programs: {PROGRAMS}, seed {self.seed} (again: make fuzz FUZZ={PROGRAMS} SEED={self.seed})"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and not report.failed:
            return
        row = self.rows.setdefault(_name(report.nodeid), {"passed": 0, "failed": 0, "seconds": 0.0})
        row["failed" if report.failed else "passed"] += not report.skipped
        row["seconds"] += report.duration

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if PROGRAMS < WHOLE or exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            return
        rows: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
        day = datetime.datetime.now(datetime.UTC).date().isoformat()
        for name, row in self.rows.items():
            count = DEVICE_PROGRAMS if name.startswith("test/devices/") else PROGRAMS
            rows[name] = {"date": day, "seed": self.seed, "programs": count, **row, "seconds": round(row["seconds"])}
        text = json.dumps(dict(sorted(rows.items())), indent=1)
        PATH.write_text(text + "\n", encoding="utf-8")


def _name(node: str) -> str:
    """The row of a test: its file, and its device if it runs on several, which may run at different times."""
    file, _, test = node.partition("::")
    device = test.partition("[")[2].partition("-")[0]
    return f"{file} {device}" if file.startswith("test/devices/") else file
