# EXIT: 1
# ERROR: has no rows
import hologram
from device_programs import use_paper

use_paper()
hologram.zeros((), device="paper")[0]
