"""The table of the kernel library: how each kernel is called, on which sizes, and what is right.

All tests of the library read it: those on the CPU and of the forms (test_library.py), and on the devices
(test/devices/test_library.py). Its rows stand in files by area, which FILES names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from conformance.values import edges
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.driver.kernel_decorator import PythonKernel

FILES = sorted(path.stem for path in Path(__file__).parent.glob("*_cases.py"))
"""The modules beside this one that have a table `ROWS`."""

Array = np.ndarray[Any, np.dtype[Any]]
Sizes = tuple[int, ...]

FLOATS = ("f32", "f64", "f16", "bf16")
INTEGERS = ("i32", "i64", "u8")
NUMBERS = (*FLOATS, *INTEGERS)
"""The tested types of kernels that take floats, integers, and both. The instructions' own tests have all types."""

LINES: tuple[Sizes, ...] = ((0,), (1,), (7,), (257,), (4099,))
"""Sizes of vectors: none, one, odd ones, more than a block, more than a chunk of a sum."""


class Draw:
    """Makes the arguments of a kernel for a choice of its element type, the same each time."""

    def __init__(self, dtype: str, *seed: int, subnormals: bool = True):
        self.dtype = dtype
        self.subnormals = subnormals
        """True if edge values include subnormal ones: devices that only promise bounds may take them for zeros."""
        self.random = np.random.default_rng([len(dtype), *map(abs, seed)])

    def array(self, *shape: int, dtype: str = "", least: float = -100, most: float = 100) -> Array:
        """Random numbers: normal ones for floats, whole ones from `least` up to `most`, as far as the type goes."""
        t = DTYPES[dtype or self.dtype]
        if t.is_float:
            return self.random.standard_normal(shape).astype(t.numpy)
        low, high = max(int(least), int(t.least)), min(int(most), int(t.greatest))
        return self.random.integers(low, high, shape, endpoint=True).astype(t.numpy)

    def spread(self, count: int, dtype: str = "", turn: int = 1) -> Array:
        """Edge values of the type, each next to others in each `turn`, and random numbers between them."""
        found = self.array(count, dtype=dtype)
        t = DTYPES[dtype or self.dtype]
        wide = np.array(edges(t), np.float64 if t.is_float else t.numpy)
        if t.is_float and not self.subnormals:
            wide = wide[(wide == 0) | ~(np.abs(wide) < float(limits(found).tiny))]
        special = rounded(wide, t.numpy)
        places = np.arange(0, count, 2)
        found[places] = special[(places // 2 // turn + places // 2) % len(special)]
        return found

    def uniform(self, low: float, high: float, *shape: int, dtype: str = "") -> Array:
        """Floats between two bounds."""
        return self.random.uniform(low, high, shape).astype(DTYPES[dtype or self.dtype].numpy)

    def blank(self, *shape: int, dtype: str = "") -> Array:
        """An array for results, of bytes that no result has everywhere."""
        t = DTYPES[dtype or self.dtype]
        count = int(np.prod(shape, dtype=np.int64))
        filled = np.full(count * t.numpy.itemsize, 1 if t.kind == "bool" else 0xA5, np.uint8)
        return filled.view(t.numpy).reshape(shape)


@dataclass(frozen=True)
class Row:
    """A kernel of the library."""

    file: str
    """Its file in kernels/stdlib, without `.py`: `vector/vector_add`. The kernel has the file's name, if not `name`."""
    arguments: Callable[..., list[Any]]
    """Takes a Draw and sizes, and gives what the kernel is called with."""
    right: Callable[..., Any]
    """The required content of the written arguments: an array, or a tuple of them where there are several. It is
    given all arguments, floats as float64. Results that are floats may be given as float64: they are rounded."""
    sizes: Sequence[Sizes] = LINES
    types: tuple[str, ...] = ("f32",)
    """The choices of the element type that are tested."""
    written: tuple[int, ...] = (-1,)
    """The arguments that the kernel writes."""
    name: str = ""
    constants: Mapping[str, Any] = field(default_factory=dict[str, Any])
    ulps: float | Mapping[str, float] = 0.0
    """The allowed error of a float, in units of the last place of `scale`, in all types or by type; 0: exactly the
    rounded result, but where isa.md section 7 promises bounds alone."""
    scale: Callable[..., Any] | None = None
    """The unit of errors, computed from the arguments as `right` gets them; else the result's magnitude."""
    tiny: float = 0.0
    """The error of a float that is always allowed."""
    label: str = ""
    """Tells rows of one kernel apart."""

    @property
    def kernel_name(self) -> str:
        """The kernel's name."""
        return self.name or self.file.rpartition("/")[2]

    @property
    def title(self) -> str:
        """The name of the row in the list of tests."""
        return f"{self.kernel_name}-{self.label}" if self.label else self.kernel_name

    @property
    def kernel(self) -> PythonKernel:
        """The kernel."""
        return load(self.file, self.kernel_name)

    def draw(self, dtype: str, sizes: Sizes, bounded: bool = False) -> list[Any]:
        """The arguments for sizes; those for devices that promise bounds are not subnormal."""
        return self.arguments(Draw(dtype, *sizes, subnormals=not bounded), *sizes)

    def wrong(self, given: Sequence[Any], found: Sequence[Any], bounded: bool = False) -> str | None:
        """The fault of the arguments after a call; `given` are those before. `bounded` devices promise bounds."""
        written = [n % len(given) for n in self.written]
        decoded = [decode(v) for v in given]
        with np.errstate(all="ignore"):
            right: Any = self.right(*decoded)
            scale = None if self.scale is None else self.scale(*decoded)
        results: list[Any] = [*right] if type(right) is tuple else [right]
        wanted = dict(zip(written, results, strict=True))
        for n, (before, after) in enumerate(zip(given, found, strict=True)):
            if n not in wanted:
                if isinstance(before, np.ndarray) and before.tobytes() != after.tobytes():
                    return f"argument {n} was changed"
            elif (problem := self._differs(after, np.asarray(wanted[n]), scale, bounded)) is not None:
                return f"argument {n}: {problem}"
        return None

    def _differs(self, found: Array, right: Array, scale: Any, bounded: bool) -> str | None:
        if found.shape != right.shape:
            return f"the reference has shape {right.shape}, and the argument {found.shape}"
        with np.errstate(all="ignore"):
            bad = ~self._same(found, rounded(right, found.dtype), right, scale, bounded)
        if not bad.any():
            return None
        first = tuple(int(n) for n in np.argwhere(bad)[0])
        return f"{int(bad.sum())} of {bad.size} are wrong; at {first} {found[first]!r}, and {right[first]!r} is right"

    def _same(self, found: Array, near: Array, right: Array, scale: Any, bounded: bool) -> Array:
        """The elements of a result that are right."""
        if not is_float(found):
            return np.asarray(found == near)
        ulps = self.ulps if isinstance(self.ulps, float | int) else self.ulps[SHORT[found.dtype.name]]
        a, b, ulps = decode(found), decode(near), max(ulps, 2.5 if bounded else 0.0)
        equal = (a == b) | (np.isnan(a) & np.isnan(b))
        if not ulps:
            return equal & ((np.signbit(a) == np.signbit(b)) | np.isnan(a))
        info = limits(found)
        measure = np.abs(right) if scale is None else np.broadcast_to(np.asarray(scale, np.float64), right.shape)
        allowed = ulps * float(info.eps) * measure + ulps * float(info.smallest_subnormal) + self.tiny
        if bounded:
            allowed = allowed + float(info.tiny)
        within = np.abs(a - np.asarray(right, np.float64)) <= allowed
        # One that is as near to the largest number as an error may be is infinite or not.
        edge = np.isinf(a) & (np.abs(right) + allowed > float(info.max)) & (np.sign(a) == np.sign(right))
        return equal | (within & np.isfinite(right)) | edge


SHORT = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}


def rounded(values: Array, dtype: Any) -> Array:
    """Values in a type, rounded once: ml_dtypes goes to bfloat16 by way of float32."""
    with np.errstate(all="ignore"):
        if np.dtype(dtype).name == "bfloat16" and values.dtype == np.float64:
            exponents = np.maximum(np.frexp(values)[1] - 8, -133)
            whole = np.ldexp(np.rint(np.ldexp(values, -exponents)), exponents)
            values = np.where(np.isfinite(values), whole, values)
        return values.astype(dtype)


def is_float(array: Array) -> bool:
    """Return whether an array holds floats."""
    return array.dtype.kind == "f" or array.dtype.name.startswith(("bfloat", "float"))


def limits(array: Array) -> Any:
    """The limits of an array's float type."""
    finfo: Any = import_module("ml_dtypes").finfo
    return finfo(array.dtype)


def decode(value: Any) -> Any:
    """An argument as references get it: floats as float64."""
    if not isinstance(value, np.ndarray):
        return value
    array: Array = value  # pyright: ignore[reportUnknownVariableType]
    return array.astype(np.float64) if is_float(array) else array


def copied(arguments: Sequence[Any]) -> list[Any]:
    """Copies of the arguments."""
    return [v.copy() if isinstance(v, np.ndarray) else v for v in arguments]


@cache
def load(file: str, name: str) -> PythonKernel:
    """A kernel of the library."""
    return getattr(import_module("hologram.kernels.stdlib." + file.replace("/", ".")), name)


@cache
def rows() -> tuple[Row, ...]:
    """The whole table."""
    found: list[Row] = []
    for name in FILES:
        found += import_module(f"kernels.stdlib.{name}").ROWS
    return tuple(found)


def cases(found: Iterable[Row]) -> list[tuple[Row, str]]:
    """Each kernel with its first element type and one of the others in turn; HOLOGRAM_TYPES=all: with all of them."""
    rows = list(found)
    if os.environ.get("HOLOGRAM_TYPES") == "all":
        return [(row, dtype) for row in rows for dtype in row.types]
    others = [(row, row.types[1 + n % (len(row.types) - 1)]) for n, row in enumerate(rows) if len(row.types) > 1]
    return [*((row, row.types[0]) for row in rows), *others]
