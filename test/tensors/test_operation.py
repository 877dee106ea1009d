"""`hologram.operation`: circuits and functions as operations, in tensor functions, at once, and in kernels."""

# Kernels and tensor functions are typed by rules of their own.
# pyright: basic, reportGeneralTypeIssues=false, reportInvalidTypeForm=false

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hologram
from hologram.frontend.kernels.document import read, write
from hologram.frontend.kernels.files import python_documents
from hologram.language import Array, exp, f32, get_global_id, sigmoid

LIBRARY = hologram.sigil.library()
X = np.array([-2.0, -0.5, 0.25, 3.0], np.float32)


@hologram.operation(circuit="merge.add@c00[c01,c02]", constraints=["len(a) == len(b)"])
def vector_add(a, b):
    """a + b"""


@hologram.operation(circuit="merge.sigmoid@c00[c00,c80] . merge.mul@c00[c80,c01]")
def swish(x):
    """x sigmoid(x)"""


@hologram.operation(constraints="k > 0.0")
def scaled(v, k):
    """v e^k"""
    return v * exp(k)


@hologram.operation(constraints=["x.shape[0] == y.shape[0]"])
def pair(x, y, i):
    """x[i] + y[i]"""
    return x[i] + y[i]


@hologram.operation(constraints="k >= 0")
def gate(v, k):
    """v sigmoid(k v)"""
    return v * sigmoid(v * k)


def test_at_once():
    np.testing.assert_array_equal(vector_add(X, X), 2 * X)
    assert vector_add.__doc__ == "a + b"
    with pytest.raises(hologram.InputError) as caught:
        vector_add(X, X[:1])
    assert caught.value.code == "operation-constraint"
    assert caught.value.where is not None
    assert caught.value.where.file == __file__


def test_in_a_tensor_function():
    @hologram.jit
    def both(x, k):
        return vector_add(swish(x), gate(x, k))

    for x in (X, X[:1], X[:0]):
        expected = x / (1 + np.exp(-x)) + x / (1 + np.exp(-3 * x))
        np.testing.assert_allclose(both.interpret(x, 3), expected, rtol=1e-5)
    with pytest.raises(hologram.InputError, match="'k >= 0' of 'gate' does not hold"):
        both.interpret(X, -1)


def test_a_constraint_is_asked_of_each_call():
    doubled = hologram.jit(lambda x, y: vector_add(x, y))
    np.testing.assert_array_equal(doubled.interpret(X, X), 2 * X)
    with pytest.raises(hologram.InputError):
        doubled.interpret(X, X[:1])
    np.testing.assert_array_equal(doubled.interpret(X[:1], X[:1]), 2 * X[:1])


REFERENCES = {
    "clamp": lambda a, b, c: np.minimum(np.maximum(a, b), c), "swap": lambda a, b: (b, a), "square": np.square,
    "sort2": lambda a, b: (np.minimum(a, b), np.maximum(a, b)), "butterfly": lambda a, b: (a + b, a - b),
    "complex_mul": lambda a, b, c, d: (a * c - b * d, a * d + b * c), "sub": np.subtract,
    "glu": lambda a, b: a / (1 + np.exp(-b)),
}  # fmt: skip


@pytest.mark.parametrize("name", REFERENCES)
def test_circuits_of_the_library(name: str):
    row = LIBRARY[name]
    arguments = [np.roll(X, n) for n in range(row.inputs)]
    scope = {"hologram": hologram, "row": row}
    names = ", ".join("abcd"[: row.inputs])
    exec(
        f"@hologram.operation(circuit=row)\ndef circuit({names}): ...\nf = hologram.jit(lambda *x: circuit(*x))", scope
    )
    found = scope["f"].interpret(*arguments)
    expected = REFERENCES[name](*arguments)
    for one, other in zip(found if isinstance(found, tuple) else [found], np.atleast_2d(expected), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_minima_of_circuits_skip_nan():
    a, b = np.array([np.nan, 1, -0.0], np.float32), np.array([2, np.nan, 0.0], np.float32)
    smaller = hologram.operation(circuit=LIBRARY["minimum"])(lambda a, b: None)
    found = hologram.jit(lambda a, b: smaller(a, b)).interpret(a, b)
    np.testing.assert_array_equal(found, [2, 1, 0])
    assert np.signbit(found[2])


@hologram.kernel(lanes="len(y)")
def kernel(x: Array[f32], y: Array[f32], k: f32):
    i = get_global_id()
    if i < len(y):
        y[i] = scaled(swish(x[i]), k) + pair(x, y, i)


def test_in_a_kernel():
    y = np.ones(4, np.float32)
    kernel(X, y, 1.0)
    np.testing.assert_allclose(y, X / (1 + np.exp(-X)) * np.e + X + 1, rtol=1e-5)
    with pytest.raises(hologram.TrapError, match="the constraint 'k > 0.0' of 'scaled' does not hold"):
        kernel(X, y, 0.0)
    with pytest.raises(hologram.TrapError, match=r"'x.shape\[0\] == y.shape\[0\]' of 'pair'"):
        kernel(X, y[:3], 1.0)
    kernel(X[:0], y[:0], 0.0)


def test_assertions_of_kernels():
    @hologram.kernel(lanes="len(x)")
    def checked(x: Array[f32]):
        i = get_global_id()
        if i < len(x):
            assert x[i] >= 0.0, "roots are of numbers from 0 on"
            x[i] = x[i] ** 0.5

    x = np.array([4, 9], np.float32)
    checked(x)
    np.testing.assert_array_equal(x, [2, 3])
    with pytest.raises(hologram.TrapError, match="roots are of numbers from 0 on") as caught:
        checked(np.array([1, -1], np.float32))
    assert caught.value.where is not None
    assert caught.value.where.file == __file__
    assert read(write(checked.document)) == checked.document


FILE = """
import hologram
from hologram.language import Array, f32, get_global_id


@hologram.operation(circuit="merge.exp@c00[c00,c01]", constraints=["v < 10.0"])
def grown(v):
    pass


@hologram.kernel(lanes="len(x)")
def grow(x: Array[f32]):
    i = get_global_id()
    if i < len(x):
        x[i] = grown(x[i])
"""


def test_in_a_file_that_is_not_run(tmp_path: Path):
    path = tmp_path / "grow.py"
    path.write_text(FILE)
    (document,) = python_documents(FILE, str(path))
    assert [type(s).__name__ for s in document.functions[0].body] == ["Assert", "Let", "Return"]
    x = np.array([0.0, 1.0], np.float32)
    hologram.compile(str(path))(x)
    np.testing.assert_allclose(x, np.exp([0, 1]), rtol=1e-6)


@hologram.operation
def doubled(x):
    return x + x


def test_an_operation_needs_no_options():
    np.testing.assert_array_equal(doubled(np.ones(2, np.float32)), [2, 2])
