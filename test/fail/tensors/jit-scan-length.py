# ERROR: a scan without tensors needs a length \[jit-scan-length\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.scan(lambda c, v: (c, v), x))(np.ones(3))
