"""Arrays of other libraries as numpy arrays over the same memory: DLPack, the buffer protocol, `__array_interface__`.

Lists and other things that would have to be copied are not taken: what a kernel writes to a copy is lost.
"""

from __future__ import annotations

import ctypes
import math
import operator
from typing import Any, NamedTuple, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from hologram.errors import LaunchError
from hologram.runtime.limbs import shown
from hologram.runtime.reachable import is_reachable

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
CUDA_DEVICES = (2, 13)
"""DLPack's numbers of a CUDA device, and of memory that CUDA moves to where it is used."""
MAX_RANK = 64
"""numpy's."""
KNOWN = frozenset({"array", "builtins", "cupy", "jax", "jaxlib", "mlx", "mmap", "numpy", "paddle", "pyarrow",
                   "tensorflow", "torch"})  # fmt: skip
"""The packages whose arrays lie where they say: it takes microseconds to ask the system about others at each call."""
VERSIONED = b"dltensor_versioned"


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


FORMS: dict[bytes, Any] = {VERSIONED: _Versioned, b"dltensor": _Managed}
_api = ctypes.pythonapi
_get_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", _api))
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
_set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", _api))
_USED = {name: b"used_" + name for name in FORMS}
"""What a capsule is called once it is taken; these bytes must stay where they are."""


class _Owner:
    """Holds a tensor of another library, which is given back with the last array over it."""

    def __init__(self, managed: Any):
        self._managed = managed

    def __del__(self) -> None:
        if self._managed.deleter:
            ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(self._managed.deleter)(ctypes.addressof(self._managed))


def has(value: Any, name: str) -> bool:
    """Return whether a value has an attribute; one whose class can't say has none."""
    try:
        return hasattr(value, name)
    except Exception:
        return False


def view_of(name: str, value: Any, written: bool = False) -> Array | None:
    """A numpy array over the memory of `value`, the argument called `name`; None if it is no array in main memory.

    Memory that is not what its producer says ends the process when a kernel reads it. So all counts are checked, and of
    producers that are not known also whether the memory is there (and for what is `written`, may be written).
    """
    if isinstance(value, (np.generic, str)):
        return None
    try:
        if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
            return _from_dlpack(name, value, written)
    except LaunchError:
        raise
    except Exception:  # Its class can't say what it has.
        return None
    try:
        buffer = memoryview(value)
        view = np.asarray(buffer)
    except Exception:
        return _from_interface(name, value, written)
    if not is_known(buffer.obj):
        layout = Layout(
            name, view.__array_interface__["data"][0], view.shape, view.strides, view.dtype, buffer.readonly
        )
        layout.check_memory(written)
    return view


def is_known(producer: Any) -> bool:
    """Return whether an array is of a package whose arrays lie where they say."""
    return type(producer).__module__.partition(".")[0] in KNOWN


class Layout(NamedTuple):
    """What a producer says of an array, which may be anything."""

    name: str
    """The argument's."""
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    """In bytes."""
    dtype: np.dtype[Any]
    read_only: bool

    def refuse(self, reason: str) -> NoReturn:
        """Raises the error of an array that can't be."""
        message = f"argument '{self.name}' says of its memory what can't be: {reason}"
        hint = f"pass a numpy array; the class of what was passed is at fault, not {self.name}'s elements"
        raise LaunchError("launch-producer", message, hint=hint)

    def check(self) -> None:
        """A LaunchError unless the counts hold together."""
        strides = self.strides
        if len(self.shape) > MAX_RANK or (strides is not None and len(strides) != len(self.shape)):
            self.refuse(f"it has {len(self.shape)} sizes" + (f" and {len(strides)} strides" if strides else ""))
        if any(n < 0 for n in self.shape):
            self.refuse(f"its shape is {shown(self.shape)}")
        if self.dtype.hasobject or not self.dtype.itemsize:
            self.refuse(f"its elements are of type {self.dtype}")
        if math.prod(n or 1 for n in self.shape) * self.dtype.itemsize >= 1 << 63:
            self.refuse(f"its shape is {shown(self.shape)}, which is more than there are addresses")
        start, stop = self.span
        if not 0 <= start <= stop < 1 << 64 or any(not -(1 << 63) <= n < 1 << 63 for n in strides or ()):
            self.refuse("its elements lie where there are no addresses")
        if stop > start and not self.address:
            self.refuse("it has elements, and its address is null")

    @property
    def span(self) -> tuple[int, int]:
        """Where its bytes begin and end."""
        if not all(self.shape):
            return self.address, self.address
        if self.strides is None:
            return self.address, self.address + math.prod(self.shape) * self.dtype.itemsize
        steps = [(n - 1) * step for n, step in zip(self.shape, self.strides, strict=True)]
        low, high = sum(s for s in steps if s < 0), sum(s for s in steps if s > 0)
        return self.address + low, self.address + high + self.dtype.itemsize

    def check_memory(self, written: bool) -> None:
        """A LaunchError unless its memory can be used."""
        start, stop = self.span
        if start < stop and not is_reachable(start, stop, written and not self.read_only):
            access = "written" if is_reachable(start, stop, False) else "read"
            message = f"argument '{self.name}' points to memory that can't be {access}: {start:#x} to {stop:#x}"
            hint = "it is not in main memory, was given back, or its class is at fault; pass a numpy array"
            raise LaunchError("launch-producer-memory", message, hint=hint)

    def interface(self) -> dict[str, Any]:
        """The same as numpy takes it."""
        # Plain bytes: a type that numpy only has a name for can't be said here.
        return {
            "version": 3, "shape": self.shape, "strides": self.strides, "typestr": f"|V{self.dtype.itemsize}",
            "data": (self.address, self.read_only),
        }  # fmt: skip


def layout_of(name: str, interface: Any) -> Layout:
    """Return what an `__array_interface__`, or one of its kind for a device, says."""
    try:
        data = interface["data"]
        held = None if isinstance(data, tuple) else np.frombuffer(memoryview(data).cast("B"), np.uint8)
        if held is not None:
            data = held.ctypes.data + operator.index(interface.get("offset", 0)), not held.flags.writeable
        address, read_only = cast("tuple[Any, Any]", data)
        strides = interface.get("strides")
        strides = None if strides is None else tuple(map(operator.index, strides))
        shape, dtype = tuple(map(operator.index, interface["shape"])), np.dtype(interface["typestr"])
        layout = Layout(name, operator.index(address), shape, strides, dtype, bool(read_only))
    except Exception as error:
        message = f"argument '{name}' has an array interface that can't be read: {_said(error)}"
        raise LaunchError("launch-array-interface", message, hint="pass a numpy array") from None
    layout.check()
    if held is not None and not held.ctypes.data <= layout.span[0] <= layout.span[1] <= held.ctypes.data + held.nbytes:
        layout.refuse(f"its shape is {shown(layout.shape)}, and its buffer has {held.nbytes} bytes")
    return layout


class _Interface:
    """Shows numpy an interface, and holds who has the memory."""

    def __init__(self, owner: object, interface: dict[str, Any]):
        self.owner = owner
        self.__array_interface__ = interface


def array_of(layout: Layout, owner: object) -> Array:
    """A numpy array over memory of a layout that was checked, which the owner has."""
    return np.asarray(_Interface(owner, layout.interface())).view(layout.dtype)


def _from_interface(name: str, value: Any, written: bool) -> Array | None:
    try:
        interface = getattr(value, "__array_interface__", None)
    except Exception:
        return None
    if not isinstance(interface, dict):
        return None
    if is_known(value):
        return np.asarray(value)
    layout = layout_of(name, interface)
    layout.check_memory(written)
    return array_of(layout, value)


def device_of(name: str, value: Any) -> tuple[int, int]:
    """Return DLPack's kind and number of the device that an array lies on."""
    try:
        kind, number = map(int, value.__dlpack_device__())
    except Exception as error:
        message = f"argument '{name}' does not say where it lies: {_said(error)}"
        raise LaunchError("launch-dlpack-where", message, hint="pass a numpy array over its memory") from None
    return kind, number


def _said(error: Exception) -> str:
    """The words of an exception, with its name where they say little alone."""
    if isinstance(error, (BufferError, RuntimeError, TypeError, ValueError)) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _from_dlpack(name: str, value: Any, written: bool) -> Array:
    device, _ = device_of(name, value)
    if device not in HOST_DEVICES:
        place = DEVICES.get(device, f"a device of DLPack's kind {device}")
        message = f"argument '{name}' lies on {place}, and the kernel runs on the CPU"
        raise LaunchError("launch-dlpack-device", message, hint="copy it to the CPU first, such as x.cpu()")
    return _take(name, _export(name, value), is_known(value), written)


def taken(name: str, value: Any, stream: int) -> Array:
    """Return an array over the memory of one on a device, ready for work on a stream there.

    Its elements can't be read here.
    """
    return _take(name, _export(name, value, stream=stream), is_known(value), None)


def _export(name: str, value: Any, **options: Any) -> Any:
    try:
        try:
            return value.__dlpack__(max_version=(1, 0), **options)
        except TypeError:
            # It is of a library from before DLPack 1.0.
            return value.__dlpack__(**options)
    except Exception as error:
        message = f"argument '{name}' can't be shared: {_said(error)}"
        hint = "pass a numpy array, which is copied" if options else "pass a numpy array over its memory"
        raise LaunchError("launch-dlpack-export", message, hint=hint) from None


def _take(name: str, capsule: Any, known: bool, written: bool | None) -> Array:
    """The array of a capsule, which is used up. `written` is None of memory on a device, which the system knows not."""
    kind = _get_name(capsule) if known else _kind_of(name, capsule)
    managed = FORMS[kind].from_address(_get_pointer(capsule, kind) if known else _checked(name, capsule, kind, written))
    tensor = managed.tensor
    dtype = _dtype(tensor)
    if dtype is None:
        lanes = f", {tensor.lanes} lanes" if tensor.lanes != 1 else ""
        message = f"argument '{name}' has elements that numpy has not (code {tensor.code}, {tensor.bits} bits{lanes})"
        raise LaunchError("launch-dlpack-type", message, hint="convert it first")
    shape = tuple(tensor.shape[: tensor.ndim]) if tensor.ndim else ()
    strides = None if not tensor.strides else tuple([n * dtype.itemsize for n in tensor.strides[: tensor.ndim]])
    # Nothing says of older tensors whether they may be written.
    fixed = kind != VERSIONED or bool(managed.flags & READ_ONLY)
    layout = Layout(name, (tensor.data or 0) + tensor.byte_offset, shape, strides, dtype, fixed)
    if not known:
        layout.check()
        if written is not None:
            layout.check_memory(written)
    _set_name(capsule, _USED[kind])
    return array_of(layout, _Owner(managed))


def _kind_of(name: str, capsule: Any) -> bytes:
    """The name of a capsule that holds a tensor."""
    if type(capsule).__name__ != "PyCapsule":
        _refuse_capsule(name, f"it is of type {type(capsule).__name__}")
    kind = _get_name(capsule)
    if kind not in FORMS:
        used = kind in _USED.values()
        called = (kind or b"").decode(errors="replace")
        _refuse_capsule(name, "it was taken before" if used else f"its capsule is called '{called}'")
    return kind


def _checked(name: str, capsule: Any, kind: bytes, written: bool | None) -> int:
    """Where a tensor is described, all of which can be read."""

    def check(address: int, size: int, what: str) -> None:
        if not is_reachable(address, address + size, False):
            _refuse_capsule(name, f"its {what} lies where nothing is")

    address: int = _get_pointer(capsule, kind)
    check(address, ctypes.sizeof(FORMS[kind]), "description")
    managed = FORMS[kind].from_address(address)
    if kind == VERSIONED and managed.major != 1:
        _refuse_capsule(name, f"it is of DLPack {managed.major}.{managed.minor}, of which version 1 is known here")
    if managed.deleter:
        check(managed.deleter, 1, "deleter")
    tensor = managed.tensor
    if tensor.device_type not in (CUDA_DEVICES if written is None else HOST_DEVICES):
        _refuse_capsule(name, f"it is on a device of kind {tensor.device_type}, which is not where it said it lies")
    if not 0 <= tensor.ndim <= MAX_RANK or (tensor.ndim and not tensor.shape):
        _refuse_capsule(name, f"it has {tensor.ndim} axes" + ("" if tensor.shape else " and no sizes"))
    for counts in filter(None, (tensor.shape, tensor.strides)):
        check(ctypes.cast(counts, ctypes.c_void_p).value or 0, 8 * tensor.ndim, "shape")
    return address


def _refuse_capsule(name: str, reason: str) -> NoReturn:
    message = f"argument '{name}' gives no tensor by __dlpack__: {reason}"
    raise LaunchError("launch-dlpack-capsule", message, hint="pass a numpy array over its memory")


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
