"""`cvt` between every two types against Python's integers and exact rationals."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from xdsl.dialects import test as unregistered

from hologram.dialects.atlas.scalar import CvtOp
from hologram.dialects.atlas.types import DTYPES, DType
from interpreter.running import floats, integers, nearest, same, to_array, to_storage, wrap

TYPES = [
    "bool",
    "i8",
    "u8",
    "i16",
    "u16",
    "i32",
    "u32",
    "i64",
    "u64",
    "i128",
    "u128",
    "i2048",
    "u2048",
    "f16",
    "bf16",
    "f32",
    "f64",
]


def values_of(t: DType) -> list[Any]:
    if t.kind == "bool":
        return [False, True]
    if t.is_float:
        edges = [
            127.5,
            128.0,
            255.5,
            256.0,
            -128.9,
            -129.0,
            2.0**31,
            -(2.0**31),
            2.0**63,
            2.0**64,
            65520.0,
            1e-30,
            3.9e38,
        ]
        return [*floats(t), *(float(to_array([v], t)[0]) for v in edges)]
    bits = [24, 25, 53, 54, 63, 64, 127, 128, 1024]
    near = [wrap((1 << b) + d, t) for b in bits for d in (-1, 0, 1, 3) if b < t.bits]
    return [*integers(t), *near, wrap(65519, t), wrap(65520, t), wrap(-65520, t)]


def expected(source: DType, target: DType, value: Any) -> Any:
    if target.kind == "bool":
        return value != 0
    if target.is_float:
        if source.is_float and (not math.isfinite(value) or value == 0):
            return value
        return nearest(Fraction(value), target)
    if not source.is_float:
        return wrap(int(value), target)
    if math.isnan(value):
        return 0
    low, high = int(target.least), int(target.greatest)
    return low if value < low else high if value > high else math.trunc(value)


@pytest.mark.parametrize("to", TYPES)
@pytest.mark.parametrize("name", TYPES)
def test_conversion(name: str, to: str):
    source, target = DTYPES[name], DTYPES[to]
    values = values_of(source)
    given = to_array(values, source) if source.is_float else to_storage(values, source)
    found = CvtOp(source, target, unregistered.TestOp(result_types=[source.ir]).results[0]).evaluate(given)
    wanted = [expected(source, target, v) for v in values]
    if target.is_float:
        assert found.dtype == target.numpy
        assert same(found, wanted)
    else:
        assert found.tolist() == to_storage(wanted, target).tolist()
