# EXIT: 1
# ERROR: kernel\.mlir:1:1: error: a launch of @p needs three sizes of the grid and of the block
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret_program

TEXT = """\
atlas.program @p() {
}
"""
module = parse_module(TEXT, "kernel.mlir", make_context())
interpret_program(module, "p", [], grid=(1, 1, 1))
