"""The schedules of processors behind a language for devices: the bits are those of the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from device_kernels import KERNELS
from schedules.device_forms import compiled, device_pipelines, same_bits
from schedules.test_simt_reduce import check, drawn, program

__all__ = ["device_pipelines"]
COUNTS = (0, 1, 127, 128, 129, 4095, 4096, 4097, 33_001)
NAMES = [name for name, kernel in KERNELS.items() if kernel.bits != "bounded"]


@pytest.mark.parametrize("type", ["f32", pytest.param("i32", marks=pytest.mark.slow)])
def test_sums_of_lines_and_rows(type: str):
    dtype = {"f32": np.float32, "i32": np.int32}[type]
    line, rows = program("add", type, 1, ()), program("add", type, 2, (0,))
    for count in COUNTS:
        check(line, "processor", drawn((count,), dtype), np.zeros((), dtype))
        check(rows, "processor", drawn((3, count), dtype), np.zeros(3, dtype))


def test_columns():
    text = program("add", "f32", 2, (1,))
    for shape in ((0, 3), (1, 1), (129, 257), (4097, 3)):
        check(text, "processor", drawn(shape), np.zeros(shape[1], np.float32))


@pytest.mark.slow
def test_special_values():
    """NaN wins or loses as the combiner says, and zeros keep their signs."""
    values = drawn((300,))
    values[[7, 130]] = np.nan, np.inf
    for kind in ("add", "max", "max.nan"):
        text = program(kind, "f32", 1, ())
        for a in (values, np.full(300, -0.0, np.float32), np.full(300, np.nan, np.float32)):
            check(text, "processor", a, np.zeros((), np.float32))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_kernels(name: str):
    kernel = KERNELS[name]
    plain: Any = hologram.compile(kernel.text)
    made = compiled(kernel.text, "processor")
    for sizes in kernel.edges:
        given = kernel.arguments(sizes)
        assert same_bits(plain(*given), made(*given)), sizes
