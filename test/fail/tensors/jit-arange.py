# ERROR: 'arange' takes one count, not 2 \[jit-arange\]
import hologram

hologram.ops.arange((2, 3))
