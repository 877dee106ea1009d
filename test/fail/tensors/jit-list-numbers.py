# ERROR: jit-list-numbers\.py:7:12: error: a list whose numbers are known only in a call is no array
import hologram


@hologram.jit
def wrong(n):
    return hologram.ops.sum([n, 1])


wrong(2)
