# ERROR: the condition of a loop is one truth value, not a tensor of shape \(3,\) \[jit-condition\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.while_loop(lambda v: v < 3, lambda v: v + 1, x))(np.ones(3))
