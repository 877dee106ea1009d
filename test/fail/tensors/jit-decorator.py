# EXIT: 2
# ERROR: error: int 3 is no function
import hologram

hologram.jit(3)  # pyright: ignore
