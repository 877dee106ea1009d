"""Arrays of other libraries on a GPU as ours, over the same memory: by DLPack, or `__cuda_array_interface__`.

Who hands one over has work on a stream of its own, which ours waits for: DLPack's side sees to that, given our stream;
the other way names the stream. Ours waits for the default stream, and the default stream for ours.
"""

from __future__ import annotations

import ctypes
import math
from typing import Any, cast

import numpy as np

from hologram.errors import LaunchError
from hologram.runtime import foreign
from hologram.runtime.devices.cuda.driver import NOT_SUPPORTED, SUCCESS
from hologram.runtime.memory.device_array import DeviceArray, Memory

ALIGNMENT = 16
"""Kernels access memory up to so many bytes at a time."""
CUDA = 2
"""DLPack's number of CUDA's devices."""
INTERFACE = "__cuda_array_interface__"
_RANGE_START, _RANGE_BYTES = 11, 12
"""What the driver says of a pointer: where the allocation begins that it points into, and its size."""
DEFAULT_STREAMS = (None, 1)
"""What an interface says of a stream that nothing waits for, or that ours waits for anyway."""


class Borrowed(Memory):
    """Memory of another library, which holds it as long as `owner` lives."""

    __slots__ = ("owner",)

    def __init__(self, device: Any, address: int, nbytes: int, owner: object):
        self.address = address
        self.device = device
        self.nbytes = nbytes
        self.owner = owner

    def free(self) -> None:
        """Lets go of it."""
        self.address, self.owner = 0, None


def adopt(name: str, value: Any, written: bool, device: Any) -> DeviceArray | None:
    """An array over the memory of `value`, the argument called `name`; None if that is no array on a GPU.

    `device` is a `CudaDevice`, whose module this one does not import: it imports this one.
    """
    if foreign.has(value, "__dlpack__") and foreign.has(value, "__dlpack_device__"):
        kind, number = foreign.device_of(name, value)
        if kind != CUDA:
            return None
        if number != device.ordinal:
            message = f"argument '{name}' lies on CUDA's device {number}, and the kernel runs on {device.name}"
            raise LaunchError("launch-cuda-device", message, hint="copy it there, or compile for its device")
        return _wrapped(name, foreign.taken(name, value, device.stream), device, foreign.is_known(value))
    interface = getattr(value, INTERFACE) if foreign.has(value, INTERFACE) else None
    if not isinstance(interface, dict):
        return None
    return _from_interface(name, value, cast("dict[str, Any]", interface), written, device)


def _from_interface(name: str, value: Any, interface: dict[str, Any], written: bool, device: Any) -> DeviceArray:
    layout = foreign.layout_of(name, interface)
    if layout.read_only and written:
        message = f"argument '{name}' may not be written, and the kernel writes it"
        raise LaunchError("launch-cuda-read-only", message, hint="pass a copy")
    if (stream := interface.get("stream")) not in DEFAULT_STREAMS:
        device.call("wait for another library", "cuStreamSynchronize", stream)
    return _wrapped(name, foreign.array_of(layout, value), device, foreign.is_known(value))


def _wrapped(name: str, array: np.ndarray[Any, Any], device: Any, is_known: bool) -> DeviceArray:
    address: int = array.__array_interface__["data"][0]
    if not array.flags.c_contiguous:
        message = f"argument '{name}' does not lie in C order without gaps, as arrays on devices do"
        raise LaunchError("launch-cuda-strides", message, hint="pass x.contiguous(), or its like")
    if address % ALIGNMENT and array.size:
        message = (
            f"argument '{name}' begins at {address:#x}, and arrays on {device.name} begin at multiples of 16 bytes"
        )
        raise LaunchError("launch-cuda-alignment", message, hint="pass a copy")
    if not is_known and array.size:
        _check_memory(name, address, array.nbytes, device)
    memory = Borrowed(device, address, math.prod(array.shape) * array.itemsize, array)
    return DeviceArray(memory, array.shape, array.dtype)


def _check_memory(name: str, address: int, nbytes: int, device: Any) -> None:
    """A LaunchError unless the driver knows memory as its own: a kernel that uses other memory loses the device."""
    start, size = ctypes.c_uint64(), ctypes.c_size_t()
    for value, attribute in ((start, _RANGE_START), (size, _RANGE_BYTES)):
        status = device.ask("cuPointerGetAttribute", ctypes.byref(value), attribute, address)
        if status == NOT_SUPPORTED:
            return
        if status != SUCCESS:
            size.value = 0
            break
    if not start.value <= address <= address + nbytes <= start.value + size.value:
        message = f"argument '{name}' points to memory that is not {device.name}'s: {nbytes} bytes at {address:#x}"
        raise LaunchError("launch-cuda-memory", message, hint="pass an array of the device, or a numpy array")
