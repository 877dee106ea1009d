# EXIT: 1
# ERROR: kernel\.mlir:2:3: error: 'atlas\.fill' writes to an array that is read-only
import numpy as np

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

TEXT = """\
func.func @f(%x: f32, %a: memref<?xf32>) {
  atlas.fill ins(%x : f32) outs(%a : memref<?xf32>)
  func.return
}
"""
module = parse_module(TEXT, "kernel.mlir", make_context())
constant = np.zeros(4, np.float32)
constant.flags.writeable = False
interpret(module, None, [1.0, constant])
