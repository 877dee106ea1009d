"""The standard library of circuits against numpy, by the interpreter and on the CPU."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, StringAttr

import hologram
from hologram import sigil
from hologram.dialects.sigil.ops import CircuitOp
from hologram.interpreter import interpret
from hologram.interpreter.core.state import AtlasState

Array = NDArray[Any]
Results = Array | tuple[Array, ...]
LIBRARY = sigil.library()
COMPOSED = [name for name, row in LIBRARY.items() if " . " in row.text]


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def softplus(x: Array) -> Array:
    return np.log1p(np.exp(x))


def erf(x: Array) -> Array:
    return np.array([math.erf(v) for v in x])


def reflected(*amplitudes: Array) -> tuple[Array, ...]:
    mean = np.mean(amplitudes, axis=0)
    return tuple(2 * mean - x for x in amplitudes)


EXPECTED: dict[str, Callable[..., Results]] = {
    "copy": lambda a: a,
    "swap": lambda a, b: (b, a),
    "abs": np.abs, "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "sigmoid": sigmoid, "tanh": np.tanh,
    "gelu": lambda a: a * (0.5 + 0.5 * erf(a / math.sqrt(2))),
    "relu": lambda a: np.maximum(a, 0),
    "add": np.add, "mul": np.multiply, "minimum": np.fmin, "maximum": np.fmax, "sub": np.subtract, "div": np.divide,
    "square": np.square, "cube": lambda a: a**3, "double": lambda a: 2 * a, "reciprocal": lambda a: 1 / a,
    "power": np.power,
    "geometric_mean": lambda a, b: np.sqrt(a * b),
    "hypotenuse": np.hypot,
    "swish": lambda a: a * sigmoid(a),
    "log_sigmoid": lambda a: -softplus(-a),
    "softplus": softplus,
    "mish": lambda a: a * np.tanh(softplus(a)),
    "tanh_shrink": lambda a: a - np.tanh(a),
    "glu": lambda a, b: a * sigmoid(b),
    "swiglu": lambda a, b: a * sigmoid(a) * b,
    "gated_tanh": lambda a, b: np.tanh(a) * sigmoid(b),
    "absolute_difference": lambda a, b: np.abs(a - b),
    "squared_difference": lambda a, b: (a - b) ** 2,
    "log_ratio": lambda a, b: np.log(a / b),
    "sort2": lambda a, b: (np.fmin(a, b), np.fmax(a, b)),
    "clamp": lambda a, b, c: np.fmin(np.fmax(a, b), c),
    "median3": lambda a, b, c: np.median([a, b, c], axis=0),
    "rotate3": lambda a, b, c: (c, a, b),
    "multiply_add": lambda a, b, c: a * b + c,
    "lerp": lambda a, b, c: a + (b - a) * c,
    "sum4": lambda a, b, c, d: (a + b) + (c + d),
    "dot2": lambda a, b, c, d: a * b + c * d,
    "butterfly": lambda a, b: (a + b, a - b),
    "complex_mul": lambda a, b, c, d: (a * c - b * d, a * d + b * c),
    "reflection4": reflected,
    "amplify4": lambda a, b, c, d: reflected(a, b, c, -d),
}  # fmt: skip


def start(name: str) -> Array:
    """Class memory of positive and, where the operation is defined for them, negative numbers."""
    memory = np.random.default_rng(3).uniform(0.1, 4, 1179648 // 4).astype(np.float32)
    if name not in ("log", "sqrt", "power", "geometric_mean", "log_ratio"):
        memory[::3] *= -1
    return memory.view(np.uint8)


def check(name: str, before: Array, after: Array) -> None:
    row = LIBRARY[name]
    tiles = before.view(np.float32).reshape(96, -1)
    found = EXPECTED[name](*tiles[: row.inputs].astype(np.float64))
    expected = found if isinstance(found, tuple) else (found,)
    assert len(expected) == len(row.outputs)
    left = after.view(np.float32).reshape(96, -1)
    for number, values in zip(row.outputs, expected, strict=True):
        np.testing.assert_allclose(left[number], values, rtol=2e-5, atol=4e-6)
    scratch = set(range(80, 96)) | {*row.outputs}
    kept = [number for number in range(96) if number not in scratch]
    assert np.array_equal(left[kept], tiles[kept])


def test_there_are_enough():
    assert len(LIBRARY) >= 25
    assert EXPECTED.keys() == LIBRARY.keys()


@pytest.mark.parametrize("name", LIBRARY)
def test_by_the_interpreter(name: str):
    before = start(name)
    state = AtlasState(before.copy())
    interpret(sigil.parse(LIBRARY[name].text), None, [], state=state)
    check(name, before, state.classes)


def test_amplification_finds_the_marked_one_of_four():
    """From equal amplitudes of 1/2 one step leaves nothing but the marked one; without a mark nothing changes."""
    equal = [np.full(3072, 0.5, np.float32)] * 4
    for name, expected in (("amplify4", (0, 0, 0, 1)), ("reflection4", (0.5, 0.5, 0.5, 0.5))):
        row = LIBRARY[name]
        (found,) = sigil.stream(row.text, *equal, outputs=row.outputs)
        assert [set(tile.tolist()) for tile in found] == [{value} for value in expected]


@pytest.fixture(scope="module")
def module() -> ModuleOp:
    """One module with all of them that are more than one operation (test_tiles has those), which is compiled once."""
    found = ModuleOp([])
    for name in COMPOSED:
        row = LIBRARY[name]
        (circuit,) = sigil.parse(row.text, name=name).ops
        assert isinstance(circuit, CircuitOp)
        circuit.detach()
        circuit.properties["sym_name"] = StringAttr(name)
        found.body.block.add_op(circuit)
    return found


# One process: all of the library is compiled at once.
@pytest.mark.xdist_group("library of circuits")
@pytest.mark.parametrize("name", COMPOSED)
def test_on_the_cpu(name: str, module: ModuleOp):
    executor = hologram.Executor()
    before = start(name)
    executor.classes.bytes[:] = before
    executor.compile(module, entry=name)()
    check(name, before, executor.classes.bytes)
