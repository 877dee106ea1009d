"""Threads of drivers that run kernels on this processor, each on a processor of its own.

Mesa's llvmpipe has a thread for each processor, gives all of them the same share of a launch and waits for the last
one. Linux wakes them at once, and may put two of them on one processor, launch after launch, while another one idles:
it counts what has just slept on a processor as its load. A launch then takes twice as long.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress

_TASKS = "/proc/self/task"
_DRIVER = "llvmpipe"
"""What the titles of such devices begin with. It starts threads that draw, then as many that compute, then others."""
_KINDS = 2


@contextmanager
def apart(title: str) -> Generator[None]:
    """Spreads the threads that start meanwhile over the processors of this process, if the device of this title has
    such threads and as many as there are processors; else they are left alone, and on systems that can't."""
    before = _threads()
    yield
    if sys.platform != "linux" or not title.startswith(_DRIVER):
        return
    started = sorted(_threads() - before)
    processors = sorted(os.sched_getaffinity(0))
    if len(started) < _KINDS * len(processors):
        return
    # A kind starts in a row, and so many neighbours get different processors.
    for place, thread in enumerate(started):
        with suppress(OSError):  # It may have ended.
            os.sched_setaffinity(thread, {processors[place % len(processors)]})


def _threads() -> set[int]:
    """The threads of this process, as the system numbers them; none where it does not say."""
    try:
        return {int(name) for name in os.listdir(_TASKS)}
    except OSError:
        return set()
