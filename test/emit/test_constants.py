# ruff: noqa: E501 (the lines of the programs)
"""Constants reach the object code bit for bit."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import (
    BFloat16Type,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
    i32,
)

from emit.jit import Loaded
from hologram.dialects import llvm
from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
from hologram.lowering.targets.llvm.text.types import float_text, integer_text

FLOATS = {f16: 16, bf16: 16, f32: 32, f64: 64}
CODES = {16: "H", 32: "I", 64: "Q"}


def special_bits(type: Any) -> list[int]:
    """Zeros, infinities, quiet and signalling NaNs with payloads, subnormals, the ends of the range."""
    width = FLOATS[type]
    mantissa = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}[type.name]
    top = 1 << (width - 1)
    infinity = (top - 1) >> mantissa << mantissa
    quiet = infinity | 1 << (mantissa - 1)
    found = [
        0,
        1,
        infinity,
        infinity - 1,
        infinity | 1,
        infinity | 5,
        quiet,
        quiet | 3,
        (1 << mantissa) - 1,
        1 << mantissa,
    ]
    return [*found, *(bits | top for bits in found)]


def stored(type: Any, bits: list[int]) -> list[int]:
    """The memory of a dense constant with these bits."""
    width = FLOATS[type]
    data = struct.pack(f"<{len(bits)}{CODES[width]}", *bits)
    value: Any = DenseIntOrFPElementsAttr(TensorType(type, [len(bits)]), BytesAttr(data))
    module = ModuleOp([llvm.GlobalOp(llvm.LLVMArrayType(len(bits), type), "g", value=value, constant=True)])
    memory = Loaded(emit_llvm_ir(module)).memory("g", len(data))
    return list(struct.unpack(f"<{len(bits)}{CODES[width]}", memory))


@pytest.mark.parametrize("type", FLOATS, ids=lambda t: t.name)
def test_special_values(type: Any):
    bits = special_bits(type)
    assert stored(type, bits) == bits


@pytest.mark.parametrize("type", FLOATS, ids=lambda t: t.name)
@settings(max_examples=10)
@given(data=st.data())
def test_any_value(type: Any, data: st.DataObject):
    top = (1 << FLOATS[type]) - 1
    bits = data.draw(st.lists(st.integers(0, top), min_size=1, max_size=200))
    assert stored(type, bits) == bits


@settings(max_examples=20)
@given(st.lists(st.floats(width=32), min_size=1, max_size=50))
def test_scalars(values: list[float]):
    globals_ = [llvm.GlobalOp(f32, f"g{n}", value=FloatAttr(v, f32)) for n, v in enumerate(values)]
    loaded = Loaded(emit_llvm_ir(ModuleOp(globals_)))
    for number, value in enumerate(values):
        assert loaded.memory(f"g{number}", 4) == f32.pack((value,))


@pytest.mark.parametrize(
    ("bits", "type", "text"),
    [
        (0x3F800000, f32, "1.0"),
        (0x80000000, f32, "-0.0"),
        (0x3DCCCCCD, f32, "0x3FB99999A0000000"),
        (0x7F800000, f32, "0x7FF0000000000000"),
        (0xFFC00001, f32, "0xFFF8000020000000"),
        (0x3C00, f16, "1.0"),
        (0x7E01, f16, "0xH7E01"),
        (0x7FC1, BFloat16Type(), "0xR7FC1"),
        (0x4142, BFloat16Type(), "12.125"),
        (0x7FF0000000000000, f64, "0x7FF0000000000000"),
        (0x54B249AD2594C37D, f64, "1.0e+100"),
    ],
)
def test_texts(bits: int, type: Any, text: str):
    assert float_text(bits, type) == text


@pytest.mark.parametrize(
    ("value", "width", "text"),
    [
        (255, 8, "-1"),
        (-128, 8, "-128"),
        (127, 8, "127"),
        (1, 1, "true"),
        (-1, 1, "true"),
        (0, 1, "false"),
        (1 << 127, 128, str(-(1 << 127))),
    ],
)
def test_integer_texts(value: int, width: int, text: str):
    assert integer_text(value, IntegerType(width)) == text


@settings(max_examples=20)
@given(st.lists(st.integers(-(1 << 31), (1 << 31) - 1), min_size=1, max_size=30))
def test_integers(values: list[int]):
    dense: Any = DenseIntOrFPElementsAttr.from_list(TensorType(i32, [len(values)]), values)
    module = ModuleOp(
        [
            llvm.GlobalOp(llvm.LLVMArrayType(len(values), i32), "g", value=dense),
            llvm.GlobalOp(i32, "h", value=IntegerAttr(values[0], i32)),
        ]
    )
    loaded = Loaded(emit_llvm_ir(module))
    assert loaded.memory("g", 4 * len(values)) == struct.pack(f"<{len(values)}i", *values)
    assert loaded.memory("h", 4) == struct.pack("<i", values[0])
