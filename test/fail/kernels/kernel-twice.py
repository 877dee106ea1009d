# ERROR: kernel-twice\.py:7:1: error: there are two kernels 'kernel'
import hologram
from hologram.frontend.kernels.build import build


@hologram.kernel
def kernel():
    pass


build(kernel.document, kernel.document)
