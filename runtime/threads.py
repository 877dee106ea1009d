"""The number of threads that one call may use: what was set, that of the environment, or the processors there are."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable

from hologram.errors import UsageError
from hologram.runtime.settings import MOST_THREADS, current

CHOSEN: list[int] = []
"""The number that was set last, if one was."""
_listeners: list[Callable[[], None]] = []


def set_num_threads(n: int) -> None:
    """Lets each call of a kernel use `n` threads from now on, the caller's own among them; 1 means no others.

    It holds for the process, above `HOLOGRAM_NUM_THREADS`. A UsageError unless `n` is a whole number from 1 to 1024.
    """
    if type(n) is not int or not 1 <= n <= MOST_THREADS:
        message = f"the number of threads is {n!r}, expected a whole number from 1 to {MOST_THREADS}"
        raise UsageError("threads-number", message, hint="1 runs everything on the calling thread")
    CHOSEN[:] = [n]
    for listener in _listeners:
        listener()


def get_num_threads() -> int:
    """Return the number of threads that a call may use.

    It is what `set_num_threads` said last, else `HOLOGRAM_NUM_THREADS`, else the processors that this process may use
    (its affinity, and the quota of its control group).
    """
    if CHOSEN:
        return CHOSEN[0]
    return current().num_threads or usable_processors()


def on_change(listener: Callable[[], None]) -> None:
    """Has `listener` called after each change."""
    _listeners.append(listener)


@functools.cache
def usable_processors() -> int:
    """The processors that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    quota = processor_quota()
    return min(max(1, count if quota is None else min(count, int(quota))), MOST_THREADS)


def processor_quota(
    root: str | os.PathLike[str] = "/sys/fs/cgroup", mine: str | os.PathLike[str] = "/proc/self/cgroup"
) -> float | None:
    """Return how many processors' time the control groups of this process (version 2, or 1) grant; None for all."""
    quotas: list[float] = []
    for folder in _groups(os.fspath(root), mine):
        with contextlib.suppress(OSError, ValueError):
            quota, period = _text(f"{folder}/cpu.max").split()
            quotas.append(int(quota) / int(period))
        with contextlib.suppress(OSError, ValueError):
            quota = int(_text(f"{folder}/cpu.cfs_quota_us"))
            quotas += [quota / int(_text(f"{folder}/cpu.cfs_period_us"))] * (quota > 0)
    return min(quotas, default=None)


def _groups(root: str, mine: str | os.PathLike[str]) -> list[str]:
    """The folders of the group that this process is in and of those around it, as far as they can be seen."""
    folders = [root, f"{root}/cpu"]
    with contextlib.suppress(OSError):
        for line in _text(mine).splitlines():
            _, controllers, path = line.split(":", 2)
            base = f"{root}/cpu" if "cpu" in controllers.split(",") else root
            if controllers and base == root:
                continue
            parts = [part for part in path.split("/") if part not in ("", "..")]
            folders += ["/".join((base, *parts[: n + 1])) for n in range(len(parts))]
    return folders


def _text(path: str | os.PathLike[str]) -> str:
    with open(path) as file:
        return file.read()
