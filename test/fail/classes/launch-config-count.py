# EXIT: 1
# ERROR: 'p' takes 1 argument beside config=, found 0

import hologram

kernel = hologram.compile("atlas.program @p(%x: memref<?xf32>) {\n}")
kernel.launch(config=hologram.LaunchConfig.linear(3))
