# EXIT: 1
# ERROR: there is no atlas\.program @q in the module
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret_program

TEXT = """\
atlas.program @p() {
}
"""
module = parse_module(TEXT, "kernel.mlir", make_context())
interpret_program(module, "q", [], block=(1, 1, 1))
