# ERROR: the front end 'broken' failed on '.*x.broken': ZeroDivisionError
# ERROR: that is a fault of 'nowhere:FRONTEND'
import importlib.metadata
import tempfile
from pathlib import Path

import hologram
from hologram.frontend.plugins import FrontendPlugin


class Point(importlib.metadata.EntryPoint):
    def load(self):
        return FrontendPlugin(lambda text, name, context: 1 / 0)


importlib.metadata.entry_points = lambda group: [Point("broken", "nowhere:FRONTEND", group)]
with tempfile.TemporaryDirectory() as folder:
    (path := Path(folder) / "x.broken").write_text("")
    hologram.compile(path)
