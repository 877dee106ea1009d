"""A plug-in whose registration fails."""

from typing import Any


def register(plugin: Any) -> None:
    {}["pass"]
