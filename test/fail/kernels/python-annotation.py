# ERROR: python-annotation\.py:6:15: error: 'list' is no type of kernels
import hologram


@hologram.kernel
def kernel(x: list):
    pass


kernel.compile()
