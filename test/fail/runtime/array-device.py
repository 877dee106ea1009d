# EXIT: 1
# ERROR: whose arrays are numpy's
import hologram
from device_programs import use_paper

use_paper()
hologram.zeros(3, device="cpu")
