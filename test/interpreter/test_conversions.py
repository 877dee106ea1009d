"""`cvt` between every two types against Python's integers and exact rationals."""

from __future__ import annotations

import pytest
from xdsl.dialects import test as unregistered

from conformance.exact import converted
from conformance.values import conversion_values
from hologram.dialects.atlas.instructions.scalar import CvtOp
from hologram.dialects.atlas.instructions.types import DTYPES
from interpreter.running import same, to_array, to_storage

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


@pytest.mark.parametrize("to", TYPES)
@pytest.mark.parametrize("name", TYPES)
def test_conversion(name: str, to: str):
    source, target = DTYPES[name], DTYPES[to]
    values = conversion_values(source)
    given = to_array(values, source) if source.is_float else to_storage(values, source)
    found = CvtOp(source, target, unregistered.TestOp(result_types=[source.ir]).results[0]).evaluate(given)
    wanted = [converted(source, target, v) for v in values]
    if target.is_float:
        assert found.dtype == target.numpy
        assert same(found, wanted)
    else:
        assert found.tolist() == to_storage(wanted, target).tolist()
