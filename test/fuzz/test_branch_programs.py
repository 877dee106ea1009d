"""Random programs of blocks: the interpreter on the branches, on the structured form, and compiled code agree."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import hologram
from hologram.dialects import make_context
from hologram.errors import TrapError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.transforms.analysis.verifier import verify_module
from hologram.transforms.lanes.structure_control_flow import StructureControlFlowPass

from .branch_programs import LANES, build
from .counts import PROGRAMS
from .tensor_programs import Array
from .test_tensor_programs import Drawn


def results(run: Any) -> list[Array] | str:
    """The arrays after a run, or the message of its trap."""
    arrays = [np.arange(LANES, dtype=np.int32) * 7 - 9, np.zeros(LANES, np.int32), np.zeros(LANES, np.int32)]
    try:
        run(*arrays)
    except TrapError as error:
        return "nested deeper" if "nested deeper" in str(error) else str(error)
    return arrays


def run(module: Any) -> Any:
    """A function that runs a module in the interpreter."""

    def call(*arrays: Array) -> None:
        interpret(module, "main", list(arrays))

    return call


def structured(text: str) -> Any:
    """The module after structuring, verified."""
    module, context = parse_module(text, "branches.mlir", make_context()), make_context()
    StructureControlFlowPass().apply(context, module)
    verify_module(module)
    assert not any(op.name == "atlas.bra" for op in module.walk())
    return module


def agree(text: str, first: list[Array] | str, second: list[Array] | str) -> None:
    assert np.array_equal(np.array(first), np.array(second)), f"{text}\n{first}\n{second}"


@settings(max_examples=max(PROGRAMS // 40, 1))
@given(st.data())
def test_structured(data: Any) -> None:
    text = build(Drawn(data.draw))
    module = parse_module(text, "branches.mlir", make_context())
    expected = results(run(module))
    agree(text, expected, results(run(structured(text))))


@settings(max_examples=max(PROGRAMS // 200, 1))
@given(st.data())
def test_compiled(data: Any) -> None:
    text = build(Drawn(data.draw))
    module = parse_module(text, "branches.mlir", make_context())
    expected = results(run(module))
    agree(text, expected, results(hologram.compile(text, cache=False, opt_level=1)))
