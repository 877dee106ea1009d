# ERROR: the number of a step is known only when the function runs \[jit-step-bool\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.fori_loop(0, 3, lambda i, v: v if i else x, x))(np.ones(3))
