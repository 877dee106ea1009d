"""Instructions of every kind of operand and result, declared and lowered by a plug-in: no file is edited."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hologram.dialects.atlas.instructions.declaration import made
from hologram.dialects.atlas.instructions.table import INSTRUCTIONS

PLUGIN = """
import numpy as np
from xdsl.dialects.builtin import IntegerType

from hologram.dialects.atlas.instructions.dtypes import BOOL, FLOATS, INTEGERS, NUMBERS


def signbit(rw, core, op, t, args):
    return core.compare("slt", core.bits(args[0], IntegerType(t.bits)), 0)


def pick(rw, core, op, t, args):
    a, b, p = args
    return core.select(p, a, b)


def mix(rw, core, op, t, args):
    a, b, mask = args
    return core.xor(b, core.both(core.xor(a, b), mask))


def xnor(rw, core, op, t, args):
    return core.complement(core.xor(*args))


def nearer(do, a, b):
    return do.sel(do.compare("le", do.abs(a), do.abs(b)), a, b)


def majority(do, a, b, c):
    return do.or_(do.and_(a, b), do.and_(c, do.xor(a, b)))


def lesser(do, a):
    return do.sel(do.compare("eq", a, 2**62 + 300), a, do.add(a, -1))


def under(do, a, b):
    return do.kinds_lesser(do.floor_div(a, b))


def undefined(do, a):
    return do.or_(do.compare("ne", a, a), do.compare("lt", a, 0))


def register(plugin):
    declare, half = plugin.instruction, frozenset({"f16"})
    declare("signbit", "a", FLOATS, "Whether the sign of a is set.", lambda t, a: np.signbit(a), result="bool",
        lower=signbit)
    declare("pick", "a b p:bool", NUMBERS, "a where p holds, else b.", lambda t, a, b, p: np.where(p, a, b), lower=pick)
    declare("mix", "a b m", INTEGERS, "a where m has a 1, else b.", lambda t, a, b, m: (a & m) | (b & ~m), lower=mix)
    declare("nearer", "a b", half, "The lesser by magnitude.", compose=nearer)
    declare("xnor", "a b", INTEGERS | BOOL, "The bits in which a and b agree.", lambda t, a, b: ~(a ^ b), lower=xnor)
    plugin.composition(majority, BOOL, "Whether two of three hold.")
    plugin.composition(lesser, INTEGERS, "a less 1, or a where that is 2^62 and 300.")
    plugin.composition(under, INTEGERS, "lesser of the quotient.")
    plugin.composition(undefined, FLOATS, "Whether a is NaN or below 0.", result="bool")
"""
PROGRAM = '''
import sys

import numpy as np

import hologram
from hologram import ops
from hologram.dialects import make_context
from hologram.dialects.atlas.instructions.composites import COMPOSITES
from hologram.dialects.atlas.instructions.dtypes import DTYPES
from hologram.driver.conformance import check_instruction
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret

# Tables that are imported follow as well as those that are not.
if len(sys.argv) > 1:
    plain = "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\\n %r = hologram.neg %a : tensor<?xf32>\\n"
    plain += "func.return %r : tensor<?xf32>\\n}"
    assert hologram.compile(plain)(np.ones(2, np.float32))[0] == -1
    interpret(parse_module(plain, "plain", make_context()), "f", [np.ones(2, np.float32)])
    ops.exp(np.ones(2, np.float32))
hologram.load_plugin("kinds.py")
for name in "signbit pick mix nearer xnor".split():
    assert check_instruction(f"kinds.{name}") == [], check_instruction(f"kinds.{name}")

text = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xi1>, tensor<?xf32>) {
  %p = hologram.kinds_signbit %a : tensor<?xf32>
  %r = hologram.kinds_pick %a, %b, %p : tensor<?xf32>
  func.return %p, %r : tensor<?xi1>, tensor<?xf32>
}
func.func @folds() -> (tensor<2xi1>, tensor<2xf32>) {
  %a = arith.constant dense<[-0.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %p = hologram.kinds_signbit %a : tensor<2xf32>
  %r = hologram.kinds_pick %a, %b, %p : tensor<2xf32>
  func.return %p, %r : tensor<2xi1>, tensor<2xf32>
}
"""
a = np.array([1.5, -2.0, np.inf, -0.0, -np.nan], np.float32)
b = a[::-1].copy()
bits, picked = np.signbit(a), np.where(np.signbit(a), a, b)
for results in (
    hologram.compile(text, entry="main")(a, b),
    interpret(parse_module(text, "text", make_context()), "main", [a, b]),
    (ops.kinds_signbit(a), ops.kinds_pick(a, b, ops.kinds_signbit(a))),
):
    assert results[0].dtype == np.bool_, results
    np.testing.assert_array_equal(results[0], bits)
    np.testing.assert_array_equal(results[1], picked)
p, r = hologram.compile(text, entry="folds")()
assert p.tolist() == [True, False] and r.tolist() == [-0.0, 3.0], (p, r)

np.testing.assert_array_equal(ops.kinds_undefined(a), np.isnan(a) | (a < 0))

i, j, mask = np.arange(-4, 4, dtype=np.int8), np.full(8, 85, np.int8), np.full(8, 15, np.int8)
np.testing.assert_array_equal(ops.kinds_mix(i, j, mask), (i & mask) | (j & ~mask))
'''
MORE = """
halves = np.array([1.5, -2.0, np.inf, 0.0], np.float16)
np.testing.assert_array_equal(ops.kinds_nearer(halves, halves[::-1].copy()), np.array([0, -2, -2, 0], np.float16))
t, f = np.array([True, True]), np.array([True, False])
np.testing.assert_array_equal(ops.kinds_majority(t, f, ~f), t)
np.testing.assert_array_equal(ops.kinds_xnor(t, f), f)
words = np.array([0, 1, 200], np.uint8)
np.testing.assert_array_equal(ops.kinds_lesser(words), words - np.uint8(1))
np.testing.assert_array_equal(ops.kinds_under(words, np.uint8(2)), words // 2 - np.uint8(1))
evaluated = COMPOSITES["kinds_under"].evaluate(DTYPES["i8"], words.view("i1"), words.view("i1") | 1)
np.testing.assert_array_equal(evaluated, [-1, 0, 0])
"""
KERNEL = """
import numpy as np
import hologram
from hologram.language import Array, bool, f32, get_global_id, kinds_lesser, kinds_pick, kinds_signbit, kinds_xnor, u8


@hologram.kernel(lanes="x.shape[0]", where="x.shape[0] == y.shape[0] == p.shape[0]")
def magnitudes(x: Array[f32], y: Array[f32], p: Array[bool]):
    i = get_global_id()
    if i < x.shape[0]:
        p[i] = kinds_signbit(x[i])
        y[i] = kinds_pick(-x[i], x[i], kinds_signbit(x[i]))


y, p = np.empty_like(a), np.empty(len(a), np.bool_)
magnitudes(a, y, p)
np.testing.assert_array_equal(y, np.abs(a))
np.testing.assert_array_equal(p, bits)


@hologram.kernel(lanes="len(p)", where="len(p) == len(w)")
def agreeing(p: Array[bool], w: Array[u8]):
    i = get_global_id()
    if i < len(p):
        p[i] = kinds_xnor(p[i], i == 1)
        w[i] = kinds_lesser(w[i])


agreeing(t, words[:2])
assert t.tolist() == [False, True] and words.tolist() == [255, 0, 200], (t, words)
"""


@pytest.mark.parametrize("late", [[], ["late"]])
def test_instructions_of_every_kind(late: list[str], tmp_path: Path):
    (tmp_path / "kinds.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "program.py").write_text(PROGRAM + MORE + KERNEL, encoding="utf-8")
    environment = os.environ | {"HOLOGRAM_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-P", "program.py", *late]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "operands", "types", "more", "message"),
    [
        (next(iter(INSTRUCTIONS)), "a b", {"f32"}, {}, "declared already"),
        ("new", "a b:i32", {"f32"}, {}, "no kind 'i32'"),
        ("new", "a", {"f32"}, {"result": "u32"}, "no kind 'u32'"),
        ("new", "a", {"f23"}, {}, "unknown ones: .'f23'"),
        ("new", "a", set[str](), {}, "for no types"),
        ("new", "a:bool", {"f32"}, {}, "no operand of kind T"),
        ("new", "a b:u32", {"f32"}, {"tensor": "new"}, "shift amount"),
    ],
)
def test_declarations_that_are_refused(name: str, operands: str, types: set[str], more: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        made(name, operands, frozenset(types), "It.", lambda t, a: a, **more)
