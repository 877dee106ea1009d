import hologram
from hologram.language import Array, f32


def twice(f):
    return lambda v: f(f(v))


@twice
def grow(v):
    return v + 1.0


@hologram.kernel
def kernel(x: Array[f32]):
    x[0] = grow(x[0])
