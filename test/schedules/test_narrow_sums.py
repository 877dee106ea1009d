"""Sums and products of f16 and bf16 written at array level are taken in f32 and rounded once, as in the interpreter."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hologram
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.runtime.interpreter import interpret

PROGRAM = """
func.func @f(%a: memref<?xTYPE>, %s: memref<TYPE>) {
  atlas.reduce [KIND TYPE] ins(%a : memref<?xTYPE>) outs(%s : memref<TYPE>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] {
  ^bb0(%x: TYPE):
    atlas.yield %x : TYPE
  }
  func.return
}
"""


@pytest.mark.parametrize("count", [0, 1, 3000])
@pytest.mark.parametrize("kind", ["add", "mul", "max.nan"])
@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_narrow_sums(element: str, kind: str, count: int) -> None:
    dtype: Any = np.dtype(np.float16 if element == "f16" else ml_dtypes.bfloat16)
    values = 1 + np.random.default_rng(count).standard_normal(count) / 64
    given = values.astype(dtype)
    ours, expected = np.zeros((), dtype), np.zeros((), dtype)
    text = PROGRAM.replace("TYPE", element).replace("KIND", kind)
    hologram.compile(text, cache=False)(given, ours)
    interpret(parse_module(text, "sum.mlir", make_context()), None, [given, expected])
    assert ours.tobytes() == expected.tobytes()
