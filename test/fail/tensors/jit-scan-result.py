# ERROR: a step of a scan gives two things: the next carry and an output \[jit-scan-result\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.scan(lambda c, v: c + v, 0.0, x))(np.ones(3))
