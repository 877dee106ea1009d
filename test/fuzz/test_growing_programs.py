"""The work of compiling random programs, at a size and at twice the size, in calls of functions."""

from __future__ import annotations

import pytest

from fuzz.counts import FUZZING, PROGRAMS, WORKERS, numbers
from fuzz.growing_programs import Growing
from growth.work import work

SIZE = 16 if FUZZING else 6
MOST = 2.6
"""How many times the work twice the size may take: an exponent of 1.38."""


@pytest.mark.slow
@pytest.mark.parametrize("worker", range(WORKERS))
def test_work_grows_as_the_program(worker: int):
    for number in numbers(worker, max(PROGRAMS // 100, WORKERS)):
        program = Growing(f"growing {number}")
        once, twice = (work(program.text(size), "py", "hologram-to-cpu") for size in (SIZE, 2 * SIZE))
        assert twice < MOST * once, program.text(SIZE)
