"""A stage of a named pipeline: the passes it runs, and what may be left after it. Legality is data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation

from hologram.errors import PassError
from hologram.lowering.pass_spec import PassCall, parse_pipeline
from hologram.walking import operations


@dataclass(frozen=True)
class Stage:
    """A row of a pipeline's table."""

    name: str
    passes: str = ""
    """The passes to run, as `-p` takes them."""
    legal: frozenset[str] = frozenset()
    """The dialects, and single operations (`math.fma`), that may be there afterwards."""
    values: bool = True
    """Whether values of tensor type may be there afterwards."""
    emits: str | None = None
    """The target that this stage emits instead of running passes; what it writes is made from the last stage's IR."""
    suffix: str = ".mlir"
    """How the names of files with this stage's outcome end."""

    @property
    def remover(self) -> str:
        """The pass that takes away what is not legal after this stage."""
        first = next((n for n in parse_pipeline(self.passes) if isinstance(n, PassCall)), None)
        return first.name if first else self.name

    def allows(self, op: Operation) -> bool:
        """Whether `op` may be there afterwards."""
        return op.name in self.legal or op.name.partition(".")[0] in self.legal


def check_stage(module: ModuleOp, pipeline: str, stages: Sequence[Stage], number: int) -> None:
    """Raises a PassError for the first operation or value that must not be there after stage `number` (from 0)."""
    stage = stages[number]
    allowed: dict[str, bool] = {}
    for op in operations(module):
        if (known := allowed.get(op.name)) is None:
            known = allowed[op.name] = stage.allows(op)
        if not known:
            raise _left_over(op, pipeline, stages, number)
        if not stage.values and (type := _tensor_type(op)) is not None:
            raise PassError(
                op,
                "stage-tensor-left",
                f"a value of type {type} is left after stage '{stage.name}' of {pipeline}",
                hint=f"{stage.remover} should have put it into memory",
            )


def _tensor_type(op: Operation) -> Attribute | None:
    for result in op.results:
        if result.type.name == "tensor":
            return result.type
    for region in op.regions:
        for block in region.blocks:
            for arg in block.args:
                if arg.type.name == "tensor":
                    return arg.type
    return None


def _left_over(op: Operation, pipeline: str, stages: Sequence[Stage], number: int) -> PassError:
    stage = stages[number]
    if not any(earlier.allows(op) for earlier in stages[: number + 1]):
        return PassError(
            op,
            "stage-foreign-op",
            f"'{op.name}' is no operation that {pipeline} takes",
            hint=f"lower it first with a pass of its own; hologram-opt --show-pipeline {pipeline} says what is taken",
        )
    if op.name.startswith("math."):
        return PassError(
            op,
            "math-not-expanded",
            f"'{op.name}' can't be compiled yet: expand-math has no expansion of it",
            hint="the reference interpreter computes it: hologram-run --device interpreter",
        )
    return PassError(
        op,
        "stage-left-over",
        f"'{op.name}' is left after stage '{stage.name}' of {pipeline}",
        hint=f"{stage.remover} should have removed it",
    )
