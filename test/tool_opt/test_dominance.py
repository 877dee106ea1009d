"""Dominators against their definition, and the check that follows from them."""

from __future__ import annotations

import random
import time

import pytest
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.dialects.test import TestTermOp as EndOp
from xdsl.ir import Block, Operation, Region

from hologram.dialects import make_context
from hologram.frontend.mlir import parse_module
from hologram.transforms.analysis.dominance import DominanceCheck, Dominators
from hologram.transforms.analysis.verifier import collect_errors
from machine_speed import allowed


def random_region(count: int, edges: int, rng: random.Random) -> Region:
    """Blocks with random branches; some can't be reached."""
    blocks = [Block() for _ in range(count)]
    for block in blocks:
        block.add_op(EndOp(successors=rng.choices(blocks[1:] or blocks, k=rng.randrange(edges))))
    return Region(blocks)


def reachable_without(region: Region, avoided: Block | None) -> set[Block]:
    entry = region.blocks[0]
    if entry is avoided:
        return set()
    seen, waiting = {entry}, [entry]
    while waiting:
        last = waiting.pop().last_op
        assert last is not None
        for successor in last.successors:
            if successor is not avoided and successor not in seen:
                seen.add(successor)
                waiting.append(successor)
    return seen


@pytest.mark.parametrize("seed", range(40))
def test_dominators_are_the_blocks_that_no_path_avoids(seed: int):
    rng = random.Random(seed)
    region = random_region(rng.randrange(1, 14), 4, rng)
    found = Dominators(region)
    reachable = reachable_without(region, None)
    for a in region.blocks:
        without = reachable_without(region, a)
        for b in region.blocks:
            if b not in reachable:
                assert found.dominates(a, b)
            else:
                assert found.dominates(a, b) == (a is b or b not in without)


def test_immediate_dominators():
    last, left, right = (Block([EndOp()]) for _ in range(3))
    for side in (left, right):
        side.erase_op(side.ops.first or AnyOp())
        side.add_op(EndOp(successors=[last]))
    entry = Block([EndOp(successors=[left, right])])
    tree = Dominators(Region([entry, left, right, last]))
    assert [tree.immediate(b) for b in (entry, left, right, last)] == [None, entry, entry, entry]


def errors(text: str) -> list[str]:
    return [e.code for e in collect_errors(parse_module(text, "t.mlir", make_context(allow_unregistered=True)))]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('%a = "u.x"(%b) : (i32) -> i32\n%b = "u.x"(%a) : (i32) -> i32', ["dominance-order"]),
        ('%a = "u.x"(%a) : (i32) -> i32', ["dominance-order"]),
        ('%a = "u.x"() ({\n  "u.y"(%a) : (i32) -> ()\n}) : () -> i32', ["dominance-order"]),
        ('%a = "u.x"() : () -> i32\n"u.y"() ({\n  "u.z"(%a) : (i32) -> ()\n}) : () -> ()', []),
        ('"u.y"() ({\n  "u.z"(%a) : (i32) -> ()\n}) : () -> ()\n%a = "u.x"() : () -> i32', ["dominance-order"]),
        ('"u.z"(%a) : (i32) -> ()\n"u.y"() ({\n  %a = "u.x"() : () -> i32\n}) : () -> ()', ["dominance-scope"]),
        ('"u.y"() ({\n^a(%x: i32):\n  "u.z"(%x) : (i32) -> ()\n}) : () -> ()', []),
    ],
)
def test_uses_in_nested_regions(body: str, expected: list[str]):
    assert errors(f"func.func @f() {{\n{body}\nfunc.return\n}}\n") == expected


def test_the_body_of_a_module_has_no_order():
    assert errors('"u.z"(%a) : (i32) -> ()\n%a = "u.x"() : () -> i32\n') == []


def test_unreachable_code_may_use_anything():
    text = (
        "func.func @f() -> i32 {\n  %a = arith.constant 1 : i32\n  func.return %a : i32\n^no:\n  func.return %b : i32\n"
    )
    assert errors(text + "^never:\n  %b = arith.constant 1 : i32\n  cf.br ^no\n}\n") == []


def test_a_value_that_is_not_in_the_ir():
    away = AnyOp(result_types=[i32])
    module = ModuleOp([AnyOp(operands=[away.results[0]])])
    assert [e.code for e in collect_errors(module)] == ["dominance-detached"]


@pytest.mark.speed
def test_many_blocks_and_operations_are_checked_quickly():
    blocks = [Block() for _ in range(1600)]
    ops: list[Operation] = []
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        op = AnyOp(operands=[ops[-1].results[0]] if ops else [], result_types=[i32])
        ops.append(op)
        block.add_ops([op, EndOp(successors=[following] if following else [])])
    module = ModuleOp([AnyOp(regions=[Region(blocks)])])
    start = time.perf_counter()
    assert not list(DominanceCheck(module).errors())
    assert time.perf_counter() - start < allowed(0.1)


def test_a_use_above_the_region_of_the_same_operation_that_defines_the_name():
    text = """
func.func @main(%x: index) {
  scf.for %i = %x to %a step %x {
    %a = arith.constant 1 : index
  }
  func.return
}
"""
    (error,) = collect_errors(parse_module(text, "late.mlir", make_context()))
    assert error.code == "dominance-scope"
    assert "%a" in str(error)
