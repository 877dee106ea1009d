# ERROR: the sides of a choice give one value and \(x, x\) \[jit-choice-form\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.cond(x[0] > 0, lambda: x, lambda: (x, x)))(np.ones(3))
