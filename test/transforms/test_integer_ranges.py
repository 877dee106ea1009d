"""Ranges are sound: what instructions and regions compute lies in them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, SSAValue

from hologram.dialects import arith as our_arith
from hologram.dialects import make_context
from hologram.dialects.atlas.arrays.general import MapOp
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS, CvtOp, MovImmOp
from hologram.dialects.atlas.instructions.storage import Trap, storage
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.atlas.lanes import state
from hologram.frontend.mlir import parse_module
from hologram.transforms.analysis.integer_ranges import (
    RULES,
    Integers,
    Kind,
    Known,
    Range,
    Ranges,
    bits_of,
    divides,
    elements,
    fits,
    proves_inside,
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
    least, greatest = Known.of(bounds, dtype).read(other)
    for number in some_of(data.draw, bounds):
        assert least <= int(as_lanes([number], dtype).view(other.numpy)[0]) <= greatest


@given(data=st.data())
def test_regions(data: st.DataObject) -> None:
    """Random expressions over two known arguments, with conversions between the types."""
    dtype = data.draw(st.sampled_from(INTEGERS))
    block = Block(arg_types=[dtype.ir, dtype.ir])
    bounds = [data.draw(ranges(dtype)) for _ in block.args]
    found = Ranges({a: Known.of(b, dtype) for a, b in zip(block.args, bounds, strict=True)})
    lanes: dict[SSAValue, Any] = {
        a: as_lanes(some_of(data.draw, b), dtype) for a, b in zip(block.args, bounds, strict=True)
    }
    values: list[SSAValue] = list(block.args)
    for _ in range(data.draw(st.integers(1, 6))):
        op: Any
        match data.draw(st.integers(0, 3)):
            case 0:
                number = data.draw(st.integers(*whole(Integers(8))))
                op = MovImmOp.of(number, dtype)
                result = as_lanes([number] * 6, DTYPES[f"i{dtype.bits}"])
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
        for sign in "iu":
            least, greatest = known.read(said := DTYPES[f"{sign}{value.type.bitwidth}"])  # pyright: ignore
            assert all(least <= int(n) <= greatest for n in lanes[value].view(said.numpy))


def as_number(number: int, kind: Kind) -> int:
    """A number modulo 2^bits, read as a kind."""
    number %= 1 << kind.bits
    return number if kind.is_unsigned or number < 1 << (kind.bits - 1) else number - (1 << kind.bits)


PYTHON: dict[str, Callable[[int, int], int]] = {
    "addi": int.__add__, "subi": int.__sub__, "muli": int.__mul__, "andi": int.__and__,
}  # fmt: skip


@given(data=st.data())
def test_signless(data: st.DataObject) -> None:
    """Random expressions of arith: both readings are sound, of any width."""
    bits = data.draw(st.sampled_from((3, 8, 32, 256)))
    kinds = [Integers(bits), Integers(bits, True)]
    block = Block(arg_types=[IntegerType(bits)] * 2)
    said = [data.draw(st.sampled_from(kinds)) for _ in block.args]
    bounds = [tuple(sorted(data.draw(st.tuples(*[st.integers(*whole(kind))] * 2)))) for kind in said]
    found = Ranges({a: Known.of(b, k) for a, b, k in zip(block.args, bounds, said, strict=True)})
    held: dict[SSAValue, tuple[int, ...]] = {a: b for a, b in zip(block.args, bounds, strict=True)}
    values: list[SSAValue] = list(block.args)
    for _ in range(data.draw(st.integers(1, 6))):
        op: Any
        if data.draw(st.booleans()):
            source = data.draw(st.sampled_from(values))
            width = bits_of(source.type)
            unsigned = data.draw(st.booleans())
            op = (our_arith.ExtUIOp if unsigned else our_arith.ExtSIOp)(source, IntegerType(2 * width))
            block.add_op(op)
            values.append(op.result)
            held[op.result] = tuple(as_number(n, Integers(width, unsigned)) for n in held[source])
            continue
        first = data.draw(st.sampled_from(values))
        second = data.draw(st.sampled_from([v for v in values if v.type == first.type]))
        name = data.draw(st.sampled_from(sorted(PYTHON)))
        made: Any = {"addi": arith.AddiOp, "subi": arith.SubiOp, "muli": arith.MuliOp, "andi": arith.AndIOp}[name]
        block.add_op(op := made(first, second))
        values.append(op.result)
        held[op.result] = tuple(PYTHON[name](a, b) for a, b in zip(held[first], held[second], strict=True))
    for value in values:
        for unsigned in (False, True):
            kind = Integers(bits_of(value.type), unsigned)
            least, greatest = found.read(value, kind)
            assert all(least <= as_number(n, kind) <= greatest for n in held[value])


@given(data=st.data())
def test_factors(data: st.DataObject) -> None:
    """What is said to divide a number does, whatever the arguments are."""
    dtype = DTYPES["i32"]
    block = Block(arg_types=[dtype.ir])
    numbers: dict[SSAValue, int] = {block.args[0]: data.draw(st.integers(*whole(dtype)))}
    values: list[SSAValue] = list(block.args)
    for _ in range(data.draw(st.integers(1, 8))):
        name = data.draw(st.sampled_from(["mov_imm", "add", "sub", "or", "xor", "mul", "and", "shl"]))
        op: Any
        if name == "mov_imm":
            number = data.draw(st.sampled_from([0, 1, 4, 6, 24, 31, 33, 1 << 20, -8]))
            op = MovImmOp.of(number, dtype)
        else:
            operands = [data.draw(st.sampled_from(values)) for _ in range(2)]
            instruction = INSTRUCTIONS[name]
            op = instruction(dtype, *operands)
            lanes = [as_lanes([numbers[v]], dtype) for v in operands]
            number = int(np.asarray(instruction.INSTRUCTION.evaluate(dtype, *lanes)).view(dtype.numpy)[0])
        block.add_op(op)
        values.append(op.results[0])
        numbers[op.results[0]] = number
    for value in values:
        for factor in (1, 2, 4, 16, 64):
            assert not divides(factor, value) or numbers[value] % factor == 0


def test_classes() -> None:
    """What is about classes is below 96, though the instructions that give it take any number."""
    block = Block(arg_types=[DTYPES["i32"].ir] * 2)
    mirror, neighbour = state.MirrorOp("u32", block.args[0]), state.NbrGetOp("u32", *block.args)
    block.add_ops([mirror, neighbour])
    assert all(proves_inside(op.results[0], 96) and not proves_inside(op.results[0], 95) for op in (mirror, neighbour))
    assert not proves_inside(block.args[0], 96)


def test_long_chains() -> None:
    """A chain of operations may be longer than Python's stack, and operands may form a cycle in unreachable code."""
    block = Block(arg_types=[DTYPES["i32"].ir])
    value: SSAValue = block.args[0]
    for _ in range(5000):
        block.add_op(op := INSTRUCTIONS["and"](DTYPES["i32"], value, value))
        value = op.results[0]
    found = Ranges({block.args[0]: Known.of((3, 5), DTYPES["i32"])})
    assert found.read(value, DTYPES["i32"]) == (0, 5)
    first = INSTRUCTIONS["add"](DTYPES["i32"], value, value)
    second = INSTRUCTIONS["add"](DTYPES["i32"], first.results[0], value)
    first.operands[1] = second.results[0]
    assert found.read(second.results[0], DTYPES["i32"]) == whole(DTYPES["i32"])


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
    assert known.signed == (expected or whole(DTYPES["i32"]))


def test_arguments_and_floats() -> None:
    module = parse_module(
        "func.func @main(%x: memref<?xi16>, %y: memref<?xf32>, %z: i8, %w: memref<?xi128>) { func.return }",
        "arguments.mlir",
        make_context(),
    )
    x, y, z, w = next(iter(module.ops)).regions[0].block.args
    assert elements(x) == Known((-(2**15), 2**15 - 1), (0, 2**16 - 1))
    assert elements(z) == Known((-128, 127), (0, 255))
    assert elements(y) is None
    assert elements(w) is None
