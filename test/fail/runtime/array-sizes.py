# EXIT: 1
# ERROR: can't have the shape \(-1,\)
import hologram
from device_programs import use_paper

use_paper()
hologram.empty(-1, device="paper")
