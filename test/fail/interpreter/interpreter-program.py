# EXIT: 1
# ERROR: kernel\.mlir:3:3: error: there is no atlas\.program @p
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

TEXT = """\
func.func @f() {
  %c1 = arith.constant 1 : index
  atlas.launch @p grid(%c1, %c1, %c1) block(%c1, %c1, %c1)
  func.return
}
"""
module = parse_module(TEXT, "kernel.mlir", make_context())
interpret(module, None, [])
