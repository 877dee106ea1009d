# EXIT: 1
# ERROR: grid of 65536x1x1 blocks; opencl:0 takes 65535x65535x65535
from hologram.runtime.devices.protocol import KernelInfo, Limits, check_launch

LIMITS = Limits(256, (256, 256, 64), (65535, 65535, 65535), 32768, 1 << 30, 1 << 28, 1 << 27)
KERNEL = KernelInfo("add", None, 0, ())
check_launch(LIMITS, KERNEL, "opencl:0", (65536, 1, 1), (256, 1, 1), 0)
