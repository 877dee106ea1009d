"""A plug-in that names its interface by a text."""

from typing import Any


def register(plugin: Any) -> None:
    plugin.requires("1")
