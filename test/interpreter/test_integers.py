"""Integer instructions against Python's integers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from xdsl.dialects import test as unregistered

from conformance.exact import INTEGERS
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS, SetccOp
from hologram.dialects.atlas.instructions.storage import Trap
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from interpreter.running import CONDITIONS, integers, to_storage, wrap

TYPES = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "i128", "u128", "u1024"]


def check(name: str, t: DType, expected: Callable[..., int]) -> None:
    instruction = INSTRUCTIONS[name].INSTRUCTION
    arity = len(instruction.operands)
    rows = list(product(integers(t), repeat=arity))
    rows = [r for r in rows if not instruction.traps or r[-1]][:4096]
    columns = [to_storage([r[k] for r in rows], t) for k in range(arity)]
    found = instruction.evaluate(t, *columns)
    assert found.dtype == DTYPES["i" + t.name[1:]].numpy
    assert found.tolist() == to_storage([wrap(expected(*r), t) for r in rows], t).tolist()


@pytest.mark.parametrize("name", TYPES)
def test_arithmetic_and_logic(name: str):
    t = DTYPES[name]
    for op, function in INTEGERS.items():
        check(op, t, function)


@pytest.mark.parametrize("name", TYPES)
def test_shifts_count_modulo_the_width(name: str):
    t = DTYPES[name]
    amounts = [0, 1, t.bits - 1, t.bits, t.bits + 3, (1 << 32) - 1]
    rows = list(product(integers(t), amounts))
    values, counts = to_storage([r[0] for r in rows], t), to_storage([r[1] for r in rows], DTYPES["u32"])
    left = INSTRUCTIONS["shl"].INSTRUCTION.evaluate(t, values, counts)
    right = INSTRUCTIONS["shr"].INSTRUCTION.evaluate(t, values, counts)
    assert left.tolist() == to_storage([wrap(v << (n % t.bits), t) for v, n in rows], t).tolist()
    assert right.tolist() == to_storage([v >> (n % t.bits) for v, n in rows], t).tolist()


@pytest.mark.parametrize("name", TYPES)
def test_conditions(name: str):
    t = DTYPES[name]
    rows = list(product(integers(t), repeat=2))
    a, b = (to_storage([r[k] for r in rows], t) for k in range(2))
    values = unregistered.TestOp(result_types=[t.ir, t.ir]).results
    unsigned = DTYPES["u" + name[1:]]
    for condition, function in CONDITIONS.items():
        found = SetccOp(condition, t, *values).evaluate(a, b)
        assert found.tolist() == [function(x, y) for x, y in rows]
        if condition not in ("eq", "ne"):
            found = SetccOp(condition + "u", t, *values).evaluate(a, b)
            assert found.tolist() == [function(wrap(x, unsigned), wrap(y, unsigned)) for x, y in rows]


def test_select_and_logic_of_booleans():
    p, q = np.array([True, True, False, False]), np.array([True, False, True, False])
    boolean = DTYPES["bool"]
    for name, expected in {"and": p & q, "or": p | q, "xor": p != q}.items():
        assert INSTRUCTIONS[name].INSTRUCTION.evaluate(boolean, p, q).tolist() == expected.tolist()
    assert INSTRUCTIONS["not"].INSTRUCTION.evaluate(boolean, p).tolist() == (~p).tolist()
    assert INSTRUCTIONS["sel"].INSTRUCTION.evaluate(boolean, p, q, ~q).tolist() == [True, False, False, True]
    for name in TYPES:
        t = DTYPES[name]
        a, b = to_storage(integers(t)[:4], t), to_storage(integers(t)[4:8], t)
        found = INSTRUCTIONS["sel"].INSTRUCTION.evaluate(t, p, a, b)
        assert found.tolist() == [*a[:2].tolist(), *b[2:].tolist()]


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("op", ["div", "rem"])
def test_division_by_zero_names_its_lanes(name: str, op: str):
    t = DTYPES[name]
    with pytest.raises(Trap) as caught:
        INSTRUCTIONS[op].INSTRUCTION.evaluate(t, to_storage([1, 2, 0], t), to_storage([0, 1, 0], t))
    assert caught.value.lanes.tolist() == [True, False, True]


def test_scalars_keep_rank_zero():
    for name in TYPES:
        t = DTYPES[name]
        three, two = to_storage([3], t).reshape(()), to_storage([2], t).reshape(())
        for op in ("add", "div", "rem", "min", "sign"):
            args = (three,) if op == "sign" else (three, two)
            assert INSTRUCTIONS[op].INSTRUCTION.evaluate(t, *args).shape == ()
