"""Plug-ins in tests: those that a test loads are gone after it, but for what instructions left in tables."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator, Sequence
from importlib.metadata import EntryPoint
from typing import Any
from unittest.mock import patch

from hologram import plugins
from hologram.dialects import get_all_dialects
from hologram.dialects.atlas.instructions import declaration
from hologram.lowering.pipelines import pipelines
from hologram.plugins.tables import KINDS


def _forget(names: set[str]) -> None:
    """Takes instructions out of the tables of declarations; other tables overwrite theirs."""
    vars(pipelines)["_stage_steps"].cache_clear()
    for table in (declaration.INSTRUCTIONS, declaration.COMPOSITES):
        for name in names & table.keys():
            del table[name]
    for dialect in [f() for f in get_all_dialects().values()] if names else []:
        there = vars(dialect)["_operations"]
        there[:] = [op for op in there if getattr(getattr(op, "INSTRUCTION", op), "name", "") not in names]


@contextlib.contextmanager
def fresh_plugins(points: Sequence[EntryPoint] = ()) -> Generator[None]:
    """A process without plug-ins, in which these entry points are installed."""
    state: list[Any] = [plugins.LOADED, plugins.FAULTS, vars(plugins)["_done"], *(kind.rows for kind in KINDS.values())]
    kept = [part.copy() for part in state]
    modules = set(sys.modules)
    names = {row.thing.name for row in KINDS["instruction"].rows.values()}
    for part in state:
        part.clear()
    _forget(names)

    def installed(group: str) -> list[EntryPoint]:
        return [p for p in points if p.group == group]

    with patch("importlib.metadata.entry_points", installed):
        try:
            yield
        finally:
            _forget({*KINDS["instruction"].rows})
            for part, old in zip(state, kept, strict=True):
                part.clear()
                part.update(old)
            for row in KINDS["instruction"].rows.values():
                table = declaration.INSTRUCTIONS if row.thing.is_instruction else declaration.COMPOSITES
                table[row.name] = row.thing
            for name in set(sys.modules) - modules:
                if name.startswith("hologram_plugin_"):
                    del sys.modules[name]
