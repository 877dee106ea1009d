# ERROR: fail_form.py:11: error: the plug-in 'fail_form' broke: ZeroDivisionError
# ERROR: that is a fault of the plug-in
import tempfile
from pathlib import Path

import hologram
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.tools.cli import unexpected
from plugin_state import fresh_plugins

PLUGIN = """
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def

@irdl_op_definition
class Op(IRDLOperation):
    name = "fail_form.op"
    x = operand_def()
    result = result_def()

    def evaluate(self, x): return 1 // 0

def register(plugin):
    plugin.dialect(Dialect("fail_form", [Op]))
"""
TEXT = 'func.func @f(%a: f32) -> f32 { %r = "fail_form.op"(%a) : (f32) -> f32 func.return %r : f32 }'
with fresh_plugins(), tempfile.TemporaryDirectory() as folder:
    Path(folder, "fail_form.py").write_text(PLUGIN)
    hologram.load_plugin(Path(folder, "fail_form.py"))
    try:
        interpret(parse_module(TEXT, "in.mlir", make_context()), "f", [1.0])
    except Exception as error:
        raise unexpected(error) from error
