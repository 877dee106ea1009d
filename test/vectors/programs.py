"""Kernel-level loops marked for vectorize-loops, and the bits they give for each width of a register."""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import hologram
from hologram.dialects import make_context
from hologram.lowering.processor.vectorize_loops import VectorizeLoopsPass

Array = np.ndarray[Any, np.dtype[Any]]
WIDTHS = (16, 32, 64)

NUMPY: dict[str, np.dtype[Any]] = {
    "i1": np.dtype(np.bool_), "i8": np.dtype(np.int8), "i16": np.dtype(np.int16), "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64), "f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32), "f64": np.dtype(np.float64),
}  # fmt: skip
"""The type of arrays that hold an element type."""


_MARK = re.compile(r"\} \{hologram.vectorize.*\}\n  func.return")


def loop(arguments: str, body: str, upper: str = "%n", lower: str = "%lb", mark: str = "{hologram.vectorize}") -> str:
    """A function `main` whose loop over %i runs `body`."""
    return f"""
func.func @main({arguments}, %lb: index, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = {lower} to {upper} step %c1 {{
    {body}
  }} {mark}
  func.return
}}"""


def vectorized(text: str, width: int | None) -> ModuleOp:
    """The module with its loops on vectors, or with plain loops that are not marked."""
    if width is None:
        text = _MARK.sub("}\n  func.return", text)
    module = Parser(make_context(), text).parse_module()
    if width is not None:
        VectorizeLoopsPass(width).apply(make_context(), module)
    module.verify()
    return module


def kernels(text: str) -> list[Any]:
    """The plain form, then one for each width."""
    return [hologram.compile(vectorized(text, width), unsafe_memory=True) for width in (None, *WIDTHS)]


def has_vectors(text: str, width: int = 64) -> bool:
    """Return whether the vectorised program has any vector operation."""
    return any(op.name.startswith("vector.") for op in vectorized(text, width).walk())


def misaligned(values: Array, offset: int) -> Array:
    """A copy that starts `offset` elements past a multiple of 64 bytes."""
    size = values.itemsize
    room = np.empty(values.nbytes + 64 + offset * size, np.uint8)
    start = -room.ctypes.data % 64 + offset * size
    found = room[start : start + values.nbytes].view(values.dtype)
    found[...] = values
    return found


def samples(name: str, count: int, seed: int = 3) -> Array:
    """Values of an element type, the awkward ones among them."""
    generator = np.random.default_rng(seed)
    kind = NUMPY[name]
    if name == "i1":
        return generator.integers(0, 2, count).astype(kind)
    if name.startswith("i"):
        info = np.iinfo(kind)
        values = generator.integers(info.min, info.max, count, dtype=kind, endpoint=True)
        edges = np.array([info.min, info.max, 0, 1, -1], kind)
    else:
        with np.errstate(over="ignore"):
            values = (generator.standard_normal(count) * 10.0 ** generator.integers(-6, 6, count)).astype(kind)
        edges = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 2.5, -7.5]).astype(kind)
    spots = generator.integers(0, max(count, 1), min(count, len(edges)))
    values[spots] = edges[: len(spots)]
    return values


def bits(values: Array) -> bytes:
    """The bytes, with every NaN alike: processors differ in which operand's payload stays."""
    if values.dtype.kind in "fV":
        wide = values.astype(np.float64)
        values = np.where(np.isnan(wide), np.array(np.nan, values.dtype), values)
    return values.tobytes()
