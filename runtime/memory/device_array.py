"""Arrays in the memory of a device: kernels compiled for it take them, and leave their results there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from hologram.errors import InputError
from hologram.errors.arguments import checked
from hologram.runtime import dtypes
from hologram.runtime.devices import failures, find_device, open_device
from hologram.runtime.devices.protocol import Device
from hologram.runtime.memory.freeable import Freeable

Array = NDArray[Any]


class Memory:
    """An allocation on a device, given back with the last array in it."""

    __slots__ = ("address", "device", "nbytes")

    def __init__(self, device: Device, nbytes: int):
        self.address = 0
        self.device = device
        self.nbytes = nbytes
        with device.lock:
            self.address = device.allocate(nbytes)

    def free(self) -> None:
        """Gives it back. Doing so again does nothing."""
        address, self.address = self.address, 0
        if address and not self.device.is_lost:
            with self.device.lock:
                self.device.free(address)

    def __del__(self) -> None:
        if getattr(self, "address", 0):
            self.free()


NO_NUMBERS = "OSTUMm"
"""numpy's kinds of objects, texts and times."""


@dataclass(frozen=True)
class Flags:
    """The flags of an array that kernels look at, as numpy has them: arrays on devices lie in C order, and aligned."""

    carray: bool = True
    c_contiguous: bool = True
    writeable: bool = True


class DeviceArray(Freeable):
    """An array in a device's memory, in C order.

    `hologram.array(x, device="opencl")` makes one of a numpy array, and `numpy()` brings it back. What was asked of the
    device before is done by then: a read never gives what a write or a kernel before it has not yet changed.
    `copy_from` writes; `fetch` and `store` are the same for `await`.
    """

    __slots__ = ("_memory", "_offset", "dtype", "shape", "__weakref__")
    flags = Flags()

    def __init__(self, memory: Memory, shape: tuple[int, ...], dtype: np.dtype[Any], offset: int = 0):
        self._memory = memory
        self._offset = offset
        self.shape = shape
        self.dtype = dtype
        """numpy's element type."""

    @property
    def device(self) -> str:
        """The name of its device."""
        return self._memory.device.name

    @property
    def home(self) -> Device:
        """Its device."""
        return self._memory.device

    @property
    def address(self) -> int:
        """The address at which it begins in the device's memory, as the device counts."""
        if self._memory.device.is_lost:
            raise failures.lost(self.device, "this array was on it")
        if not self._memory.address:
            raise InputError("array-freed", f"the array {self!r} was freed", hint="make another one")
        return self._memory.address + self._offset

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The interface by which other libraries see an array on one of NVIDIA's GPUs; arrays elsewhere have none."""
        if not self.device.startswith("cuda:") or self.dtype.kind not in "biufc":
            raise AttributeError("__cuda_array_interface__")
        data = (self.address, False)
        stream = getattr(self.home, "stream", 1)
        return {"shape": self.shape, "typestr": self.dtype.str, "data": data, "version": 3, "stream": stream}

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Its bytes."""
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """The bytes from an element to the next one along each axis."""
        return tuple(math.prod(self.shape[axis + 1 :]) * self.itemsize for axis in range(self.ndim))

    def numpy(self) -> Array:
        """Its elements as a new numpy array. Raises what a kernel trapped on that wrote it, or another before."""
        result = np.empty(self.shape, self.dtype)
        self._read(result).wait()
        return result

    async def fetch(self) -> Array:
        """The same, without holding up the event loop."""
        result = np.empty(self.shape, self.dtype)
        await self._read(result)
        return result

    def copy_from(self, data: Any) -> None:
        """Copies an array of its shape into it."""
        self._write(self._given(data)).wait()

    async def store(self, data: Any) -> None:
        """The same, without holding up the event loop."""
        await self._write(self._given(data))

    def _read(self, target: Array) -> Any:
        device = self.home
        with device.lock:
            address = self.address
            settle(device)
            return device.read(address, bytes_of(target))

    def _write(self, given: Array) -> Any:
        with self.home.lock:
            return self.home.write(self.address, bytes_of(given))

    def _given(self, data: Any) -> Array:
        given = np.ascontiguousarray(data, self.dtype)
        if given.shape != self.shape and (given.size != 1 or self.size != 1):
            message = f"an array of shape {given.shape} does not fit into one of shape {self.shape}"
            raise InputError("array-shape", message, hint="make a new one: hologram.array(x, device=...)")
        return given

    def reshape(self, *shape: int) -> DeviceArray:
        """The same memory in another shape; one size may be -1."""
        known = math.prod(n for n in shape if n >= 0)
        sizes = tuple(self.size // known if n < 0 and known else n for n in shape)
        if math.prod(sizes) != self.size or sum(n < 0 for n in shape) > 1:
            raise InputError("array-reshape", f"an array of shape {self.shape} can't have the shape {shape}")
        return DeviceArray(self._memory, sizes, self.dtype, self._offset)

    def view(self, dtype: Any) -> DeviceArray:
        """The same memory as elements of another type, along the last axis."""
        element = numpy_type(dtype)
        if not self.shape or self.shape[-1] * self.itemsize % element.itemsize:
            raise InputError("array-view", f"an array of {self.dtype} of shape {self.shape} can't be seen as {element}")
        shape = (*self.shape[:-1], self.shape[-1] * self.itemsize // element.itemsize)
        return DeviceArray(self._memory, shape, element, self._offset)

    def __getitem__(self, index: slice | int) -> DeviceArray:
        """Rows of it, one after another: the same memory, not a copy."""
        if not self.shape:
            raise InputError("array-index", "an array without axes has no rows")
        try:
            rows = range(self.shape[0])[index]
        except IndexError:
            raise IndexError(f"there is no row {index} in an array of shape {self.shape}") from None
        if isinstance(rows, range) and rows.step != 1:
            raise InputError("array-step", "rows of a device array are taken one after another", hint="leave the step")
        first, shape = (rows.start, (len(rows), *self.shape[1:])) if isinstance(rows, range) else (rows, self.shape[1:])
        row = math.prod(self.shape[1:]) * self.itemsize
        return DeviceArray(self._memory, shape, self.dtype, self._offset + (first * row if math.prod(shape) else 0))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of an array without axes")
        return self.shape[0]

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        message = "an array on a device is not turned into a numpy array unasked"
        raise InputError("array-implicit", message, hint="x.numpy() copies it from the device")

    def free(self) -> None:
        """Gives its memory back, which all views of it lose. Doing so again does nothing."""
        self._memory.free()

    def __repr__(self) -> str:
        return f"<hologram.DeviceArray {dtypes.name_of(self.dtype)}{list(self.shape)} on {self.device}>"


def settle(device: Device) -> None:
    """Looks at what ran on a device without anyone having looked since: raises the first trap."""
    while device.unchecked:
        device.unchecked.pop(next(iter(device.unchecked)))()


def bytes_of(array: Array) -> memoryview:
    """The bytes of an array in C order."""
    return array.reshape(-1).view(np.uint8).data


@checked
def array(data: Any, *, device: str, dtype: str | None = None) -> DeviceArray:
    """A copy of `data` (a numpy array, or what numpy makes one of) in the memory of a device.

    `dtype` is a type's name (`f32`, `bf16`); without it, that of the data.
    """
    try:
        source = np.asarray(data, None if dtype is None else numpy_type(dtype))
    except (ValueError, TypeError, OverflowError) as error:
        why = "the lists within a list differ in length" if "inhomogeneous" in str(error) else str(error)
        raise InputError("array-data", f"what was passed makes no array: {why}", hint="pass a numpy array") from None
    result = empty(source.shape, source.dtype, device=device)
    result.copy_from(source)
    return result


@checked
def empty(shape: int | Sequence[int], dtype: Any = "f32", *, device: str) -> DeviceArray:
    """An array on a device whose elements are whatever was there."""
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    if any(n < 0 for n in sizes):
        raise InputError("array-sizes", f"an array can't have the shape {sizes}")
    element = numpy_type(dtype)
    return on(open_device(find_device_with_memory(device)), sizes, element)


@checked
def zeros(shape: int | Sequence[int], dtype: Any = "f32", *, device: str) -> DeviceArray:
    """An array on a device whose elements are 0."""
    result = empty(shape, dtype, device=device)
    with result.home.lock:
        result.home.fill(result.address, 0, result.nbytes)
    return result


def on(device: Device, shape: tuple[int, ...], dtype: np.dtype[Any]) -> DeviceArray:
    """A new array on a device that is open."""
    return DeviceArray(Memory(device, math.prod(shape) * dtype.itemsize), shape, dtype)


def find_device_with_memory(name: str) -> str:
    """The device called `name`, which is not the processor: arrays of that are numpy's."""
    device = find_device(name)
    if device == "cpu":
        message = f"device '{name}' is this machine's processor, whose arrays are numpy's"
        raise InputError("array-device", message, hint="pass numpy arrays to kernels on it")
    return device


def numpy_type(dtype: Any) -> np.dtype[Any]:
    """numpy's type for one of ours by name, or for what numpy takes as a type of numbers."""
    if isinstance(dtype, str) and dtype in dtypes.NAMES:
        return dtypes.dtype(dtype).numpy
    try:
        element = np.dtype(dtype)
    except TypeError:
        element = None
    if element is None or element.kind in NO_NUMBERS:
        known = ", ".join(dtypes.NAMES)
        raise InputError("array-dtype", f"there are no arrays of '{dtype}'", hint=f"the types are {known}")
    return element
