# ERROR: the instruction 'fail_binary.half' is of the plug-in 'fail_binary', and nothing that is loaded brings it
# ERROR: load its file by --load-plugin

import tempfile
from pathlib import Path

import hologram
from hologram import isa
from plugin_state import fresh_plugins

PLUGIN = """
from hologram.dialects.atlas.instructions.dtypes import FLOATS

def register(plugin):
    plugin.instruction("half", "a", FLOATS, "a / 2.", compose=lambda do, a: do.mul(a, 0.5))
"""
with fresh_plugins():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "fail_binary.py").write_text(PLUGIN)
        hologram.load_plugin(Path(folder, "fail_binary.py"))
        data = isa.encode(isa.assemble(".program p() {\n  fail_binary.half.f32 r0, r1\n  exit\n}\n"))
with fresh_plugins():
    isa.decode(data)
