# EXIT: 1
# ERROR: 'HUGE' is an integer of 16610 bits, and the limit is 4000 digits \[python-digits\]
# ERROR: hint: the limit is a setting, HOLOGRAM_MAX_DIGITS=4000
import hologram
from hologram.language import Array, i64

HUGE = 10**5000


@hologram.kernel(lanes="1")
def fill(x: Array[i64]):
    x[0] = HUGE


fill.compile()
