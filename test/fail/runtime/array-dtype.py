# EXIT: 1
# ERROR: no arrays of 'f99'
import hologram
from device_programs import use_paper

use_paper()
hologram.zeros(3, "f99", device="paper")
