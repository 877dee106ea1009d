# ERROR: a buffer of f32 of shape \(4,\) can't be filled from .*\[buffer-data\]
import numpy as np

import hologram

hologram.Executor().allocate(4).copy_from(np.zeros(5))
