"""Every function from the tensor dialect down to machine code, against the interpreter."""

from __future__ import annotations

from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest

import hologram
from hologram.dialects.hologram.elementwise import ROWS
from hologram.interpreter import interpret
from hologram.lowering.arithmetic.expansions.rows import ACTIVATIONS
from math_expansions.inputs import special
from math_expansions.jit import DTYPES
from math_expansions.references import slack_of
from stages import parse

Array = np.ndarray[Any, Any]

FUNCTIONS = {row.name: len(row.INSTRUCTION.operands) for row in ROWS if not row.INSTRUCTION.exact} | {
    "hologram.sqrt": 1,
    "hologram.rem": 2,
}
PLACES = 4
"""The number of units in the last place by which results may differ from the interpreter's."""
SIZE = 61


def program(type: str) -> str:
    """A function for each operation, on tensors of one type."""
    tensor = f"tensor<?x{type}>"
    texts = [
        f"func.func @{name.partition('.')[2]}({', '.join(f'%a{k}: {tensor}' for k in range(count))}) -> {tensor} {{\n"
        f"  %r = {name} {', '.join(f'%a{k}' for k in range(count))} : {tensor}\n"
        f"  func.return %r : {tensor}\n}}"
        for name, count in FUNCTIONS.items()
    ]
    return "\n".join(texts)


def operands(count: int, type: str) -> list[Array]:
    random = np.random.default_rng(5)
    ends = special(type)
    arrays = [np.concatenate([ends, (3 * random.standard_normal(SIZE)).astype(DTYPES[type])]) for _ in range(count)]
    return [arrays[0], *(random.permutation(a) for a in arrays[1:])]


@pytest.mark.slow
@pytest.mark.parametrize("type", ["f16", "bf16", "f32", "f64"])
def test_compiled_functions_agree_with_the_interpreter(type: str):
    text = program(type)
    module = parse(text)
    for name, count in FUNCTIONS.items():
        entry = name.partition(".")[2]
        args = operands(count, type)
        (expected,) = interpret(module, entry, args)
        got: Any = hologram.compile(text, entry=entry)(*args)
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(np.isnan(got), np.isnan(expected), err_msg=name)
        a, b = got.astype(np.float64), expected.astype(np.float64)
        finite = np.isfinite(b)
        np.testing.assert_array_equal(a[~finite], b[~finite], err_msg=name)
        with np.errstate(all="ignore"):
            power = np.exp2(np.floor(np.log2(np.abs(b[finite]))))
        info = cast("Any", ml_dtypes.finfo(DTYPES[type]))
        place = np.maximum(power * float(info.eps), float(info.smallest_subnormal))
        apart = np.abs(a[finite] - b[finite])
        if type != "f64" and entry in ACTIVATIONS:
            apart[apart <= slack_of(ACTIVATIONS[entry], args[0][finite])] = 0
        far = apart / place
        assert far.max() <= PLACES, (name, args[0][finite][far.argmax()], far.max())
