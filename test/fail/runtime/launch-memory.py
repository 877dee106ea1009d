# EXIT: 1
# ERROR: <text>:4:3: error: program 'main': no memory for memref.alloc, which needs 4503599627370496 bytes \(4.0 PiB\)
# ERROR: hint: pass smaller arrays or free memory; what the call had taken is given back
import numpy as np

import hologram

TEXT = """
func.func @main(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %t = memref.alloc(%n) : memref<?xf32>
  %v = memref.load %x[%c0] : memref<?xf32>
  memref.store %v, %t[%c0] : memref<?xf32>
  %w = memref.load %t[%c0] : memref<?xf32>
  memref.store %w, %x[%c0] : memref<?xf32>
  memref.dealloc %t : memref<?xf32>
  func.return
}"""
hologram.compile(TEXT)(np.ones(3, np.float32), 1 << 50)
