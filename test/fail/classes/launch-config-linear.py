# EXIT: 1
# ERROR: 0 lanes in blocks of 256 are no launch
import hologram

hologram.LaunchConfig.linear(0)
