import hologram

B = 64


@hologram.kernel(block=2 * B)
def f():
    pass
