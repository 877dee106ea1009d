"""The `.holo` archive: compiled programs, what they were compiled from, and constants, in one file.

`model` has what an archive holds, `writer` makes its bytes, `reader` opens it and reads what is asked for, `inspect`
shows it. `hologram.driver.archives` builds archives, loads their kernels and checks them. `docs/archive.mdx` has the
format.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hologram.runtime.archive.model import Archive as Archive
    from hologram.runtime.archive.model import Code as Code
    from hologram.runtime.archive.model import Constant as Constant
    from hologram.runtime.archive.model import Extension as Extension
    from hologram.runtime.archive.model import Program as Program
    from hologram.runtime.archive.reader import OpenArchive as OpenArchive
    from hologram.runtime.archive.reader import open as open
    from hologram.runtime.archive.records import Host as Host
    from hologram.runtime.archive.writer import save as save
    from hologram.runtime.archive.writer import write as write

_PLACES = {
    **dict.fromkeys(("Archive", "Code", "Constant", "Extension", "Program"), "model"),
    "Host": "records",
    **dict.fromkeys(("OpenArchive", "open"), "reader"),
    **dict.fromkeys(("save", "write"), "writer"),
}

__all__ = [*_PLACES]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
