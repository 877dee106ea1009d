"""The C interface by ctypes: the structs of `hologram.h`, and calls with numpy arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from hologram.driver.artifacts import ENTRIES, OBJECT, Request
from hologram.driver.c.library import programs_shared
from hologram.driver.c.table import DTYPES
from hologram.driver.graph import Build
from hologram.driver.source import read_source
from hologram.driver.targets import CPU
from hologram.runtime import dtypes

OK, NO_PROGRAM, NO_ENTRY, BAD_ARGUMENT, NO_MEMORY, TRAPPED = range(6)


class Value(ctypes.Structure):
    """hologram_value."""

    _fields_ = [
        ("dtype", ctypes.c_int64),
        ("rank", ctypes.c_int64),
        ("data", ctypes.c_void_p),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
    ]


class Error(ctypes.Structure):
    """hologram_error."""

    _fields_ = [("status", ctypes.c_int64), ("message", ctypes.c_char * 1016)]


class Program(ctypes.Structure):
    """hologram_program."""

    _fields_ = [("library", ctypes.c_void_p), ("table", ctypes.c_void_p)]


class Failed(Exception):
    """The message of the library."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


_kept: list[Any] = []
"""The memory to which arguments point."""


def words(numbers: Sequence[int]) -> Any:
    """An array of 64-bit integers."""
    return (ctypes.c_int64 * max(len(numbers), 1))(*numbers)


def value(array: Any, dtype: str | None = None, limbs: bool = False) -> Value:
    """An argument for an array, a numpy scalar, or `(dtype, rank)` of a result that is left out."""
    if isinstance(array, tuple):
        name, rank = cast("tuple[str, int]", array)
        return Value(DTYPES[name], rank, None, words([-7] * rank), None)
    elements: NDArray[Any] = np.asarray(array)
    name = dtypes.name_of(elements.dtype) if dtype is None else dtype
    cut = elements.ndim - limbs
    bytes = elements.itemsize * (elements.shape[-1] if limbs else 1)
    steps = words([s // bytes for s in elements.strides[:cut]])
    found = Value(DTYPES[name], cut, elements.ctypes.data, words(elements.shape[:cut]), steps)
    _kept.append(elements)
    return found


class Library:
    """The C library, loaded."""

    def __init__(self, path: Path):
        self.code = ctypes.CDLL(str(path))
        for name in ("open", "find", "run"):
            getattr(self.code, f"hologram_{name}").restype = ctypes.c_int64

    def open(self, path: Path) -> Program:
        """A program, loaded."""
        program, error = Program(), Error()
        check(self.code.hologram_open(str(path).encode(), ctypes.byref(program), ctypes.byref(error)), error)
        return program

    def find(self, program: Program, name: str) -> ctypes.c_void_p:
        """An entry."""
        entry, error = ctypes.c_void_p(), Error()
        found = ctypes.byref(entry)
        check(self.code.hologram_find(ctypes.byref(program), name.encode(), found, ctypes.byref(error)), error)
        return entry

    def run(self, entry: ctypes.c_void_p, values: Sequence[Value]) -> ctypes.Array[Value]:
        """Runs an entry; the values then hold the results that were left out."""
        row, error = (Value * max(len(values), 1))(*values), Error()
        check(self.code.hologram_run(entry, row, ctypes.c_int64(len(values)), ctypes.byref(error)), error)
        return row

    def call(self, entry: ctypes.c_void_p, *arrays: Any) -> list[Any]:
        """Runs an entry on arrays; returns copies of the results that were left out."""
        row = self.run(entry, [a if isinstance(a, Value) else value(a) for a in arrays])
        return [self.taken(row[i], cast("Any", a)) for i, a in enumerate(arrays) if isinstance(a, tuple)]

    def taken(self, made: Value, kind: tuple[str, int]) -> Any:
        """A result as an array; its memory is freed."""
        shape = tuple(made.sizes[i] for i in range(kind[1]))
        size = int(np.prod(shape, dtype=np.int64)) * dtypes.dtype(kind[0]).numpy.itemsize
        assert made.data is not None
        assert made.data % 64 == 0
        array = np.frombuffer(ctypes.string_at(made.data, size), dtypes.dtype(kind[0]).numpy).reshape(shape)
        free = ctypes.CDLL(None).free
        free.argtypes = [ctypes.c_void_p]
        free(made.data)
        return array


def check(status: int, error: Error) -> None:
    """Raises Failed unless all went well."""
    if status:
        assert error.status == status
        raise Failed(status, error.message.decode())


def compiled(path: Path, folder: Path) -> Path:
    """The shared object of a program, in `folder`."""
    made = Build(read_source(path), cache=False).get([Request(OBJECT, CPU), Request(ENTRIES, CPU)])
    image, entries = made[Request(OBJECT, CPU)].data, made[Request(ENTRIES, CPU)].entries
    target = folder / f"{path.stem}.so"
    target.write_bytes(programs_shared([(path.name, image, entries)], target.name))
    return target
