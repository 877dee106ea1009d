# EXIT: 2
# ERROR: error: a circuit is a text, not 'list'
import hologram


@hologram.operation(circuit=["mark@c00"])
def nothing(a):
    pass
