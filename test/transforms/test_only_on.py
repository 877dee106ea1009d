"""Passes that a pipeline leaves out where nothing concerns them: they would have changed nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from hologram.dialects import make_context, marks
from hologram.dialects.atlas.dialect import Atlas
from hologram.errors import UsageError
from hologram.frontend.mlir import parse_module
from hologram.lowering.arrays import decompose_atlas
from hologram.lowering.pipelines.pass_runner import Hooks, RunPass, names_in
from hologram.lowering.pipelines.pass_spec import PassCall, parse_pipeline
from hologram.lowering.pipelines.pipelines import PIPELINES, all_passes, only_on, resolve, run_pipeline, stages_for
from hologram.transforms.arrays import generalize_atlas

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ATTRIBUTES = {marks.LANES, marks.KEEP_READS}
"""What passes are only for that is no operation."""
BY_OPTION = {"vectorize-lookups"}
"""Passes that pipelines run for a value of an option, which is not the default."""


class RunAnyway(Hooks):
    """Runs passes that are left out on a copy."""

    def __init__(self, ctx: Context):
        self._ctx = ctx
        self.left_out: set[str] = set()
        self.wrong: list[str] = []

    def before_pass(self, call: PassCall, op: Operation) -> None:
        assert isinstance(op, ModuleOp)
        (step,) = resolve((call,), late=True)
        assert isinstance(step, RunPass)
        if not step.only_on or step.concerns(names_in(op)):
            return
        self.left_out.add(call.name)
        copy = op.clone()
        step.make().apply(self._ctx, copy)
        if str(copy) != str(op):
            self.wrong.append(call.name)


@pytest.mark.parametrize("name", ["fused_chain", "saxpy", "sum_of_squares"])
def test_what_is_left_out_would_change_nothing(name: str):
    ctx = make_context()
    hooks = RunAnyway(ctx)
    module = parse_module((EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8"), name, ctx)
    run_pipeline(module, ctx, stages_for("cpu"), hooks=hooks, verify_stages=False)
    assert not hooks.wrong
    assert "lift-machine" in hooks.left_out


def test_every_row_is_a_pass_of_a_pipeline_with_names_that_exist():
    ctx = make_context()
    stages = {stage for table in PIPELINES.values() for stage in table}
    named = {str(n).partition("{")[0] for s in stages for n in parse_pipeline(s.passes, "test")}
    for name, concerned in only_on().items():
        assert name in all_passes()
        assert (name in named) != (name in BY_OPTION)
        for what in concerned:
            if what in ATTRIBUTES:
                continue
            assert ctx.get_optional_op(what) if "." in what else what in ctx.registered_dialect_names


def test_rows_name_what_their_passes_turn_into_something_else():
    general = {op.name for op in Atlas.operations if generalize_atlas.GENERAL.find(op) is not None}
    assert only_on()["generalize-atlas"] == general
    assert only_on()["decompose-atlas"] == set(decompose_atlas.TABLE)


def test_mistakes_in_a_text_show_though_the_pass_is_left_out():
    nodes = parse_pipeline("expand-math{vector-bites=16}", "-p")
    with pytest.raises(UsageError, match="vector-bites"):
        resolve(nodes)
