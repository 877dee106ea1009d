# EXIT: 2
# ERROR: error: 'wrong' has no parameter 'axes' that could be static
import hologram


@hologram.jit(static="axes")
def wrong(x, axis):
    return x.sum(axis)


wrong(1.0, 0)
