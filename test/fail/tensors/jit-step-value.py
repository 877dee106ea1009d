# ERROR: the number of a step is known only when the function runs \[jit-step-value\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.fori_loop(0, 3, lambda i, v: v * int(i), x))(np.ones(3))
