"""The number of random programs and their seed: HOLOGRAM_FUZZ and HOLOGRAM_SEED, else what a run of all tests takes."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

import hypothesis

Test = TypeVar("Test", bound=Callable[..., None])

PROGRAMS = int(os.environ.get("HOLOGRAM_FUZZ", "200"))
FUZZING = "HOLOGRAM_FUZZ" in os.environ
"""True if programs may be larger than in a run of all tests."""
DEVICE_PROGRAMS = PROGRAMS // 20 if FUZZING else 16
"""The programs that each device runs."""
WORKERS = 16 if FUZZING else 4
"""The tests that share the programs of a kind, and may run at the same time."""


def seed(name: str) -> str:
    """Return the seed of the generator `name`: that of this run of `make fuzz`, else always the same."""
    return f"{name} {os.environ.get('HOLOGRAM_SEED', '0')}" if FUZZING else name


def numbers(worker: int, count: int) -> range:
    """The seeds of a worker's part of `count` programs that have numbers as seeds."""
    first = int(os.environ.get("HOLOGRAM_SEED", "0")) * count if FUZZING else 0
    return range(first + worker, first + count, WORKERS)


def own_stream(worker: int, test: Test) -> Test:
    """The random test with draws of its own for a worker; they follow from the seed of the run and the test's text."""
    return hypothesis.seed(f"{seed('worker')} {worker}" if FUZZING else worker)(test)
