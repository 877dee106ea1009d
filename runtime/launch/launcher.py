"""Kernel objects that Python calls through compiled code.

A kernel's type derives from its Python class and adds two fields: the address of the compiled vectorcall function and
that of the kernel's table. Where this interpreter or this numpy are not what the code was written for, there is no such
type, and the Python class alone serves.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from importlib import import_module
from typing import Any

import numpy as np

from hologram.runtime import native
from hologram.runtime.devices.cpu import resources
from hologram.runtime.devices.module import CpuModule
from hologram.runtime.native import CONFIG, ENTRY, LAUNCH, LAUNCHER_FUNCTIONS, LAUNCHER_SYMBOLS
from hologram.support import forks

HEADER = 16
"""Bytes of the head of Python objects that the code counts on."""
NEW_FROM_DESCR = 94
"""The number of PyArray_NewFromDescr in numpy's C interface."""
NUMBERS = "float64 float32 bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
"""numpy's scalar types in the order of `number_format` in `launch_table.h`."""
_DEFAULT, _HAVE_VECTORCALL = 1 << 18, 1 << 11
_TP_CALL, _TP_MEMBERS = 50, 72
_T_PYSSIZET, _READONLY = 19, 1


_alive: list[Launcher] = []
"""Types point into their launcher's code and memory, and types may outlive everything."""


class _Array(ctypes.Structure):
    """The fields of numpy's array object that the code reads."""

    _fields_ = [
        ("count", ctypes.c_ssize_t),
        ("type", ctypes.c_void_p),
        ("data", ctypes.c_void_p),
        ("nd", ctypes.c_int),
        ("dims", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("base", ctypes.c_void_p),
        ("descr", ctypes.c_void_p),
        ("flags", ctypes.c_int),
    ]


class _Member(ctypes.Structure):
    """PyMemberDef."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


class _Slot(ctypes.Structure):
    """PyType_Slot."""

    _fields_ = [("slot", ctypes.c_int), ("function", ctypes.c_void_p)]


class _Spec(ctypes.Structure):
    """PyType_Spec."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("basicsize", ctypes.c_int),
        ("itemsize", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.POINTER(_Slot)),
    ]


class Launcher:
    """The compiled vectorcall function, and the type of kernel objects that go through it."""

    def __init__(self, base: type[Any], slow: Any, trapped: Any, code: CpuModule):
        """`slow` is called as the kernel is, `trapped` with the kernel and the bytes of the trap record.

        `code` is no other launcher's: its configuration is in it.
        """
        self._offset = base.__basicsize__
        self._module = code
        self._function = self._module.address(ENTRY)
        self._kept: list[Any] = [slow, trapped]
        self._configure(slow, trapped)
        self.type: Any = self._make_type(base)
        """Derives from `base`."""
        self.type.__doc__ = base.__doc__
        _alive.append(self)

    def bind(self, kernel: Any, table: int) -> None:
        """Makes a kernel object of this type callable. `table` is the address of its table, which must outlive it."""
        fields = (ctypes.c_size_t * 2).from_address(id(kernel) + self._offset)
        fields[1] = table
        fields[0] = self._function

    def _configure(self, slow: Any, trapped: Any) -> None:
        types = [(getattr(np, name), kind) for kind, name in enumerate(NUMBERS)]
        numbers = [(id(scalar), kind) for scalar, kind in types if _holds_value_behind_head(scalar)]
        rows = (ctypes.c_int64 * (2 * len(numbers)))(*(word for number in numbers for word in number))
        self._kept.append(rows)
        objects = (np.ndarray, float, int, True, False, None, slow, trapped)
        # Names of keywords in code are interned, and so is this one.
        out, table = id(sys.intern("out")), self._offset + ctypes.sizeof(ctypes.c_void_p)
        words = (*map(id, objects), ctypes.addressof(rows), len(numbers), _new_from_descr(), out, table)
        # The struct `launch_config` of `launch_table.h`.
        (ctypes.c_int64 * len(words)).from_address(self._module.address(CONFIG))[:] = words

    def _make_type(self, base: type[Any]) -> Any:
        members = (_Member * 2)(_Member(b"__vectorcalloffset__", _T_PYSSIZET, self._offset, _READONLY, None))
        call = ctypes.cast(ctypes.pythonapi.PyVectorcall_Call, ctypes.c_void_p)
        slots = (_Slot * 3)(_Slot(_TP_CALL, call), _Slot(_TP_MEMBERS, ctypes.cast(members, ctypes.c_void_p)))
        name = f"{base.__module__}.{base.__qualname__}".encode()
        size = self._offset + 2 * ctypes.sizeof(ctypes.c_void_p)
        spec = _Spec(name, size, 0, _DEFAULT | _HAVE_VECTORCALL, slots)
        self._kept += [members, slots, name, spec]
        make = ctypes.pythonapi["PyType_FromSpecWithBases"]
        make.argtypes, make.restype = [ctypes.POINTER(_Spec), ctypes.py_object], ctypes.py_object
        return make(ctypes.byref(spec), (base,))


@functools.cache
def fitting() -> bool:
    """Return whether there is code for this platform and interpreter.

    It expects that Python and numpy lay out their objects in a certain way, and that there is one lock.
    """
    if without_lock() or sys.byteorder != "little" or sys.maxsize != (1 << 63) - 1:
        return False
    if sys.implementation.name != "cpython" or object.__basicsize__ != HEADER:
        return False
    if not native.is_available(LAUNCH):
        return False
    return all(map(_laid_out_as_expected, (np.zeros(3), np.ones((2, 5), np.int8)[:, ::2], np.array(1, np.float32))))


def without_lock(version: tuple[Any, ...] = sys.version_info) -> bool:
    """Return whether this interpreter was built to run without its lock, which none older than 3.13 can be."""
    if version < (3, 13):
        return False
    import sysconfig

    return bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def _laid_out_as_expected(array: Any) -> bool:
    if array.__class__.__basicsize__ < ctypes.sizeof(_Array):
        return False
    raw = _Array.from_address(id(array))
    head = (id(np.ndarray), array.__array_interface__["data"][0], array.ndim, id(array.dtype))
    if (raw.type, raw.data, raw.nd, raw.descr) != head or raw.flags & 0xFFF != array.flags.num & 0xFFF:
        return False
    if not array.ndim:
        return True
    sizes, strides = ((ctypes.c_ssize_t * array.ndim).from_address(a) for a in (raw.dims, raw.strides))
    return (*sizes,) == array.shape and (*strides,) == array.strides


def _holds_value_behind_head(scalar: Any) -> bool:
    """Return whether numpy's scalars of a type keep their value right behind the object's head."""
    value = scalar(1)
    size = value.dtype.itemsize
    return ctypes.string_at(id(value) + HEADER, size) == value.tobytes()


def _new_from_descr() -> int:
    capsule = import_module("numpy._core._multiarray_umath")._ARRAY_API  # pyright: ignore[reportPrivateUsage]
    get = ctypes.pythonapi["PyCapsule_GetPointer"]
    get.argtypes, get.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    table = (ctypes.c_size_t * (NEW_FROM_DESCR + 1)).from_address(get(capsule, None))
    return table[NEW_FROM_DESCR]


def load() -> CpuModule:
    """The code, once more in this process."""
    # A static interpreter need not show its functions to the linker.
    functions = native.addresses(ctypes.pythonapi, LAUNCHER_FUNCTIONS)
    return resources.load(LAUNCH, functions, LAUNCHER_SYMBOLS)


@forks.once
def code() -> CpuModule:
    """The code of the process's own launcher, which its parallel loops go through too."""
    return load()


def prepare() -> None:
    """Has the object code made in the background, so that the first program's lowering need not wait for it."""
    if fitting():
        resources.prepare(LAUNCH)
