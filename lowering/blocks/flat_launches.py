"""Passes to kernels in flat form buffers of one dimension, and the sizes and strides that they ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    SymbolRefAttr,
    UnrealizedConversionCastOp,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import Rewriter

from hologram.dialects import gpu
from hologram.dialects.op_builder import INDEX, OpBuilder
from hologram.dialects.verbs import Index
from hologram.support.walking import operations

_RETYPED = MemRefType, IntegerType


@dataclass(frozen=True)
class Request:
    """Something about a buffer argument that a function takes as an index."""

    number: int
    """Of the argument."""
    what: str
    """`offset`, `size` or `stride`."""
    axis: int


def flatten_launch(op: gpu.LaunchFuncOp, kernel: tuple[Sequence[Attribute | None], Sequence[Request]]) -> None:
    """Passes what a flat kernel takes."""
    views, requests = kernel
    given = list(op.kernelOperands)
    at = OpBuilder(op)
    operands = [
        _whole(value, view, at) if isinstance(value.type, MemRefType) else value
        for value, view in zip(given, views, strict=True)
    ]
    operands += [at.index(_answer(given[r.number], r, at)) for r in requests]
    replace_launch(op, operands)


def launches_of(module: gpu.ModuleOp, within: ModuleOp) -> list[gpu.LaunchFuncOp]:
    """The launches of a module's kernels."""
    name = module.sym_name.data
    launches = [o for o in operations(within) if isinstance(o, gpu.LaunchFuncOp)]
    return [o for o in launches if o.kernel.root_reference.data == name]


def kernel_of(launch: gpu.LaunchFuncOp) -> str:
    """The name of what a launch launches."""
    return launch.kernel.nested_references.data[0].data


def retype_launch(op: gpu.LaunchFuncOp, taken: Sequence[tuple[SSAValue, Sequence[Attribute]]]) -> None:
    """The same launch of a kernel that now takes each of these arguments as values of these types: casts say that these
    are the arguments, which no machine has an operation for."""
    at = OpBuilder(op)
    operands: list[SSAValue] = []
    for value, types in taken:
        same = list(types) == [value.type]
        operands += [value] if same else at.emit(UnrealizedConversionCastOp.get([value], types)).results
    replace_launch(op, operands)


def drop_retyping(op: gpu.LaunchFuncOp) -> None:
    """Passes what `retype_launch` cast, of which each is one argument again."""
    given = [(value, _retyping(value)) for value in op.kernelOperands]
    retypings = {retyping: None for _, retyping in given if retyping is not None}
    if not retypings:
        return
    operands = [
        value if retyping is None else retyping.operands[0]
        for value, retyping in given
        if retyping is None or value is retyping.results[0]
    ]
    replace_launch(op, operands)
    for retyping in retypings:
        if not any(result.uses for result in retyping.results):
            Rewriter.erase_op(retyping)


def _retyping(value: SSAValue) -> UnrealizedConversionCastOp | None:
    owner = value.owner
    if isinstance(owner, UnrealizedConversionCastOp) and isinstance(owner.operands[0].type, _RETYPED):
        return owner
    return None


def replace_launch(op: gpu.LaunchFuncOp, operands: Sequence[SSAValue]) -> None:
    """Put in the place of a launch the same one with other arguments."""
    new = launch_of_kernel(op, op.kernel, operands)
    new.attributes |= op.attributes
    Rewriter.replace_op(op, new)


def launch_of_kernel(
    op: gpu.LaunchOp | gpu.LaunchFuncOp, kernel: SymbolRefAttr, operands: Sequence[SSAValue]
) -> gpu.LaunchFuncOp:
    """Return a launch of a kernel, of the size of another launch."""
    shared = op.dynamicSharedMemorySize
    new = gpu.LaunchFuncOp(
        kernel, gpu.grid_of(op), gpu.block_of(op), kernelOperands=operands, dynamicSharedMemorySize=shared
    )
    new.location = op.location
    return new


def _metadata(value: SSAValue, at: OpBuilder) -> memref.ExtractStridedMetaDataOp:
    type = cast("MemRefType[Attribute]", value.type)
    base = MemRefType(type.element_type, [], NoneAttr(), type.memory_space)
    types = [base, *[INDEX] * (1 + 2 * type.get_num_dims())]
    return at.emit(memref.ExtractStridedMetaDataOp.create(operands=[value], result_types=types))


def _answer(value: SSAValue, request: Request, at: OpBuilder) -> Index:
    if request.what == "size":
        return at.op(memref.DimOp(value, at.index(request.axis)))
    metadata = _metadata(value, at)
    return metadata.offset if request.what == "offset" else metadata.strides[request.axis]


def _whole(value: SSAValue, view: Attribute | None, at: OpBuilder) -> SSAValue:
    """The buffer with one dimension, whose size is not known, from where it starts."""
    type = cast("MemRefType[Attribute]", value.type)
    dense = isinstance(type.layout, NoneAttr)
    flat = MemRefType(view or type.element_type, [DYNAMIC_INDEX], NoneAttr(), type.memory_space)
    if type == flat:
        return value
    if view is not None:
        size = at.op(memref.DimOp(value, at.index(0)))
        return at.op(memref.ViewOp.create(operands=[value, at.index(0), size], result_types=[flat]))
    if not dense or type.get_num_dims() == 0:
        return _from_start(value, flat, at)
    if type.get_num_dims() > 1:
        count = DYNAMIC_INDEX if DYNAMIC_INDEX in type.get_shape() else type.element_count()
        one = MemRefType(type.element_type, [count], NoneAttr(), type.memory_space)
        axes = ArrayAttr([ArrayAttr([IntegerAttr(n, i64) for n in range(type.get_num_dims())])])
        value = at.op(
            memref.CollapseShapeOp.create(operands=[value], result_types=[one], properties={"reassociation": axes})
        )
    return value if value.type == flat else at.op(memref.CastOp.get(value, flat))


def _from_start(value: SSAValue, flat: MemRefType[Attribute], at: OpBuilder) -> SSAValue:
    """The buffer that a strided view looks at; how long it is nobody asks."""
    base = _metadata(value, at).base_buffer
    one = MemRefType(flat.element_type, [1], NoneAttr(), flat.memory_space)
    numbers = {name: DenseArrayBase.from_list(i64, [n]) for name, n in (("offsets", 0), ("sizes", 1), ("strides", 1))}
    properties = {f"static_{name}": n for name, n in numbers.items()}
    segments = DenseArrayBase.from_list(i32, [1, 0, 0, 0])
    view = memref.ReinterpretCastOp.create(
        operands=[base], result_types=[one], properties={**properties, "operandSegmentSizes": segments}
    )
    return at.op(memref.CastOp.get(at.op(view), flat))
