# ERROR: the front end 'broken' failed on '.*x.broken': ZeroDivisionError
# ERROR: it is of the plug-in 'broken \(front end\)'
# ERROR: that is a fault of the plug-in
import importlib.metadata
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import hologram
from hologram.frontend.plugins import FrontendPlugin


def read(text: str, name: str, context: object) -> Any:
    return 1 / 0


class Point(importlib.metadata.EntryPoint):
    def load(self) -> FrontendPlugin:
        return FrontendPlugin(read)


point = Point("broken", "nowhere:FRONTEND", "hologram.frontends")
with (
    patch("importlib.metadata.entry_points", lambda group: [point] * (group == point.group)),
    tempfile.TemporaryDirectory() as folder,
):
    (path := Path(folder) / "x.broken").write_text("")
    hologram.compile(path)
