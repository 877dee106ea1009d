# ERROR: a tensor without axes has no order \[random-permutation\]
import numpy as np

import hologram

hologram.ops.random.permutation(hologram.ops.random.key(1), np.float32(3))
