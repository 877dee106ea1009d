# ERROR: python-parameter-type\.py:6:12: error: parameter 'x' has no type
import hologram


@hologram.kernel
def kernel(x):
    pass


kernel.compile()
