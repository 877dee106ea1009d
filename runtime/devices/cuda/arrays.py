"""Arrays of other libraries on a GPU as ours, over the same memory: by DLPack, or `__cuda_array_interface__`.

Who hands one over has work on a stream of its own, which ours waits for: DLPack's side sees to that, given our stream;
the other way names the stream. Ours waits for the default stream, and the default stream for ours.
"""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from hologram.errors import LaunchError
from hologram.runtime import foreign
from hologram.runtime.memory.device_array import DeviceArray, Memory

ALIGNMENT = 16
"""Kernels access memory up to so many bytes at a time."""
CUDA = 2
"""DLPack's number of CUDA's devices."""
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
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        kind, number = map(int, value.__dlpack_device__())
        if kind != CUDA:
            return None
        if number != device.ordinal:
            message = f"argument '{name}' lies on CUDA's device {number}, and the kernel runs on {device.name}"
            raise LaunchError("launch-cuda-device", message, hint="copy it there, or compile for its device")
        return _wrapped(name, foreign.taken(name, value, device.stream), device)
    interface = getattr(value, "__cuda_array_interface__", None)
    if not isinstance(interface, dict):
        return None
    return _from_interface(name, value, cast("dict[str, Any]", interface), written, device)


def _from_interface(name: str, value: Any, interface: dict[str, Any], written: bool, device: Any) -> DeviceArray:
    address, fixed = interface["data"]
    if fixed and written:
        message = f"argument '{name}' may not be written, and the kernel writes it"
        raise LaunchError("launch-cuda-read-only", message, hint="pass a copy")
    if (stream := interface.get("stream")) not in DEFAULT_STREAMS:
        device.call("wait for another library", "cuStreamSynchronize", stream)
    holder = _Holder(value, {key: interface.get(key) for key in ("shape", "typestr", "strides")} | {"version": 3})
    holder.__array_interface__["data"] = (int(address), False)
    return _wrapped(name, np.asarray(holder), device)


class _Holder:
    """Shows numpy an interface, and holds who has the memory. Nothing reads through what numpy makes of it."""

    def __init__(self, value: object, interface: dict[str, Any]):
        self.value = value
        self.__array_interface__ = interface


def _wrapped(name: str, array: np.ndarray[Any, Any], device: Any) -> DeviceArray:
    address: int = array.__array_interface__["data"][0]
    if not array.flags.c_contiguous:
        message = f"argument '{name}' does not lie in C order without gaps, as arrays on devices do"
        raise LaunchError("launch-cuda-strides", message, hint="pass x.contiguous(), or its like")
    if address % ALIGNMENT and array.size:
        message = (
            f"argument '{name}' begins at {address:#x}, and arrays on {device.name} begin at multiples of 16 bytes"
        )
        raise LaunchError("launch-cuda-alignment", message, hint="pass a copy")
    memory = Borrowed(device, address, math.prod(array.shape) * array.itemsize, array)
    return DeviceArray(memory, array.shape, array.dtype)
