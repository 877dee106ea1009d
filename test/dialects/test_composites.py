"""Compositions: what they evaluate to is what Python computes, and what says too little is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hologram.dialects.atlas.instructions.composites import COMPOSITES
from hologram.dialects.atlas.instructions.declaration import Evaluator, made
from hologram.dialects.atlas.instructions.dtypes import DTYPES, FLOATS
from hologram.dialects.atlas.instructions.storage import Trap, storage, view

INTEGERS = [-128, -7, -3, -1, 0, 1, 2, 7, 100, 127]
NUMBERS = [-7.5, -2.0, -0.0, 0.0, 0.25, 1.0, 3.0, 1e30, math.inf, -math.inf]


def quotient(a: Any, b: Any) -> Any:
    return a // b


def remainder(a: Any, b: Any) -> Any:
    return a % b


@pytest.mark.parametrize(("name", "python"), [("floor_div", quotient), ("mod", remainder)])
def test_they_are_the_operators_of_python(name: str, python: Callable[[Any, Any], Any]):
    for dtype, values in (("i16", INTEGERS), ("u8", [v for v in INTEGERS if v >= 0]), ("f64", NUMBERS)):
        t = DTYPES[dtype]
        pairs = [(a, b) for a in values for b in values if b and not (math.isinf(a) and t.is_float)]
        a, b = (storage(np.array(column, t.numpy), t) for column in zip(*pairs, strict=True))
        found = view(COMPOSITES[name].evaluate(t, a, b), t).tolist()
        expected = [python(*pair) for pair in pairs]
        assert list(map(repr, found)) == list(map(repr, expected))


def test_a_trap_goes_through():
    zero = np.zeros(3, np.int32)
    with pytest.raises(Trap, match="division by zero"):
        COMPOSITES["mod"].evaluate(DTYPES["i32"], zero, zero)


def test_constants_and_predicates():
    declared = made(
        "between", "a", FLOATS, "Whether 0 < a < 1.",
        compose=lambda do, a: do.and_(do.compare("gt", a, 0), do.compare("lt", a, 1)), result="bool",
    )  # fmt: skip
    assert declared.evaluate(DTYPES["f32"], np.array([-1, 0.5, 2], np.float32)).tolist() == [False, True, False]


def test_what_is_no_instruction():
    with pytest.raises(AttributeError, match="no instruction 'cosine'"):
        Evaluator(DTYPES["f32"]).cosine(1.0)
    with pytest.raises(AssertionError, match="nothing says what 'void' computes"):
        made("void", "a", FLOATS, "Nothing.")
    with pytest.raises(AssertionError, match="is no composition"):
        made("same", "a", FLOATS, "a.", lambda t, a: a).composed(Evaluator(DTYPES["f32"]), 1)


def test_meanings_take_other_names():
    declared = made("less", "a b", FLOATS, "a^2 less exp(b), at -a.", lambda t, a, b: a)
    assert declared.said(["x", "y"]) == "x^2 less exp(y), at -x."
