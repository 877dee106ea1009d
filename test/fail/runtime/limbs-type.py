# EXIT: 2
# ERROR: there is no integer type of limbs 'u265'
# ERROR: did you mean 'u256'
import hologram

hologram.limbs([1], "u265")
