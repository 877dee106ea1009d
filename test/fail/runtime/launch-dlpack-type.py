# EXIT: 1
# ERROR: argument 'x' has elements that numpy has not \(code 2, 32 bits, 4 lanes\)
import ctypes

import numpy as np

import hologram

kernel = hologram.compile("""
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.neg %x : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
""")


class InLanes:
    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **_: object) -> object:
        capsule = np.zeros(4, np.float32).__dlpack__()
        pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
        address = pointer(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, b"dltensor")
        # The tensor's lanes: behind data, device, rank, code and bits.
        ctypes.c_uint16.from_address(address + 22).value = 4
        return capsule


kernel(InLanes())
