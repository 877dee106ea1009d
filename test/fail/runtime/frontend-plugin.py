# ERROR: the front end 'broken' failed on '.*x.broken': ZeroDivisionError
# ERROR: that is a fault of 'nowhere:FRONTEND'
import importlib.metadata
import tempfile
from pathlib import Path
from unittest.mock import patch

import hologram
from hologram.frontend.plugins import FrontendPlugin


class Point(importlib.metadata.EntryPoint):
    def load(self):
        return FrontendPlugin(lambda text, name, context: 1 / 0)


point = Point("broken", "nowhere:FRONTEND", "hologram.frontends")
with patch("importlib.metadata.entry_points", lambda group: [point]), tempfile.TemporaryDirectory() as folder:
    (path := Path(folder) / "x.broken").write_text("")
    hologram.compile(path)
