"""Writes files that others may have open or mapped."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Writes a file beside its place and then into it: whoever has the old one mapped keeps it. A link stays, and what
    is no file (a device, a pipe) is written to as it is. Raises OSError, and leaves nothing then."""
    import tempfile

    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_bytes(data)
        return
    place = os.path.realpath(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=os.path.dirname(place))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, place)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
