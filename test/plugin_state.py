"""Plug-ins in tests: those that a test loads are gone after it, but for what instructions left in tables."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator, Sequence
from importlib.metadata import EntryPoint
from typing import Any
from unittest.mock import patch

from hologram import plugins
from hologram.plugins.tables import KINDS


@contextlib.contextmanager
def fresh_plugins(points: Sequence[EntryPoint] = ()) -> Generator[None]:
    """A process without plug-ins, in which these entry points are installed."""
    state: list[Any] = [plugins.LOADED, plugins.FAULTS, vars(plugins)["_done"], *(kind.rows for kind in KINDS.values())]
    kept = [part.copy() for part in state]
    modules = set(sys.modules)
    for part in state:
        part.clear()

    def installed(group: str) -> list[EntryPoint]:
        return [p for p in points if p.group == group]

    with patch("importlib.metadata.entry_points", installed):
        try:
            yield
        finally:
            for part, old in zip(state, kept, strict=True):
                part.clear()
                part.update(old)
            for name in set(sys.modules) - modules:
                if name.startswith("hologram_plugin_"):
                    del sys.modules[name]
