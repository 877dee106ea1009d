"""The common part of conversions of device code to llvm: kernels, device functions, shared memory, ends of lanes.

A kernel of the flat form becomes an `llvm.func` with the attribute `gpu.kernel`: its parameters are a bare pointer for
each buffer and the scalars, in order. Workgroup attributions become globals of the block's memory. Where they are more
than a block may have without asking, they lie one after the other in the memory that a launch asks for, and the
function says in `hologram.shared_bytes` how much that is.

The rules of gpu and memref that LLVM's GPU families share are here as well: positions are read from registers, atomics
and bare addresses are converted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, cast

from xdsl.dialects import cf, func
from xdsl.dialects import memref as xdsl_memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects import gpu, llvm, marks, memref
from hologram.dialects.layouts import as_memref, byte_size
from hologram.dialects.llvm import GlobalOp, LinkageAttr, LLVMArrayType
from hologram.errors import PassError
from hologram.lowering.rewriting import traps
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.rewriting.convert_scf_to_cf import RULES as STRUCTURED
from hologram.lowering.rewriting.reconcile_unrealized_casts import reconcile
from hologram.lowering.targets.llvm import build as ll
from hologram.lowering.targets.llvm.convert_cf_to_llvm import (
    emit_call,
    emit_return,
    go_on_if,
    need_blocks,
    shared_ending,
)
from hologram.lowering.targets.llvm.convert_to_llvm import rules_of
from hologram.lowering.targets.llvm.memref_atomics_to_llvm import ADDF, INSTRUCTIONS, Order, lower_generic_atomic
from hologram.lowering.targets.llvm.types import Size, Sizes, define_view, layout_or_error, llvm_types, size_value, view
from hologram.support.walking import enclosing, operations

AXES = (gpu.DimensionEnum.X, gpu.DimensionEnum.Y, gpu.DimensionEnum.Z)
KINDS = {kind: word for kind, word in INSTRUCTIONS.items() if kind != ADDF}
"""The kinds of atomics with an instruction everywhere: sums of f32 in memory of the device would flush subnormals."""


@dataclass(frozen=True)
class Registers:
    """The registers of a family that tell who a lane is: their names without the axis, and the most that they hold."""

    operations: Mapping[str, type[Any]]
    thread: str
    block: str
    block_size: str
    grid_size: str
    most_lanes: tuple[int, int, int]
    """The most lanes of a block along each axis."""
    most_blocks: tuple[int, int, int]
    """The most blocks along each axis."""

    def read(self, rw: Rewriter, name: str, least: int, below: int) -> SSAValue:
        """Emit a register as an i64; every block reads it once."""
        return rw.once((name, least, below), lambda: _read(rw, self.operations[name](below, least)))

    def thread_id(self, rw: Rewriter, op: Operation, axis: int) -> SSAValue:
        """Emit the lane's position in its block."""
        known = _known_sizes(op)
        below = self.most_lanes[axis] if known is None else known[axis]
        return self.read(rw, f"{self.thread}.{'xyz'[axis]}", 0, below)

    def block_id(self, rw: Rewriter, axis: int) -> SSAValue:
        """Emit the block's position in the grid."""
        return self.read(rw, f"{self.block}.{'xyz'[axis]}", 0, self.most_blocks[axis])

    def block_dim(self, rw: Rewriter, op: Operation, axis: int) -> Size:
        """Emit the number of lanes of the block, which the kernel may know."""
        known = _known_sizes(op)
        if known is not None:
            return known[axis]
        return self.read(rw, f"{self.block_size}.{'xyz'[axis]}", 1, self.most_lanes[axis] + 1)

    def grid_dim(self, rw: Rewriter, axis: int) -> SSAValue:
        """Emit the number of blocks of the grid."""
        return self.read(rw, f"{self.grid_size}.{'xyz'[axis]}", 1, self.most_blocks[axis] + 1)


def _known_sizes(op: Operation) -> Sequence[int] | None:
    kernel = kernel_of(op)
    known = None if kernel is None else kernel.known_block_size
    return None if known is None else cast(Sequence[int], known.get_values())


def _read(rw: Rewriter, register: Any) -> SSAValue:
    value = rw.emit(register).res
    return rw.emit(llvm.ZExtOp.create(operands=(value,), result_types=(i64,), properties={"nonNeg": UnitAttr()})).res


def _axis(op: gpu.IdOp) -> int:
    return AXES.index(op.dimension.data)


def device_rules(registers: Registers, order: Order) -> Rules:
    """Return the rules of a family with these registers, whose atomics have this order."""
    rules = Rules()

    @rules.on(gpu.ThreadIdOp)
    def thread_id(rw: Rewriter, op: gpu.ThreadIdOp) -> None:
        rw.define(op.result, registers.thread_id(rw, op, _axis(op)))

    @rules.on(gpu.BlockIdOp)
    def block_id(rw: Rewriter, op: gpu.BlockIdOp) -> None:
        rw.define(op.result, registers.block_id(rw, _axis(op)))

    @rules.on(gpu.BlockDimOp)
    def block_dim(rw: Rewriter, op: gpu.BlockDimOp) -> None:
        rw.define(op.result, size_value(rw, registers.block_dim(rw, op, _axis(op))))

    @rules.on(gpu.GridDimOp)
    def grid_dim(rw: Rewriter, op: gpu.GridDimOp) -> None:
        rw.define(op.result, registers.grid_dim(rw, _axis(op)))

    @rules.on(gpu.GlobalIdOp)
    def global_id(rw: Rewriter, op: gpu.GlobalIdOp) -> None:
        axis = _axis(op)
        first = Sizes(rw).mul(registers.block_id(rw, axis), registers.block_dim(rw, op, axis))
        rw.define(op.result, size_value(rw, Sizes(rw).add(first, registers.thread_id(rw, op, axis))))

    @rules.on(memref.GenericAtomicRMWOp)
    def generic_atomic(rw: Rewriter, op: memref.GenericAtomicRMWOp) -> None:
        lower_generic_atomic(rw, op, order)

    @rules.on(xdsl_memref.ExtractAlignedPointerAsIndexOp)
    def extract_pointer(rw: Rewriter, op: xdsl_memref.ExtractAlignedPointerAsIndexOp) -> None:
        """Emit a generic address: what reads a bare one does not know in which memory it is."""
        base = view(rw, op.source).pointer
        if base.type != ll.pointer():
            base = ll.emit(rw, "addrspacecast", (base,), ll.pointer())
        rw.define(op.aligned_pointer, ll.emit(rw, "ptrtoint", (base,), i64))

    return rules


MAP_BYTES, MAP_ALIGNMENT = 128, 64
_ACCESSES: Mapping[str, Mapping[str, Attribute]] = {
    "read": {"llvm.readonly": UnitAttr()},
    "write": {"llvm.writeonly": UnitAttr()},
    "readwrite": {},
}
BUFFER_ALIGNMENT = 16
"""What buffers start at a multiple of (isa.md section 4)."""
SHARED_ALIGNMENT = 128
"""What arrays of a block's memory start at a multiple of: the swizzles of the copy engine want more, and say so."""
SHARED_SPACE, GLOBAL_SPACE = 3, 1
SHARED_POINTER = ll.pointer(SHARED_SPACE)
_LAUNCHED = "launched_shared_memory"
"""The block's memory of a size that the launch gives."""


@dataclass(frozen=True)
class Family:
    """The particulars of a family of devices."""

    name: str
    """A key of `ADDRESS_SPACES`."""
    kernel: str
    """The attribute that marks a kernel."""
    static_shared: int
    """The number of bytes of shared memory that a kernel may declare."""
    block_size: str
    """The attribute for a block size that is known."""
    leave: Callable[[Rewriter], None]
    """Emits the end of a lane within a device function, and ends the block."""
    launched_bytes: Callable[[Rewriter], SSAValue] | None
    """Emits how much shared memory the launch asked for, as i64; None if a lane can't know."""
    shared_limit: int = 1 << 18
    """More shared memory than any device of the family has."""


def convert_device_module(module: gpu.ModuleOp, family: Family, more: Iterable[Rules]) -> None:
    """Convert the body of `module` in place, with the rules of core dialects and `more`."""
    _replace_body(module, Rewriter(STRUCTURED).region(module.body, keep_types=True))
    core = rules_of({o.name.partition(".")[0] for o in operations(module)})
    rules = Rules.merge([core, DeviceFunctions(family).rules(), *more])
    rewriter = Rewriter(Rules(llvm_types(family.name), rules.table))
    body = rewriter.region(module.body, keep_types=True)
    if rewriter.declarations:
        name = next(iter(rewriter.declarations))
        raise PassError(
            module,
            "device-library-call",
            f"device code needs the function @{name}, which devices have not",
            hint="allocate memory in the host's function and pass it to the kernel",
        )
    _replace_body(module, body)
    reconcile(module)


def _replace_body(module: gpu.ModuleOp, body: Region) -> None:
    module.detach_region(module.body)
    module.add_region(body)


class DeviceFunctions:
    """The rules for what device code is made of: kernels, functions, calls, assertions."""

    def __init__(self, family: Family):
        self.family = family
        self.shared = Shared("", (), (), (), 0, False, False)
        """The shared memory of the kernel that is being converted."""

    def rules(self) -> Rules:
        return Rules(
            table={
                gpu.FuncOp: self.gpu_function,
                gpu.ReturnOp: convert_return,
                gpu.DynamicSharedMemoryOp: self.dynamic_shared_memory,
                func.FuncOp: self.function,
                func.CallOp: convert_call,
                cf.AssertOp: self.assertion,
            }
        )

    # Kernels

    def gpu_function(self, rw: Rewriter, op: gpu.FuncOp) -> None:
        if op.kernel is None:
            return self.function(rw, op)
        self.shared = Shared.plan(rw, op, self.family)
        self.shared.declare(rw)
        inputs: list[Attribute] = []
        body = rw.region(op.body, entry=lambda old, new: self._make_entry(rw, op, inputs, old, new))
        properties: dict[str, Attribute] = {"arg_attrs": _argument_attributes(op)}
        rw.emit(ll.function(op.sym_name.data, inputs, None, body, properties, self._attributes(op)))

    def _attributes(self, op: gpu.FuncOp) -> dict[str, Attribute]:
        attributes = {name: value for name, value in op.attributes.items() if name not in _GONE}
        attributes |= {"gpu.kernel": UnitAttr(), self.family.kernel: UnitAttr()}
        if op.known_block_size is not None:
            attributes.setdefault(self.family.block_size, op.known_block_size)
        if self.shared.asked_for:
            attributes[marks.SHARED_BYTES] = IntegerAttr(self.shared.total, i64)
        return attributes

    def _make_entry(self, rw: Rewriter, op: gpu.FuncOp, inputs: list[Attribute], old: Block, new: Block) -> None:
        """Give a kernel's entry block its parameters, and define what attributions and arguments became."""
        arguments = old.args[: op.argument_count]
        parameters = [new.insert_arg(_parameter_type(rw, op, arg), len(new.args)) for arg in arguments]
        inputs += [parameter.type for parameter in parameters]
        for arg, parameter in zip(arguments, parameters, strict=True):
            parameter.name_hint = arg.name_hint
            _define_argument(rw, arg, parameter)
        for number, arg in enumerate(op.workgroup):
            _define_buffer(rw, arg, self.shared.address(rw, number))
        for arg in op.private:
            _define_private(rw, arg)

    def dynamic_shared_memory(self, rw: Rewriter, op: gpu.DynamicSharedMemoryOp) -> None:
        """Define the memory that the launch asked for, behind what the kernel keeps there itself."""
        if kernel_of(op) is None:
            raise PassError(
                op,
                "shared-memory-outside-kernel",
                "gpu.dynamic_shared_memory stands in a device function, which does not know what its kernel keeps",
                hint="pass the memory to the function as an argument",
            )
        kept = self.shared.total if self.shared.asked_for else 0
        pointer = ll.gep(rw, ll.address_of(rw, _LAUNCHED, SHARED_POINTER), i8, kept)
        if self.family.launched_bytes is None:
            size: Size = 0
        else:
            size = Sizes(rw, ll.NSW).add(self.family.launched_bytes(rw), -kept)
        define_view(rw, op.result, pointer, [size], lambda: [])

    # Device functions

    def function(self, rw: Rewriter, op: gpu.FuncOp | func.FuncOp) -> None:
        """Convert a function that kernels call."""
        inputs = rw.all_types(op.function_type.inputs)
        properties: dict[str, Attribute] = {"linkage": LinkageAttr("internal"), "convergent": UnitAttr()}
        name = op.sym_name.data
        if name in traps.FUNCTIONS:
            properties |= {"no_inline": UnitAttr(), "passthrough": ArrayAttr([StringAttr("cold")])}
        if not op.body.blocks:
            raise PassError(op, "device-function-missing", f"device code calls @{name}, which has no body here")
        rw.emit(ll.function(name, inputs, ll.result_type(rw, op), rw.region(op.body), properties))

    def assertion(self, rw: Rewriter, op: cf.AssertOp) -> None:
        """End the lane where the condition fails: what failed has been recorded before."""
        kernel = kernel_of(op)
        if kernel is not None:
            return go_on_if(rw, op, rw.value(op.arg))
        need_blocks(rw, op)
        ll.leave_unless(rw, rw.value(op.arg), shared_ending(rw, lambda: self.family.leave(rw)))


_GONE = ("sym_name", "workgroup_attributions", marks.SITES)
"""Attributes of a gpu.func that its llvm.func has not."""


def kernel_of(op: Operation) -> gpu.FuncOp | None:
    """Return the kernel that an operation stands in, None in a device function."""
    parent = enclosing(op, gpu.FuncOp, func.FuncOp)
    return parent if isinstance(parent, gpu.FuncOp) and parent.kernel is not None else None


def _argument_attributes(op: gpu.FuncOp) -> ArrayAttr[Attribute]:
    """Return what holds of each parameter: no buffers overlap, all are aligned, some are only read or only written."""
    given = op.arg_attrs.data if op.arg_attrs is not None else [DictionaryAttr({})] * op.argument_count
    arg_attrs: list[Attribute] = []
    for type, declared in zip(op.function_type.inputs, given, strict=True):
        attributes: dict[str, Attribute] = {}
        if as_memref(type) is not None:
            access = declared.data.get(marks.ACCESS)
            what = _ACCESSES.get(access.data if isinstance(access, StringAttr) else "readwrite", {})
            attributes = {"llvm.noalias": UnitAttr(), "llvm.align": IntegerAttr(BUFFER_ALIGNMENT, i64), **what}
        elif marks.TENSOR_MAP in declared.data:
            map = LLVMArrayType(MAP_BYTES, i8)
            attributes = {"llvm.byval": map, "llvm.align": IntegerAttr(MAP_ALIGNMENT, i64)}
            attributes["nvvm.grid_constant"] = UnitAttr()
        arg_attrs.append(DictionaryAttr(attributes | dict(declared.data)))
    return ArrayAttr(arg_attrs)


def _parameter_type(rw: Rewriter, op: gpu.FuncOp, arg: SSAValue) -> Attribute:
    if as_memref(arg.type) is None:
        kind = rw.type(arg.type)
        return i8 if kind == i1 else kind
    layout = layout_or_error(rw, arg.type)
    if not layout.identity or layout.dynamic > 1:
        raise PassError(
            op,
            "kernel-argument-not-flat",
            f"the kernel '{op.sym_name.data}' takes a {arg.type}, whose shape would have to come with it",
            hint="run flatten-kernels first",
        )
    return ll.pointer(GLOBAL_SPACE)


def _define_argument(rw: Rewriter, arg: SSAValue, parameter: SSAValue) -> None:
    if as_memref(arg.type) is None:
        return rw.define(arg, ll.byte_to_bool(rw, parameter) if arg.type == i1 else parameter)
    kind = rw.types(arg.type)[0]
    # LLVM finds out again that what comes of it is in global memory.
    pointer = parameter if parameter.type == kind else ll.emit(rw, "addrspacecast", (parameter,), kind)
    _define_buffer(rw, arg, pointer)


def _define_buffer(rw: Rewriter, arg: SSAValue, pointer: SSAValue) -> None:
    """Define a buffer, of which nothing asks for a size that did not come: flat kernels have no memref.dim of one."""
    layout = layout_or_error(rw, arg.type)
    define_view(rw, arg, pointer, [0 if s is None else s for s in layout.sizes], lambda: [])


def _define_private(rw: Rewriter, arg: SSAValue) -> None:
    alloca = xdsl_memref.AllocaOp.build(operands=[[], []], result_types=[arg.type])
    alloca.memref.name_hint = arg.name_hint
    rw.convert(alloca)
    rw.define(arg, *rw.values(alloca.memref))


def convert_return(rw: Rewriter, op: gpu.ReturnOp) -> None:
    emit_return(rw, rw.all_values(op.args))


def convert_call(rw: Rewriter, op: func.CallOp) -> None:
    """Convert a call without a look whether it trapped: a lane that did does not come back."""
    emit_call(rw, op, rw.all_values(op.arguments))


# Shared memory


@dataclass(frozen=True)
class Shared:
    """The places of a kernel's workgroup attributions."""

    name: str
    types: Sequence[Attribute]
    offsets: Sequence[int]
    alignments: Sequence[int]
    total: int
    asked_for: bool
    """Whether they lie in memory that each launch asks for, being too much to declare."""
    launched: bool
    """Whether the kernel uses memory of a size that the launch gives."""

    @staticmethod
    def plan(rw: Rewriter, op: gpu.FuncOp, family: Family) -> Shared:
        total = 0
        types: list[Attribute] = []
        offsets: list[int] = []
        alignments: list[int] = []
        for number, value in enumerate(op.workgroup):
            layout = layout_or_error(rw, value.type)
            count = prod(size or 0 for size in layout.sizes)
            alignment = _asked_alignment(op, number)
            total = -(-total // alignment) * alignment
            types.append(LLVMArrayType(count, layout.element))
            offsets.append(total)
            alignments.append(alignment)
            total += count * (byte_size(layout.element) or 0)
        if total > family.shared_limit:
            raise PassError(
                op,
                "kernel-shared-memory",
                f"the kernel '{op.sym_name.data}' keeps {total} bytes of shared memory, and no device has more than "
                f"{family.shared_limit}",
                hint="use smaller tiles",
            )
        asked_for = total > family.static_shared
        launched = asked_for or any(isinstance(o, gpu.DynamicSharedMemoryOp) for o in operations(op))
        return Shared(op.sym_name.data, types, offsets, alignments, total, asked_for, launched)

    def declare(self, rw: Rewriter) -> None:
        """Emit the globals, before the function."""
        if self.launched:
            rw.once(_LAUNCHED, lambda: rw.emit(_shared_global(_LAUNCHED, LLVMArrayType(0, i8), "external", 1024)))
        if self.asked_for:
            return
        for number, (type, alignment) in enumerate(zip(self.types, self.alignments, strict=True)):
            rw.emit(_shared_global(f"{self.name}_shared_{number}", type, "internal", alignment))

    def address(self, rw: Rewriter, number: int) -> SSAValue:
        """Emit the address of attribution `number`."""
        if not self.asked_for:
            return ll.address_of(rw, f"{self.name}_shared_{number}", SHARED_POINTER)
        return ll.gep(rw, ll.address_of(rw, _LAUNCHED, SHARED_POINTER), i8, self.offsets[number])


def _asked_alignment(op: gpu.FuncOp, number: int) -> int:
    given = op.workgroup_attrib_attrs
    declared = given.data[number] if given is not None else None
    alignment = declared.data.get(marks.ALIGNMENT) if isinstance(declared, DictionaryAttr) else None
    return alignment.value.data if isinstance(alignment, IntegerAttr) else SHARED_ALIGNMENT


def _shared_global(name: str, type: Attribute, linkage: str, alignment: int) -> Operation:
    return GlobalOp(type, name, linkage, alignment=alignment, addr_space=SHARED_SPACE)
