# ERROR: a scan goes over the first axis of tensors, and there is none \[jit-scan-axes\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.scan(lambda c, v: (c, v), x, x))(np.float32(1))
