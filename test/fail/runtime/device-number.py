# EXIT: 1
# ERROR: this machine has 2 of the kind
import hologram
from device_programs import use_paper

use_paper()
hologram.zeros(3, device="paper:2")
