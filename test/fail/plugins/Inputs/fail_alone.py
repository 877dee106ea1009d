"""A plug-in that names a dialect and does not give it."""

from typing import Any


def register(plugin: Any) -> None:
    plugin.dialect("signs")
