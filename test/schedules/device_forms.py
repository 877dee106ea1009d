"""The kernels of devices as loops of this machine: with one element a load, and as for CUDA with 16 bytes of them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.lowering.pipelines import PIPELINES

NAMES = {"gpu": "hologram-to-cpu-simt", "cuda": "hologram-to-cpu-simt-vectors"}
"""The pipelines by target."""


@pytest.fixture(autouse=True, scope="module")
def device_pipelines() -> Generator[None]:
    """The pipeline with the target cuda, beside the one with the target gpu."""
    stages = PIPELINES[NAMES["gpu"]]
    name = "schedule-atlas{target="
    changed = tuple(replace(s, passes=s.passes.replace(f"{name}gpu", f"{name}cuda")) for s in stages)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PIPELINES, NAMES["cuda"], changed)
        yield


def compiled(text: str, target: str) -> Any:
    """The kernel of a program, as a device with this target would run it."""
    return hologram.compile(text, pipeline=NAMES[target])


def same_bits(a: Any, b: Any) -> bool:
    """Whether arrays have the same shape, type and bits, any NaN being as good as another."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind == "f" and (a.dtype.itemsize in (2, 4, 8)):
        nan = np.isnan(a) & np.isnan(b)
        kind = f"u{a.dtype.itemsize}"
        return bool((nan | (a.view(kind) == b.view(kind))).all()) if a.ndim else bool(nan or a.tobytes() == b.tobytes())
    return a.tobytes() == b.tobytes()
