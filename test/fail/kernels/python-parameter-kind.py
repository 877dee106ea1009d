# ERROR: python-parameter-kind\.py:6:13: error: kernels have plain parameters alone
import hologram


@hologram.kernel
def kernel(*xs):
    pass


kernel.compile()
