# EXIT: 2
# ERROR: error: argument 'names' is of type 'set', which is no array or number
import hologram


@hologram.jit
def wrong(x, names):
    return x


wrong(1.0, {1, 2})
