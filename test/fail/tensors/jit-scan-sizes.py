# ERROR: what a scan goes over has one size along the first axis, not 3 and 2 \[jit-scan-sizes\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.scan(lambda c, v: (c, c), 0.0, (x, x[1:])))(np.ones(3))
