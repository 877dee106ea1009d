# EXIT: 1
# ERROR: 'add' is made for blocks of \(64, 1, 1\) lanes and launched with \(32, 1, 1\)
from hologram.runtime.devices.protocol import KernelInfo, Limits, check_launch

LIMITS = Limits(256, (256, 256, 64), (65535, 65535, 65535), 32768, 1 << 30, 1 << 28, 1 << 27)
check_launch(LIMITS, KernelInfo("add", (64, 1, 1), 0, ()), "opencl:0", (1, 1, 1), (32, 1, 1), 0)
