# ERROR: '.*locked' can't be read: permission denied
import os
import tempfile
from pathlib import Path
from unittest import mock

from hologram.tools.compile.inputs import find_inputs

scandir = os.scandir


def refuse(path: Path) -> object:
    if path.name == "locked":
        raise PermissionError(13, "Permission denied")
    return scandir(path)


with tempfile.TemporaryDirectory() as folder, mock.patch("os.scandir", refuse):
    (Path(folder) / "locked").mkdir()
    find_inputs([folder])
