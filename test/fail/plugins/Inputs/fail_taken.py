"""A plug-in with a name of ours."""

from typing import Any


def register(plugin: Any) -> None:
    plugin.passes({"canonicalize": "nowhere:Pass"})
