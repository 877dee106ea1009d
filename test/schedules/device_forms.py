"""The kernels of devices as loops of this machine: with one element a load, as for CUDA with 16 bytes of them, as
for a processor behind a language for devices, and as for one that runs threads as lanes of its vectors."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.lowering.pipelines.pipelines import PIPELINES, Stage

NAMES = {
    "gpu": "hologram-to-cpu-simt",
    "cuda": "hologram-to-cpu-simt-vectors",
    "processor": "hologram-to-cpu-simt-processor",
    "lanes": "hologram-to-cpu-simt-lanes",
}
"""The pipelines by target."""


@pytest.fixture(autouse=True, scope="module")
def device_pipelines() -> Generator[None]:
    """The pipelines with the other targets, beside the one with the target gpu."""
    plain = {"schedule-atlas{target=gpu": "schedule-atlas{target=cuda"}
    loops = {"target=gpu": "target=processor", "loops-to-gpu": "loops-to-gpu{block-size=1}"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PIPELINES, NAMES["cuda"], _changed(plain))
        patch.setitem(PIPELINES, NAMES["processor"], _changed(loops))
        lanes = {"schedule-atlas{target=gpu": "schedule-atlas{target=lanes", "stage-tables": "select-tables"}
        patch.setitem(PIPELINES, NAMES["lanes"], _changed(lanes))
        yield


def _changed(words: Mapping[str, str]) -> tuple[Stage, ...]:
    """The stages of the pipeline with the target gpu, with other words in their passes."""
    stages = PIPELINES[NAMES["gpu"]]
    for old, new in words.items():
        assert any(old in s.passes for s in stages), old
        stages = tuple(replace(s, passes=s.passes.replace(old, new)) for s in stages)
    return stages


def compiled(text: str, target: str) -> Any:
    """The kernel of a program, as a device with this target would run it."""
    return hologram.compile(text, pipeline=NAMES[target])


def same_bits(a: Any, b: Any) -> bool:
    """Return whether arrays have the same shape, type and bits, where all NaNs count as equal."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind == "f" and (a.dtype.itemsize in (2, 4, 8)):
        nan = np.isnan(a) & np.isnan(b)
        kind = f"u{a.dtype.itemsize}"
        return bool((nan | (a.view(kind) == b.view(kind))).all()) if a.ndim else bool(nan or a.tobytes() == b.tobytes())
    return a.tobytes() == b.tobytes()
