# ERROR: the dialect 'fail_lowered' of the plug-in 'fail_lowered' is lowered by 'convert-nothing', which is no pass
import tempfile
from pathlib import Path

import hologram
from plugin_state import fresh_plugins

PLUGIN = """
from xdsl.ir import Dialect

def register(plugin):
    plugin.dialect(Dialect("fail_lowered", []), lowered_by="convert-nothing")
"""
with fresh_plugins(), tempfile.TemporaryDirectory() as folder:
    Path(folder, "fail_lowered.py").write_text(PLUGIN)
    hologram.load_plugin(Path(folder, "fail_lowered.py"))
