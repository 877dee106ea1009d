# EXIT: 2
# ERROR: -1 is no u256
# ERROR: u256 holds 0 to 2\^256 - 1
import hologram

hologram.limbs([1, -1], "u256")
