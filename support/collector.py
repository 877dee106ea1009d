"""Work that makes much and drops little, without the cyclic collector."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import get_ident

from hologram.support import forks

IMPORTED = 50
"""How many new modules make it worth to spare the collector what was made."""


@contextmanager
def without_collection() -> Generator[None]:
    """Without the cyclic collector, which would look for garbage again and again in what grows and stays.

    IR is full of cycles that live to the end, and imports make classes: a tenth of a first compile would go by.
    """
    enabled = gc.isenabled()
    if enabled:
        _paused_by[:] = [get_ident()]
    gc.disable()
    known = len(sys.modules)
    try:
        yield
    finally:
        if enabled:
            if len(sys.modules) - known >= IMPORTED and not gc.get_freeze_count():
                _age()
            gc.enable()


def _after_fork() -> None:
    """Lets a child collect that was forked while another thread did without."""
    if not gc.isenabled() and _paused_by not in ([], [get_ident()]):
        gc.enable()


_paused_by: list[int] = []
"""The thread that turned the collector off last."""
forks.after_in_child(_after_fork)


def _age() -> None:
    """Moves all objects to the oldest generation.

    The next allocation would look for garbage among the classes and functions of hundreds of modules.
    """
    gc.freeze()
    gc.unfreeze()
