# EXIT: 1
# ERROR: kernel\.mlir:2:3: error: there is no function @g
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

TEXT = """\
func.func @f() {
  func.call @g() : () -> ()
  func.return
}
"""
module = parse_module(TEXT, "kernel.mlir", make_context())
interpret(module, None, [])
