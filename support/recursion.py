"""Room for deeply nested IR: parser, passes and printer recurse with the nesting of regions."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager

from hologram.support import forks

RECURSION_LIMIT = 20_000
"""Frames for regions nested some hundred levels deep; Python's own limit stops at about fifty."""
_LOCK = forks.lock()
_LIMITS: list[int] = []
"""The limit before the first context that is open now, then those of the open contexts of all threads."""


@contextmanager
def deep_recursion(limit: int | None = None) -> Generator[None]:
    """Lets deeply nested regions be parsed, walked and printed, for as long as the context lasts.

    The limit is the process's: it is the greatest that an open context of any thread needs.
    """
    wanted = limit or RECURSION_LIMIT
    with _LOCK:
        if not _LIMITS:
            _LIMITS.append(sys.getrecursionlimit())
        _LIMITS.append(wanted)
        sys.setrecursionlimit(max(_LIMITS))
    try:
        yield
    finally:
        with _LOCK:
            _LIMITS.remove(wanted)
            sys.setrecursionlimit(max(_LIMITS))
            if len(_LIMITS) == 1:
                _LIMITS.clear()
