"""A plug-in that names what is not there."""

from typing import Any


def register(plugin: Any) -> None:
    plugin.passes({"fail-late": "fail_late_nowhere:Pass"})
