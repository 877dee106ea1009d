# ERROR: fail_rule.py:4: error: the plug-in 'fail_rule' broke in pass 'convert-atlas-to-core': KeyError: 'none'
# ERROR: that is a fault of the plug-in
import tempfile
from pathlib import Path

import hologram
from plugin_state import fresh_plugins

PLUGIN = """
from hologram.dialects.atlas.instructions.dtypes import FLOATS

def lower(rw, core, op, t, args): return {}["none"]

def register(plugin):
    plugin.instruction("half", "a", FLOATS, "a / 2.", lambda t, a: a / 2, lower=lower)
"""
with fresh_plugins(), tempfile.TemporaryDirectory() as folder:
    Path(folder, "fail_rule.py").write_text(PLUGIN)
    hologram.load_plugin(Path(folder, "fail_rule.py"))
    text = "func.func @f(%a: f32) -> f32 { %r = atlas.fail_rule.half f32 %a func.return %r : f32 }"
    hologram.compile(text)
