"""The registry of functions by operation, and the helpers that move operations between blocks."""

from __future__ import annotations

import pytest
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import FunctionType, IndexType, i32
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Block, Operation, Region

from hologram.dialects import arith as ours
from hologram.errors import InternalError
from hologram.support.registry import Registry
from hologram.support.splicing import move, replace_results, splice
from hologram.support.walking import enclosing, is_within


def missing(op: Operation) -> InternalError:
    return InternalError("registry-test", f"'{op.name}' is not there")


def test_a_class_stands_for_those_derived_from_it_and_a_name_for_itself() -> None:
    names = Registry[str](missing=missing)
    names.on(arith.IndexCastOp)("cast")
    names.on("arith.index_castui")("by name")
    assert names.find(arith.IndexCastOp) == "cast"
    assert names.find(ours.IndexCastUIOp) == "by name"
    assert names.of(arith.IndexCastOp(Block(arg_types=[IndexType()]).args[0], i32)) == "cast"

    class Derived(arith.IndexCastOp):
        pass

    assert names.find(Derived) == "cast"
    names.on(Derived)("its own")
    assert names.find(Derived) == "its own"
    assert names.find(arith.IndexCastOp) == "cast"


def test_what_is_registered_late_is_found_and_what_is_missing_is_an_error() -> None:
    names = Registry[str](missing=missing)
    assert names.find(AnyOp) is None
    with pytest.raises(InternalError, match="'test.op' is not there"):
        names.of(AnyOp())
    names.update({AnyOp: "test"})
    assert names.of(AnyOp()) == "test"
    with pytest.raises(KeyError):
        Registry[str]().of(AnyOp())


def test_a_block_is_spliced_in_place_of_an_operation() -> None:
    inner = Block(arg_types=[i32])
    inner.add_ops([double := arith.AddiOp(inner.args[0], inner.args[0]), scf.YieldOp(double)])
    outer = Block(arg_types=[i32])
    call, user = AnyOp([outer.args[0]], [i32]), AnyOp()
    user.operands = [call.results[0]]
    outer.add_ops([call, user])
    replace_results(call, splice(inner, [outer.args[0]], outer, call))
    assert list(outer.ops) == [double, user]
    assert list(double.operands) == [outer.args[0]] * 2
    assert list(user.operands) == [double.result]
    assert inner.first_op is None
    move([user], outer, double)
    assert list(outer.ops) == [user, double]


def test_what_stands_around_an_operation() -> None:
    value = AnyOp(result_types=[i32])
    nested = AnyOp(regions=[Region(Block([value]))])
    function = func.FuncOp("f", FunctionType.from_lists([i32], []), Region(Block([nested], arg_types=[i32])))
    assert enclosing(value, func.FuncOp) is function
    assert enclosing(value, AnyOp, func.FuncOp) is nested
    assert enclosing(function, func.FuncOp) is None
    assert is_within(value.results[0], function)
    assert is_within(function.body.block.args[0], function)
    assert not is_within(function.body.block.args[0], nested)
