# ERROR: <text>:1:34: error: the rule of 'fail_value.half' gives float, and its result is f32: .*fail_value.py:5
# ERROR: hint: return the value that was emitted last
import tempfile
from pathlib import Path

import hologram
from plugin_state import fresh_plugins

PLUGIN = """
from hologram.dialects.atlas.instructions.dtypes import FLOATS

def register(plugin):
    plugin.instruction("half", "a", FLOATS, "a / 2.", compose=lambda do, a: 0.5)
"""
with fresh_plugins(), tempfile.TemporaryDirectory() as folder:
    Path(folder, "fail_value.py").write_text(PLUGIN)
    hologram.load_plugin(Path(folder, "fail_value.py"))
    text = "func.func @f(%a: f32) -> f32 {   %r = atlas.fail_value.half f32 %a func.return %r : f32 }"
    hologram.compile(text)
