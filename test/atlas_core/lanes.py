"""Helpers for tests of scalar instructions: edge values of every type, comparison of bits, functions over arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
from xdsl.ir import Attribute

from hologram.dialects.atlas.instructions.types import DTYPES, DType

Array = np.ndarray[Any, np.dtype[Any]]
TYPES = [t for t in DTYPES.values() if t.bits <= 64]

_FLOATS = (
    0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 100, 1e-3, np.inf, -np.inf, np.nan, 127.5, 128, 255.9, 256,
    -128.9, -129, 32767.5, 65519, 65520, 65535, 65536, 2.0**31, -(2.0**31), 2.0**32, 2.0**63, -(2.0**63), 2.0**64, 88.7,
    -88.7, -100, -700, 720, -1000,
)  # fmt: skip
_INTEGERS = (
    0, 1, 2, 3, 5, 7, 100, 127, 255, 256, 2049, 2051, 65504, 65519, 65520, 65521, 65535, 65537, 2**24 + 1, 2**32 - 1,
    2**32 + 1, 2**53 + 1, 0x1000100000001, 0x0101000000000000, 0x0101000000000001, 0x0100800000000000,
    0x7F80000000000001, -1, -2, -3, -100, -(2**24) - 1, -(2**53) - 1, -0x0101000000000001,
)  # fmt: skip


def info(t: DType) -> Any:
    """numpy's description of a float type."""
    finfo: Any = np.finfo if t.name in ("f16", "f32", "f64") else ml_dtypes.finfo
    return finfo(t.numpy)


def values(t: DType, rng: np.random.Generator) -> Array:
    """Edge values and random ones, in storage form."""
    if t.kind == "bool":
        return np.array([False, True])
    if t.is_float:
        limits = [s * float(v) for v in (info(t).max, info(t).tiny, info(t).smallest_subnormal) for s in (1, -1)]
        bits = rng.integers(0, 2**t.bits, 40, dtype=np.uint64).astype(f"u{t.bits // 8}").view(t.numpy)
        with np.errstate(over="ignore"):
            edges = np.array([*_FLOATS, *limits, *rng.normal(0, 10, 40)]).astype(t.numpy)
        return np.concatenate([edges, bits])
    least, greatest = int(t.least), int(t.greatest)
    ends = (least, least + 1, greatest, greatest - 1, greatest // 3)
    numbers = [v for v in (*_INTEGERS, *ends) if least <= v <= greatest]
    drawn: Array = rng.integers(least, greatest, 20, dtype=t.numpy, endpoint=True)  # pyright: ignore
    return stored(np.concatenate([np.array(numbers, t.numpy), drawn]))  # pyright: ignore[reportUnknownArgumentType]


def stored(a: Array) -> Array:
    """Unsigned integers held as signed ones, as SSA values are."""
    return a.view(f"i{a.dtype.itemsize}") if a.dtype.kind == "u" else a


def pairs(*lists: Array) -> list[Array]:
    """Every combination."""
    return [np.ascontiguousarray(a.ravel()) for a in np.meshgrid(*lists, indexing="ij")]


def differ(got: Array, want: Array) -> Array:
    """The elements whose bits differ; all NaNs count as equal."""
    if want.dtype.kind not in "fV":
        return got != want
    bits = f"u{want.dtype.itemsize}"
    with np.errstate(invalid="ignore"):
        both_nan = np.isnan(got.astype(np.float64)) & np.isnan(want.astype(np.float64))
    return (got.view(bits) != want.view(bits)) & ~both_nan


def element_function(name: str, instruction: str, types: Sequence[Attribute], result: Attribute) -> str:
    """A function that applies one instruction to elements of arrays: `{}` stands for its operands."""
    places = [f"%a{n}: memref<?x{t}>" for n, t in enumerate(types)]
    operands = ", ".join(f"%x{n}" for n in range(len(types)))
    ins = ", ".join(f"%a{n}" for n in range(len(types)))
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (len(types) + 1))
    return f"""
func.func @{name}({", ".join(places)}, %r: memref<?x{result}>) {{
  atlas.map ins({ins} : {", ".join(f"memref<?x{t}>" for t in types)}) outs(%r : memref<?x{result}>) maps [{maps}] {{
  ^bb0({", ".join(f"%x{n}: {t}" for n, t in enumerate(types))}):
    %v = {instruction.format(operands)}
    atlas.yield %v : {result}
  }}
  func.return
}}"""
