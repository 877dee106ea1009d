# EXIT: 1
# ERROR: can't be seen as complex128
import hologram
from device_programs import use_paper

use_paper()
hologram.zeros((2, 3), device="paper").view("complex128")
