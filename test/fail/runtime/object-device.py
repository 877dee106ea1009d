# EXIT: 1
# ERROR: '<text>' was compiled for device 'opencl', and device 'paper:0' can't run it
import hologram
from device_programs import add, use_paper

use_paper()
hologram.compile(add("opencl"), device="paper")
