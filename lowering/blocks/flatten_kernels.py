"""Brings kernels into the flat form that every emitter reads.

Comparisons of indices that were widened become comparisons of indices.

Passes integers of more than 64 bits to kernels as their limbs, the least first: launches take no wider scalars.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects import gpu, marks
from hologram.dialects.arith import ExtUIOp, constant_of
from hologram.lowering.blocks.flat_functions import FlatFunction, count_of, flat_type
from hologram.lowering.blocks.flat_launches import flatten_launch, kernel_of, launches_of, replace_launch
from hologram.lowering.blocks.kernel_records import describe_kernels
from hologram.lowering.rewriting.entry_record import access_of
from hologram.support.walking import operations, symbol_of

_UNSIGNED = 6
"""The first of the predicates that read integers as unsigned."""
_END = 1 << 31
"""What every index may be: those of some devices have 32 bits."""


def compare_indices(top: Operation) -> None:
    """Has comparisons of an index, as an i64, with another or a constant compare the indices themselves.

    A device whose indices have 32 bits would compare 64 otherwise. And Mesa's drivers up to 22 at least get the
    comparison of a widened number with a constant wrong.
    """
    for op in operations(top):
        if isinstance(op, arith.CmpiOp) and op.lhs.type == i64:
            _compare(op)


def _compare(op: arith.CmpiOp) -> None:
    unsigned = op.predicate.value.data >= _UNSIGNED
    found = [_index(v) for v in (op.lhs, op.rhs)]
    numbers = [constant_of(v) for v in (op.lhs, op.rhs)]
    fits = [n is not None and (0 if unsigned else -_END) <= n < _END for n in numbers]
    if all(v is None for v in found) or not all(v is not None or f for v, f in zip(found, fits, strict=True)):
        return
    sides: list[SSAValue] = []
    for value, number in zip(found, numbers, strict=True):
        if value is None:
            assert number is not None
            constant = arith.ConstantOp(IntegerAttr(number, IndexType()))
            constant.location = op.location
            Rewriter.insert_op(constant, InsertPoint.before(op))
            value = constant.result
        sides.append(value)
    made = arith.CmpiOp(sides[0], sides[1], op.predicate.value.data)
    made.location = op.location
    Rewriter.replace_op(op, made)


def _index(value: SSAValue) -> SSAValue | None:
    """The index that a value is, sign-extended."""
    owner = value.owner
    return owner.input if isinstance(owner, arith.IndexCastOp) and isinstance(owner.input.type, IndexType) else None


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


@dataclass(frozen=True)
class FlattenKernelsPass(ModulePass):
    """Gives kernels buffers of one dimension, and accesses linear indices.

    A buffer argument becomes `memref<?xT>` with the attribute `hologram.access`; the sizes and strides that a kernel
    needs come behind its arguments, as indices. Workgroup and private buffers get one dimension, views are gone.
    What its kernels take stands in the gpu.module's attribute `hologram.kernels`, as the entry record has it. Buffers
    of bytes that are always viewed as another type have that type. Integers of more than 64 bits come as their limbs,
    each an i64, the least first. Indices that were widened are compared as indices. The page on the launch ABI
    describes the form.

    Before::

        gpu.launch_func @kernels::@k blocks in (...) threads in (...) args(%a : memref<?x?xf32>)

        gpu.func @k(%a: memref<?x?xf32>) kernel {
          %v = memref.load %a[%i, %j] : memref<?x?xf32>
        }

    After::

        %n = memref.dim %a, %c1
        %flat = memref.collapse_shape %a [[0, 1]] : memref<?x?xf32> into memref<?xf32>
        gpu.launch_func @kernels::@k blocks in (...) threads in (...) args(%flat : memref<?xf32>, %n : index)

        gpu.func @k(%a: memref<?xf32> {hologram.access = "read"}, %n: index) kernel {
          %0 = arith.muli %i, %n : index
          %1 = arith.addi %0, %j : index
          %v = memref.load %a[%1] : memref<?xf32>
        }
    """

    name = "flatten-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for module in [o for o in op.body.block.ops if isinstance(o, gpu.ModuleOp)]:
            for nested in module.body.block.ops:
                if isinstance(nested, memref.GlobalOp):
                    _flatten_global(nested)
            kernels = [o for o in module.body.block.ops if isinstance(o, gpu.FuncOp) and o.kernel is not None]
            split_wide_arguments(kernels, launches_of(module, op))
            functions = [o for o in module.body.block.ops if isinstance(o, gpu.FuncOp | func.FuncOp) and o.body.blocks]
            signatures = {symbol_of(o) or "": o.function_type.inputs.data for o in functions}
            flat = {symbol_of(o) or "": FlatFunction(o, signatures).flatten() for o in functions}
            for launch in launches_of(module, op):
                flatten_launch(launch, flat.get(kernel_of(launch), ([], [])))
            for kernel in kernels:
                _say_access(kernel)
            compare_indices(module)
            describe_kernels(module)


def _flatten_global(op: memref.GlobalOp) -> None:
    type = op.type
    count = count_of(type)
    op.properties["type"] = flat_type(type, count)
    value = op.initial_value
    if isinstance(value, DenseIntOrFPElementsAttr):
        tensor = TensorType(type.element_type, [count])
        op.properties["initial_value"] = DenseIntOrFPElementsAttr(tensor, value.data)  # pyright: ignore


def _say_access(kernel: gpu.FuncOp) -> None:
    """Writes to each buffer argument what the kernel does with it."""
    said: list[DictionaryAttr] = []
    known = kernel.arg_attrs.data if kernel.arg_attrs is not None else ()
    for number, argument in enumerate(kernel.body.block.args[: kernel.argument_count]):
        attributes = dict(known[number].data) if number < len(known) else {}
        if isinstance(argument.type, MemRefType):
            attributes[marks.ACCESS] = StringAttr(access_of(argument))
        said.append(DictionaryAttr(attributes))
    kernel.properties["arg_attrs"] = ArrayAttr(said)
