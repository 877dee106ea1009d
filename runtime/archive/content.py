"""The bytes that an archive is read from.

What is asked for is copied. A file can be cut off or rewritten while it is in use: of one that is mapped, the system
then ends the process that reads it, and what was checked could change before it is run.
"""

from __future__ import annotations

import errno
import mmap
import os
from typing import Protocol

from hologram.support.regular_files import open_file, read_file

LARGE = 1 << 22
"""The bytes from which a copy is worth pages of their own kind."""


class Content(Protocol):
    """Bytes that parts are read of."""

    def __len__(self) -> int: ...

    def read(self, offset: int, length: int) -> memoryview:
        """Return a part of it, or what is there of that."""
        ...


class Bytes:
    """Bytes that the program holds."""

    def __init__(self, data: bytes):
        self._data = memoryview(data)

    def __len__(self) -> int:
        return len(self._data)

    def read(self, offset: int, length: int) -> memoryview:
        """Return a part of it, in place."""
        return self._data[offset : offset + length]


class File:
    """A file that stays open as long as this lives."""

    def __init__(self, path: str | os.PathLike[str]):
        self._handle = open_file(path)
        self._size = os.fstat(self._handle).st_size

    def __len__(self) -> int:
        return self._size

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            os.close(self._handle)

    def read(self, offset: int, length: int) -> memoryview:
        """Return a copy of a part of it, at the beginning of a page."""
        length = max(min(length, self._size - offset), 0)
        if not length:
            return memoryview(b"")
        try:
            held = mmap.mmap(-1, length, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        except OSError as error:
            raise MemoryError from error if error.errno == errno.ENOMEM else error
        if length >= LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
            held.madvise(mmap.MADV_HUGEPAGE)  # Most of the time of a large copy is that of making its pages.
        part = memoryview(held)
        count = 0
        while count < length and (step := os.preadv(self._handle, [part[count:]], offset + count)):
            count += step
        return part[:count].toreadonly()


def content_of(path: str | os.PathLike[str]) -> Content:
    """The content of a file; an OSError if it can't be read. Where the system reads no parts of files, all of it."""
    return File(path) if hasattr(os, "preadv") else Bytes(read_file(path, 1 << 50))
