"""Measures how slow this machine is now, for the tests that assert times: it may be shared or old."""

from __future__ import annotations

from time import perf_counter

REFERENCE = 0.041
"""Seconds that the work below takes on the machine that the bounds were set on, which is quiet."""
MARGIN = 1.25


def allowed(seconds: float) -> float:
    """A bound set on the reference machine, for this one at this moment; never a lower one."""
    return seconds * MARGIN * max(1.0, min(_work() for _ in range(3)) / REFERENCE)


def _work() -> float:
    """Seconds for calls, dictionaries, strings and objects, as a compiler uses them."""
    start = perf_counter()
    for _ in range(10):
        found: dict[str, list[tuple[int, str]]] = {}
        for n in range(20_000):
            key = f"{n % 997:x}"
            found.setdefault(key, []).append((n, key))
        assert sum(map(len, found.values())) == 20_000
    return perf_counter() - start
