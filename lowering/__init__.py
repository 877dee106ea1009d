"""Passes that change level, schedules and emitters. One row a pass below; a pass is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

_PASSES: dict[str, tuple[str, str]] = {
    # pass name: (module in this package, class)
    "bufferize": ("bufferize", "BufferizePass"),
    "convert-atlas-to-core": ("convert_atlas_to_core", "ConvertAtlasToCorePass"),
    "convert-gpu-to-scf": ("convert_gpu_to_scf", "ConvertGpuToScfPass"),
    "convert-hologram-to-atlas": ("convert_hologram_to_atlas", "ConvertHologramToAtlasPass"),
    "expand-math": ("expand_math", "ExpandMathPass"),
    "schedule-atlas": ("schedule_atlas", "ScheduleAtlasPass"),
}


def get_all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """The passes of this package by name."""

    def factory(module: str, name: str) -> Callable[[], type[ModulePass]]:
        return lambda: getattr(import_module(f"{__name__}.{module}"), name)

    return {name: factory(*row) for name, row in sorted(_PASSES.items())}
