"""Brings kernels into the flat form that every emitter reads.

Buffers get one dimension. Integers of more than 64 bits come as their limbs, the least first, as launches take no wider
scalars; comparisons of indices that were widened become comparisons of indices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import gpu, marks
from hologram.dialects.arith import constant_of
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.verbs import Arith, Index
from hologram.lowering.blocks.flat_functions import FlatFunction, flat_type
from hologram.lowering.blocks.flat_launches import flatten_launch, kernel_of, launches_of, replace_launch
from hologram.lowering.blocks.kernel_records import describe_kernels
from hologram.lowering.rewriting.entry_record import access_of
from hologram.support.splicing import replace_results
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
    least = 0 if op.predicate.value.data >= _UNSIGNED else -_END
    a, b = _index(op.lhs, least), _index(op.rhs, least)
    if a is None or b is None or (isinstance(a, int) and isinstance(b, int)):
        return
    at = OpBuilder(op)
    a, b = at.index(a), at.index(b)
    replace_results(op, [at.op(arith.CmpiOp(a, b, op.predicate.value.data))])


def _index(value: SSAValue, least: int) -> Index | None:
    """The index that a value is sign-extended from, or its number from `least` on, if every index can hold that."""
    owner = value.owner
    if isinstance(owner, arith.IndexCastOp) and isinstance(owner.input.type, IndexType):
        return owner.input
    number = constant_of(value)
    return number if number is not None and least <= number < _END else None


LIMB = 64


def limbs_in(type: Attribute) -> int:
    """Return the number of scalars that a launch passes for an integer of more than 64 bits; 0 for what it can pass."""
    return -(-type.bitwidth // LIMB) if isinstance(type, IntegerType) and type.bitwidth > LIMB else 0


def split_wide_arguments(kernels: Sequence[gpu.FuncOp], launches: Sequence[gpu.LaunchFuncOp]) -> None:
    """Splits such arguments of kernels, and what launches pass for them."""
    wide = {symbol_of(k): k for k in kernels if any(map(limbs_in, k.function_type.inputs))}
    for launch in launches:
        if kernel_of(launch) in wide:
            _split_operands(launch)
    for kernel in wide.values():
        _split_arguments(kernel)


def _split_operands(launch: gpu.LaunchFuncOp) -> None:
    core = OpBuilder(launch).core
    operands: list[SSAValue] = []
    for value in launch.kernelOperands:
        starts = range(0, limbs_in(value.type) * LIMB, LIMB)
        limbs = [core.resize(core.shr(value, n) if n else value, i64, signed=False) for n in starts]
        operands += limbs or [value]
    replace_launch(launch, operands)


def _split_arguments(kernel: gpu.FuncOp) -> None:
    entry = kernel.body.block
    first = entry.first_op
    assert first is not None
    given = list(kernel.arg_attrs or ())
    arg_attrs: list[DictionaryAttr] = []
    inputs: list[Attribute] = []
    for number, argument in enumerate(list(entry.args[: kernel.argument_count])):
        count = limbs_in(argument.type)
        arg_attrs += [given[number] if number < len(given) else DictionaryAttr({}), *[DictionaryAttr({})] * (count - 1)]
        inputs += [i64] * count or [argument.type]
        if not count:
            continue
        limbs = [entry.insert_arg(i64, argument.index + 1 + n) for n in range(count)]
        for limb in limbs:
            limb.name_hint = argument.name_hint
        argument.replace_all_uses_with(_joined(limbs, argument.type, OpBuilder(first).core))
        entry.erase_arg(argument)
    kernel.properties["function_type"] = FunctionType.from_lists(inputs, [])
    kernel.properties["arg_attrs"] = ArrayAttr(arg_attrs)


def _joined(limbs: Sequence[SSAValue], type: Attribute, core: Arith) -> SSAValue:
    """Emits the integer that consists of these limbs."""
    # In a type of whole limbs, so that no limb is longer than it.
    whole = IntegerType(len(limbs) * LIMB)
    total = core.resize(limbs[0], whole, signed=False)
    for number, limb in enumerate(limbs[1:], 1):
        total = core.either(total, core.shl(core.resize(limb, whole, signed=False), number * LIMB))
    return core.resize(total, type, signed=False)


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
            kernels = gpu.kernels_of(module)
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
    count = type.element_count()
    op.properties["type"] = flat_type(type, count)
    value = op.initial_value
    if isinstance(value, DenseIntOrFPElementsAttr):
        tensor = TensorType(type.element_type, [count])
        op.properties["initial_value"] = DenseIntOrFPElementsAttr(tensor, value.data)  # pyright: ignore


def _say_access(kernel: gpu.FuncOp) -> None:
    """Writes to each buffer argument what the kernel does with it."""
    arg_attrs: list[DictionaryAttr] = []
    known = kernel.arg_attrs.data if kernel.arg_attrs is not None else ()
    for number, argument in enumerate(kernel.body.block.args[: kernel.argument_count]):
        attributes = dict(known[number].data) if number < len(known) else {}
        if isinstance(argument.type, MemRefType):
            attributes[marks.ACCESS] = StringAttr(access_of(argument))
        arg_attrs.append(DictionaryAttr(attributes))
    kernel.properties["arg_attrs"] = ArrayAttr(arg_attrs)
