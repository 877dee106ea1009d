# EXIT: 2
# ERROR: error: 'lanes' of a kernel is a text or several, not 5
import hologram

hologram.kernel(lanes=5)
