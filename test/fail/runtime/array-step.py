# EXIT: 1
# ERROR: one after another
import hologram
from device_programs import use_paper

use_paper()
hologram.zeros(6, device="paper")[::2]
