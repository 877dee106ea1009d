"""A stage of a named pipeline: the passes it runs, and what may be left after it. Legality is data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Operation

from hologram.dialects.atlas.instructions.types import STORED, DType, dtype_of
from hologram.dialects.marks import MARKS, find_mark
from hologram.errors import PassError, did_you_mean
from hologram.lowering.pipelines.pass_spec import Node, PassCall, parse_pipeline
from hologram.plugins.tables import KINDS
from hologram.support.walking import operations

ANY = "*"
"""Stands for every operation among those that are legal."""


@dataclass(frozen=True)
class Stage:
    """A row of a pipeline's table."""

    name: str
    passes: str = ""
    """The passes to run, as `-p` takes them."""
    legal: frozenset[str] = frozenset()
    """The dialects, and single operations (`math.fma`), that may be there afterwards."""
    emits: str | None = None
    """The target that this stage emits instead of running passes; what it writes is made from the last stage's IR."""
    suffix: str = ".mlir"
    """How the names of files with this stage's outcome end."""

    def remover(self, dialect: str = "") -> str:
        """The pass that takes away what is not legal after this stage: that of the dialect, else the first."""
        passes = [n.name for n in parse_pipeline(self.passes) if isinstance(n, PassCall)] or [self.name]
        return next((name for name in passes if name.startswith(f"convert-{dialect}-")), passes[0])

    @property
    def values(self) -> bool:
        """Return whether values of tensor type may be there afterwards."""
        return "tensor" in self.legal or ANY in self.legal

    def allows(self, op: Operation) -> bool:
        """Return whether `op` may be there afterwards."""
        return op.name in self.legal or op.name.partition(".")[0] in self.legal or ANY in self.legal


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
                hint=f"{stage.remover()} should have put it into memory",
            )
        if op.attributes:
            _check_rounding(op)
            _check_marks(op, op.attributes, False, pipeline, stages, number)
        for attributes in _of_arguments(op):
            _check_marks(op, attributes, True, pipeline, stages, number)


def _check_rounding(op: Operation) -> None:
    """Raises a PassError for a cast that says how it rounds, and not to the nearest: no target rounds otherwise."""
    mode = op.attributes.get("roundingmode")
    if op.name == "arith.truncf" and isinstance(mode, IntegerAttr) and mode.value.data != 0:
        message = "'arith.truncf' can be compiled only where it rounds to the nearest number, to even between two"
        raise PassError(op, "rounding-mode", message, hint="leave the rounding mode out, or write to_nearest_even")


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
    if op.name == "builtin.unrealized_conversion_cast" and (narrow := _stored_type(op)) is not None:
        return PassError(
            op,
            "narrow-float-left",
            f"values of type {narrow.name} are only loaded and stored here: nothing converts or computes with them",
            hint=f"atlas.cvt converts them, such as %y = atlas.cvt {narrow.name} to f32 %x",
        )
    return PassError(
        op,
        "stage-left-over",
        f"'{op.name}' is left after stage '{stage.name}' of {pipeline}",
        hint=f"{stage.remover(op.name.partition('.')[0])} should have removed it",
    )


def _stored_type(op: Operation) -> DType | None:
    """The type of a value, of those that memory alone has."""
    types = [dtype_of(value.type) for value in (*op.operands, *op.results)]
    return next((t for t in types if t is not None and t.name in STORED), None)


# Marks


_ARGUMENTS = ("arg_attrs", "res_attrs", "workgroup_attrib_attrs")


def _of_arguments(op: Operation) -> Iterator[Mapping[str, Attribute]]:
    """The attributes of each argument of a function or a kernel."""
    if not op.regions:
        return
    for name in _ARGUMENTS:
        for attributes in getattr(op.properties.get(name), "data", ()):
            if isinstance(attributes, DictionaryAttr):
                yield attributes.data


def _check_marks(
    op: Operation,
    attributes: Mapping[str, Attribute],
    of_argument: bool,
    pipeline: str,
    stages: Sequence[Stage],
    number: int,
) -> None:
    """Raises a PassError for the first mark that is none, stands where it may not, or should be gone."""
    after = f"after stage '{stages[number].name}' of {pipeline}"
    for name, attribute in attributes.items():
        if not name.startswith("hologram."):
            continue
        place = f"an argument of '{op.name}'" if of_argument else f"'{op.name}'"
        mark = find_mark(name)
        if mark is None:
            raise PassError(
                op,
                "mark-unknown",
                f"{place} has the attribute '{name}' {after}, which says nothing",
                hint=did_you_mean(name, [*MARKS, *KINDS["mark"]])
                or "docs/reference/marks.mdx lists the marks; a pass of a plug-in declares its own by plugin.mark(...)",
            )
        if mark.argument != of_argument or not mark.may_stand_on(op.name):
            raise PassError(
                op,
                "mark-misplaced",
                f"the mark '{name}' can't stand on {place}, as it does {after}",
                hint=f"it stands on {mark.place}; it comes from {mark.written}",
            )
        if attribute.name not in mark.types:
            raise PassError(
                op,
                "mark-type",
                f"the mark '{name}' of {place} is {attribute} {after}",
                hint=f"it must be of the kind {' or '.join(mark.types)}; it comes from {mark.written}",
            )
        if mark.dropped and (passes := _passes_until(tuple(stages), number).intersection(mark.dropped)):
            raise PassError(
                op,
                "mark-left-over",
                f"the mark '{name}' is left on {place} {after}",
                hint=f"{', '.join(sorted(passes))} should have removed it",
            )


@lru_cache(256)
def _passes_until(stages: tuple[Stage, ...], number: int) -> frozenset[str]:
    """The names of the passes of the stages up to one."""
    return frozenset(name for stage in stages[: number + 1] for name in _names(parse_pipeline(stage.passes)))


def _names(nodes: Sequence[Node]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, PassCall):
            yield node.name
        else:
            yield from _names(node.body)
