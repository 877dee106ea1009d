# EXIT: 2
# ERROR: 'LaunchConfig.linear' can't be called so: got an unexpected keyword argument 'blocks'
import hologram

hologram.LaunchConfig.linear(1000, blocks=3)  # pyright: ignore
