"""Tests which threads of drivers are bound to processors. The threads here are ours."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hologram.runtime.devices import driver_threads

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux binds threads to processors here")
PROCESSORS = os.sched_getaffinity(0) if sys.platform == "linux" else set[int]()
COUNT = len(PROCESSORS)
TITLE = "llvmpipe (LLVM 15.0.6, 256 bits)"


@contextmanager
def started(title: str, count: int) -> Generator[list[set[int]]]:
    """The processors on which `count` threads may run that start while a device opens."""
    end = threading.Event()
    threads = [threading.Thread(target=end.wait) for _ in range(count)]
    with driver_threads.apart(title):
        for thread in threads:
            thread.start()
    try:
        yield [os.sched_getaffinity(thread.native_id or 0) for thread in threads]
    finally:
        end.set()
        for thread in threads:
            thread.join()


def test_each_kind_of_llvmpipes_threads_has_all_processors():
    """One thread before them, one behind them."""
    with started(TITLE, 2 * COUNT + 2) as places:
        drawing, computing = places[1 : COUNT + 1], places[COUNT + 1 : 2 * COUNT + 1]
    assert {len(place) for place in places} == {1}
    assert set().union(*drawing) == set().union(*computing) == PROCESSORS


@pytest.mark.parametrize(
    ("title", "count"), [("SwiftShader Device", 2 * COUNT), (TITLE, 2 * COUNT - 1)], ids=["others", "too few"]
)
@pytest.mark.skipif(COUNT == 1, reason="of one processor there is nothing to choose")
def test_other_threads_are_left_alone(title: str, count: int):
    with started(title, count) as places:
        assert places == [PROCESSORS] * count


def test_systems_that_do_not_tell_their_threads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(driver_threads, "_TASKS", str(tmp_path / "none"))
    with started(TITLE, 2 * COUNT) as places:
        assert places == [PROCESSORS] * (2 * COUNT)
