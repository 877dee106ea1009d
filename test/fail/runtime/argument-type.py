# EXIT: 2
# ERROR: argument 'total' of 'LaunchConfig.linear' must be an integer, found str '1000'
import hologram

hologram.LaunchConfig.linear("1000")  # pyright: ignore
