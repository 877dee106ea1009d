# EXIT: 1
# ERROR: 'a' has 2147483648 elements, and an index has 32 bits on paper:0
import dataclasses

import numpy as np

import hologram
from device_programs import add, use_paper
from hologram.runtime.devices import open_device

use_paper()
kernel = hologram.compile(add(), device="paper")
device = open_device("paper:0")
device.limits, before = dataclasses.replace(device.limits, index_bits=32), device.limits
x = np.broadcast_to(np.float32(1), 1 << 31)
try:
    kernel(x, x, np.broadcast_to(np.float32(1), 1 << 31))
finally:
    device.limits = before
