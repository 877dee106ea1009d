# ERROR: python-function\.py:4:1: error: a kernel is a function that .def. makes
import hologram

kernel = hologram.kernel(lambda: None)
kernel.document
