"""fft on the CPU against numpy's in complex128: lengths of every kind, batches, inverses, strides, NaN."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np
import pytest

import hologram
from extension_programs import Array, on_both, program
from hologram.errors import HologramError
from hologram.lowering.schedules.cpu.fft_stages import LARGEST, radices
from in_process import run_tool

FEW: list[tuple[int, int, Any]] = [
    # length, inverse, type
    (1, 0, np.float32), (12, 1, np.float64), (17, 1, np.float32), (30, 0, np.float32), (256, 1, np.float32),
    (64, 0, np.float64), (128, 0, np.float32),
]  # fmt: skip
MANY = (2, 3, 8, 35, 64, 77, 101, 143, 512, 1000, 1024, 4096, 1 << 14, 1 << 16, 10007)
LENGTHS = MANY if "HOLOGRAM_FUZZ" in os.environ else ()
CASES = [*FEW, *((n, n % 2, t) for n in LENGTHS for t in (np.float32, np.float64))]


def draw(*shape: int, dtype: Any = np.float32) -> Array:
    return np.random.default_rng(shape[-2]).normal(size=shape).astype(dtype)


def near(found: Array, expected: Array) -> bool:
    """Within some roundings of the greatest value."""
    step = 2.0**-24 if found.dtype == np.float32 else 2.0**-53
    error = np.abs(found.astype(np.float64) - expected.astype(np.float64)).max(initial=0)
    return bool(error <= 32 * step * np.abs(expected).max(initial=1e-9))


@pytest.mark.parametrize(("n", "inverse", "type"), CASES)
def test_lengths(n: int, inverse: int, type: Any) -> None:
    x = draw(3, n, 2, dtype=type)
    text = program("fft", [x], [x], f"inverse = {inverse}", static=True)
    (found,), (expected,) = on_both(text, [x], [np.full_like(x, 9)])
    assert near(found, expected)


def test_a_long_one_is_cut_and_goes_back() -> None:
    n = 1 << 16
    x = draw(2, n, 2)
    kind = f"memref<?x{n}x2xf32>"
    kernel = hologram.compile(f"""
func.func @main(%x: {kind}, %y: {kind}) {{
  atlas.fft ins(%x : {kind}) outs(%y : {kind})
  func.return
}}""")
    y = np.zeros_like(x)
    kernel(x, y)
    exact = np.fft.fft(x[..., 0].astype(np.float64) + 1j * x[..., 1])
    assert near(y, np.stack([exact.real, exact.imag], -1))
    same = np.zeros_like(x)
    for _ in range(3):
        kernel(x, same)
        assert same.tobytes() == y.tobytes()
    kernel(x[:0], y[:0])
    x[0, 5, 1] = np.nan
    kernel(x, same)
    assert np.isnan(same[0]).all()
    assert same[1].tobytes() == y[1].tobytes()


@pytest.mark.parametrize("width", [16, 32][: 2 if LENGTHS else 1])
def test_widths_of_vectors(width: int) -> None:
    """Only the first stage has shorter runs with 4 and with 8 lanes; with 16 the second one has them too."""
    x = draw(2, 256, 2)
    text = program("fft", [x], [x], "inverse = 1", static=True)
    kernels = run_tool("hologram-opt", ["-p", f"schedule-atlas{{vector-bytes={width}}}"], stdin=text.encode()).text
    y = np.zeros_like(x)
    hologram.compile(kernels)(x, y)
    exact = np.fft.ifft(x[..., 0].astype(np.float64) + 1j * x[..., 1])
    assert near(y, np.stack([exact.real, exact.imag], -1))


def dynamic(ins: list[Array], outs: list[Array], attributes: str = "", in_place: int | None = None) -> str:
    """A program for any length."""
    return re.sub(r"\?(xf\d\d)", r"2\1", program("fft", ins, outs, attributes, in_place=in_place))


@pytest.mark.parametrize(("inverse", "type"), [(0, np.float32), (1, np.float64)][: 2 if LENGTHS else 1])
def test_lengths_known_at_the_call(inverse: int, type: Any) -> None:
    """Powers of two with and without a last stage of radix 2, others, none; in place; NaN."""
    x = draw(1, 1, 2, dtype=type)
    kernel = hologram.compile(dynamic([x], [x], f"inverse = {inverse}", in_place=0))
    for n in (1, 2, 3, 4, 8, 17, 64, 100, 1009, *LENGTHS):
        x = draw(3, n, 2, dtype=type)
        y = x.copy()
        kernel(y)
        wide = x[..., 0].astype(np.float64) + 1j * x[..., 1]
        exact = np.fft.ifft(wide) if inverse else np.fft.fft(wide)
        assert near(y, np.stack([exact.real, exact.imag], -1)), n
        x[1, n // 2, 0] = np.nan
        kernel(x)
        assert np.isnan(x[1, :, 0]).all()
        assert x[::2].tobytes() == y[::2].tobytes()
    for shape in ((0, 7, 2), (2, 0, 2)):
        kernel(np.zeros(shape, type))


def test_lengths_known_at_the_call_of_strides() -> None:
    x, y = draw(24, 2)[::2], np.zeros((24, 2), np.float32)[::2]
    kernel = hologram.compile(dynamic([x], [y]))
    kernel(x, y)
    exact = np.fft.fft(x[..., 0].astype(np.float64) + 1j * x[..., 1])
    assert near(y, np.stack([exact.real, exact.imag], -1))
    with pytest.raises(HologramError, match="12"):
        kernel(x, y[:-1])


def test_of_strides() -> None:
    n = 6
    x, y = draw(2, 2 * n, 2)[:, ::2], np.zeros((4, n, 2), np.float32)[::2]
    text = program("fft", [x], [y]).replace("memref<?x?x?x", f"memref<?x{n}x2x")
    kernel = hologram.compile(text)
    kernel(x, y)
    exact = np.fft.fft(x[..., 0].astype(np.float64) + 1j * x[..., 1])
    assert near(y, np.stack([exact.real, exact.imag], -1))


def test_radices() -> None:
    for n in range(1, 300):
        assert np.prod(radices(n), dtype=np.int64) == n
        assert all(r <= LARGEST for r in radices(n)[:-1])
    assert radices(1024) == [8, 8, 4, 4]
