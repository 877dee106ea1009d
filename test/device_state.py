"""Tests of the Atlas state and of class memory that hold on every device: those of the CPU, by executors of the device.

`devices/test_state.py` runs them where no hardware is needed, and `gpu/test_state.py` on a GPU, with all types.
"""

from __future__ import annotations

from typing import Any

import pytest

import hologram
from classes.test_class_memory import test_neighbour_stores, test_neighbours, test_the_last_place
from classes.test_class_tiles import (
    test_arena_and_calls,
    test_loads_and_stores_of_tensors,
    test_runs_of_classes,
    test_tiles,
    test_tiles_in_lane_programs,
)
from classes.test_state import (
    test_all_classes_and_neighbours,
    test_functions_of_lanes,
    test_phases,
    test_state_lives_across_barriers_and_loops,
    test_unity_without_resonance,
)
from hologram.errors import HologramError

REFUSED = {"device-refuses-wide-atomics": "64-bit atomics", "device-refuses-addresses": "pointers across objects"}
"""The codes of the errors by which webgpu may refuse programs (isa.md section 7), with the refused feature of each."""


def executors_of(device: str, patch: pytest.MonkeyPatch) -> None:
    """Makes the executors of a test those of a device. A test of what it may refuse, and does, ends there."""

    class DeviceExecutor(hologram.Executor):
        def __init__(self, **options: Any):
            super().__init__(device, **options)

        def compile(self, source: Any, **options: Any) -> hologram.Kernel:
            try:
                return super().compile(source, **options)
            except HologramError as error:
                if device.startswith("webgpu") and "Cannot apply math function to type" in str(error):
                    pytest.skip(f"{device}: wgpu's compiler has no abs of constants of 64 bits: not mended yet")
                if not device.startswith("webgpu") or error.code not in REFUSED:
                    raise
                pytest.skip(f"{device} refuses {REFUSED[error.code]}, as isa.md section 7 allows")

    patch.setattr(hologram, "Executor", DeviceExecutor)


__all__ = [
    "test_all_classes_and_neighbours",
    "test_arena_and_calls",
    "test_functions_of_lanes",
    "test_loads_and_stores_of_tensors",
    "test_neighbour_stores",
    "test_neighbours",
    "test_phases",
    "test_runs_of_classes",
    "test_state_lives_across_barriers_and_loops",
    "test_the_last_place",
    "test_tiles",
    "test_tiles_in_lane_programs",
    "test_unity_without_resonance",
]
