"""The number of random programs: HOLOGRAM_FUZZ, else a number that fits into a run of all tests."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from hypothesis import seed

Test = TypeVar("Test", bound=Callable[..., None])

PROGRAMS = int(os.environ.get("HOLOGRAM_FUZZ", "1000"))
FUZZING = "HOLOGRAM_FUZZ" in os.environ
"""True if programs may be larger than in a run of all tests."""


def own_stream(worker: int, test: Test) -> Test:
    """The random test with draws of its own for a worker: where runs repeat, they follow from the test's text alone."""
    return test if FUZZING else seed(worker)(test)
