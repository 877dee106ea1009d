# ERROR: the front end 'broken' failed on '.*x.broken': ZeroDivisionError
# ERROR: it is of the plug-in 'broken \(front end\)'
# ERROR: that is a fault of the plug-in
import importlib.metadata
import tempfile
from pathlib import Path
from typing import Any

import hologram
from hologram.frontend.plugins import FrontendPlugin
from plugin_state import fresh_plugins


def read(text: str, name: str, context: object) -> Any:
    return 1 / 0


class Point(importlib.metadata.EntryPoint):
    def load(self) -> FrontendPlugin:
        return FrontendPlugin(read)


point = Point("broken", "nowhere:FRONTEND", "hologram.frontends")
with fresh_plugins([point]), tempfile.TemporaryDirectory() as folder:
    (path := Path(folder) / "x.broken").write_text("")
    hologram.compile(path)
