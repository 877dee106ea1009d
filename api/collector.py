"""Work that makes much and drops little, without the cyclic collector."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Generator[None]:
    """Without the cyclic collector, which would look for garbage again and again in what grows and stays.

    IR is full of cycles that live to the end, and imports make classes: a tenth of a first compile would go by.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
