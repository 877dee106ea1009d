# ERROR: the upper bound is an integer or a tensor of integers without axes \[jit-loop-bound\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.fori_loop(0, x, lambda i, v: v, x))(np.ones(3))
