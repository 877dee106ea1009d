# EXIT: 1
# ERROR: 'main' is a function that says itself how it launches programs, so it takes no LaunchConfig
import numpy as np

import hologram

kernel = hologram.compile("func.func @main(%x: memref<?xf32>) {\n  func.return\n}")
kernel.launch(np.zeros(3, np.float32), config=hologram.LaunchConfig.linear(3))
