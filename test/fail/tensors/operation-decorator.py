# EXIT: 2
# ERROR: error: <built-in function print> is no function
import hologram

hologram.operation(circuit="mark@c00")(print)
