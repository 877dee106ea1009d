"""Arrays of other libraries as numpy arrays over the same memory: DLPack, the buffer protocol, `__array_interface__`.

Lists and other things that would have to be copied are not taken: what a kernel writes to a copy is lost.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hologram.errors import LaunchError

Array = NDArray[Any]
HOST_DEVICES = (1, 3, 11)
"""DLPack's numbers of main memory: plain, and pinned for CUDA and ROCm."""
DEVICES = {2: "a CUDA device", 4: "an OpenCL device", 7: "a Vulkan device", 8: "a Metal device", 10: "a ROCm device",
           13: "CUDA managed memory", 14: "a oneAPI device", 15: "a WebGPU device"}  # fmt: skip
KINDS = {0: "int", 1: "uint", 2: "float", 5: "complex"}
EXTENDED = {
    4: "bfloat16", 7: "float8_e3m4", 8: "float8_e4m3", 9: "float8_e4m3b11fnuz", 10: "float8_e4m3fn",
    11: "float8_e4m3fnuz", 12: "float8_e5m2", 13: "float8_e5m2fnuz", 14: "float8_e8m0fnu",
}  # fmt: skip
"""DLPack's codes of the types that ml_dtypes has."""
READ_ONLY = 1


class _Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    """DLManagedTensor, of DLPack before 1.0."""

    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


FORMS: dict[bytes, Any] = {b"dltensor_versioned": _Versioned, b"dltensor": _Managed}
_api = ctypes.pythonapi
_get_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", _api))
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
_set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", _api))
_USED = {name: b"used_" + name for name in FORMS}
"""What a capsule is called once it is taken; these bytes must stay where they are."""


class _Owner:
    """Holds a tensor of another library: numpy sees its memory, and it is given back with the last array over it."""

    def __init__(self, managed: Any, interface: dict[str, Any]):
        self._managed = managed
        self.__array_interface__ = interface

    def __del__(self) -> None:
        if self._managed.deleter:
            ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(self._managed.deleter)(ctypes.addressof(self._managed))


def view_of(name: str, value: Any) -> Array | None:
    """A numpy array over the memory of `value`, the argument called `name`; None if it is no array in main memory."""
    if isinstance(value, (np.generic, str)):
        return None
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        return _from_dlpack(name, value)
    try:
        return np.asarray(memoryview(value))
    except (TypeError, ValueError, BufferError):
        pass
    if not isinstance(getattr(value, "__array_interface__", None), dict):
        return None
    try:
        return np.asarray(value)
    except (TypeError, ValueError) as error:
        message = f"argument '{name}' has an __array_interface__ that numpy can't read: {error}"
        raise LaunchError("launch-array-interface", message, hint="pass a numpy array") from None


def _from_dlpack(name: str, value: Any) -> Array:
    try:
        device = int(value.__dlpack_device__()[0])
        capsule = _export(value) if device in HOST_DEVICES else None
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        message = f"argument '{name}' can't be shared: {error}"
        raise LaunchError("launch-dlpack-export", message, hint="pass a numpy array over its memory") from None
    if capsule is None:
        place = DEVICES.get(device, f"a device of DLPack's kind {device}")
        message = f"argument '{name}' lies on {place}, and the kernel runs on the CPU"
        raise LaunchError("launch-dlpack-device", message, hint="copy it to the CPU first, such as x.cpu()")
    return _take(name, capsule)


def taken(name: str, value: Any, stream: int) -> Array:
    """Return an array over the memory of one on a device, ready for work on a stream there.

    Its elements can't be read here.
    """
    try:
        capsule = _export(value, stream=stream)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        message = f"argument '{name}' can't be shared: {error}"
        raise LaunchError("launch-dlpack-stream", message, hint="pass a numpy array, which is copied") from None
    return _take(name, capsule)


def _export(value: Any, **options: Any) -> Any:
    try:
        return value.__dlpack__(max_version=(1, 0), **options)
    except TypeError:
        # It is of a library from before DLPack 1.0.
        return value.__dlpack__(**options)


def _take(name: str, capsule: Any) -> Array:
    """The array of a capsule, which is used up."""
    kind = _get_name(capsule)
    managed = FORMS[kind].from_address(_get_pointer(capsule, kind))
    tensor = managed.tensor
    dtype = _dtype(tensor)
    if dtype is None:
        message = f"argument '{name}' has elements that numpy has not (code {tensor.code}, {tensor.bits} bits)"
        raise LaunchError("launch-dlpack-type", message, hint="convert it first")
    _set_name(capsule, _USED[kind])
    shape = tuple(tensor.shape[: tensor.ndim])
    steps = None if not tensor.strides else tuple(n * dtype.itemsize for n in tensor.strides[: tensor.ndim])
    # Nothing says of older tensors whether they may be written.
    fixed = kind == b"dltensor" or bool(managed.flags & READ_ONLY)
    interface = {
        "version": 3,
        "shape": shape,
        "strides": steps,
        "typestr": f"|V{dtype.itemsize}",
        "data": ((tensor.data or 0) + tensor.byte_offset, fixed),
    }
    return np.asarray(_Owner(managed, interface)).view(dtype)


def _dtype(tensor: Any) -> np.dtype[Any] | None:
    """numpy's type of a tensor's elements, if there is one."""
    if tensor.lanes != 1 or tensor.bits % 8:
        return None
    if tensor.code == 6:
        return np.dtype(np.bool_) if tensor.bits == 8 else None
    if tensor.code in EXTENDED:
        import ml_dtypes

        scalar = getattr(ml_dtypes, EXTENDED[tensor.code], None)
        return None if scalar is None or np.dtype(scalar).itemsize * 8 != tensor.bits else np.dtype(scalar)
    try:
        return np.dtype(f"{KINDS[tensor.code]}{tensor.bits}")
    except (KeyError, TypeError):
        return None
