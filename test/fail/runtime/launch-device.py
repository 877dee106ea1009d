# EXIT: 1
# ERROR: 'a' lies on paper:1, and 'main' runs on paper:0
import hologram
from device_programs import add, use_paper

use_paper()
x = hologram.zeros(3, device="paper:1")
hologram.compile(add(), device="paper:0")(x, x)
