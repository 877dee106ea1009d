# EXIT: 1
# ERROR: Fake GPU has compute capability 6.1, and code is made for 7.5 and newer
from hologram.runtime.devices.cuda.device import CudaDevice
from hologram.runtime.devices.cuda.driver import Driver
from runtime.fake_cuda import FakeCuda

print(CudaDevice(Driver(FakeCuda(capability=(6, 1))), 0).options)
