# EXIT: 1
# ERROR: 'add' has blocks of 32x16x1 lanes; opencl:0 takes 256
from hologram.runtime.devices.protocol import KernelInfo, Limits, check_launch

LIMITS = Limits(256, (256, 256, 64), (65535, 65535, 65535), 32768, 1 << 30, 1 << 28, 1 << 27)
KERNEL = KernelInfo("add", None, 0, ())
check_launch(LIMITS, KERNEL, "opencl:0", (1, 1, 1), (32, 16, 1), 0)
