# EXIT: 2
# ERROR: found|is no function that 'def' makes
import hologram

hologram.kernel(lanes="4")(print)
