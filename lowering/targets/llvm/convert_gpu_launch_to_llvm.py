"""Turns launches and memory of a device, as host code sees them, into calls of the runtime."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    UnrealizedConversionCastOp,
    f64,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import gpu, marks
from hologram.dialects.layouts import byte_size
from hologram.dialects.llvm import GlobalOp, LLVMArrayType
from hologram.dialects.verbs import Arith
from hologram.errors import PassError
from hologram.lowering.blocks.flat_launches import drop_retyping, kernel_of
from hologram.lowering.blocks.kernel_records import kernels_of
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module
from hologram.lowering.rewriting.entry_record import access_of, is_entry
from hologram.lowering.targets.llvm import build as ll
from hologram.support.walking import enclosing, operations

CODE, CONTEXT = "hologram_device_code", "hologram_device_context"
LAUNCH, ALLOC, FREE, COPY, READ = (f"hologram_device_{n}" for n in ("launch", "alloc", "free", "copy", "read"))
SIGNATURES: dict[str, tuple[Sequence[Attribute], Attribute | None]] = {
    LAUNCH: ([i64, i32, *[i64] * 7, ll.pointer()], None),
    ALLOC: ([i64, i64], i64),
    FREE: ([i64, i64], None),
    COPY: ([i64] * 4, None),
    READ: ([i64] * 3, i64),
}
"""The functions of the runtime that host code calls; the page on the launch ABI says what they do."""
MOST_BYTES = 2**63 - 1024
"""What is asked for where a size is larger than can be."""


@dataclass(frozen=True)
class ConvertGpuLaunchToLLVMPass(ModulePass):
    """Turns launches, and the allocations and copies of functions that launch, into calls of the runtime's functions.

    A launch passes an array of pointers to its arguments, and the kernel's number. The gpu.binary becomes the constant
    `@hologram_device_code`; what the calls are made with, the context, is the global `@hologram_device_context`, which
    the runtime sets. What the entry records say of the device stands in the module's attribute `hologram.device`.

    Before::

        %t = memref.alloc(%n) : memref<?xf32>
        gpu.launch_func @kernels::@f blocks in (%g, %c1, %c1) threads in (%c128, %c1, %c1) args(%t : memref<?xf32>)

    After::

        %address = llvm.call @hologram_device_alloc(%context, %bytes) : (i64, i64) -> i64
        llvm.store %address, %slot : i64, !llvm.ptr
        llvm.store %slot, %arguments : !llvm.ptr, !llvm.ptr
        llvm.call @hologram_device_launch(%context, %number, %g, %one, %one, %n128, %one, %one, %zero, %arguments)
    """

    name = "convert-gpu-launch-to-llvm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        binaries = [o for o in op.body.block.ops if isinstance(o, gpu.BinaryOp)]
        if not binaries:
            for nested in operations(op):
                if isinstance(nested, gpu.LaunchFuncOp):
                    raise PassError(
                        nested,
                        "launch-without-binary",
                        f"there is no gpu.binary with the kernel {nested.kernel}",
                        hint="run gpu-module-to-binary first",
                    )
        for launch in [o for o in operations(op) if isinstance(o, gpu.LaunchFuncOp)]:
            drop_retyping(launch)
        for binary in binaries:
            kernels = kernels_of(binary)
            numbers = {kernel["name"]: number for number, kernel in enumerate(kernels)}
            functions = [o for o in op.body.block.ops if isinstance(o, func.FuncOp) and o.body.blocks]
            for function in filter(is_entry, functions):
                _write_access(function, binary, kernels)
            convert_module(op, _Launches(binary.sym_name.data, numbers).rules())
            _keep_code(op, binary, kernels)
        op.attributes.pop("gpu.container_module", None)


def _write_access(function: func.FuncOp, binary: gpu.BinaryOp, kernels: list[dict[str, Any]]) -> None:
    """Write to the arguments of an entry how the kernels use them, as long as the launches can be seen."""
    arguments = {kernel["name"]: kernel["arguments"] for kernel in kernels}

    def launched(op: Operation, number: int) -> str | None:
        if not isinstance(op, gpu.LaunchFuncOp) or op.kernel.root_reference != binary.sym_name:
            return None
        place = number - (len(op.operands) - len(op.kernelOperands))
        declared = arguments.get(kernel_of(op), [])
        return declared[place]["access"] if 0 <= place < len(declared) else "read"

    given = function.arg_attrs.data if function.arg_attrs is not None else ()
    written: list[DictionaryAttr] = []
    for number, argument in enumerate(function.body.blocks[0].args):
        attributes = dict(given[number].data) if number < len(given) else {}
        if isinstance(argument.type, MemRefType):
            attributes[marks.ACCESS] = StringAttr(access_of(argument, launched))
        written.append(DictionaryAttr(attributes))
    function.properties["arg_attrs"] = ArrayAttr(written)


def _keep_code(module: ModuleOp, binary: gpu.BinaryOp, kernels: list[dict[str, Any]]) -> None:
    """Declare the code, the context and the runtime's functions, and keep what the records say."""
    object = binary.objects.data[0]
    kind = LLVMArrayType(len(object.data) + 1, i8)
    code = gpu.ObjectAttr.of(object.target, "bin", object.data + b"\0").code
    zero = IntegerAttr(0, i64)
    block = module.body.block
    block.add_op(GlobalOp(kind, CODE, value=code, constant=True, alignment=16))
    block.add_op(GlobalOp(i64, CONTEXT, value=zero))
    for name, (inputs, output) in SIGNATURES.items():
        block.add_op(ll.function(name, inputs, output))
    words = {"kind": marks.DEVICE, "format": marks.FORMAT, "target": marks.TARGET}
    device = {
        **{key: cast("StringAttr", binary.attributes[mark]).data for key, mark in words.items()},
        "bytes": len(object.data),
        "kernels": kernels,
    }
    module.attributes[marks.DEVICE] = StringAttr(json.dumps(device, separators=(",", ":")))


class _Launches:
    """The rules for host functions that launch the kernels of a module."""

    def __init__(self, module: str, numbers: dict[str, int]):
        self.module = module
        self.numbers = numbers
        """The number of each kernel."""
        self.slots: dict[tuple[Region | None, Attribute], list[SSAValue]] = {}
        """The places for arguments of each type in each function's entry."""

    def rules(self) -> Rules:
        return Rules(
            table={
                gpu.BinaryOp: _drop,
                gpu.LaunchFuncOp: self._launch,
                memref.AllocOp: _alloc,
                memref.DeallocOp: _free,
                memref.CopyOp: _copy,
                memref.LoadOp: _read,
            }
        )

    def _launch(self, rw: Rewriter, op: gpu.LaunchFuncOp) -> None:
        target = (op.kernel.root_reference.data, *(n.data for n in op.kernel.nested_references))
        if target[0] != self.module or target[-1] not in self.numbers:
            raise PassError(
                op,
                "launch-kernel-unknown",
                f"the gpu.binary '{self.module}' has no kernel {op.kernel}",
                hint=f"its kernels are {', '.join(self.numbers) or 'none'}",
            )
        x = Arith(rw.emit)
        sizes = [op.gridSizeX, op.gridSizeY, op.gridSizeZ, op.blockSizeX, op.blockSizeY, op.blockSizeZ]
        words = [x.index_cast(rw.value(v), i64) for v in sizes]
        shared = op.dynamicSharedMemorySize
        words.append(x.constant(0, i64) if shared is None else x.resize(rw.value(shared), i64, signed=False))
        number = x.constant(self.numbers[target[-1]], i32)
        _call(rw, LAUNCH, [number, *words, self._arguments(rw, op)])

    def _arguments(self, rw: Rewriter, op: gpu.LaunchFuncOp) -> SSAValue:
        """Emit an array of pointers to the values of a launch's arguments."""
        values = [rw.value(v) for v in op.kernelOperands]
        array = ll.reserve(rw, LLVMArrayType(max(len(values), 1), ll.pointer()), 8)
        counts: Counter[Attribute] = Counter()
        for number, value in enumerate(values):
            slot = self._slot(rw, op, value, counts)
            properties: dict[str, Attribute] = {
                "rawConstantIndices": ll.words(number),
                "elem_type": ll.pointer(),
                "noWrapFlags": ll.number(0, i32),
            }
            ll.store(rw, ll.emit(rw, "getelementptr", (array,), ll.pointer(), properties), slot)
        return array

    def _slot(self, rw: Rewriter, op: Operation, value: SSAValue, counts: Counter[Attribute]) -> SSAValue:
        """Emit the value of an argument to a place in memory, where tensor maps are already."""
        passed = _passed(rw, value)
        if passed.type == ll.pointer():
            return passed
        function = enclosing(op, func.FuncOp)
        slots = self.slots.setdefault((function.body if function is not None else None, passed.type), [])
        if len(slots) == counts[passed.type]:
            slots.append(ll.reserve(rw, passed.type, 8))
        slot = slots[counts[passed.type]]
        counts[passed.type] += 1
        ll.store(rw, slot, passed)
        return slot


def _call(rw: Rewriter, name: str, operands: Sequence[SSAValue]) -> Operation:
    """Emit the call of a function of the runtime, which takes the context first."""
    inputs, output = SIGNATURES[name]
    context = ll.load(rw, ll.address_of(rw, CONTEXT), i64)
    assert len(operands) + 1 == len(inputs)
    return ll.call(rw, name, [context, *operands], () if output is None else (output,))


def _passed(rw: Rewriter, value: SSAValue) -> SSAValue:
    """Emit what is passed of an argument: the address of a buffer, an index as a word, a truth value as a byte."""
    if isinstance(value.type, MemRefType):
        return _address(rw, value)
    if isinstance(value.type, IndexType):
        return Arith(rw.emit).index_cast(value, i64)
    return Arith(rw.emit).resize(value, i8, signed=False) if value.type == i1 else value


def _address(rw: Rewriter, value: SSAValue) -> SSAValue:
    pointer = rw.emit(memref.ExtractAlignedPointerAsIndexOp.get(value)).aligned_pointer
    return Arith(rw.emit).index_cast(pointer, i64)


def _drop(rw: Rewriter, op: gpu.BinaryOp) -> None:
    """Leave out the binary, whose code is kept otherwise."""


def _free(rw: Rewriter, op: memref.DeallocOp) -> None:
    _call(rw, FREE, [_address(rw, rw.value(op.memref))])


def _alloc(rw: Rewriter, op: memref.AllocOp) -> None:
    """Allocate memory of the device, of a size that can't be where the product of its sizes is."""
    sizes = [Arith(rw.emit).index_cast(rw.value(v), i64) for v in op.dynamic_sizes]
    address = _call(rw, ALLOC, [_bytes(rw, op.memref.type, sizes)]).results[0]
    pointer = ll.emit(rw, "inttoptr", (address,), ll.pointer())
    rw.replace(op, UnrealizedConversionCastOp.get([pointer, *sizes], [op.memref.type]))


def _read(rw: Rewriter, op: memref.LoadOp) -> None:
    """Read the one element of a buffer that the host needs."""
    if marks.READ not in op.attributes:
        rw.rebuild(op)
        return
    x, type = Arith(rw.emit), op.res.type
    width = 8 * (1 if type == i1 else byte_size(type) or 1)
    address = _address(rw, rw.value(op.memref))
    word = _call(rw, READ, [address, x.constant(width // 8, i64)]).results[0]
    if isinstance(type, IndexType):
        rw.define(op.res, x.index_cast(word, type))
        return
    narrow = x.resize(word, i1 if type == i1 else IntegerType(width), signed=False)
    rw.define(op.res, narrow if isinstance(type, IntegerType) else x.op(arith.BitcastOp(narrow, type)))


def _bytes(rw: Rewriter, type: MemRefType[Attribute], sizes: Sequence[SSAValue]) -> SSAValue:
    """Emit the number of bytes of a buffer with these dynamic sizes."""
    x = Arith(rw.emit)
    fixed = 1 if type.element_type == i1 else byte_size(type.element_type) or 1
    for size in type.get_shape():
        fixed *= 1 if size == DYNAMIC_INDEX else size
    total = x.constant(min(fixed, MOST_BYTES), i64)
    if not sizes:
        return total
    # The product may wrap; in f64 it does not.
    large = x.constant(fixed, f64)
    for size in sizes:
        total = x.mul(total, size)
        large = x.mul(large, x.op(arith.UIToFPOp(size, f64)))
    fits = x.compare("ole", large, MOST_BYTES)
    return x.select(fits, total, MOST_BYTES)


def _copy(rw: Rewriter, op: memref.CopyOp) -> None:
    source, target = (cast("MemRefType[Attribute]", v.type) for v in (op.source, op.destination))
    if not (isinstance(source.layout, NoneAttr) and isinstance(target.layout, NoneAttr)):
        raise PassError(
            op,
            "device-copy-strided",
            "a host copies whole buffers of a device, not views with strides",
            hint="run convert-parallel-loops-to-gpu first, which makes a launch of it",
        )
    x = Arith(rw.emit)
    before, after = rw.value(op.source), rw.value(op.destination)
    sizes = [
        x.index_cast(x.op(memref.DimOp(before, x.constant(axis, IndexType()))), i64)
        for axis, size in enumerate(source.get_shape())
        if size == DYNAMIC_INDEX
    ]
    _call(rw, COPY, [_address(rw, after), _address(rw, before), _bytes(rw, source, sizes)])
