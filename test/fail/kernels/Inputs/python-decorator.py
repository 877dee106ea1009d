import hologram


@hologram.kernel(grid=3)
def f():
    pass
