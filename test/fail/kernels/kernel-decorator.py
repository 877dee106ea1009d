# EXIT: 2
# ERROR: is no function
import hologram

hologram.kernel(int)
