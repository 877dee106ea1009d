"""Random tensor programs: interpreter and compiled code agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hologram
from hologram.dialects import make_context
from hologram.errors import TrapError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

from .counts import PROGRAMS, WORKERS, own_stream
from .tensor_programs import Choices, agree, build


class Drawn(Choices):
    """Decisions that hypothesis makes and shrinks."""

    def __init__(self, draw: Any):
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))


def outcome(run: Callable[[], Any]) -> Any:
    """The results as a tuple, or the word for a trap."""
    try:
        found: Any = run()
    except TrapError:
        return "trap"
    return cast(Any, found) if isinstance(found, tuple) else (found,)


def check(choices: Choices) -> None:
    """One program through both ways."""
    program = build(choices)
    inputs = [a.copy() for a in program.arguments]
    expected = outcome(lambda: interpret(parse_module(program.text, "program.mlir", make_context()), None, inputs))
    kernel = hologram.compile(program.text, cache=False, opt_level=1)
    ours = outcome(lambda: kernel(*inputs))
    if expected == "trap" or ours == "trap":
        assert expected == ours == "trap", program.text
        return
    for value, got, want in zip(program.results, ours, expected, strict=True):
        assert agree(value, np.asarray(got), np.asarray(want)), f"{program.text}\n{value}\n{got}\n{want}"
    for before, after in zip(program.arguments, inputs, strict=True):
        assert np.array_equal(before, after, equal_nan=before.dtype.kind == "f")


@pytest.mark.parametrize("worker", range(WORKERS))
def test_tensor_programs(worker: int) -> None:
    @settings(max_examples=max(PROGRAMS // WORKERS, 1))
    @given(st.data())
    def run(data: Any) -> None:
        check(Drawn(data.draw))

    own_stream(worker, run)()
