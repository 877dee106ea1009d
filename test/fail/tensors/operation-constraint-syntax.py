# EXIT: 2
# ERROR: error: the constraint 'len\(a\) =' of 'double' is no expression
import hologram


@hologram.operation(constraints=["len(a) ="])
def double(a):
    return a + a
