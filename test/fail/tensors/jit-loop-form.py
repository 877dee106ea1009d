# ERROR: a step gives \(x, x\), and the loop carries one value \[jit-loop-form\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.fori_loop(0, 3, lambda i, v: (v, v), x))(np.ones(3))
