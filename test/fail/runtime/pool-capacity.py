# EXIT: 1
# ERROR: a pool has at least 1 byte, not 0
import hologram

hologram.Pool(0)
