# EXIT: 1
# ERROR: @p: 'atlas\.ldg': address 0x[0-9a-f]+ is not aligned to 4 bytes in lane \(0, 0, 0\)
import numpy as np

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret_program

TEXT = """\
atlas.program @p(%x: memref<?xf32>) block [1, 1, 1] {
  %i = atlas.special gid : i64
  %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
}
"""
module = parse_module(TEXT, "kernel.mlir", make_context())
records = np.zeros(4, np.dtype([("pad", "u1"), ("value", "<f4")]))
interpret_program(module, "p", [records["value"]])
