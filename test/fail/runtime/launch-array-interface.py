# EXIT: 1
# ERROR: argument 'x' has an array interface that can't be read: 'str' object cannot be interpreted as an integer
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
