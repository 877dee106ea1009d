# EXIT: 1
# ERROR: 'atlas\.lea' makes a pointer into an array whose elements do not lie one after another
import numpy as np

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret_program

TEXT = """\
atlas.program @p(%x: memref<?xf32>) block [1, 1, 1] {
  %p = atlas.lea f32 %x[] : memref<?xf32>
}
"""
module = parse_module(TEXT, "kernel.mlir", make_context())
interpret_program(module, "p", [np.zeros(8, np.float32)[::2]])
