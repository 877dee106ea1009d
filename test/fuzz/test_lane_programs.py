"""Random lane programs: interpreter and compiled code agree to the bit, NaN with NaN; both trap or neither."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hologram
from hologram.dialects import make_context
from hologram.errors import TrapError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.interpreter.core.state import AtlasState

from .counts import FUZZING, PROGRAMS, WORKERS, own_stream
from .lane_programs import build
from .tensor_programs import Array, Choices
from .test_tensor_programs import Drawn


def trapped(run: Any) -> bool:
    try:
        run()
    except TrapError:
        return True
    return False


def same(a: Array, b: Array) -> bool:
    bits = np.dtype(f"i{a.dtype.itemsize}")
    equal = a.view(bits) == b.view(bits)
    return bool(np.all(equal | (np.isnan(a) & np.isnan(b)) if a.dtype.kind in "fV" else equal))


def check(choices: Choices) -> None:
    """One program through both ways."""
    program = build(choices)
    expected = [a.copy() for a in program.arguments]
    ours = [a.copy() for a in program.arguments]
    module = parse_module(program.text, "lanes.mlir", make_context())
    state = AtlasState()
    traps = trapped(lambda: interpret(module, "main", expected, state=state))
    # Level 0 takes a third less time.
    kernel = hologram.compile(program.text, cache=False, opt_level=int(choices.integer(0, 1 if FUZZING else 5) == 1))
    left: list[Any] = []
    assert trapped(lambda: left.append(kernel.launch(*ours).resonance)) == traps, program.text
    if not traps:
        assert left[0] is None or left[0] == state.resonance, program.text
        for got, want in zip(ours, expected, strict=True):
            assert same(got, want), f"{program.text}\n{got}\n{want}"


@pytest.mark.parametrize("worker", range(WORKERS))
def test_lane_programs(worker: int) -> None:
    @settings(max_examples=max(PROGRAMS // WORKERS, 1))
    @given(st.data())
    def run(data: Any) -> None:
        check(Drawn(data.draw))

    own_stream(worker, run)()
