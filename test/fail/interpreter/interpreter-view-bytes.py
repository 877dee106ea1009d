# ERROR: the view reaches from byte 4 to 20 of memory with 16 bytes

import numpy as np

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

TEXT = """
func.func @f(%m: memref<16xi8>) {
  %c = arith.constant 4 : index
  %v = memref.view %m[%c][] : memref<16xi8> to memref<4xf32>
  func.return
}
"""
interpret(parse_module(TEXT, "f.mlir", make_context()), None, [np.zeros(16, np.int8)])
