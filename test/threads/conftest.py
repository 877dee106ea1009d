"""The fixture `eager`: all parallel loops are outlined and all of their calls shared, however little work they have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hologram.runtime import threads
from hologram.runtime.devices.cpu import pool as cpu_pool
from hologram.runtime.launch import parallel_loops
from hologram.support import pool_call


@pytest.fixture(autouse=True)
def same_number_afterwards() -> Iterator[None]:
    before = list(threads.CHOSEN)
    yield
    threads.CHOSEN[:] = before
    if (pool := cpu_pool.pool()) is not None:
        pool.configure()


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> Iterator[cpu_pool.Pool]:
    monkeypatch.setattr(pool_call, "SERIAL_WORK", 0)
    pool = cpu_pool.pool()
    assert pool is not None, cpu_pool.why_not()
    parallel_loops.loop_function().find_run()
    before = pool.least, pool.share, pool.alarm
    pool.least = pool.share = pool.alarm = 0
    pool.configure()
    yield pool
    pool.least, pool.share, pool.alarm = before
    pool.configure()
