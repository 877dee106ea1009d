# EXIT: 1
# ERROR: has \d+ lanes, too many for 64 bits
import hologram

hologram.LaunchConfig((2**31, 2**31, 4), (1, 1, 1))
