# EXIT: 1
# ERROR: 0 by 4 lanes are no launch
import hologram

hologram.LaunchConfig.grid_2d(0, 4)
