# ERROR: a step gives f64 for a value that starts as f32 \[jit-loop-type\]
import numpy as np

import hologram
from hologram import ops

hologram.jit(lambda x: ops.fori_loop(0, 3, lambda i, v: ops.cast(v, "f64"), x))(np.ones(3, np.float32))
