# EXIT: 2
# ERROR: the plug-in 'twice' of '.*twice.py' can't be loaded: there is one already, and it has changed since
# ERROR: start the program anew

import tempfile
from pathlib import Path

import hologram
from plugin_state import fresh_plugins

with fresh_plugins(), tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "twice.py")
    path.write_text("def register(plugin): pass")
    hologram.load_plugin(path)
    hologram.load_plugin(path)
    path.write_text("def register(plugin):\n    plugin.requires(1)\n")
    hologram.load_plugin(path)
