"""Helpers for tests of the Atlas state: lane programs run by the interpreter and on the CPU, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hologram
from hologram.dialects import make_context
from hologram.driver.source import text_source
from hologram.interpreter import interpret
from hologram.interpreter.core.state import AtlasState

Array = NDArray[Any]


def program(arguments: str, body: str, grid: int = 2, block: int = 4) -> str:
    """A program over `arguments` (`%x: memref<?xf32>, ...`), with %i as the lane's number, and its host function."""
    names = ", ".join(part.partition(":")[0].strip() for part in arguments.split(", "))
    types = ", ".join(part.partition(":")[2].strip() for part in arguments.split(", "))
    return f"""
func.func @main({arguments}) {{
  %one = arith.constant 1 : index
  %blocks = arith.constant {grid} : index
  atlas.launch @p grid(%blocks, %one, %one) args({names} : {types})
  func.return
}}
atlas.program @p({arguments}) block [{block}, 1, 1] {{
  %i = atlas.special gid : i64
  {body}
}}
"""


def reference(text: str, arrays: Sequence[Any], state: AtlasState | None = None) -> AtlasState:
    """Runs a program by the interpreter, which changes the arrays, and gives the state that is left."""
    state = AtlasState() if state is None else state
    module = text_source(text.encode(), "state.mlir").read(make_context())
    interpret(module, None, list(arrays), state=state)
    return state


def compare(text: str, *arrays: Array, executor: hologram.Executor | None = None) -> hologram.Resonance | None:
    """Runs a program both ways on copies of the arrays and of class memory: both leave the same bits. Gives R."""
    executor = hologram.Executor() if executor is None else executor
    mine, theirs = ([a.copy() for a in arrays] for _ in range(2))
    state = reference(text, mine, AtlasState(executor.classes.bytes.copy()))
    resonance = executor.compile(text).launch(*theirs).resonance
    for a, b, given in zip(mine, theirs, arrays, strict=True):
        np.testing.assert_array_equal(a.view(np.uint8), b.view(np.uint8))
        given[...] = a
    np.testing.assert_array_equal(state.classes, executor.classes.bytes)
    if resonance is not None:
        assert resonance == state.resonance
    return resonance


READ_CLASSES = program(
    "%y: memref<?xf32>",
    """%c = atlas.cls.get
  %zero = atlas.mov_imm 0 : i32
  %p = atlas.bound.map f32 %c, %zero, %zero
  %v = atlas.ldg f32 %p[] : !atlas.ptr<f32, class>
  atlas.stg f32 %v, %y[%i : i64] : memref<?xf32>
  atlas.res.accum f32 %c, %v""",
    grid=96, block=1,
)  # fmt: skip
"""Reads the first f32 of each class, and adds it to R."""
