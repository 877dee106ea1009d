# EXIT: 1
# ERROR: argument 'x' has an __array_interface__ that numpy can't read
import numpy as np

import hologram

kernel = hologram.compile("""
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.neg %x : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
""")


class Odd:
    __array_interface__ = {**np.zeros(4, np.float32).__array_interface__, "shape": "four"}


kernel(Odd())
