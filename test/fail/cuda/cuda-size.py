# EXIT: 1
# ERROR: kernel 'k' is launched with sizes \[1, 1, 1, 1, 1, 1, 2147483648\], and none may be 2\^31 or more
import ctypes
from dataclasses import replace

from hologram.runtime.devices.cuda import device as cuda
from hologram.runtime.devices.cuda.driver import Driver
from hologram.runtime.devices.protocol import LAUNCH, KernelInfo
from runtime.fake_cuda import FakeCuda

fake = FakeCuda()


def _nothing(grid: tuple[int, ...], block: tuple[int, ...], shared: int, places: list[int]) -> None:
    """A kernel."""


fake.kernels["k"] = _nothing
library = Driver(fake)
cuda.__dict__["driver"] = lambda: library
device = cuda.CudaDevice(library, 0)
device.limits = replace(device.limits, shared=1 << 40)
program = device.load(b"", [KernelInfo("k", None, 0, ())], 0)
words = [ctypes.c_int64] * 7
launch = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int32, *words, ctypes.c_void_p)(device.functions[LAUNCH])
launch(program.context, 0, 1, 1, 1, 1, 1, 1, 1 << 31, None)
error = program.take_error()
assert error is not None
raise error
