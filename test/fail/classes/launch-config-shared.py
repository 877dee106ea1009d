# EXIT: 1
# ERROR: shared_bytes is -1
import hologram

hologram.LaunchConfig((1, 1, 1), (1, 1, 1), -1)
