# EXIT: 2
# ERROR: there is no element type 'float23'
import hologram

hologram.dtype("float23")
