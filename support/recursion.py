"""Room for deeply nested IR: parser, passes and printer recurse with the nesting of regions."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager

RECURSION_LIMIT = 20_000
"""Frames for regions nested some hundred levels deep; Python's own limit stops at about fifty."""


@contextmanager
def deep_recursion(limit: int | None = None) -> Generator[None]:
    """Lets deeply nested regions be parsed, walked and printed, for as long as the context lasts."""
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old, limit or RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(old)
