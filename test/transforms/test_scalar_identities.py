"""Each identity of the scalar instructions: it applies, and the interpreter's results stay the same to the bit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from hologram.dialects import make_context
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret_program
from hologram.transforms.canonical.canonicalize import canonicalize

Array = np.ndarray[Any, np.dtype[Any]]

INTEGERS = ("i8", "u8", "i64", "u32")
FLOATS = ("f32", "f64", "f16", "bf16")
EDGES = {
    "float": [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-41, -2.5, 3e38, 0.1, 6e-8, 65504.0],
    "int": [0, 1, -1, 2, 127, -128, 77, -3, 2**31 - 1, 2**63 - 1, -(2**63), 5, 6],
}
LAWS: list[tuple[str, Sequence[str], str, Sequence[str]]] = [
    # the law, its types, the body that gives %r of %x and %y (both in type T), the instructions that are left
    ("neutral_right", INTEGERS, "%c = imm 0\n%r = atlas.add T %x, %c", ()),
    ("neutral_right", FLOATS, "%c = imm -0.0\n%r = atlas.add T %x, %c", ()),
    ("neutral_right", FLOATS, "%c = imm 0.0\n%r = atlas.sub T %x, %c", ()),
    ("neutral_right", INTEGERS, "%c = imm ones\n%r = atlas.and T %x, %c", ()),
    ("neutral_right", (*INTEGERS, *FLOATS), "%c = imm 1\n%r = atlas.div T %x, %c", ()),
    ("constant_right", (*INTEGERS, *FLOATS), "%c = imm 1\n%r = atlas.mul T %c, %x", ()),
    ("absorbed", INTEGERS, "%c = imm 0\n%r = atlas.mul T %x, %c", ()),
    ("absorbed", INTEGERS, "%c = imm ones\n%r = atlas.or T %x, %c", ()),
    ("remainder_of_one", INTEGERS, "%c = imm 1\n%r = atlas.rem T %x, %c", ()),
    ("with_itself", (*INTEGERS, *FLOATS), "%r = atlas.max T %x, %x", ()),
    ("cancelled", INTEGERS, "%r = atlas.sub T %x, %x", ()),
    ("cancelled", INTEGERS, "%r = atlas.xor T %x, %x", ()),
    (
        "joined_constants", INTEGERS,
        "%c = imm 100\n%d = imm 99\n%a = atlas.add T %x, %c\n%r = atlas.add T %a, %d", ("add",),
    ),
    (
        "joined_constants", INTEGERS,
        "%c = imm 7\n%d = imm 14\n%a = atlas.xor T %x, %c\n%r = atlas.xor T %a, %d", ("xor",),
    ),
    ("negated_right", (*INTEGERS, *FLOATS), "%n = atlas.neg T %y\n%r = atlas.add T %x, %n", ("sub",)),
    ("negated_right", (*INTEGERS, *FLOATS), "%n = atlas.neg T %y\n%r = atlas.sub T %x, %n", ("add",)),
    ("by_a_power_of_two", FLOATS, "%c = imm -8.0\n%r = atlas.div T %x, %c", ("mul",)),
    ("by_a_power_of_two", FLOATS, "%c = imm 0.25\n%r = atlas.div T %x, %c", ("mul",)),
    ("no_shift", INTEGERS, "%c = atlas.mov_imm 0 : i32\n%r = atlas.shl T %x, %c", ()),
    ("no_shift", INTEGERS, "%c = atlas.mov_imm 64 : i32\n%r = atlas.shr T %x, %c", ()),
    ("done_twice", (*INTEGERS, *FLOATS), "%n = atlas.neg T %x\n%r = atlas.neg T %n", ()),
    ("idempotent", FLOATS, "%n = atlas.round T %x\n%r = atlas.round T %n", ("round",)),
    ("idempotent", ("i8", "i64", *FLOATS), "%n = atlas.abs T %x\n%r = atlas.abs T %n", ("abs",)),
    ("sign_dropped", ("u8", "u32"), "%n = atlas.neg T %x\n%r = atlas.abs T %n", ("neg",)),
    ("sign_dropped", ("i8", "i64", *FLOATS), "%n = atlas.neg T %x\n%r = atlas.abs T %n", ("abs",)),
    ("product_alone", FLOATS, "%c = imm -0.0\n%r = atlas.fma T %x, %y, %c", ("mul",)),
    ("product_alone", (*INTEGERS, *FLOATS), "%c = imm 1\n%r = atlas.fma T %x, %c, %y", ("add",)),
    ("chosen", ("i8", "f32"), "%p = atlas.setcc lt T %x, %y\n%r = atlas.sel T %p, %x, %x", ()),
    ("chosen", ("i8", "f32"), "%p = atlas.mov_imm true\n%r = atlas.sel T %p, %y, %x", ()),
    (
        "chosen", FLOATS,
        "%p = atlas.setcc lt T %x, %y\n%n = atlas.not bool %p\n%r = atlas.sel T %n, %x, %y", ("setcc", "sel"),
    ),
    (
        "opposite_condition", INTEGERS,
        "%p = atlas.setcc ltu T %x, %y\n%n = atlas.not bool %p\n%r = atlas.cvt bool to T %n", ("setcc", "cvt"),
    ),
    (
        "opposite_condition", FLOATS,
        "%p = atlas.setcc eq T %x, %y\n%n = atlas.not bool %p\n%r = atlas.cvt bool to T %n", ("setcc", "cvt"),
    ),
    ("compared_with_itself", INTEGERS, "%p = atlas.setcc ge T %x, %x\n%r = atlas.sel T %p, %x, %y", ()),
    ("same_type", FLOATS, "%r = atlas.cvt T to T %x", ()),
    ("same_type", ("u32",), "%r = atlas.cvt i32 to u32 %x", ()),
    ("widened_at_once", ("i8", "u8"), "%n = atlas.cvt T to i16 %x\n%w = atlas.cvt i16 to i64 %n\nWIDE", ("cvt",)),
    ("widened_at_once", ("u8",), "%n = atlas.cvt T to i16 %x\n%w = atlas.cvt u16 to f64 %n\nWIDE", ("cvt",)),
]  # fmt: skip
NOT_LAWS: list[tuple[str, str]] = [
    ("f32", "%c = imm 0.0\n%r = atlas.add T %x, %c"),
    ("f32", "%c = imm -0.0\n%r = atlas.sub T %x, %c"),
    ("f32", "%c = imm 0.0\n%r = atlas.mul T %x, %c"),
    ("f32", "%r = atlas.sub T %x, %x"),
    ("f32", "%c = imm 3.0\n%r = atlas.div T %x, %c"),
    ("f32", "%c = imm 1.7014118346046923e+38\n%r = atlas.div T %x, %c"),
    ("f32", "%c = imm 0.5\n%a = atlas.add T %x, %c\n%r = atlas.add T %a, %c"),
    ("f32", "%c = imm 0.0\n%r = atlas.fma T %x, %y, %c"),
    ("f32", "%p = atlas.setcc lt T %x, %y\n%n = atlas.not bool %p\n%r = atlas.cvt bool to T %n"),
    ("f32", "%p = atlas.setcc eq T %x, %x\n%r = atlas.sel T %p, %x, %y"),
    ("i8", "%n = atlas.cvt i8 to i16 %x\n%w = atlas.cvt u16 to f64 %n\nWIDE"),
    ("f64", "%n = atlas.cvt f64 to f32 %x\n%r = atlas.cvt f32 to f64 %n"),
    ("i8", "%c = imm 0\n%r = atlas.div T %c, %x"),
]
"""The rewrites that look like identities, but are none."""


def program(body: str, type: str) -> str:
    """A program that computes %r of a pair of elements in each lane."""
    dtype = DTYPES[type]
    ir = str(dtype.ir)
    result = ir
    if "WIDE" in body:
        body, result = body.replace("\nWIDE", ""), "f64" if "to f64" in body else "i64"
        body = body.replace("%w", "%r")

    def constant(match: re.Match[str]) -> str:
        text = match[1] if match[1] != "ones" else "-1"
        return f"atlas.mov_imm {float(text)!r} : {ir}" if dtype.is_float else f"atlas.mov_imm {text} : {ir}"

    body = re.sub(r"(?<!_)imm (\S+)$", constant, body, flags=re.MULTILINE)
    body = body.replace(" T ", f" {type} ").replace("to T", f"to {type}")
    load = "\n".join(f"%{n} = atlas.ldg {type} %m{n}[%i : i64] : memref<?x{ir}>" for n in "xy")
    signature = f"%mx: memref<?x{ir}>, %my: memref<?x{ir}>, %mr: memref<?x{result}>"
    store = f"atlas.stg {result} %r, %mr[%i : i64] : memref<?x{result}>"
    return f"atlas.program @p({signature}) {{\n%i = atlas.special gid : i64\n{load}\n{body}\n{store}\n}}"


def inputs(type: str) -> tuple[Array, Array]:
    """All pairs of edge values."""
    dtype = DTYPES[type]
    values: Any = EDGES["float" if dtype.is_float else "int"]
    with np.errstate(all="ignore"):
        array = np.array(values, np.float64).astype(dtype.numpy) if dtype.is_float else integers(values, dtype.bits)
    first, second = np.meshgrid(array, array)
    return first.ravel(), second.ravel()


def integers(values: Sequence[int], bits: int) -> Array:
    half = 1 << (bits - 1)
    return np.array([(v + half) % (1 << bits) - half for v in values], f"i{bits // 8}")


def results(module: ModuleOp, text: str, type: str) -> Array:
    x, y = inputs(type)
    kind = re.findall(r"%mr: memref<\?x(\w+)>", text)[0]
    out = np.zeros(len(x), DTYPES[kind].numpy)
    interpret_program(module, "p", [x, y, out], (len(x), 1, 1), (1, 1, 1))
    # Any NaN is as good as any other.
    return np.where(np.isnan(out), np.nan, out) if DTYPES[kind].is_float else out


def computing(module: ModuleOp) -> list[str]:
    """The operations between the loads and the store."""
    passive = ("special", "ldg", "stg", "mov_imm", "exit", "program")
    names = [op.name.removeprefix("atlas.") for op in module.walk()]
    return [name for name in names if name not in (*passive, "builtin.module")]


def compare(text: str, type: str) -> list[str]:
    """Canonicalizes, compares the results, and tells what is left."""
    module = parse_module(text, "law.mlir", make_context())
    module.verify()
    expected = results(module, text, type)
    canonicalize(make_context(), module)
    module.verify()
    np.testing.assert_array_equal(expected.view(np.uint8), results(module, text, type).view(np.uint8))
    return computing(module)


@pytest.mark.parametrize(
    ("types", "body", "left"), [pytest.param(*row[1:], id=f"{row[0]}-{i}") for i, row in enumerate(LAWS)]
)
def test_law(types: Sequence[str], body: str, left: Sequence[str]):
    for type in types:
        assert compare(program(body, type), type) == list(left), type


@pytest.mark.parametrize(("type", "body"), NOT_LAWS)
def test_no_law(type: str, body: str):
    if "div T %c, %x" in body:
        text = program(body, type)
        module = parse_module(text, "law.mlir", make_context())
        canonicalize(make_context(), module)
        assert computing(module) == ["div"]
        return
    assert len(compare(program(body, type), type)) == body.count("atlas.")


def test_every_law_is_tested():
    from hologram.transforms.canonical.scalar_identities import IDENTITIES

    named = {pattern.__name__ for patterns in IDENTITIES.table.values() for pattern in patterns}
    assert named == {row[0] for row in LAWS}


@st.composite
def trees(draw: st.DrawFn) -> tuple[str, str]:
    """Expressions full of repeated operands and special constants."""
    type = draw(st.sampled_from(("i8", "u8", "f32", "f16")))
    whole = type[0] != "f"
    names = ["add", "sub", "mul", "min", "max", "min.nan", *(("and", "or", "xor") if whole else ("div",))]
    lines: list[str] = []
    values = ["%x", "%y"]
    for i in range(draw(st.integers(2, 10))):
        name = f"%v{i}"
        kind = draw(st.integers(0, 9))
        if kind < 2:
            constant = draw(st.sampled_from(("0", "1", "-1", "2") if whole else ("0.0", "-0.0", "1.0", "2.0", "-0.5")))
            lines.append(f"{name} = imm {constant}")
        elif kind < 4:
            function, a = draw(st.sampled_from(("neg", "abs", "relu"))), draw(st.sampled_from(values))
            lines.append(f"{name} = atlas.{function} T {a}")
        else:
            a, b = (draw(st.sampled_from(values[-4:])) for _ in range(2))
            lines.append(f"{name} = atlas.{draw(st.sampled_from(names))} T {a}, {b}")
        values.append(name)
    return type, "\n".join([*lines, f"%r = atlas.max.nan T {values[-1]}, %y"])


@given(trees())
@settings(max_examples=60)
def test_random_expressions(tree: tuple[str, str]):
    type, body = tree
    compare(program(body, type), type)
