import hologram

ADD = "merge@c00[c01,c02]"


@hologram.operation(circuit=ADD)
def f(a, b):
    pass
