"""Reading and printing MLIR text: places, floats that are not finite, whatever is thrown at the parser."""

from __future__ import annotations

import math
import random
import shutil
import struct
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    FloatAttr,
    ModuleOp,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
)
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.parser import Parser

from hologram.dialects import make_context
from hologram.dialects.mlir_printer import print_operation
from hologram.errors import HologramError
from hologram.frontend.mlir import parse_module

TYPES = {"f16": (f16, 2), "bf16": (bf16, 2), "f32": (f32, 4), "f64": (f64, 8)}


def read(text: str) -> ModuleOp:
    return parse_module(text, "t.mlir", make_context(allow_unregistered=True))


# Places


def test_every_operation_has_the_place_of_its_first_token():
    module = read('\n  "u.a"() : () -> ()\n\t%x, %y = "u.b"() ({\n "u.c"() : () -> ()\n}) : () -> (i32, i32)')
    found = [(loc.line.data, loc.column.data) for op in module.walk() if isinstance(loc := op.location, FileLineColLoc)]
    assert found == [(2, 3), (2, 3), (3, 2), (4, 2)]


def test_given_locations_stay():
    text = print_operation(read('"u.a"() : () -> () loc("x.py":7:9)\n"u.b"() : () -> ()'), debuginfo=True)
    assert '"u.a"() : () -> () loc("x.py":7:9)' in text
    assert '"u.b"() : () -> () loc("t.mlir":2:1)' in text
    assert print_operation(read(text), debuginfo=True) == text


# Floats


@pytest.mark.parametrize("name", TYPES)
def test_dense_floats_survive_bit_for_bit(name: str):
    type, size = TYPES[name]
    rng = random.Random(name)
    for count in (1, 2, 3, 7, 120):
        for data in (rng.randbytes(size * count), rng.randbytes(size) * count):
            specials = [math.nan, math.inf, -math.inf, -0.0, 1.5]
            data = data[: -size * min(count, 5)] + type.pack(specials[: min(count, 5)])
            attribute = DenseIntOrFPElementsAttr.from_list(TensorType(type, [count]), list(type.iter_unpack(data)))
            module = ModuleOp([AnyOp(attributes={"x": attribute})])
            text = print_operation(module)
            for again in (read(text), Parser(make_context(), text).parse_module()):
                (op,) = again.ops
                found = op.attributes["x"]
                assert isinstance(found, DenseIntOrFPElementsAttr)
                assert found.data == attribute.data


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("dense<[0x7F800000, 1.0]> : tensor<2xf32>", [0x7F800000, 0x3F800000]),
        ("dense<[[0xFFC00000], [-1.0]]> : tensor<2x1xf32>", [0xFFC00000, 0xBF800000]),
        ("dense<0xFF800000> : vector<2xf32>", [0xFF800000, 0xFF800000]),
        ("dense<[1.0e39, -1.0e39]> : tensor<2xf32>", [0x7F800000, 0xFF800000]),
        ('dense<"0x0000C07F"> : tensor<1xf32>', [0x7FC00000]),
    ],
)
def test_dense_literals(text: str, bits: list[int]):
    (op,) = read(f'"u.a"() {{x = {text}}} : () -> ()').ops
    found = op.attributes["x"]
    assert isinstance(found, DenseIntOrFPElementsAttr)
    assert list(struct.unpack(f"<{len(bits)}I", found.data.data)) == bits


def test_hexadecimal_integers_stay_integers():
    assert "dense<[255, -1]> : tensor<2xi32>" in print_operation(
        read('"u.a"() {x = dense<[0xFF, -1]> : tensor<2xi32>} : () -> ()')
    )


def test_arrays_and_scalars():
    values = "x = array<f32: 0x7F800000, 1.5, -2>, y = 0xFFF0000000000000 : f64, z = 1.0e60 : f32"
    (op,) = read(f'"u.a"() {{{values}}} : () -> ()').ops
    x, y, z = (op.attributes[name] for name in "xyz")
    assert isinstance(x, DenseArrayBase)
    assert list(x.iter_values()) == [math.inf, 1.5, -2.0]
    assert isinstance(y, FloatAttr)
    assert isinstance(z, FloatAttr)
    assert (y.value.data, z.value.data) == (-math.inf, math.inf)
    assert print_operation(read(print_operation(op))) == print_operation(ModuleOp([op.clone()]))


@pytest.mark.skipif(shutil.which("mlir-opt") is None, reason="needs mlir-opt")
def test_mlir_opt_reads_what_we_print():
    values = "dense<[0x7F800000, 1.0]> : tensor<2xf32>, y = dense<0xFF800000> : tensor<4xf32>"
    text = print_operation(read(f'"u.a"() {{x = {values}}} : () -> ()'), generic=True)
    ran = subprocess.run(
        ["mlir-opt", "--allow-unregistered-dialect"], input=text, capture_output=True, text=True, timeout=60
    )
    assert ran.stderr == ""
    assert print_operation(read(ran.stdout)) == print_operation(read(text))


# Whatever is thrown at it

SEED = """\
#map = affine_map<(d0) -> (d0)>
!alias = memref<4xf32, strided<[1]>>
func.func @f(%a: i32, %b: i1, %m: !alias) -> (i32, f32) attributes {x = dense<[1.0, 2.0]> : tensor<2xf32>} {
  %c = arith.constant 0x7FC00000 : f32 loc("a":1:2)
  %i = arith.constant 3 : index
  %l = memref.load %m[%i] : !alias
  %s = scf.if %b -> (i32) {
    scf.yield %a : i32
  } else {
    scf.yield %a : i32
  }
  cf.br ^bb1(%s : i32)
^bb1(%x: i32):
  func.return %x, %c : i32, f32
}
"""


@given(st.data())
def test_any_damage_is_one_error_with_a_place(data: st.DataObject):
    text = SEED
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + data.draw(st.text(alphabet='%@^#!<>(){}[]:=,-0aix."\n', max_size=4)) + text[end:]
    error = refusal(text)
    if error is not None:
        assert error.exit_code == 1
        assert error.where is not None
        assert error.where.line >= 1


def refusal(text: str) -> HologramError | None:
    """The error for a text that is not read; None if it is read."""
    try:
        read(text)
    except HologramError as error:
        return error
    return None


def test_unicode_and_tabs_keep_the_caret_below_the_text():
    text = '// é漢字\n"u.a"() {x = "é"} : () -> ()\n\t"u.b"() ; ()\n'
    with pytest.raises(HologramError) as caught:
        read(text)
    assert str(caught.value).splitlines()[:3] == [
        "t.mlir:3:10: error: the character ';' means nothing here [parse-syntax]",
        '  \t"u.b"() ; ()',
        "  \t        ^",
    ]


@pytest.mark.parametrize("line", ["func.return )", "%c = arith.constant 0 : index {a}"])
def test_what_ends_no_operation_is_refused_with_what_may_follow(line: str):
    error = refusal(f"func.func @f() {{\n  {line}\n}}")
    assert error is not None
    assert error.message == "an operation, a block '^name' or '}' was expected here"


def test_the_undamaged_text_is_read():
    read(SEED)


def test_a_string_that_is_not_closed_is_refused_at_once():
    with pytest.raises(HologramError) as caught:
        read('"u.a"() {x = "' + "a" * 10_000)
    assert "this string is not closed" in str(caught.value)
