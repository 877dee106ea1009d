# EXIT: 2
# ERROR: error: a block has one to three sizes of at least 1, not 0
import hologram

hologram.kernel(block=0)
