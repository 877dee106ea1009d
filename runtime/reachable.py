"""Whether memory that somebody points to can be read and written: asked of the system, which answers by a number where
an access would end the process. Only Linux can be asked; elsewhere everything counts as reachable.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import mmap
import sys
from collections.abc import Callable

_POPULATE_READ, _POPULATE_WRITE = 22, 23
"""Linux's advice to have pages ready for use; it fails where they can't be used. Of Linux 5.14 and later."""
PAGE = mmap.PAGESIZE


def is_reachable(start: int, stop: int, written: bool) -> bool:
    """Return whether all bytes from `start` up to `stop` can be read, and if `written`, be written."""
    if not 0 < start <= stop < 1 << 64:
        return False
    advise = _advise()
    if advise is None or start == stop:
        return True
    first = start & -PAGE
    if not advise(first, (stop - first + PAGE - 1) & -PAGE, _POPULATE_WRITE if written else _POPULATE_READ):
        return True
    # Memory of a device's driver is refused as well, where it can be read all the same.
    return ctypes.get_errno() == errno.EINVAL and _is_mapped(start, stop, written)


@functools.cache
def _advise() -> Callable[[int, int, int], int] | None:
    """The system's function, if it knows the advice."""
    if sys.platform != "linux":
        return None
    try:
        advise = ctypes.CDLL(None, use_errno=True).madvise
    except (AttributeError, OSError):
        return None
    advise.argtypes = [ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int]
    probe = ctypes.create_string_buffer(1)
    return None if advise(ctypes.addressof(probe) & -PAGE, PAGE, _POPULATE_WRITE) else advise


def _is_mapped(start: int, stop: int, written: bool) -> bool:
    """The same by the list of what is mapped."""
    wanted = "rw" if written else "r"
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
            for line in file:
                low, _, high = line.partition(" ")[0].partition("-")
                if int(low, 16) <= start < int(high, 16) and line.split(" ", 2)[1].startswith(wanted):
                    start = int(high, 16)
    except (OSError, ValueError):
        return True
    return start >= stop
