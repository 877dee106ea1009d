"""Collectives over several devices of a process."""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hologram
from hologram.errors import DeviceError, InputError

BF16: Any = ml_dtypes.bfloat16


def group(count: int) -> hologram.DeviceGroup:
    return hologram.DeviceGroup(["cpu"] * count)


def same_bits(found: Any, expected: Any) -> None:
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 5), (2, 0), (100_003,)])
def test_sums_are_in_the_order_of_the_devices(shape: tuple[int, ...]):
    rng = np.random.default_rng(1)
    arrays = [rng.normal(0, 10.0**n, shape).astype(np.float32) for n in (0, 6, 3)]
    arrays = [np.asarray(a, np.float32).reshape(shape) for a in arrays]
    kept = [a.copy() for a in arrays]
    found = group(3).all_reduce(arrays)
    assert len(found) == 3
    for result in found:
        same_bits(result, np.asarray((arrays[0] + arrays[1]) + arrays[2]))
    for a, b in zip(arrays, kept, strict=True):
        same_bits(a, b)
    assert not np.shares_memory(found[0], found[1])


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [(np.uint8, "add"), (np.int8, "min"), (np.uint32, "max"), (np.int64, "mul"), (np.uint64, "min"), (float, "max")],
)
def test_kinds(dtype: Any, kind: str):
    least = np.iinfo(dtype).min if np.issubdtype(dtype, np.integer) else -np.inf
    most = np.iinfo(dtype).max if np.issubdtype(dtype, np.integer) else np.inf
    a, b = np.array([least, most, 3, 0], dtype), np.array([1, 2, most, least], dtype)
    functions = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}
    for result in group(2).all_reduce([a, b], kind):
        same_bits(result, functions[kind](a, b))


def test_nan_is_skipped_or_not():
    a, b = np.array([np.nan, 1, np.nan, -0.0], np.float32), np.array([2, np.nan, np.nan, 0.0], np.float32)
    devices = group(2)
    np.testing.assert_array_equal(devices.all_reduce([a, b], "min")[1], [2, 1, np.nan, -0.0])
    assert np.signbit(devices.all_reduce([a, b], "min")[0][3])
    np.testing.assert_array_equal(devices.all_reduce([a, b], "max.nan")[0], [np.nan, np.nan, np.nan, 0])


@pytest.mark.parametrize("dtype", [np.float16, BF16])
def test_halves_are_rounded_once(dtype: Any):
    arrays = [np.array([v], dtype) for v in (2048, 1, 1)] if dtype is np.float16 else [
        np.array([v], dtype) for v in (256, 1, 1)
    ]  # fmt: skip
    exact = sum(a.astype(np.float32) for a in arrays)
    same_bits(group(3).all_reduce(arrays)[2], np.asarray(exact).astype(dtype))
    assert (arrays[0] + arrays[1]) + arrays[2] != np.asarray(exact).astype(dtype)


def test_views_and_buffers():
    executors = [hologram.Executor(), hologram.Executor()]
    buffers = [executor.allocate((3, 4)) for executor in executors]
    for number, buffer in enumerate(buffers):
        buffer.copy_from(np.full((3, 4), number + 1, np.float32))
    devices = hologram.DeviceGroup(executors)
    assert repr(devices) == "<hologram.DeviceGroup of cpu, cpu>"
    assert devices.all_reduce(buffers)[0].tolist() == [[3.0] * 4] * 3
    a = np.arange(24, dtype=np.int32).reshape(4, 6)
    same_bits(devices.all_reduce([a.T, a.T[::-1]])[0], np.ascontiguousarray(a.T + a.T[::-1]))
    same_bits(devices.all_reduce([a, a], "max")[1], a)
    assert group(1).all_reduce([a])[0] is not a


def test_all_gather():
    arrays = [np.array([[n, n + 1]], np.int16) for n in range(3)]
    for result in group(3).all_gather(arrays):
        same_bits(result, np.array([[[0, 1]], [[1, 2]], [[2, 3]]], np.int16))
    assert [r.shape for r in group(2).all_gather([np.zeros((0, 2))] * 2)] == [(2, 0, 2)] * 2


X = np.zeros(3, np.float32)


@pytest.mark.parametrize(
    ("arrays", "kind", "text"),
    [
        ([X], "add", "the group has 2 devices, found 1 arrays"),
        ([X, X, X], "add", "the group has 2 devices, found 3 arrays"),
        ([X, None], "add", "device 1 (cpu) gives nothing"),
        ([[1.0], X], "add", "device 0 (cpu) gives list, which is no array"),
        ([X, X[:2]], "add", "device 1 gives an array of shape (2,), and device 0 one of (3,)"),
        ([X, X.astype(float)], "add", "device 1 gives an array of float64, and device 0 one of float32"),
        ([X, X], "mean", "there is no reduction 'mean'"),
        ([X > 0, X > 0], "add", "'add' over devices is not defined for arrays of bool"),
        ([X.astype(int)] * 2, "min.nan", "'min.nan' over devices is not defined for arrays of int64"),
    ],
)
def test_what_does_not_fit(arrays: list[Any], kind: str, text: str):
    with pytest.raises(InputError, match=re.escape(text)):
        group(2).all_reduce(arrays, kind)


def test_groups():
    executor = hologram.Executor()
    for devices in ([], [executor, executor]):
        with pytest.raises(InputError, match="at least one device, and each executor once"):
            hologram.DeviceGroup(devices)
    with pytest.raises(DeviceError):
        hologram.DeviceGroup(["cpu", "gpu0"])
