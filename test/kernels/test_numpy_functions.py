"""Functions of numpy and math in Python kernels: what they give for all kinds of numbers is what numpy gives."""

# Kernels are read, not typed.
# pyright: basic

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hologram.errors import InputError
from hologram.frontend.kernels.files import python_documents
from hologram.frontend.kernels.functions import MATH, NUMPY

FLOATS = (
    """
np.where(a > b, a, b) | np.where(a > b, a, 0) | np.clip(a, -1.0, 1.0) | np.clip(a, a_min=b, a_max=2.0) | np.add(a, b)
np.subtract(a, b) | np.multiply(a, b) | np.divide(a, b) | np.true_divide(a, b) | np.floor_divide(a, b)
np.mod(a, b) | np.remainder(a, b) | np.fmod(a, b) | np.fmax(a, b) | np.fmin(a, b) | np.negative(a) | np.positive(a)
np.reciprocal(a) | np.isnan(a) | np.isinf(a) | np.isfinite(a) | np.copysign(a, b) | np.heaviside(a, b)
np.equal(a, b) | np.not_equal(a, b) | np.less(a, b) | np.less_equal(a, b) | np.greater(a, b)
np.greater_equal(a, b) | np.logical_and(a, b) | np.logical_or(a, b) | np.logical_xor(a, b) | np.logical_not(a)
""".replace("\n", " | ")
    .strip(" |")
    .split(" | ")
)
OF_MATH = "math.isnan(a) | math.isinf(a) | math.isfinite(a) | math.copysign(a, b) | math.fabs(a) | isnan(a)".split(
    " | "
)
INTEGERS = (
    """
np.bitwise_and(a, b) | np.bitwise_or(a, b) | np.bitwise_xor(a, b) | np.invert(a) | np.bitwise_not(a) | np.gcd(a, b)
np.left_shift(a, 3) | np.right_shift(a, 2) | np.where(a > b, a, b) | np.floor_divide(a, 7) | np.mod(a, 7)
""".replace("\n", " | ")
    .strip(" |")
    .split(" | ")
)
VALUES = [0.0, -0.0, 1.0, -1.5, 2.5, 1e30, float("inf"), -float("inf"), float("nan")]


def text(calls: Sequence[str], dtype: str) -> str:
    """The module of a kernel that stores what each call gives."""
    rows = "\n".join(f"    out[{n}, i] = {dtype}({call})" for n, call in enumerate(calls))
    return f"""
import math
from math import isnan

import numpy as np

import hologram
from hologram.language import Array, f32, get_global_id, i64


@hologram.kernel(lanes="len(x)")
def calls(x: Array[{dtype}], y: Array[{dtype}], out: Array[{dtype}, 2]):
    i = get_global_id()
    if i >= len(x):
        return
    a, b = x[i], y[i]
{rows}
"""


def kernel_of(path: Path, calls: Sequence[str], dtype: str) -> Any:
    file = path / "calls.py"
    file.write_text(text(calls, dtype), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("calls", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.calls


def wanted(call: str, a: Any, b: Any) -> Any:
    name = call.replace("math.fabs", "np.abs").replace("math.", "np.")
    name = name if name.startswith("np.") else f"np.{name}"
    return eval(name, {"np": np, "a": a, "b": b})


def check(kernel: Any, calls: Sequence[str], a: Any, b: Any) -> None:
    for run in (kernel, kernel.interpret):
        out = np.zeros((len(calls), len(a)), a.dtype)
        run(a, b, out)
        with np.errstate(all="ignore"):
            for call, found in zip(calls, out, strict=True):
                np.testing.assert_array_equal(found, wanted(call, a, b).astype(a.dtype), call)


def test_floats(tmp_path: Path):
    calls = FLOATS + OF_MATH
    pairs = np.array([(a, b) for a in VALUES for b in VALUES], np.float32)
    check(kernel_of(tmp_path, calls, "f32"), calls, pairs[:, 0].copy(), pairs[:, 1].copy())


def test_integers(tmp_path: Path):
    numbers = [0, 1, -1, 6, 21, -14, 1 << 40]
    pairs = np.array([(a, b) for a in numbers for b in numbers])
    check(kernel_of(tmp_path, INTEGERS, "i64"), INTEGERS, pairs[:, 0].copy(), pairs[:, 1].copy())


def test_all_are_called():
    called = {call.partition("(")[0].rpartition(".")[2] for call in FLOATS + OF_MATH + INTEGERS}
    assert {*NUMPY, *MATH} <= called | {"bitwise_invert", "bitwise_left_shift", "bitwise_right_shift"}


def test_files_that_are_not_run():
    """A file says the same where it is read alone."""
    (document,) = python_documents(text(FLOATS + OF_MATH, "f32"), "calls.py")
    assert {"where", "clip", "isnan"} <= {f.name for f in document.functions}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("np.where(a > b, a)", "takes 3 arguments, and is given 2"),
        ("np.clip(a, 0.0, largest=1.0)", "'clip' has no parameter 'largest'"),
        ("np.sinc(a)", "kernels can't call 'np.sinc'"),
        ("math.gamma(a)", "there is no function 'gamma' in kernels"),
    ],
)
def test_wrong_calls(tmp_path: Path, call: str, message: str):
    zeros = np.zeros(1, np.float32)
    with pytest.raises(InputError, match="calls.py:17") as caught:
        kernel_of(tmp_path, [call], "f32")(zeros, zeros, np.zeros((1, 1), np.float32))
    assert message in str(caught.value)
