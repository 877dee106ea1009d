# EXIT: 1
# ERROR: CUDA's driver failed in cuDeviceGet: CUDA_ERROR_INVALID_DEVICE
# ERROR: hint: nvidia-smi says
import ctypes

from hologram.runtime.devices.cuda.driver import SIGNATURES, Driver


class Library:
    """A driver without devices."""


def _name(status: int, found: int) -> int:
    ctypes.c_char_p.from_address(found).value = b"CUDA_ERROR_INVALID_DEVICE"
    return 0


for name, types in SIGNATURES.items():
    setattr(Library, name, ctypes.CFUNCTYPE(ctypes.c_int, *types)(_name if "Error" in name else lambda *_: 101))
Driver(Library).number("cuDeviceGet", 5)
