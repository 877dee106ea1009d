"""Plug-ins: passes, dialects, pipelines, instructions and more from outside the package.

A plug-in is a module with a function `register(plugin)`, which says what there is by the methods of
`hologram.plugins.loading.plugin.Plugin`. One that a package installs is found by the entry point group
`hologram.plugins`, but not before a name is asked for that is none of ours, or a list is. `load_plugin`,
`--load-plugin` of the tools and the setting `HOLOGRAM_PLUGINS` load others.

This module holds what is loaded, and costs nothing where there is none.
"""

from __future__ import annotations

import os
import threading
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hologram.errors import HologramError
    from hologram.plugins.loading.plugin import Plugin

INTERFACE = 1
"""The version of what plug-ins may rely on: `plugin.requires(1)` refuses another."""
SETTING = "HOLOGRAM_PLUGINS"
LOADED: dict[str, Plugin] = {}
"""The plug-ins by name, in the order in which they were loaded."""
FAULTS: dict[str, HologramError] = {}
"""Of plug-ins that are installed and can't be used: why, by the name of the entry point."""
_done: set[str] = set()
_lock = threading.RLock()


def load_plugin(place: Any) -> Plugin:
    """Loads a plug-in: a file (`mine.py`), a folder that is a package, or a module (itself, or its name).

    One that is loaded already stays as it is. Errors name the plug-in, and the file and line.
    """
    with _lock:
        return _loading().load(place)


def discover() -> bool:
    """Loads the installed plug-ins, once in a process. Return whether there may be more than there were."""
    load_named()
    if "installed" in _done:
        return False
    with _lock:
        # They may ask for names themselves, and another thread may have loaded them while this one waited.
        if "installed" not in _done and "installing" not in _done:
            _done.add("installing")
            try:
                _loading().load_installed()
            finally:
                _done.add("installed")
    return bool(LOADED)


def _loading() -> Any:
    return import_module(f"{__name__}.loading.load")


def load_named() -> None:
    """Loads the plug-ins that the setting names, once in a process."""
    if SETTING in _done or not (places := os.environ.get(SETTING)):
        return
    with _lock:
        for place in filter(None, places.split(os.pathsep)):
            load_plugin(place)
        _done.add(SETTING)


def fingerprint() -> tuple[str, ...]:
    """What tells the contents of the loaded plug-ins apart, for keys; empty where there is none."""
    load_named()
    return tuple(plugin.digest for plugin in LOADED.values())


def places() -> tuple[str, ...]:
    """The places of the plug-ins that were loaded by name, for other processes and for reproducers."""
    return tuple(plugin.place for plugin in LOADED.values() if not plugin.is_installed)
