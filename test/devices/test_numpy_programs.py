"""Random tensor programs give on the devices what numpy gives: a sample in CI, 500 a device by `make fuzz-devices`."""

# Operations are typed by what they are called with.
# pyright: basic

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import hologram
from devices.columns import LOCAL, Column
from fuzz.counts import DEVICE_PROGRAMS, FUZZING, seed
from fuzz.numpy_programs import Maker, check

pytestmark = pytest.mark.device
KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]
PARTS = 8 if FUZZING else 1
SLACK = 8.0
"""Devices may round functions and quotients of f32 by more than the processor does."""


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_like_numpy(column: Column, part: int):
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")

    def run(function: Any, arrays: Sequence[Any]) -> Sequence[Any]:
        return hologram.jit(device=column.device)(function)(*arrays)

    for number in range(part, DEVICE_PROGRAMS, PARTS):
        check(Maker(f"{seed('devices')} {column.kind} {number}").make(), run, SLACK)
