"""The `.holo` archive: compiled programs, what they were compiled from, and constants, in one file that is mapped.

`model` has what an archive holds, `writer` makes its bytes, `reader` opens it and reads what is asked for, `load` gives
its kernels for a device, `verify`, `inspect` and `disasm` are for the command line. `docs/archive.mdx` has the format.
"""

from __future__ import annotations

from hologram.runtime.archive.model import Archive, Code, Constant, EntryRecord, Extension, Host, Program
from hologram.runtime.archive.reader import OpenArchive, open
from hologram.runtime.archive.writer import save, write

__all__ = [
    "Archive",
    "Code",
    "Constant",
    "EntryRecord",
    "Extension",
    "Host",
    "OpenArchive",
    "Program",
    "open",
    "save",
    "write",
]
