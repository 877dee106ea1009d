"""layer_norm, batch_norm, group_norm and layer_scale: the bits of the interpreter, on memrefs and on tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from extension_programs import BF16, Array, on_both, program, tensor_program
from hologram.errors import TrapError
from interpreter.running import fails, run

EPS = "eps = 1.0e-5 : f64"


def draw(*shape: int, dtype: Any = np.float32) -> Array:
    return np.random.default_rng(sum(shape)).normal(1, 2, shape).astype(dtype)


def agree(text: str, ins: list[Array]) -> Array:
    (found,), (expected,) = on_both(text, ins, [np.full_like(ins[0], 9)])
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected, equal_nan=True)
    return found


def test_layer_norm() -> None:
    text = program("layer_norm", [draw(1, 1), draw(1), draw(1)], [draw(1, 1)], EPS)
    for shape in ((3, 7), (1, 1), (2, 300), (2, 5000), (0, 4), (3, 0)):
        x, gamma, beta = draw(*shape), draw(shape[1]), draw(shape[1])
        found = agree(text, [x, gamma, beta]).astype(np.float64)
        if x.size:
            exact = x.astype(np.float64)
            exact = (exact - exact.mean(1, keepdims=True)) / np.sqrt(exact.var(1, keepdims=True) + 1e-5) * gamma + beta
            assert np.allclose(found, exact, atol=1e-4)
    x = draw(3, 40)
    x[1, 3], x[2, 5] = np.nan, np.inf
    found = agree(text, [x, draw(40), draw(40)])
    assert np.isnan(found).all(axis=1).tolist() == [False, True, True]


def test_layer_norm_of_two_axes_and_of_bf16() -> None:
    ins = [draw(2, 3, 4, 50, dtype=BF16), draw(4, 50, dtype=BF16), draw(4, 50, dtype=BF16)]
    agree(program("layer_norm", ins, [ins[0]], EPS), ins)


def test_norms_as_values() -> None:
    x, weights = draw(2, 6, 9), [draw(6), draw(6)]
    for name, attributes in (("group_norm", f"groups = 3, {EPS}"), ("batch_norm", EPS)):
        ins = [x, *weights]
        (expected,), _ = on_both(program(name, ins, [x], attributes), ins, [np.zeros_like(x)])
        assert np.array_equal(hologram.compile(tensor_program(name, ins, x, attributes))(*ins), expected)


def test_batch_norm() -> None:
    for count in (3, 5):
        weights = [draw(5), draw(5), draw(5), np.abs(draw(5))][: count - 1]
        text = program("batch_norm", [draw(1, 1, 1, 1), *weights], [draw(1, 1, 1, 1)], EPS)
        for shape in ((2, 5, 3, 7), (1, 5, 1, 1), (3, 5, 40, 11)):
            agree(text, [draw(*shape), *weights])


def test_group_norm() -> None:
    text = program("group_norm", [draw(1, 1, 1), draw(1), draw(1)], [draw(1, 1, 1)], f"groups = 2, {EPS}")
    for shape in ((2, 6, 9), (1, 2, 1), (3, 4, 1500), (0, 2, 3), (2, 4, 0)):
        found = agree(text, [draw(*shape), draw(shape[1]), draw(shape[1])])
        assert found.shape == shape
    ins = [draw(2, 5, 3), draw(5), draw(5)]
    with pytest.raises(TrapError, match="do not make equal groups"):
        hologram.compile(text)(*ins, np.zeros_like(ins[0]))
    fails("trap-assert", run, text, *ins, np.zeros_like(ins[0]))
    wide = draw(2, 12, 3, dtype=np.float64)
    ins = [wide[:, ::2], draw(6, dtype=np.float64), draw(6, dtype=np.float64)]
    agree(program("group_norm", ins, [np.ascontiguousarray(ins[0])], f"groups = 3, {EPS}"), ins)


def test_layer_scale() -> None:
    text = program("layer_scale", [draw(1, 1, 1), draw(1)], [draw(1, 1, 1)])
    for shape in ((2, 3, 17), (1, 1, 1), (2, 0, 4)):
        x, scale = draw(*shape), draw(shape[-1])
        assert np.array_equal(agree(text, [x, scale]), x * scale)
