# EXIT: 1
# ERROR: behind the colon stands its number
import hologram
from device_programs import use_paper

use_paper()
hologram.zeros(3, device="paper:first")
