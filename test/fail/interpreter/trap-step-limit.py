# EXIT: 1
# ERROR: @p: 'atlas\.(add|loop|yield)': stopped after 1000 steps
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret_program

TEXT = """\
atlas.program @p(%n: i32) block [1, 1, 1] {
  atlas.loop %n : i32 {
  ^bb0(%k: i32):
    %t = atlas.add i32 %k, %k
  }
}
"""
module = parse_module(TEXT, "kernel.mlir", make_context())
interpret_program(module, "p", [-1], step_limit=1000)
