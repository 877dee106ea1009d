import hologram


@hologram.operation(constraint="len(x) > 0")
def f(x):
    return x
