"""`hologram.dtype`, `dtypes` and `native_types`: what users may ask of element types."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hologram
from hologram.errors import DeviceError, UsageError
from hologram.runtime import dtypes

FINFO: Any = ml_dtypes.finfo  # pyright: ignore


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("f32", "f32"), ("float16", "f16"), (np.float64, "f64"), (np.dtype("u2"), "u16"), (bool, "bool"),
        (hologram.language.i8, "i8"), (ml_dtypes.bfloat16, "bf16"), ("u4096", "u4096"),
        (hologram.dtype("i128"), "i128"),
    ],
)  # fmt: skip
def test_names(given: Any, name: str) -> None:
    assert hologram.dtype(given).name == name


def test_kinds_and_sizes_of_all_types() -> None:
    for t in hologram.dtypes():
        assert t is hologram.dtype(t.name)
        assert [t.is_float, t.is_integer, t.is_bool].count(True) == 1
        assert t.is_signed != t.is_unsigned
        assert t.is_signed == (t.name[0] in "fbi" and t.name != "bool")
        assert t.bytes == (1 if t.is_bool else t.bits // 8)
        assert t.limbs == (t.bits // 64 if t.bits > 64 else 0)
    assert len(hologram.dtypes()) == 27


def test_ranges_are_those_of_numpy() -> None:
    for t in hologram.dtypes():
        if t.is_float:
            info = FINFO(t.numpy)
            ours = (t.min, t.max, t.eps, t.smallest_normal, t.smallest_subnormal)
            theirs = (info.min, info.max, info.eps, info.smallest_normal, info.smallest_subnormal)
            assert ours == tuple(map(float, theirs)), t.name
        elif t.is_integer and t.bits <= 64:
            assert (t.min, t.max) == (np.iinfo(t.numpy).min, np.iinfo(t.numpy).max)
        assert t.min < t.max
        assert (t.min, t.max) == dtypes.dtype(t.name).range
    assert hologram.dtype("i4096").min == -(1 << 4095)
    assert (hologram.dtype("bool").max, hologram.dtype("u8").eps, hologram.dtype("i8").smallest_subnormal) == (1, 0, 1)


@pytest.mark.parametrize("given", ["f33", None, 5, np.complex64, [1], "floot32"])
def test_what_is_no_type(given: Any) -> None:
    with pytest.raises(UsageError) as caught:
        hologram.dtype(given)
    assert caught.value.code == "dtype-name"


def test_native_types() -> None:
    names = [t.name for t in hologram.native_types()]
    assert names == "f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool".split()
    with pytest.raises(DeviceError, match="did you mean 'cuda'"):
        hologram.native_types("cdua")


def test_native_types_of_a_device_are_its_features(monkeypatch: pytest.MonkeyPatch) -> None:
    class Limits:
        features = frozenset({"f16", "i8"})

    class Device:
        limits = Limits()

    def named(name: str) -> str:
        return f"{name}:0"

    def opened(name: str) -> Device:
        assert name == "webgpu:0"
        return Device()

    monkeypatch.setattr("hologram.runtime.devices.find_device", named)
    monkeypatch.setattr("hologram.runtime.devices.open_device", opened)
    assert [t.name for t in hologram.native_types("webgpu")] == "f16 f32 i8 i32 u8 u32 bool".split()
