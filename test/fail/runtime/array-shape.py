# EXIT: 1
# ERROR: shape \(3,\) does not fit into one of shape \(2,\)
import hologram
from device_programs import use_paper

use_paper()
hologram.zeros(2, device="paper").copy_from([1, 2, 3])
