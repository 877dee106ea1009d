"""Functions with tables of polynomials have the CPU's bits on processors behind OpenCL, which take vectors for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from devices.columns import Column
from hologram.runtime.devices.opencl import OpenClDevice
from math_expansions.inputs import inputs_f32
from schedules.device_forms import same_bits

pytestmark = [pytest.mark.device, pytest.mark.timeout(300)]


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The code that the driver is given, which it has not seen before."""
    found: list[str] = []
    build = OpenClDevice._build  # pyright: ignore[reportPrivateUsage]

    def built(device: OpenClDevice, code: bytes) -> Any:
        found.append(code.decode())
        return build(device, code)

    monkeypatch.setattr(OpenClDevice, "_find", lambda device, code: None)  # pyright: ignore
    monkeypatch.setattr(OpenClDevice, "_build", built)
    return found


@pytest.mark.parametrize("name", ["exp", "erf", "gelu", "tanh"])
def test_bits_of_the_cpu(name: str, texts: list[str]):
    """Numbers of all magnitudes, infinities and NaN, as many as no vector has."""
    column = Column("opencl")
    if column.missing:
        pytest.skip(column.missing)
    if column.opened.is_gpu:
        pytest.skip("opencl:0 is a GPU")
    kind = "tensor<?xf32>"
    text = f"func.func @f(%x: {kind}) -> {kind} {{\n %r = hologram.{name} %x : {kind}\n func.return %r : {kind}\n}}"
    x = inputs_f32(4_001, seed=7)
    x = x[: x.size // 16 * 16 - 1]
    wanted, found = np.empty_like(x), hologram.array(np.empty_like(x), device=column.device)
    hologram.compile(text)(x, out=wanted)
    hologram.compile(text, device=column.device)(hologram.array(x, device=column.device), out=found)
    assert same_bits(found.numpy(), wanted)
    assert ["looked_up(" in code for code in texts] == [True]
