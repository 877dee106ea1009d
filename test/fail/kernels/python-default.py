# ERROR: python-default\.py:7:21: error: only constants of kernels have defaults, which are numbers
import hologram
from hologram.language import u32


@hologram.kernel
def kernel(n: u32 = 3):
    pass


kernel.compile()
