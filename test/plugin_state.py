"""Plug-ins in tests: those that a test loads are gone after it, and so are the devices that it makes known."""

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
from hologram.runtime.devices import DEVICES

_INSTRUCTIONS = "hologram.dialects.atlas.instructions"
TABLES = {
    f"{_INSTRUCTIONS}.declaration": ("INSTRUCTIONS", "COMPOSITES"),
    f"{_INSTRUCTIONS}.scalar": ("INSTRUCTIONS",),
    "hologram.dialects.hologram.elementwise": ("OUTSIDE",),
    "hologram.dialects.machine.instruction": ("INSTRUCTIONS", "FORMS"),
}
"""The tables by module that follow the declarations of plug-ins, by the instruction's name."""


def _forget(names: set[str]) -> None:
    """Takes instructions out of the tables and dialects."""
    vars(pipelines)["_stage_steps"].cache_clear()
    if not names:
        return
    for factory in get_all_dialects().values():
        there = vars(factory())["_operations"]
        there[:] = [op for op in there if not names & {getattr(getattr(op, a, op), "name", "") for a in _DECLARED}]
    by_symbol = vars(declaration)["_BY_SYMBOL"]
    for symbol in [symbol for symbol, instruction in by_symbol.items() if instruction.name in names]:
        del by_symbol[symbol]
    for module, tables in TABLES.items():
        for table in tables if module in sys.modules else ():
            for name in names & vars(sys.modules[module])[table].keys():
                del vars(sys.modules[module])[table][name]


_DECLARED = ("INSTRUCTION", "FORM")
"""The attributes of operations that say which instruction they are."""
OURS = {name: kind for name, kind in DEVICES.items() if kind.module.startswith("hologram.")}
"""The devices that are no plug-in's."""


@contextlib.contextmanager
def fresh_plugins(points: Sequence[EntryPoint] = ()) -> Generator[None]:
    """A process without plug-ins, in which these entry points are installed."""
    state: list[Any] = [plugins.LOADED, plugins.FAULTS, vars(plugins)["_done"], *(k.rows for k in KINDS.values())]
    state.append(DEVICES)
    kept = [part.copy() for part in state]
    modules = set(sys.modules)
    _forget({*KINDS["instruction"].rows})
    for part in state:
        part.clear()
    DEVICES.update(OURS)

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
            for row in list(KINDS["instruction"].rows.values()):
                KINDS["instruction"].add(row)
            for name in set(sys.modules) - modules:
                if name.startswith("hologram_plugin_"):
                    del sys.modules[name]
