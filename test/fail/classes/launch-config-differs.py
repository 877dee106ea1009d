# EXIT: 1
# ERROR: 'p' is a program for a block of \(4, 1, 1\), and config= says \(256, 1, 1\)
import numpy as np

import hologram

kernel = hologram.compile("atlas.program @p(%x: memref<?xf32>) block [4, 1, 1] {\n}")
kernel.launch(np.zeros(3, np.float32), config=hologram.LaunchConfig.linear(3))
