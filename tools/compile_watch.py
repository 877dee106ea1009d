"""When the files that a run depends on changed: those that are compiled, and those that they import functions from."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from hologram.frontend.kernels.imports import imported_files

Stamp = tuple[int, int] | None
"""The time and the size of a file; None where there is none."""


class Watched:
    """Files, and what is known of them."""

    def __init__(self) -> None:
        self._imports: dict[str, tuple[Stamp, list[str]]] = {}
        """What each file imports, as long as it has this stamp."""

    def state(self, paths: Iterable[str]) -> dict[str, Stamp]:
        """The stamp of each file, and of all that it imports."""
        found: dict[str, Stamp] = {}
        left = list(paths)
        while left:
            path = left.pop()
            if path not in found:
                found[path] = _stamp(path)
                left += self._imported(path, found[path])
        return found

    def _imported(self, path: str, stamp: Stamp) -> list[str]:
        """The files that a file names in its imports, whether they are there or not."""
        if not path.endswith(".py"):
            return []
        known = self._imports.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            names = list(imported_files(Path(path).read_bytes(), path))
        except OSError:
            names = []
        self._imports[path] = stamp, names
        return names


def _stamp(path: str) -> Stamp:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
