# EXIT: 1
# ERROR: 'p' has no shared array without a length for the 64 shared bytes
import numpy as np

import hologram

kernel = hologram.compile("atlas.program @p(%x: memref<?xf32>) {\n}")
kernel.launch(np.zeros(3, np.float32), config=hologram.LaunchConfig((1, 1, 1), (3, 1, 1), 64))
