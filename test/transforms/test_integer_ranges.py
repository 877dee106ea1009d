"""Ranges are sound: what instructions and regions compute lies in them."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.ir import Block, SSAValue

from hologram.dialects import make_context
from hologram.dialects.atlas.arrays import MapOp
from hologram.dialects.atlas.instruction import Trap, storage
from hologram.dialects.atlas.scalar import INSTRUCTIONS, CvtOp, MovImmOp
from hologram.dialects.atlas.types import DTYPES, DType
from hologram.frontend.mlir import parse_module
from hologram.transforms.integer_ranges import (
    RULES,
    Known,
    Range,
    Ranges,
    elements,
    fits,
    reread,
    signed,
    whole,
    wrapped,
)

WIDTHS = (8, 16, 32, 64)
INTEGERS = [DTYPES[f"{sign}{bits}"] for sign in "iu" for bits in WIDTHS]
PLAIN = {
    "add": "a + b", "sub": "a - b", "mul": "a * b", "neg": "-a", "fma": "a * b + c", "mad": "a * b + c",
    "fms": "a * b - c",
}  # fmt: skip
"""Over integers without bounds."""
EXAMPLES = 300 if "HOLOGRAM_FUZZ" in os.environ else 25


@st.composite
def ranges(draw: Any, dtype: DType) -> Range:
    """A range of a type, often at its ends or around 0."""
    least, greatest = whole(dtype)
    ends = st.sampled_from([least, least + 1, -1, 0, 1, 2, greatest - 1, greatest]).filter(
        lambda n: least <= n <= greatest
    )
    number = st.one_of(ends, st.integers(least, greatest), st.integers(max(least, -40), 40))
    a, b = draw(number), draw(number)
    return min(a, b), max(a, b)


def some_of(draw: Any, bounds: Range) -> list[int]:
    """The ends of a range and numbers between them."""
    return [*bounds, *draw(st.lists(st.integers(*bounds), min_size=4, max_size=4))]


def as_lanes(numbers: list[int], dtype: DType) -> Any:
    """Numbers in storage form."""
    if dtype.kind == "bool":
        return np.array(numbers, np.bool_)
    return storage(np.array(numbers, dtype.numpy), dtype)


@pytest.mark.parametrize("name", sorted(RULES))
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_instructions(name: str, data: st.DataObject) -> None:
    instruction, dtype = INSTRUCTIONS[name].INSTRUCTION, data.draw(st.sampled_from(INTEGERS))
    types = [{"T": dtype, "u32": DTYPES["u32"], "bool": DTYPES["bool"]}[k] for k in instruction.operands.values()]
    bounds = [data.draw(ranges(t)) for t in types]
    exact = RULES[name](dtype, *bounds)
    assert exact[0] <= exact[1]
    columns = [some_of(data.draw, b) for b in bounds]
    for row in zip(*columns, strict=True):
        try:
            lanes = instruction.evaluate(dtype, *(as_lanes([n], t) for n, t in zip(row, types, strict=True)))
        except Trap:
            continue
        result = int(np.asarray(lanes).view(dtype.numpy)[0])
        least, greatest = wrapped(exact, dtype)
        assert least <= result <= greatest, (name, dtype.name, bounds, row)
        if name in PLAIN:
            number = int(eval(PLAIN[name], dict(zip("abc", row, strict=False))))
            assert exact[0] <= number <= exact[1], (name, dtype.name, bounds, row)
            assert not fits(exact, dtype) or number == result


@given(data=st.data())
def test_other_signs(data: st.DataObject) -> None:
    dtype = data.draw(st.sampled_from(INTEGERS))
    other = DTYPES[f"{'i' if dtype.is_unsigned else 'u'}{dtype.bits}"]
    bounds = data.draw(ranges(dtype))
    least, greatest = reread(bounds, other)
    for number in some_of(data.draw, bounds):
        assert least <= int(as_lanes([number], dtype).view(other.numpy)[0]) <= greatest


@given(data=st.data())
def test_regions(data: st.DataObject) -> None:
    """Random expressions over two known arguments, with conversions between the types."""
    dtype = data.draw(st.sampled_from(INTEGERS))
    block = Block(arg_types=[dtype.ir, dtype.ir])
    bounds = [data.draw(ranges(dtype)) for _ in block.args]
    found = Ranges({a: Known(b, dtype) for a, b in zip(block.args, bounds, strict=True)})
    lanes: dict[SSAValue, Any] = {
        a: as_lanes(some_of(data.draw, b), dtype) for a, b in zip(block.args, bounds, strict=True)
    }
    values: list[SSAValue] = list(block.args)
    for _ in range(data.draw(st.integers(1, 6))):
        op: Any
        match data.draw(st.integers(0, 3)):
            case 0:
                number = data.draw(st.integers(*whole(signed(8))))
                op = MovImmOp.of(number, dtype)
                result = as_lanes([number] * 6, signed(dtype.bits))
            case 1:
                source = data.draw(st.sampled_from(values))
                said = DTYPES[f"{data.draw(st.sampled_from('iu'))}{source.type.bitwidth}"]  # pyright: ignore
                target = data.draw(st.sampled_from(INTEGERS))
                op = CvtOp(said, target, source)
                result = op.evaluate(lanes[source])
            case _:
                name = data.draw(st.sampled_from(["add", "and", "fms", "max", "mul", "neg", "not", "or", "sub", "xor"]))
                first = data.draw(st.sampled_from(values))
                alike = [v for v in values if v.type == first.type]
                said = DTYPES[f"{data.draw(st.sampled_from('iu'))}{first.type.bitwidth}"]  # pyright: ignore
                instruction = INSTRUCTIONS[name]
                count = len(instruction.INSTRUCTION.operands)
                operands = [data.draw(st.sampled_from(alike)) for _ in range(count)]
                op = instruction(said, *operands)
                result = instruction.INSTRUCTION.evaluate(said, *(lanes[v] for v in operands))
        block.add_op(op)
        values.append(op.results[0])
        lanes[op.results[0]] = np.asarray(result)
    for value in values:
        known = found.of(value)
        assert known is not None
        least, greatest = known.range
        numbers = lanes[value].view(known.dtype.numpy)
        assert all(least <= int(n) <= greatest for n in numbers)


BUFFERS = """
func.func @main(%x: memref<?xi8>, %r: memref<?xi32>, %n: index) {
  %a = memref.alloc(%n) : memref<?xi32>
  atlas.map ins(%x : memref<?xi8>) outs(%a : memref<?xi32>) maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%e: i8):
    %w = atlas.cvt u8 to i32 %e
    %s = atlas.sub i32 %w, %w
    atlas.yield %s : i32
  }
  OTHER
  atlas.copy ins(%a : memref<?xi32>) outs(%r : memref<?xi32>)
  memref.dealloc %a : memref<?xi32>
  func.return
}
"""


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("", (-255, 255)),
        ("%i = arith.constant 0 : index\n%v = arith.constant 9 : i32\nmemref.store %v, %a[%i] : memref<?xi32>", None),
        ("atlas.copy ins(%r : memref<?xi32>) outs(%a : memref<?xi32>)", None),
        ("func.call @other(%a) : (memref<?xi32>) -> ()", None),
    ],
)
def test_buffers(other: str, expected: Range | None) -> None:
    """A buffer holds what the one map that writes it computes; if anything else may write it, anything."""
    text = BUFFERS.replace("OTHER", other) + "func.func private @other(memref<?xi32>)\n"
    module = parse_module(text, "buffers.mlir", make_context())
    (writer,) = [op for op in module.walk() if isinstance(op, MapOp)]
    known = elements(writer.outs[0])
    assert known is not None
    assert known.range == (expected or whole(DTYPES["i32"]))


def test_arguments_and_floats() -> None:
    module = parse_module(
        "func.func @main(%x: memref<?xi16>, %y: memref<?xf32>, %z: i8, %w: memref<?xi128>) { func.return }",
        "arguments.mlir",
        make_context(),
    )
    x, y, z, w = next(iter(module.ops)).regions[0].block.args
    assert elements(x) == Known((-(2**15), 2**15 - 1), DTYPES["i16"])
    assert elements(z) == Known((-128, 127), DTYPES["i8"])
    assert elements(y) is None
    assert elements(w) is None
