"""A plug-in whose pass is none."""

from typing import Any


class Pass:
    name = "fail-thing"


def register(plugin: Any) -> None:
    plugin.passes(Pass)
