# ERROR: jit-list-numbers\.py:8:1: error: a list whose numbers are known only in a call is no array
# ERROR: hint: pass numpy\.array
import numpy as np

from hologram import ops

x = np.zeros(2, np.float32)
ops.add(x, [1, 2])
