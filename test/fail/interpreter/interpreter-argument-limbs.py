# EXIT: 1
# ERROR: must hold i128 as a last axis of 2 limbs of 64 bits, found uint64 of shape \(4, 3\)
import numpy as np

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

TEXT = """\
func.func @f(%a: memref<?xi128>) {
  func.return
}
"""
module = parse_module(TEXT, "kernel.mlir", make_context())
interpret(module, None, [np.zeros((4, 3), np.uint64)])
