"""The lowering of a source by the named pipelines: what of the runtime needs xDSL, imported on a cache miss."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hologram.collector import without_collection
from hologram.dialects import make_context
from hologram.errors import UsageError, did_you_mean
from hologram.frontend import BINARY_FORMS, get_all_frontends
from hologram.lowering.emit.llvm_ir import emit_llvm_ir
from hologram.lowering.pass_runner import Hooks, RunStage
from hologram.lowering.pipelines import PIPELINES, Stage, run_pipeline, stages_for
from hologram.runtime.canonical import module_digest
from hologram.runtime.entry import SYMBOL, choose_entry
from hologram.runtime.source import Source
from hologram.transforms.verifier import verify_module

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

Note = Callable[[str, float], None]
_LAID_OUT = ("bufferize", "insert-coherence-checks")
"""The passes that give tensors a layout."""


def lower_to_llvm_ir(source: Source, device: str, pipeline: str | None, layout: str, note: Note) -> str:
    """LLVM IR text with the entry records; `note` hears the time of each stage."""
    return Lowering(source, device, pipeline, layout, note).finish()


class Lowering:
    """A program on its way to LLVM IR, halted behind the first stage, where equal programs look alike."""

    def __init__(
        self,
        source: Source,
        device: str,
        pipeline: str | None,
        layout: str,
        note: Note,
        stages: Sequence[Stage] | None = None,
    ):
        """`stages` are those of the device, where it has options."""
        self._source = source
        self._ctx = make_context()
        self._hooks = _NoteStages(note)
        self._module = read_module(source, self._ctx)
        first, *self._rest = _stages(device, pipeline, layout, stages)
        self._run((first,))

    def digest(self, *, places: bool) -> str:
        """What is equal for equal programs; with `places`, only if they stand at the same places of one file."""
        return module_digest(self._module, places=places)

    def finish(self) -> str:
        """The LLVM IR text. The program is used up."""
        self._run(self._rest)
        text = emit_llvm_ir(self._module)
        if f"@{SYMBOL}" not in text:
            choose_entry((), None, self._source.name)
        return text


    def _run(self, stages: Sequence[Stage]) -> None:
        with without_collection():
            run_pipeline(self._module, self._ctx, stages, hooks=self._hooks, verify_stages=False)


def read_module(source: Source, ctx: Context) -> ModuleOp:
    """The verified module of a source of IR, which may be changed."""
    if source.module is not None:
        return source.module.clone()
    parse = get_all_frontends()[source.kind]()
    given = source.data if source.kind in BINARY_FORMS else source.text
    module = parse(given, source.name, ctx)
    verify_module(module)
    return module


def _stages(
    device: str, pipeline: str | None, layout: str, given: Sequence[Stage] | None = None
) -> tuple[Stage, ...]:
    if pipeline is None:
        stages = stages_for(device) if given is None else tuple(given)
    elif pipeline in PIPELINES:
        stages = PIPELINES[pipeline]
    else:
        hint = did_you_mean(pipeline, PIPELINES) or f"there are {', '.join(PIPELINES)}"
        raise UsageError("compile-pipeline", f"there is no pipeline '{pipeline}'", hint=hint)
    if layout == "identity":
        return stages
    return tuple(replace(s, passes=f"{s.passes}{{layout=strided}}") if s.passes in _LAID_OUT else s for s in stages)


class _NoteStages(Hooks):
    def __init__(self, note: Note):
        self._note = note
        self._start = time.perf_counter()

    def after_stage(self, step: RunStage, module: ModuleOp) -> None:
        now = time.perf_counter()
        self._note(step.stage.name, now - self._start)
        self._start = now
