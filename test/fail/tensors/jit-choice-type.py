# ERROR: the sides of a choice give f64\(3,\) and f32\(3,\) \[jit-choice-type\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.cond(x[0] > 0, lambda: x, lambda: ops.cast(x, "f32")))(np.ones(3))
