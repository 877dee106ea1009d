"""Sums, products and softmax of floats below 32 bits are taken in f32 and rounded once, as in the interpreter."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hologram
from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

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


TYPES: dict[str, Any] = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2,
}  # fmt: skip
BYTES = ("f8E4M3FN", "f8E5M2")


@pytest.mark.parametrize("count", [0, 1, 3000])
@pytest.mark.parametrize(
    ("element", "kind"), [(e, k) for e in TYPES for k in ("add", "mul", "max.nan") if k != "max.nan" or e not in BYTES]
)
def test_narrow_sums(element: str, kind: str, count: int) -> None:
    dtype: Any = np.dtype(TYPES[element])
    values = 1 + np.random.default_rng(count).standard_normal(count) / 64
    given = values.astype(dtype)
    ours, expected = np.zeros((), dtype), np.zeros((), dtype)
    text = PROGRAM.replace("TYPE", element).replace("KIND", kind)
    hologram.compile(text, cache=False)(given, ours)
    interpret(parse_module(text, "sum.mlir", make_context()), None, [given, expected])
    assert ours.tobytes() == expected.tobytes()


TENSORS = """
func.func @f(%x: tensor<?x?xTYPE>) -> (tensor<?xTYPE>, tensor<?xTYPE>, tensor<?x?xTYPE>) {
  %s = hologram.reduce sum %x {axes = [1 : i64]} : tensor<?x?xTYPE> to tensor<?xTYPE>
  %p = hologram.reduce product %x {axes = [0 : i64]} : tensor<?x?xTYPE> to tensor<?xTYPE>
  %y = hologram.softmax %x {axis = 1 : i64} : tensor<?x?xTYPE>
  func.return %s, %p, %y : tensor<?xTYPE>, tensor<?xTYPE>, tensor<?x?xTYPE>
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("element", BYTES)
def test_tensors_of_bytes(element: str) -> None:
    """Enough rows, and long ones, for the schedules that write vectors of other types; and none."""
    text = TENSORS.replace("TYPE", element)
    kernel = hologram.compile(text, cache=False)
    module = parse_module(text, "bytes.mlir", make_context())
    for shape in ((129, 65), (1, 1), (3, 0)):
        x = np.random.default_rng(1).standard_normal(shape).astype(TYPES[element])
        if x.size > 1:
            x[0, 1], x[1, 2] = np.nan, -0.0
        for ours, expected in zip(kernel(x), interpret(module, None, [x]), strict=True):
            assert np.array_equal(
                np.asarray(ours).astype(np.float32), expected.astype(np.float32), equal_nan=True
            )  # fmt: skip


def test_bytes_have_no_least() -> None:
    text = PROGRAM.replace("TYPE", "f8E5M2").replace("KIND", "max")
    with pytest.raises(hologram.HologramError, match="a reduction by max is not defined for f8E5M2"):
        hologram.compile(text, cache=False)
