# ERROR: f32 and i64 have not the same number of bits \[jit-bitcast\]
import numpy as np

import hologram

hologram.ops.bitcast(np.float32(3), "i64")
