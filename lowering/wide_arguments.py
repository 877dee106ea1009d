"""Passes integers of more than 64 bits to kernels as their limbs, the least first: launches take no wider scalars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, IntegerAttr, IntegerType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects import gpu
from hologram.dialects.arith import ExtUIOp
from hologram.lowering.flat_launches import kernel_of, replace_launch
from hologram.walking import symbol_of

LIMB = 64


def limbs_in(type: Attribute) -> int:
    """As how many scalars a launch passes an integer of more than 64 bits; 0 for what it can pass."""
    return -(-type.bitwidth // LIMB) if isinstance(type, IntegerType) and type.bitwidth > LIMB else 0


def split_wide_arguments(kernels: Sequence[gpu.FuncOp], launches: Sequence[gpu.LaunchFuncOp]) -> None:
    """Splits such arguments of kernels, and what launches pass for them."""
    wide = {symbol_of(k): k for k in kernels if any(map(limbs_in, k.function_type.inputs))}
    for launch in launches:
        if kernel_of(launch) in wide:
            _split_operands(launch)
    for kernel in wide.values():
        _split_arguments(kernel)


def _put(op: Operation, before: Operation) -> SSAValue:
    op.location = before.location
    Rewriter.insert_op(op, InsertPoint.before(before))
    return op.results[0]


def _number(value: int, type: Attribute, before: Operation) -> SSAValue:
    return _put(arith.ConstantOp(IntegerAttr(value, cast("IntegerType", type))), before)


def _split_operands(launch: gpu.LaunchFuncOp) -> None:
    operands: list[SSAValue] = []
    for value in launch.kernelOperands:
        count = limbs_in(value.type)
        for number in range(count):
            limb = value
            if number:
                limb = _put(arith.ShRUIOp(value, _number(number * LIMB, value.type, launch)), launch)
            operands.append(_put(arith.TruncIOp(limb, i64), launch))
        if not count:
            operands.append(value)
    replace_launch(launch, operands)


def _split_arguments(kernel: gpu.FuncOp) -> None:
    entry = kernel.body.block
    first = entry.first_op
    assert first is not None
    given = list(kernel.arg_attrs or ())
    said: list[DictionaryAttr] = []
    inputs: list[Attribute] = []
    for number, argument in enumerate(list(entry.args[: kernel.argument_count])):
        count = limbs_in(argument.type)
        said += [given[number] if number < len(given) else DictionaryAttr({}), *[DictionaryAttr({})] * (count - 1)]
        inputs += [i64] * count or [argument.type]
        if not count:
            continue
        limbs = [entry.insert_arg(i64, argument.index + 1 + n) for n in range(count)]
        for limb in limbs:
            limb.name_hint = argument.name_hint
        argument.replace_all_uses_with(_joined(limbs, argument.type, first))
        entry.erase_arg(argument)
    kernel.properties["function_type"] = FunctionType.from_lists(inputs, [])
    kernel.properties["arg_attrs"] = ArrayAttr(said)


def _joined(limbs: Sequence[SSAValue], type: Attribute, before: Operation) -> SSAValue:
    """The integer that limbs are of."""
    total: SSAValue | None = None
    # Of a type of whole limbs, so that none is longer than it.
    whole = IntegerType(len(limbs) * LIMB)
    for number, limb in enumerate(limbs):
        part = _put(ExtUIOp(limb, whole), before)  # pyright: ignore[reportArgumentType]
        if total is not None:
            part = _put(arith.ShLIOp(part, _number(number * LIMB, whole, before)), before)
            part = _put(arith.OrIOp(total, part), before)
        total = part
    assert total is not None
    return total if type == whole else _put(arith.TruncIOp(total, type), before)  # pyright: ignore
