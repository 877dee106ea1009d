"""A plug-in for an interface that is not there yet."""

from typing import Any


def register(plugin: Any) -> None:
    plugin.requires(2)
