# EXIT: 2
# ERROR: error: 'wrong' can't be called so: got an unexpected keyword argument 'y'
import hologram


@hologram.jit
def wrong(x):
    return x


wrong(1.0, y=2.0)
