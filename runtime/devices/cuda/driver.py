"""CUDA's driver library: its functions with their types, and its errors as ours. It needs no package beside Python.

Every function is called with the library's lock of the interpreter released. A status that says the device is gone
becomes `device-lost`; what is left of it can't be used.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from hologram.errors import DeviceError
from hologram.runtime.devices import failures
from hologram.runtime.native import address_of
from hologram.support import forks

LIBRARIES = ("nvcuda.dll",) if sys.platform == "win32" else ("libcuda.so.1", "libcuda.so")
"""What the library is called, best first."""

_i, _u, _p, _z = ctypes.c_int, ctypes.c_uint, ctypes.c_void_p, ctypes.c_size_t
_a, _f = ctypes.c_uint64, ctypes.c_float

SIGNATURES: dict[str, tuple[Any, ...]] = {
    "cuInit": (_u,),
    "cuDriverGetVersion": (_p,),
    "cuDeviceGetCount": (_p,),
    "cuDeviceGet": (_p, _i),
    "cuDeviceGetName": (_p, _i, _i),
    "cuDeviceGetAttribute": (_p, _i, _i),
    "cuDeviceTotalMem_v2": (_p, _i),
    "cuDevicePrimaryCtxRetain": (_p, _i),
    "cuDevicePrimaryCtxRelease_v2": (_i,),
    "cuDevicePrimaryCtxReset_v2": (_i,),
    "cuCtxSetCurrent": (_p,),
    "cuStreamCreate": (_p, _u),
    "cuStreamDestroy_v2": (_p,),
    "cuStreamSynchronize": (_p,),
    "cuEventCreate": (_p, _u),
    "cuEventDestroy_v2": (_p,),
    "cuEventRecord": (_p, _p),
    "cuEventQuery": (_p,),
    "cuEventSynchronize": (_p,),
    "cuEventElapsedTime": (_p, _p, _p),
    "cuMemAlloc_v2": (_p, _z),
    "cuMemFree_v2": (_a,),
    "cuMemGetInfo_v2": (_p, _p),
    "cuMemcpyHtoDAsync_v2": (_a, _p, _z, _p),
    "cuMemcpyDtoHAsync_v2": (_p, _a, _z, _p),
    "cuMemcpyDtoDAsync_v2": (_a, _a, _z, _p),
    "cuMemsetD8Async": (_a, ctypes.c_ubyte, _z, _p),
    "cuModuleLoadData": (_p, _p),
    "cuModuleUnload": (_p,),
    "cuModuleGetFunction": (_p, _p, ctypes.c_char_p),
    "cuFuncSetAttribute": (_p, _i, _i),
    "cuFuncGetAttribute": (_p, _i, _p),
    "cuLinkCreate_v2": (_u, _p, _p, _p),
    "cuLinkAddData_v2": (_p, _i, _p, _z, ctypes.c_char_p, _u, _p, _p),
    "cuLinkComplete": (_p, _p, _p),
    "cuLinkDestroy": (_p,),
    "cuLaunchKernel": (_p, _u, _u, _u, _u, _u, _u, _u, _p, _p, _p),
    "cuStreamBeginCapture_v2": (_p, _i),
    "cuStreamEndCapture": (_p, _p),
    "cuGraphInstantiateWithFlags": (_p, _p, ctypes.c_ulonglong),
    "cuGraphLaunch": (_p, _p),
    "cuGraphDestroy": (_p,),
    "cuGraphExecDestroy": (_p,),
    "cuTensorMapEncodeTiled": (_p, _i, _u, _p, _p, _p, _p, _p, _i, _i, _i, _i),
    "cuPointerGetAttribute": (_p, _i, _a),
    "cuGetErrorName": (_i, _p),
    "cuGetErrorString": (_i, _p),
}
"""The functions that are used, with the types of their parameters. All give a status."""

SUCCESS, OUT_OF_MEMORY, NO_DEVICE, NOT_READY, NOT_SUPPORTED = 0, 2, 100, 600, 801
GONE = frozenset({46, 214, 700, 702, 709, 714, 715, 716, 717, 718, 719, 999})
"""Statuses after which the device takes no more work: faults of memory, of code and of hardware."""


class Driver:
    """The library, loaded and initialised."""

    def __init__(self, library: Any):
        self._functions: dict[str, Any] = {}
        for name, types in SIGNATURES.items():
            function = getattr(library, name, None)
            if function is None:  # An older library has it not.
                function = ctypes.CFUNCTYPE(_i, *types)(lambda *_: NOT_SUPPORTED)
            else:
                function.argtypes, function.restype = types, _i
            self._functions[name] = function

    def status(self, name: str, *args: Any) -> int:
        """Calls a function, and gives its status."""
        return self._functions[name](*args)

    def address(self, name: str) -> int:
        """Return the address of a function, for compiled code."""
        return address_of(self._functions[name])

    def why(self, status: int) -> str:
        """A status in the driver's words."""
        parts: list[str] = []
        for name in ("cuGetErrorName", "cuGetErrorString"):
            text = ctypes.c_char_p()
            if self.status(name, status, ctypes.byref(text)) == SUCCESS and text.value:
                parts.append(text.value.decode(errors="replace"))
        return ": ".join(parts) or f"status {status}"

    def number(self, name: str, *args: Any, kind: Any = _i) -> int:
        """Return what a function gives through its first parameter; only for functions that should not fail."""
        value = kind()
        status = self.status(name, ctypes.byref(value), *args)
        if status != SUCCESS:
            raise DeviceError("cuda-driver", f"CUDA's driver failed in {name}: {self.why(status)}", hint=_HINT)
        return value.value or 0


_HINT = "nvidia-smi says what state the driver is in"


@forks.once
def driver() -> Driver:
    """The driver of this machine. A DeviceError if there is none, or it finds no device."""
    loaded = Driver(_load())
    status = loaded.status("cuInit", 0)
    if status != SUCCESS:
        raise failures.no_driver("CUDA", loaded.why(status), _HINT)
    return loaded


def _load() -> Any:
    reason = ""
    for name in LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            reason = reason or str(error)
    raise failures.no_driver("CUDA", reason, "install NVIDIA's driver")
