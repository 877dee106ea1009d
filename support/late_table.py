"""Tables of classes that are imported when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def factories(package: str, rows: Mapping[str, tuple[str, str]]) -> dict[str, Callable[[], Any]]:
    """By name, in order: functions that import a module of a package and return its class.

    A row has the names of the module and of the class.
    """

    def factory(module: str, name: str) -> Callable[[], Any]:
        return lambda: getattr(import_module(f"{package}.{module}"), name)

    return {name: factory(*row) for name, row in sorted(rows.items())}
