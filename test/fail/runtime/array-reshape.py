# EXIT: 1
# ERROR: shape \(6,\) can't have the shape \(4, -1\)
import hologram
from device_programs import use_paper

use_paper()
hologram.zeros(6, device="paper").reshape(4, -1)
