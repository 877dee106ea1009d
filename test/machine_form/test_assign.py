"""Registers assigned and lifted again: what the program did, it does, in the interpreter and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from hologram.dialects import make_context
from hologram.errors import TrapError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.lowering.machine.assign_registers import AssignRegistersPass
from hologram.lowering.machine.lift_machine import LiftMachinePass
from hologram.transforms.analysis.verifier import verify_module

Array = np.ndarray[Any, np.dtype[Any]]


def there_and_back(text: str) -> str:
    """The module, host functions and all, after its programs were machine code."""
    context = make_context()
    module = parse_module(text, "test.mlir", context)
    AssignRegistersPass().apply(context, module)
    verify_module(module)
    parse_module(str(module), "machine.mlir", make_context())
    LiftMachinePass().apply(context, module)
    verify_module(module)
    return "\n".join(str(op) for op in module.body.block.ops)


def outcome(run: Any, arguments: list[Any]) -> list[Any] | str:
    """The arguments after a run, or the message of its trap."""
    given: list[Any] = [a if isinstance(a, int) else a.copy() for a in arguments]
    try:
        run(given)
    except TrapError as error:
        return str(error)
    return [a.tolist() for a in given if not isinstance(a, int)]


def all_ways(text: str, *arguments: Any) -> list[list[Any] | str]:
    """The outcomes of the program and of its lifted form, in the interpreter and compiled."""
    found: list[list[Any] | str] = []
    for each in (text, there_and_back(text)):
        module = parse_module(each, "run.mlir", make_context())

        def run(given: list[Any], module: Any = module) -> None:
            interpret(module, "main", given)

        found.append(outcome(run, list(arguments)))
        kernel = hologram.compile(each, cache=False, opt_level=1)

        def call(given: list[Any], kernel: Any = kernel) -> None:
            kernel(*given)

        found.append(outcome(call, list(arguments)))
    return found


def program(parameters: str, arguments: str, types: str, body: str, lanes: int = 4) -> str:
    """A host function that launches a program of so many lanes."""
    return (
        f"func.func @main({parameters}) {{\n  %one = arith.constant 1 : index\n"
        f"  atlas.launch @p grid(%one, %one, %one) args({arguments} : {types})\n  func.return\n}}\n"
        f"atlas.program @p({parameters}) block [{lanes}, 1, 1] {{\n  %i = atlas.special gid : i64\n{body}}}\n"
    )


RANKS = program(
    "%x: memref<?x3xf32>, %y: memref<?x?x2xi32>, %j: index", "%x, %y, %j", "memref<?x3xf32>, memref<?x?x2xi32>, index",
    """
  %one = atlas.mov_imm 1 : i64
  %s = atlas.alloca : memref<4x2xf32, #atlas.space<shared>>
  %v = atlas.ldg f32 %x[%i, %j : i64, index] : memref<?x3xf32>
  atlas.sts f32 %v, %s[%i, %one : i64, i64] : memref<4x2xf32, #atlas.space<shared>>
  atlas.bar.sync 0
  %three = atlas.mov_imm 3 : i64
  %other = atlas.sub i64 %three, %i
  %w = atlas.lds f32 %s[%other, %one : i64, i64] : memref<4x2xf32, #atlas.space<shared>>
  %zero = atlas.mov_imm 0 : i64
  atlas.stg f32 %w, %x[%i, %zero : i64, i64] : memref<?x3xf32>
  %n = atlas.cvt f32 to i32 %v
  %old = atlas.atom.add i32 %n, %y[%one, %j, %zero : i64, index, i64] : memref<?x?x2xi32>
""",
)  # fmt: skip


@pytest.mark.parametrize("index", [2, 3, -1])
def test_several_indices(index: int):
    """An index past its axis traps, also where it would reach the next row."""
    x = np.arange(15, dtype=np.float32).reshape(5, 3)
    first, *others = all_ways(RANKS, x, np.zeros((2, 3, 2), np.int32), index)
    if 0 <= index < 3:
        assert isinstance(first, list)
        assert [row[0] for row in first[0]] == [9 + index, 6 + index, 3 + index, index, 12]
        assert first[1][1][index] == [18 + 4 * index, 0]
        assert others == [first] * 3
    else:
        assert all(isinstance(way, str) for way in (first, *others))


def test_sizes_of_empty_arrays():
    x, y = np.zeros((4, 3), np.float32), np.zeros((2, 0, 2), np.int32)
    assert all(isinstance(way, str) for way in all_ways(RANKS, x, y, 0))


CHECKED = program(
    "%x: memref<?xi32>", "%x", "memref<?xi32>",
    """
  %v = atlas.ldg i32 %x[%i : i64] : memref<?xi32>
  %zero = atlas.mov_imm 0 : i32
  %p = atlas.setcc ge i32 %v, %zero
  atlas.assert %p, "a \\22negative\\22 number" values(%v : i32)
  %sum = atlas.reduce.add i32 %v, %v, %v
  %most = atlas.reduce.max i32 %sum, %zero
  atlas.stg i32 %most, %x[%i : i64] : memref<?xi32>
""",
)  # fmt: skip


def test_checks_and_windows():
    ways = all_ways(CHECKED, np.array([0, 1, 2, 1 << 30], np.int32))
    assert ways == [[[0, 3, 6, 0]]] * 4
    for way in all_ways(CHECKED, np.array([0, 1, -2, 3], np.int32)):
        assert 'a "negative" number' in way


def test_a_window_of_predicates_and_of_wide_values():
    text = program(
        "%x: memref<?xi64>", "%x", "memref<?xi64>",
        """
  %v = atlas.ldg i64 %x[%i : i64] : memref<?xi64>
  %w = atlas.cvt i64 to i256 %v
  %m = atlas.mul i256 %w, %w
  %s = atlas.reduce.add i256 %m, %w, %m, %w, %m
  %r = atlas.cvt i256 to i64 %s
  atlas.stg i64 %r, %x[%i : i64] : memref<?xi64>
""",
    )  # fmt: skip
    x = np.array([0, 1, -2, 1 << 40], np.int64)
    expected = [int(v) for v in 3 * x.astype(object) ** 2 + 2 * x]
    wrapped = [(v + (1 << 63)) % (1 << 64) - (1 << 63) for v in expected]
    assert all_ways(text, x) == [[wrapped]] * 4
