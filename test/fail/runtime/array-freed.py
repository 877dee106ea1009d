# EXIT: 1
# ERROR: was freed
import hologram
from device_programs import use_paper

use_paper()
x = hologram.array([1.0], device="paper")
x.free()
x.numpy()
