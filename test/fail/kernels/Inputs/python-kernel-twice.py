import hologram
from hologram.language import Array, f32


@hologram.kernel(lanes="1")
def first(x: Array[f32]):
    x[0] = 1.0


@hologram.kernel(lanes="1")
def first(x: Array[f32]):  # noqa: F811
    x[0] = 2.0
