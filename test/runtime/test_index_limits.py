"""Launches on devices whose index has 32 bits: what does not fit is refused, and what fits is not."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import hologram
from device_programs import PAPER, add
from hologram.errors import LaunchError
from hologram.runtime.devices import DEVICES, open_device
from hologram.runtime.entry import Argument
from hologram.runtime.launch.device_kernel import DeviceCall


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setitem(DEVICES, "paper", PAPER)
    device = open_device("paper:0")
    before = device.limits
    device.limits = dataclasses.replace(before, index_bits=32)
    yield hologram.compile(add(), device="paper")
    device.limits = before


def test_what_fits_runs(kernel: Any):
    out = np.zeros(3, np.float32)
    kernel(np.ones(3, np.float32), np.ones(3, np.float32), out)
    assert out.tolist() == [2, 2, 2]


@pytest.mark.parametrize("size", [1 << 31, 1 << 40])
def test_elements(kernel: Any, size: int):
    x = np.broadcast_to(np.float32(1), size)
    with pytest.raises(LaunchError, match=f"has {size} elements, and an index has 32 bits") as caught:
        kernel(x, x, x)
    assert caught.value.code == "launch-index"


def check(values: list[Any], arguments: list[Any]) -> None:
    """The check alone, for arguments that the programs of paper have not."""
    kernel: Any = SimpleNamespace(entry=SimpleNamespace(arguments=arguments), device="paper:0")
    DeviceCall._check_sizes(kernel, values)  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    ("shape", "steps", "fits"),
    [
        ((0, 1 << 31), (0, 0), False), ((0, (1 << 31) - 1), (0, 0), True), ((2, 3), (1 << 31, 1), False),
        ((2, 3), (-(1 << 31), 1), False), ((1, 3), (1 << 40, 1), True), ((3, 2), (1 << 29, 1), True), ((), (), True),
    ],
)  # fmt: skip
def test_sizes_and_strides(shape: tuple[int, ...], steps: tuple[int, ...], fits: bool):
    array = SimpleNamespace(shape=shape, strides=tuple(4 * n for n in steps), itemsize=4, size=math.prod(shape))
    none = (None,) * len(shape)
    argument = Argument("a", "buffer", "f32", shape=none, strides=none)
    if fits:
        return check([array], [argument])
    with pytest.raises(LaunchError, match="'a' has sizes or strides that reach"):
        check([array], [argument])


@pytest.mark.parametrize(
    ("dtype", "value", "fits"),
    [
        ("index", (1 << 31) - 1, True), ("index", 1 << 31, False), ("index", -(1 << 31), True),
        ("index", -(1 << 31) - 1, False), ("i64", 1 << 40, True),
    ],
)  # fmt: skip
def test_numbers(dtype: str, value: int, fits: bool):
    argument = Argument("n", "scalar", dtype)
    if fits:
        return check([value], [argument])
    with pytest.raises(LaunchError, match=f"'n' is {value}, and an index"):
        check([value], [argument])
