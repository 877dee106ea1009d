# EXIT: 1
# ERROR: kernel\.mlir:2:3: error: 'atlas\.parallel_map_binary' takes one shape, found \(4,\) and \(5,\)
import numpy as np

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

TEXT = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %r = atlas.parallel_map_binary add f32 ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>)
  func.return
}
"""
module = parse_module(TEXT, "kernel.mlir", make_context())
interpret(module, None, [np.zeros(4, np.float32), np.zeros(5, np.float32)])
