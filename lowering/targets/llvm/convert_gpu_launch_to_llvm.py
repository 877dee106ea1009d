"""Turns launches and memory of a device, as host code sees them, into calls of the runtime."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    SymbolRefAttr,
    UnrealizedConversionCastOp,
    f64,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects import gpu, marks
from hologram.dialects.layouts import byte_size
from hologram.dialects.llvm import GlobalOp, LLVMArrayType
from hologram.errors import PassError
from hologram.lowering.blocks.flat_launches import drop_retyping, kernel_of
from hologram.lowering.blocks.kernel_records import kernels_of
from hologram.lowering.rewriting.entry_record import access_of, is_entry
from hologram.lowering.targets.llvm import build as ll
from hologram.support.walking import operations

CODE, CONTEXT = "hologram_device_code", "hologram_device_context"
LAUNCH, ALLOC, FREE, COPY = (f"hologram_device_{name}" for name in ("launch", "alloc", "free", "copy"))
SIGNATURES: dict[str, tuple[Sequence[Attribute], Attribute | None]] = {
    LAUNCH: ([i64, i32, *[i64] * 7, ll.pointer()], None),
    ALLOC: ([i64, i64], i64),
    FREE: ([i64, i64], None),
    COPY: ([i64] * 4, None),
}
"""The functions of the runtime that host code calls; the page on the launch ABI says what they do."""
MOST_BYTES = 2**63 - 1024
"""What is asked for where a size is larger than can be."""

OpT = TypeVar("OpT", bound=Operation)


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
                _say_access(function, binary, kernels)
            for function in functions:
                _Converter(function, binary.sym_name.data, numbers).run()
            _keep_code(op, binary, kernels)
            op.body.block.erase_op(binary)
        op.attributes.pop("gpu.container_module", None)


def _say_access(function: func.FuncOp, binary: gpu.BinaryOp, kernels: list[dict[str, Any]]) -> None:
    """Writes to the arguments of an entry how the kernels use them, as long as the launches can be seen."""
    arguments = {kernel["name"]: kernel["arguments"] for kernel in kernels}

    def launched(op: Operation, number: int) -> str | None:
        if not isinstance(op, gpu.LaunchFuncOp) or op.kernel.root_reference != binary.sym_name:
            return None
        place = number - (len(op.operands) - len(op.kernelOperands))
        found = arguments.get(kernel_of(op), [])
        return found[place]["access"] if 0 <= place < len(found) else "read"

    said = function.arg_attrs.data if function.arg_attrs is not None else ()
    written: list[DictionaryAttr] = []
    for number, argument in enumerate(function.body.blocks[0].args):
        attributes = dict(said[number].data) if number < len(said) else {}
        if isinstance(argument.type, MemRefType):
            attributes[marks.ACCESS] = StringAttr(access_of(argument, launched))
        written.append(DictionaryAttr(attributes))
    function.properties["arg_attrs"] = ArrayAttr(written)


def _keep_code(module: ModuleOp, binary: gpu.BinaryOp, kernels: list[dict[str, Any]]) -> None:
    """Declares the code, the context and the runtime's functions, and says what the records say."""
    found = binary.objects.data[0]
    kind = LLVMArrayType(len(found.data) + 1, i8)
    code = gpu.ObjectAttr.of(found.target, "bin", found.data + b"\0").code
    zero = IntegerAttr(0, i64)
    block = module.body.block
    block.add_op(GlobalOp(kind, CODE, value=code, constant=True, alignment=16))
    block.add_op(GlobalOp(i64, CONTEXT, value=zero))
    for name, (inputs, output) in SIGNATURES.items():
        block.add_op(ll.function(name, inputs, output))
    said = {key: cast("StringAttr", binary.attributes[f"hologram.{key}"]).data for key in ("format", "target")}
    device = {
        "kind": cast("StringAttr", binary.attributes[marks.DEVICE]).data,
        **said,
        "bytes": len(found.data),
        "kernels": kernels,
    }
    module.attributes[marks.DEVICE] = StringAttr(json.dumps(device, separators=(",", ":")))


@dataclass
class _Converter:
    """One host function."""

    function: func.FuncOp
    module: str
    numbers: dict[str, int]
    at: Operation | None = None
    slots: dict[Attribute, list[SSAValue]] = field(default_factory=dict[Attribute, list[SSAValue]])

    def run(self) -> None:
        rules: dict[type[Operation], Callable[[Any], None]] = {
            gpu.LaunchFuncOp: self._launch,
            memref.AllocOp: self._alloc,
            memref.DeallocOp: self._free,
            memref.CopyOp: self._copy,
        }
        for op in operations(self.function):
            if (rule := rules.get(type(op))) is not None:
                self.at = op
                rule(op)
                Rewriter.erase_op(op)

    # Emitting

    def _add(self, op: OpT) -> OpT:
        assert self.at is not None
        block = self.at.parent_block()
        assert block is not None
        op.location = self.at.location
        block.insert_op_before(op, self.at)
        return op

    def _llvm(self, name: str, operands: Sequence[SSAValue], result: Attribute | None, **properties: Any) -> SSAValue:
        op = self._add(ll.build(name, operands, () if result is None else (result,), properties))
        return op.results[0] if result is not None else op  # pyright: ignore[reportReturnType]

    def _word(self, value: SSAValue) -> SSAValue:
        """An integer or index as an i64."""
        return value if value.type == i64 else self._add(arith.IndexCastOp(value, i64)).result

    def _number(self, value: int, type: IntegerType = i64) -> SSAValue:
        return self._add(arith.ConstantOp(IntegerAttr(value, type))).result

    def _call(self, name: str, operands: Sequence[SSAValue]) -> Operation:
        inputs, output = SIGNATURES[name]
        address = self._llvm("mlir.addressof", (), ll.pointer(), global_name=SymbolRefAttr(CONTEXT))
        context = self._llvm("load", (address,), i64, **ll.NOT_ATOMIC)
        assert len(operands) + 1 == len(inputs)
        return self._add(ll.call_of(name, [context, *operands], () if output is None else (output,)))

    def _stack(self, type: Attribute, number: int) -> SSAValue:
        """The place for the argument with this number, in the function's entry: loops do not grow the stack."""
        known = self.slots.setdefault(type, [])
        while len(known) <= number:
            known.append(self._reserve(type, 1))
        return known[number]

    def _reserve(self, type: Attribute, count: int) -> SSAValue:
        first = self.function.body.blocks[0].first_op
        assert first is not None
        size = ll.build("mlir.constant", (), (i64,), {"value": IntegerAttr(count, i64)})
        made = ll.build("alloca", size.results, (ll.pointer(),), {"elem_type": type, "alignment": ll.alignment(8)})
        block = self.function.body.blocks[0]
        for op in (size, made):
            op.location = self.function.location
            block.insert_op_before(op, first)
        return made.results[0]

    # Rules

    def _launch(self, op: gpu.LaunchFuncOp) -> None:
        target = (op.kernel.root_reference.data, *(n.data for n in op.kernel.nested_references))
        if target[0] != self.module or target[-1] not in self.numbers:
            raise PassError(
                op,
                "launch-kernel-unknown",
                f"the gpu.binary '{self.module}' has no kernel {op.kernel}",
                hint=f"its kernels are {', '.join(self.numbers) or 'none'}",
            )
        sizes = [op.gridSizeX, op.gridSizeY, op.gridSizeZ, op.blockSizeX, op.blockSizeY, op.blockSizeZ]
        words = [self._word(v) for v in sizes]
        shared = op.dynamicSharedMemorySize
        words.append(self._number(0) if shared is None else self._extended(shared))
        number = self._number(self.numbers[target[-1]], i32)
        self._call(LAUNCH, [number, *words, self._arguments(list(op.kernelOperands))])

    def _extended(self, value: SSAValue) -> SSAValue:
        return self._add(arith.ExtUIOp(value, i64)).result

    def _arguments(self, values: Sequence[SSAValue]) -> SSAValue:
        """An array of pointers to the values."""
        kind = LLVMArrayType(max(len(values), 1), ll.pointer())
        array = self._reserve(kind, 1)
        counts: dict[Attribute, int] = {}
        for number, value in enumerate(values):
            slot = self._slot(value, counts)
            place = self._llvm(
                "getelementptr",
                (array,),
                ll.pointer(),
                rawConstantIndices=DenseArrayBase.from_list(i32, [number]),
                elem_type=ll.pointer(),
                noWrapFlags=IntegerAttr(0, i32),
            )
            self._llvm("store", (slot, place), None, **ll.NOT_ATOMIC)
        return array

    def _slot(self, value: SSAValue, counts: dict[Attribute, int]) -> SSAValue:
        """Where the value of an argument is: tensor maps are in memory already."""
        passed = self._passed(value)
        if passed.type == ll.pointer():
            return passed
        slot = self._stack(passed.type, counts.get(passed.type, 0))
        counts[passed.type] = counts.get(passed.type, 0) + 1
        self._llvm("store", (passed, slot), None, **ll.NOT_ATOMIC)
        return slot

    def _passed(self, value: SSAValue) -> SSAValue:
        """What is passed of an argument: the address of a buffer, an index as a word, a truth value as a byte."""
        if isinstance(value.type, MemRefType):
            return self._address(value)
        if isinstance(value.type, IndexType):
            return self._word(value)
        return self._add(arith.ExtUIOp(value, i8)).result if value.type == i1 else value

    def _address(self, value: SSAValue) -> SSAValue:
        return self._word(self._add(memref.ExtractAlignedPointerAsIndexOp.get(value)).aligned_pointer)

    def _alloc(self, op: memref.AllocOp) -> None:
        """Memory of the device, of a size that can't be where the product of its sizes is."""
        sizes = [self._word(v) for v in op.dynamic_sizes]
        address = self._call(ALLOC, [self._bytes(op.memref.type, sizes)]).results[0]
        pointer = self._llvm("inttoptr", (address,), ll.pointer())
        cast_op = self._add(UnrealizedConversionCastOp.get([pointer, *sizes], [op.memref.type]))
        cast_op.results[0].name_hint = op.memref.name_hint
        op.memref.replace_all_uses_with(cast_op.results[0])

    def _bytes(self, type: MemRefType[Attribute], sizes: Sequence[SSAValue]) -> SSAValue:
        fixed = 1 if type.element_type == i1 else byte_size(type.element_type) or 1
        for size in type.get_shape():
            fixed *= 1 if size == DYNAMIC_INDEX else size
        total = self._number(min(fixed, MOST_BYTES))
        if not sizes:
            return total
        # The product may wrap; in f64 it does not.
        large = self._add(arith.ConstantOp(FloatAttr(float(fixed), f64))).result
        for size in sizes:
            total = self._add(arith.MuliOp(total, size)).result
            number = self._add(arith.UIToFPOp(size, f64)).result
            large = self._add(arith.MulfOp(large, number)).result
        most = self._add(arith.ConstantOp(FloatAttr(float(MOST_BYTES), f64))).result
        fits = self._add(arith.CmpfOp(large, most, "ole")).result
        return self._add(arith.SelectOp(fits, total, self._number(MOST_BYTES))).result

    def _free(self, op: memref.DeallocOp) -> None:
        self._call(FREE, [self._address(op.memref)])

    def _copy(self, op: memref.CopyOp) -> None:
        source, target = (cast("MemRefType[Attribute]", v.type) for v in (op.source, op.destination))
        if not (isinstance(source.layout, NoneAttr) and isinstance(target.layout, NoneAttr)):
            raise PassError(
                op,
                "device-copy-strided",
                "a host copies whole buffers of a device, not views with strides",
                hint="run convert-parallel-loops-to-gpu first, which makes a launch of it",
            )
        sizes = [
            self._word(self._add(memref.DimOp(op.source, self._index(axis))).result)
            for axis, size in enumerate(source.get_shape())
            if size == DYNAMIC_INDEX
        ]
        self._call(COPY, [self._address(op.destination), self._address(op.source), self._bytes(source, sizes)])

    def _index(self, value: int) -> SSAValue:
        return self._add(arith.ConstantOp(IntegerAttr(value, IndexType()))).result


__all__ = ["ALLOC", "CODE", "CONTEXT", "COPY", "FREE", "LAUNCH", "SIGNATURES", "ConvertGpuLaunchToLLVMPass"]
