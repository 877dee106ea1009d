"""The conversion driver: order, casts, hints, locations, failures, and its speed."""

from __future__ import annotations

import time

import pytest
from xdsl.dialects import arith, cf, func, test
from xdsl.dialects.builtin import IndexType, ModuleOp, UnrealizedConversionCastOp, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region

from core_to_llvm.jit import LOWER, lower, parse
from hologram.dialects import make_context
from hologram.errors import InternalError, where_of
from hologram.lowering import get_all_passes
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module, reverse_post_order
from hologram.lowering.targets.llvm.convert_to_llvm import CONVERTED, rules_of
from machine_speed import allowed


def split(type: Attribute) -> list[Attribute] | None:
    """An index becomes two values, to see that the driver keeps them together."""
    return [i64, i32] if isinstance(type, IndexType) else None


PAIRS = Rules([split])


@PAIRS.on(arith.AddiOp)
def add(rw: Rewriter, op: arith.AddiOp) -> None:
    (a, b), (c, d) = rw.values(op.lhs), rw.values(op.rhs)
    rw.define(op.result, rw.emit(arith.AddiOp(a, c)).result, rw.emit(arith.AddiOp(b, d)).result)


def converted(text: str, rules: Rules) -> ModuleOp:
    module = parse(text)
    convert_module(module, rules)
    module.verify()
    return module


def names(module: ModuleOp) -> list[str]:
    return [op.name for op in module.walk()]


def test_values_of_several_types():
    """Between two converted operations there is no cast; to and from others there is one."""
    module = converted(
        """func.func @f(%a: index) -> index {
  %b = arith.addi %a, %a : index
  %c = arith.addi %b, %b : index
  func.return %c : index
}""",
        PAIRS,
    )
    casts = [op for op in module.walk() if isinstance(op, UnrealizedConversionCastOp)]
    assert [(len(c.inputs), len(c.outputs)) for c in casts] == [(1, 2), (2, 1)]
    assert names(module).count("arith.addi") == 4


def test_casts_are_shared_within_a_block():
    module = converted(
        """func.func @f(%a: index) -> (index, index) {
  %b = arith.addi %a, %a : index
  %c = arith.addi %a, %a : index
  %x = arith.muli %b, %b : index
  %y = arith.muli %b, %x : index
  func.return %x, %y : index, index
}""",
        PAIRS,
    )
    assert names(module).count("builtin.unrealized_conversion_cast") == 2


def test_reverse_post_order():
    module = parse("""func.func @f(%c: i1) {
  cf.br ^bb3
^bb1:
  cf.br ^bb2
^bb2:
  func.return
^bb3:
  cf.cond_br %c, ^bb1, ^bb4
^bb4:
  cf.br ^bb2
^bb5:
  cf.br ^bb2
}""")
    (function,) = module.body.block.ops
    blocks = list(function.regions[0].blocks)
    order = [blocks.index(b) for b in reverse_post_order(function.regions[0])]
    assert order == [0, 3, 1, 4, 2]


def test_layout_is_kept_and_unreachable_blocks_go():
    module = converted(
        """func.func @f() -> i32 {
  cf.br ^bb2
^bb1:
  func.return %x : i32
^bb2:
  %x = arith.constant 5 : i32
  cf.br ^bb1
^bb3:
  cf.br ^bb1
}""",
        Rules(),
    )
    (function,) = module.body.block.ops
    last = [b.last_op.name for b in function.regions[0].blocks if b.last_op]
    assert last == ["cf.br", "func.return", "cf.br"]


def test_names_and_places_are_carried():
    module = lower("""func.func private @f(%left: i32) -> i32 {
  %sum = arith.floordivsi %left, %left : i32 loc("k.mlir":3:9)
  func.return %sum : i32
}""")
    found = [op for op in module.walk() if (where := where_of(op)) and (where.file, where.line) == ("k.mlir", 3)]
    assert {op.name for op in found} >= {"llvm.sdiv", "llvm.srem", "llvm.select"}
    assert [r.name_hint for op in found for r in op.results][-1] == "sum"


def test_a_failing_rule_leaves_the_module_alone():
    module = parse("func.func @f(%x: f32) -> f32 {\n  %y = math.exp %x : f32\n  func.return %y : f32\n}")
    before = str(module)
    with pytest.raises(Exception, match="math-no-llvm-lowering"):
        convert_module(module, rules_of(CONVERTED))
    assert str(module) == before
    module.verify()


def test_a_value_without_definition_is_an_internal_error():
    lone = test.TestOp(result_types=[i32])
    function = func.FuncOp("f", ((), ()), Region(Block([arith.AddiOp(lone, lone), func.ReturnOp()])))
    with pytest.raises(InternalError, match="conversion-value-missing"):
        convert_module(ModuleOp([function]), rules_of(CONVERTED))


def test_deep_nesting():
    """Control flow may be nested deeper than Python's default recursion limit allows."""
    from hologram.support.recursion import deep_recursion

    depth = 400
    text = "func.func private @f(%c: i1) {\n" + "scf.if %c {\n" * depth + "}\n" * depth + "func.return\n}"
    with deep_recursion():
        module = lower(text)
    assert names(module).count("llvm.cond_br") == depth


# Speed


def straight_line(count: int) -> ModuleOp:
    """`count` additions, multiplications and loads in one function."""
    from xdsl.dialects import memref
    from xdsl.dialects.builtin import MemRefType

    kind = MemRefType(i32, [64, 64])
    block = Block(arg_types=[kind, IndexType(), i32])
    region = Region(block)
    m, i, value = block.args
    total = value
    ops: list[Operation] = []
    for step in range(count // 4):
        load = memref.LoadOp.create(operands=[m, i, i], result_types=[i32])
        product = arith.MuliOp.create(operands=[load.results[0], total], result_types=[i32])
        sum = arith.AddiOp.create(operands=[product.results[0], value], result_types=[i32])
        compared = arith.XOrIOp.create(operands=[sum.results[0], total], result_types=[i32])
        total = compared.results[0]
        ops += [load, product, sum, compared]
        if step % 16 == 15:
            following = Block(arg_types=[i32])
            ops.append(cf.BranchOp(following, total))
            block.add_ops(ops)
            ops = []
            (total,) = following.args
            region.add_block(following)
            block = following
    block.add_ops([*ops, func.ReturnOp()])
    return ModuleOp([func.FuncOp("f", ((kind, IndexType(), i32), ()), region, "private")])


@pytest.mark.speed
def test_speed():
    """30 thousand operations made in a second."""
    best, module = 0.0, ModuleOp([])
    for _ in range(3):
        module = straight_line(20_000)
        start = time.process_time()
        convert_module(module, rules_of(CONVERTED))
        best = max(best, len(names(module)) / (time.process_time() - start))
    module.verify()
    assert best > 30_000 / allowed(1), f"{best:.0f} operations a second"


def test_passes_are_registered():
    known = get_all_passes()
    for name in (*LOWER, "convert-arith-to-llvm", "reconcile-unrealized-casts"):
        assert known[name]().name == name
    assert make_context().get_optional_op("memref.generic_atomic_rmw") is not None
