"""Launches whose arguments are settled: a function without arguments that calls the host code and does no more.

It is a C function (`native/c/prepared_launch.c`): what Python does for one is a call. The words that the host code's
packed form takes, and what says whether something failed, lie in memory that lives as long as the function.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from hologram.runtime.devices.cpu import resources
from hologram.runtime.native import PREPARED_LAUNCH, addresses
from hologram.support import forks

_SYMBOL = "hologram_prepared"
PYTHON_FUNCTIONS = ("PyCapsule_GetPointer", "PyObject_CallNoArgs", "Py_IncRef")
_NO_ARGUMENTS = 4
"""Python's METH_NOARGS."""


class _Plan(ctypes.Structure):
    """`struct prepared_launch`."""

    _fields_ = (
        ("function", ctypes.c_void_p),
        ("words", ctypes.c_void_p),
        ("status", ctypes.c_void_p),
        ("fail", ctypes.c_void_p),
        ("none", ctypes.c_void_p),
    )


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@forks.once
def _method() -> _Method:
    """The C function, which is loaded once and stays."""
    module = resources.load(PREPARED_LAUNCH, addresses(ctypes.pythonapi, PYTHON_FUNCTIONS), (_SYMBOL,))
    return _Method(b"launch", module.address(_SYMBOL), _NO_ARGUMENTS, b"Launches a program as it was prepared.")


_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_new_function = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
    ("PyCFunction_NewEx", ctypes.pythonapi)
)


def prepare(
    function: int, words: ctypes.Array[Any], status: int, fail: Callable[[], None], keep: Sequence[Any]
) -> Callable[[], None]:
    """A function that calls the one at an address with `words`, and `fail` if the word at `status` is not 0 then.

    `keep` lives as long as it does.
    """
    plan = _Plan(function, ctypes.addressof(words), status, id(fail), id(None))
    wrapper = _new_function(ctypes.addressof(_method()), _new_capsule(ctypes.addressof(plan), None, None), None)
    weakref.finalize(wrapper, _let_go, plan, words, fail, tuple(keep)).atexit = False
    return wrapper


def _let_go(*kept: object) -> None:
    """Do nothing: what a finalizer holds goes when it runs."""
