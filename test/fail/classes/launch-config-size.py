# EXIT: 1
# ERROR: need three sizes each
import hologram

hologram.LaunchConfig((0, 1, 1), (1, 1, 1))
