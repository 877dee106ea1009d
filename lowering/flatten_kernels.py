"""Brings kernels into the flat form that every emitter reads."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.passes import ModulePass

from hologram.dialects import gpu
from hologram.lowering.device_formats import describe_kernels
from hologram.lowering.entry_record import ACCESS, access_of
from hologram.lowering.flat_functions import FlatFunction, count_of, flat_type
from hologram.lowering.flat_launches import flatten_launch, kernel_of, launches_of
from hologram.lowering.index_comparisons import compare_indices
from hologram.lowering.wide_arguments import split_wide_arguments
from hologram.walking import symbol_of


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
            attributes[ACCESS] = StringAttr(access_of(argument))
        said.append(DictionaryAttr(attributes))
    kernel.properties["arg_attrs"] = ArrayAttr(said)
