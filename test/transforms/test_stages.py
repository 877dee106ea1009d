"""Every stage down to buffers keeps the meaning of tensor programs: by hand, and at random."""

from __future__ import annotations

import random
from typing import Any, cast

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, StringAttr

from fuzz.tensor_programs import build
from hologram.dialects import marks
from hologram.lowering.pipelines.stage import Stage
from hologram.transforms.analysis.shape_analysis import argument_names
from stages import STAGES, check, outcome, parse, run_passes
from tensor_cases import array_programs, functions, moves

SEEDS = 300
CASES = [*functions.CASES, *moves.CASES]
REFUSED = ("trap", "misfit", "negative", "broken")
"""Words in the names of cases that end in an error."""

STRIDED = (*STAGES[:-1], "bufferize{layout=strided}")


class Seeded:
    """Decisions of a seeded generator."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, high)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "inputs"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_stages_keep_the_meaning(request: pytest.FixtureRequest, text: str, inputs: list[Any]):
    found = check(text, *inputs)
    check(text, *inputs, stages=STRIDED)
    name: str = request.node.callspec.id
    assert isinstance(found, str) == any(word in name for word in REFUSED), found


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_random_maps_and_reductions(part: int):
    for seed in range(part * SEEDS // 5, (part + 1) * SEEDS // 5):
        text, inputs = array_programs.build(seed)
        check(text, *inputs, stages=("fuse-atlas", "canonicalize,cse", "fuse-atlas", "bufferize"))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_random_programs(part: int):
    for seed in range(part * SEEDS // 10, (part + 1) * SEEDS // 10):
        program = build(Seeded(seed))
        check(program.text, *program.arguments)


MISFITS = {c[0]: c for c in CASES if any(word in c[0] for word in REFUSED[1:])}


@pytest.mark.parametrize("name", MISFITS)
def test_sizes_that_do_not_fit_break_a_constraint(name: str):
    """Calls that the interpreter refuses are refused by the function's constraints before a compiled run."""
    _, text, inputs = MISFITS[name]
    module = parse(text)
    found = outcome(module, inputs)
    assert found in ("interpreter-sizes", "interpreter-negative-size", "interpreter-result-shape")
    run_passes(module, "infer-shapes,canonicalize,convert-hologram-to-atlas")
    function = next(op for op in module.ops if isinstance(op, func.FuncOp))
    known = {n: _size(a) for n, a in zip(argument_names(function), inputs, strict=True)}
    constraints = function.attributes[marks.CONSTRAINTS]
    assert isinstance(constraints, ArrayAttr)
    texts = [c.data for c in cast("ArrayAttr[StringAttr]", constraints)]
    assert not all(eval(text, {}, known) for text in texts), texts


def _size(argument: Any) -> Any:
    return argument.shape if np.ndim(argument) else argument


def test_the_pass_of_the_dialect_should_have_removed_what_is_left():
    stage = Stage("core", "convert-class-tiles,convert-atlas-to-core{fma=false}")
    assert [stage.remover(dialect) for dialect in ("atlas", "class", "gpu")] == [
        "convert-atlas-to-core", "convert-class-tiles", "convert-class-tiles",
    ]  # fmt: skip
