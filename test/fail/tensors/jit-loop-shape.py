# ERROR: a step gives shape \(6,\) for a value that starts with shape \(3,\) \[jit-loop-shape\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.fori_loop(0, 3, lambda i, v: ops.concat([v, v]), x))(np.ones(3))
