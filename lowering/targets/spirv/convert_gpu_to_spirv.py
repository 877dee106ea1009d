"""Turns the kernels of a `gpu.module` into a `spirv.module` for Vulkan."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import (
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.dialects.memref import AtomicRMWOp, ExtractAlignedPointerAsIndexOp, GlobalOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import gpu, marks, spirv
from hologram.dialects.llvm import FenceOp
from hologram.dialects.memref import GenericAtomicRMWOp
from hologram.errors import PassError
from hologram.errors.limits import check_operations
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.rewriting.hidden_arguments import TRAP
from hologram.lowering.rewriting.traps import FUNCTIONS, MOST_EXITS
from hologram.lowering.targets.spirv import addresses as addresses_to_spirv
from hologram.lowering.targets.spirv import arith as arith_to_spirv
from hologram.lowering.targets.spirv import build as sb
from hologram.lowering.targets.spirv import memref as memref_to_spirv
from hologram.lowering.targets.spirv import scf
from hologram.lowering.targets.spirv.interface import BOUND, record_trap, scalar_block, triple_of
from hologram.support.option_ranges import Natural
from hologram.support.walking import operations

RULES = Rules()
PREFIX = "__spv__"
"""What the name of a spirv.module starts with, as upstream has it."""
Controls = Sequence[tuple[str, int]]
"""Execution modes of floats, and the widths they are for."""
AXES = ("x", "y", "z")
SIZES = tuple(f"block_size_{axis}" for axis in AXES)
"""The specialisation constants that hold the size of blocks where it is given at launch."""
WORKGROUP_ORDER = "AcquireRelease|WorkgroupMemory"


@dataclass(frozen=True)
class ConvertGpuToSpirvPass(ModulePass):
    """Puts a `spirv.module` with an entry point for each kernel into each `gpu.module`, whose kernels stay.

    The kernels are in the flat form. Buffers are storage buffers of descriptor set 0, or uniform texel buffers where
    an argument has `hologram.texels`, with bindings in the order of the arguments; they are addresses where a kernel of
    the module has many or computes with addresses. Scalars are one struct, as the page on the launch ABI says. `index`
    has 32 bits. A lane that traps ends, unless lanes of the kernel wait for each other, or there are many places where
    it could: then it goes on without touching memory. Atomics order nothing. What a block waits for is ordered: a
    barrier has the semantics AcquireRelease of workgroup memory (0x108), and of buffers where the kernel reads what it
    writes.

    `float_controls` lists execution modes of floats that the device has, as `SignedZeroInfNanPreserve:32`, or `none`.
    Without DenormPreserve:32 comparisons of f32 that choose one of their operands compare bits. `shared_bytes` is the
    memory of a block: as much is declared where the launch says how much it uses. `rough_roots` says that square roots
    of f32 need a step of Newton's method, in which fma rounds once.

    Before::

        gpu.module @kernels {
          gpu.func @k(%a: memref<?xf32> {hologram.access = "write"}) kernel {
            memref.store %v, %a[%i] : memref<?xf32>

    After::

        spirv.module @__spv__kernels Logical GLSL450 requires #spirv.vce<v1.5, [Shader], []> {
          spirv.GlobalVariable @k_0 bind(0, 0)
          spirv.func @k() "None" {
            %a = spirv.mlir.addressof @k_0
            %p = spirv.AccessChain %a[%c0, %i]
            spirv.Store "StorageBuffer" %p, %v : f32
          spirv.EntryPoint "GLCompute" @k, @k_0
    """

    name = "convert-gpu-to-spirv"

    float_controls: tuple[str, ...] = ("none",)
    shared_bytes: Natural = 16384
    rough_roots: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        parts = [arith_to_spirv, memref_to_spirv, addresses_to_spirv, scf]
        rules = Rules.merge([*(part.RULES for part in parts), RULES])
        for module in [o for o in op.body.block.ops if isinstance(o, gpu.ModuleOp)]:
            controls = self._controls(module)
            flushes = ("DenormPreserve", 32) not in controls
            shared = sb.Shared(self.shared_bytes, flushes=flushes, rough_roots=self.rough_roots)
            module.body.block.add_op(_Module(module, rules, controls, shared).convert())

    def _controls(self, op: Operation) -> list[tuple[str, int]]:
        controls: list[tuple[str, int]] = []
        for text in self.float_controls if self.float_controls != ("none",) else ():
            mode, _, width = text.partition(":")
            if mode not in spirv.ExecutionModeAttr.NUMBERS or width not in ("16", "32", "64"):
                raise PassError(
                    op,
                    "spirv-float-control",
                    f"'{text}' is no execution mode of floats",
                    hint="write for example SignedZeroInfNanPreserve:32",
                )
            controls.append((mode, int(width)))
        return controls


class _Module:
    """The conversion of one gpu.module."""

    def __init__(self, module: gpu.ModuleOp, rules: Rules, controls: Controls, shared: sb.Shared):
        self.module, self.rules, self.controls, self.shared = module, rules, controls, shared
        for op in module.body.block.ops:
            if isinstance(op, func.FuncOp):
                self.shared.functions[op.sym_name.data] = op
            elif isinstance(op, GlobalOp):
                self.shared.tables[op.sym_name.data] = op

    def convert(self) -> spirv.ModuleOp:
        """The spirv.module."""
        kernels = [o for o in self.module.body.block.ops if isinstance(o, gpu.FuncOp) and o.kernel is not None]
        self.shared.are_addresses = any(_has_many(kernel) for kernel in kernels) or any(
            addresses_to_spirv.computes_addresses(op) for op in operations(self.module)
        )
        functions: list[spirv.FuncOp] = []
        last: list[Operation] = []
        for kernel in kernels:
            reached = reached_from(kernel, self.shared)
            word = sb.WIDE_WORD if any(map(_is_wide, reached)) else sb.WORD
            types = [sb.type_conversion(word), addresses_to_spirv.address_type]
            walk = SpirvWalk(Rules(types, self.rules.table), self.shared, word, reached)
            functions.append(walk.kernel_function(kernel))
            last += self._entry(kernel, functions[-1], sb.kernel_of(walk))
        self._agree_on_bindings()
        block = Block([*self.shared.module_ops.values(), *functions, *last])
        module = spirv.ModuleOp(PREFIX + self.module.sym_name.data, Region(block))
        module.location = self.module.location
        triple = module.properties["vce_triple"] = triple_of(module)
        if any(c.data == "PhysicalStorageBufferAddresses" for c in triple.capabilities):
            module.properties["addressing_model"] = spirv.AddressingModelAttr("PhysicalStorageBuffer64")
        return module

    def _agree_on_bindings(self) -> None:
        """Says of a binding that it is not written only where no kernel of the module writes what it has there: drivers
        may tell variables of a module apart by their bindings alone."""
        variables = [op for op in self.shared.module_ops.values() if isinstance(op, spirv.GlobalVariableOp)]
        bound = [op for op in variables if op.binding is not None]
        written = {op.binding for op in bound if "non_writable" not in op.attributes}
        for op in bound:
            if op.binding in written:
                op.attributes.pop("non_writable", None)

    def _entry(self, kernel: gpu.FuncOp, function: spirv.FuncOp, state: sb.Kernel) -> list[Operation]:
        name = function.sym_name.data
        size = list(state.block_size or (1, 1, 1))
        modes = [spirv.ExecutionModeOp(name, "LocalSize", size)]
        widths = {w for w in (16, 32, 64) if _computes(function, w)}
        modes += [spirv.ExecutionModeOp(name, mode, [width]) for mode, width in self.controls if width in widths]
        ops: list[Operation] = [spirv.EntryPointOp(name, sorted(state.used)), *modes]
        for op in ops:
            op.location = kernel.location
        return ops


def _computes(function: spirv.FuncOp, width: int) -> bool:
    return any(
        spirv.is_float(r.type) and sb.width_of(r.type) == width for op in operations(function) for r in op.results
    )


def _has_many(kernel: gpu.FuncOp) -> bool:
    return sum(isinstance(type, MemRefType) for type in kernel.function_type.inputs) > BOUND


def _is_wide(op: Operation) -> bool:
    """Return whether it is an index that 32 bits don't hold, which is computed with where no size is meant."""
    if isinstance(op, ExtractAlignedPointerAsIndexOp):
        return True
    if not isinstance(op, arith.ConstantOp) or not isinstance(op.result.type, IndexType):
        return False
    return isinstance(op.value, IntegerAttr) and not -(2**31) <= op.value.value.data < 2**31


def reached_from(op: Operation, shared: sb.Shared) -> list[Operation]:
    """The operations of a kernel, and those of the functions that it calls."""
    reached, pending, seen = list[Operation](), [op], set[str](FUNCTIONS)
    while pending:
        for inner in operations(pending.pop()):
            reached.append(inner)
            name = _called(inner) if isinstance(inner, func.CallOp) else ""
            if name in shared.functions and name not in seen:
                seen.add(name)
                pending.append(shared.functions[name])
    return reached


def _inlined(op: Operation, shared: sb.Shared) -> tuple[int, int]:
    """How many operations there are with functions in place of their calls, and places where a lane may leave."""
    inner = operations(op)
    count, exits = len(inner), sum(isinstance(o, cf.AssertOp) for o in inner)
    for name in (_called(o) for o in inner if isinstance(o, func.CallOp)):
        if name in FUNCTIONS or (callee := shared.functions.get(name)) is None:
            continue
        if name not in shared.inlined:
            shared.inlined[name] = sys.maxsize, 0  # What calls itself has no end.
            shared.inlined[name] = _inlined(callee, shared)
        more, leaving = shared.inlined[name]
        count, exits = count + more, exits + leaving
    return count, exits


def _called(op: func.CallOp) -> str:
    return op.callee.root_reference.data


class SpirvWalk(sb.SpirvRewriter):
    """The walk over one kernel."""

    def __init__(self, rules: Rules, shared: sb.Shared, word: IntegerType, reached: Sequence[Operation]):
        super().__init__(rules, shared)
        self.word, self.reached = word, reached
        self.waits = any(isinstance(o, gpu.BarrierOp) for o in reached)

    def kernel_function(self, op: gpu.FuncOp) -> spirv.FuncOp:
        """The function for a kernel."""
        name = op.sym_name.data
        reads = {a.data[marks.ACCESS] for a in op.arg_attrs or () if marks.ACCESS in a.data}
        shared_too = any(str(r) == '"readwrite"' for r in reads)
        self.kernel = sb.Kernel(
            name,
            Block(),
            self.word,
            WORKGROUP_ORDER.replace("|", "|UniformMemory|") if shared_too else WORKGROUP_ORDER,
            block_size=[*op.known_block_size.iter_values()] if op.known_block_size is not None else None,
            as_integers=self._updated(),
        )
        self._source = op
        region = self.region(op.body, entry=lambda old, new: self._enter(op, old, new))
        function = spirv.FuncOp(name, FunctionType.from_lists([], []), region)
        function.location = op.location
        return function

    def _updated(self) -> frozenset[SSAValue]:
        """The buffers of floats that an atomic operation needs as integers; those of callees by their arguments."""
        updated = {o.memref for o in self.reached if isinstance(o, AtomicRMWOp | GenericAtomicRMWOp)}
        # A callee's argument stands for what is passed for it, until nothing is added.
        while True:
            more = {
                call.arguments[number]
                for call in self.reached
                if isinstance(call, func.CallOp) and (callee := self.shared.functions.get(_called(call)))
                for block in callee.body.blocks
                for number, argument in enumerate(block.args)
                if argument in updated
            }
            if more <= updated:
                return frozenset(updated)
            updated |= more

    # The entry

    def _enter(self, op: gpu.FuncOp, old: Block, new: Block) -> None:
        kernel = sb.kernel_of(self)
        kernel.entry = new
        addresses = self._make_scalars(op)
        binding = 0
        attributes = op.arg_attrs.data if op.arg_attrs is not None else ()
        for number, argument in enumerate(old.args[: op.argument_count]):
            if isinstance(argument.type, MemRefType):
                given: Mapping[str, Attribute] = attributes[number].data if number < len(attributes) else {}
                self._bind(argument, binding, given, None if addresses is None else addresses(binding))
                binding += 1
        for number, argument in enumerate(op.workgroup):
            type = cast("MemRefType[Attribute]", argument.type)
            held = sb.held_type(self, argument)
            pointer = self.declare_global(f"{kernel.name}_shared_{number}", sb.pointer_to(type, held))
            kernel.buffers[argument] = sb.Buffer(type, pointer, held)
        for argument in op.private:
            sb.private_array(self, argument)
        count, exits = _inlined(op, self.shared)
        check_operations(count, op, "the kernel with functions in place of their calls")
        if exits > (0 if self.waits else MOST_EXITS):
            kernel.alive = sb.variable(self, i1)
            sb.store(self, kernel.alive, sb.constant(self, 1, i1))

    def _bind(self, argument: SSAValue, binding: int, given: Mapping[str, Attribute], address: SSAValue | None) -> None:
        kernel = sb.kernel_of(self)
        type = cast("MemRefType[Attribute]", argument.type)
        name = f"{kernel.name}_{binding}"
        is_trap = TRAP.attribute in given
        held = i32 if is_trap else sb.held_type(self, argument)
        image = None
        if address is not None:
            pointer = sb.emit(self, "ConvertUToPtr", (address,), sb.pointer_to(type, held, sb.PHYSICAL))
        elif marks.TEXELS in given:
            texels = spirv.PointerType.to(spirv.ImageType.of(spirv.element_of(held), *spirv.TEXELS), "UniformConstant")
            pointer = self.declare_global(name, texels, binding=(0, binding))
            image = sb.load(self, pointer)
        else:
            pointer = self.declare_global(name, sb.pointer_to(type, held), binding=(0, binding))
            variable = self.shared.module_ops[name]
            if str(given.get(marks.ACCESS)) == '"read"':
                variable.attributes["non_writable"] = UnitAttr()
            if marks.ALIASED not in given:
                variable.attributes["restrict"] = UnitAttr()
        if is_trap:
            kernel.trap = pointer
        else:
            kernel.buffers[argument] = sb.Buffer(type, pointer, held, address, image)

    def _make_scalars(self, op: gpu.FuncOp) -> Callable[[int], SSAValue] | None:
        """Defines what the scalars became; gives what loads the addresses of buffers, where they are passed so."""
        kernel = sb.kernel_of(self)
        arguments = [*op.body.blocks[0].args[: op.argument_count]]
        scalars = [a for a in arguments if not isinstance(a.type, MemRefType)]
        buffers = len(arguments) - len(scalars)
        first = buffers if self.shared.are_addresses else 0
        tags = op.arg_attrs.data if op.arg_attrs is not None else ()
        firsts = [first + n for n, a in enumerate(scalars) if a.index < len(tags) and marks.ALIGN in tags[a.index].data]
        block = scalar_block([*[i64] * first, *[a.type for a in scalars]], firsts)
        struct = spirv.StructType.of(block.types, block.offsets)
        storage = "PushConstant" if block.is_pushed else "StorageBuffer"
        type = spirv.PointerType.to(struct, storage)
        place = None if block.is_pushed else (0, buffers - first)
        name = f"{kernel.name}_scalars"

        def member(number: int) -> SSAValue:
            known = name in self.shared.module_ops
            base = self.declare_global(name, type, binding=place)
            if not known and place is not None:
                self.shared.module_ops[name].attributes["non_writable"] = UnitAttr()
            pointer = sb.element(self, base, [sb.constant(self, number)], block.types[number])
            return sb.load(self, pointer)

        for number, argument in enumerate(scalars):
            if argument.uses:
                self.define(argument, self._unpacked(member(first + number), self.type(argument.type)))
        kernel.grid = lambda axis: member(first + len(scalars) + AXES.index(axis))
        return member if first else None

    def _unpacked(self, value: SSAValue, type: Attribute) -> SSAValue:
        """A scalar from the slot that holds it."""
        if value.type == type:
            return value
        if spirv.is_float(type):
            bits = sb.resize(self, value, sb.bits_type(type), signed=False)
            return sb.bitcast(self, bits, type)
        return sb.resize(self, value, type, signed=True)


# Ids


def _define_index(rw: Rewriter, op: gpu.IdOp, value: SSAValue) -> None:
    rw.define(op.result, sb.resize(rw, value, rw.type(op.result.type), signed=False))


def _builtin_rule(built_in: str) -> Callable[[Rewriter, Any], None]:
    def rule(rw: Rewriter, op: gpu.IdOp) -> None:
        _define_index(rw, op, builtin(rw, built_in, AXES.index(str(op.dimension.data))))

    return rule


def builtin(rw: Rewriter, name: str, axis: int) -> SSAValue:
    """A component of a vector that the device passes, read at the start of the kernel."""
    vector = VectorType(i32, [3])
    type = spirv.PointerType.to(vector, "Input")
    walk, kernel = sb.walk(rw), sb.kernel_of(rw)

    def read() -> SSAValue:
        pointer = walk.declare_global(f"__builtin__{name}__", type, built_in=name)
        op = spirv.build("Load", (pointer,), (vector,))
        rw.emit_at_entry(op)
        part = spirv.build("CompositeExtract", op.results, (i32,), {"indices": spirv.i32_array([axis])})
        rw.emit_at_entry(part)
        return part.results[0]

    return rw.once(("built-in", name, axis), read, scope=kernel.entry)


RULES.on(gpu.ThreadIdOp)(_builtin_rule("LocalInvocationId"))
RULES.on(gpu.BlockIdOp)(_builtin_rule("WorkgroupId"))


def block_size(rw: Rewriter, axis: str) -> SSAValue:
    """The size of a block: a constant, or a specialisation constant that the launch gives."""
    kernel = sb.kernel_of(rw)
    if kernel.block_size is not None:
        return sb.constant(rw, kernel.block_size[AXES.index(axis)])
    walk = sb.walk(rw)
    for number, name in enumerate(SIZES):
        walk.shared.module_ops.setdefault(name, spirv.SpecConstantOp(name, IntegerAttr(1, i32), number))
    name = SIZES[AXES.index(axis)]
    op = spirv.ReferenceOfOp.create(properties={"spec_const": SymbolRefAttr(name)}, result_types=[i32])
    return rw.emit(op).reference


@RULES.on(gpu.BlockDimOp)
def block_dim(rw: Rewriter, op: gpu.BlockDimOp) -> None:
    _define_index(rw, op, block_size(rw, str(op.dimension.data)))


@RULES.on(gpu.GridDimOp)
def grid_dim(rw: Rewriter, op: gpu.GridDimOp) -> None:
    grid = sb.kernel_of(rw).grid
    assert grid is not None
    _define_index(rw, op, grid(str(op.dimension.data)))


@RULES.on(gpu.GlobalIdOp)
def global_id(rw: Rewriter, op: gpu.GlobalIdOp) -> None:
    axis = str(op.dimension.data)
    block = builtin(rw, "WorkgroupId", AXES.index(axis))
    start = sb.Spirv(rw).mul(block, block_size(rw, axis))
    lane = builtin(rw, "LocalInvocationId", AXES.index(axis))
    _define_index(rw, op, sb.Spirv(rw).add(start, lane))


# Barriers, traps, calls, ends


@RULES.on(gpu.BarrierOp)
def barrier(rw: Rewriter, op: gpu.BarrierOp) -> None:
    scope = spirv.ScopeAttr("Workgroup")
    semantics = spirv.MemorySemanticsAttr(sb.kernel_of(rw).semantics)
    properties = {"execution_scope": scope, "memory_scope": scope, "memory_semantics": semantics}
    rw.emit(spirv.ControlBarrierOp.create(properties=properties))


@RULES.on(FenceOp)
def fence(rw: Rewriter, op: FenceOp) -> None:
    """A fence of the block, or of the device; of the system there is none, and the device's is the widest."""
    syncscope = op.properties.get("syncscope")
    scope = "Workgroup" if syncscope is not None and "block" in str(syncscope) else "Device"
    properties = {
        "memory_scope": spirv.ScopeAttr(scope),
        "memory_semantics": spirv.MemorySemanticsAttr("AcquireRelease|UniformMemory|WorkgroupMemory"),
    }
    rw.emit(spirv.MemoryBarrierOp.create(properties=properties))


@RULES.on(cf.AssertOp)
def check(rw: Rewriter, op: cf.AssertOp) -> None:
    """A lane whose condition does not hold ends, or goes on without touching memory."""
    kernel, condition = sb.kernel_of(rw), rw.value(op.arg)
    if kernel.alive is not None:
        still = sb.Spirv(rw).both(sb.load(rw, kernel.alive), condition)
        sb.store(rw, kernel.alive, still)
        return
    with sb.selection(rw, sb.Spirv(rw).op("LogicalNot", condition)):
        rw.emit(spirv.ReturnOp.create())


@RULES.on(gpu.ReturnOp)
def leave(rw: Rewriter, op: gpu.ReturnOp) -> None:
    rw.emit(spirv.ReturnOp.create())


@RULES.on(func.CallOp)
def call(rw: Rewriter, op: func.CallOp) -> None:
    """Functions are inlined: a lane that traps in one ends the kernel. What records a trap is a function of its own."""
    name = op.callee.root_reference.data
    walk, kernel = sb.walk(rw), sb.kernel_of(rw)
    if name in FUNCTIONS:
        record_trap(rw, [rw.value(v) for v in op.arguments[1:]])
        return
    if (callee := walk.shared.functions.get(name)) is None or not callee.body.blocks:
        raise PassError(
            op, "spirv-call", f"'{name}' is no function of the module", hint="kernels can call functions beside them"
        )
    passed: list[tuple[SSAValue, ...]] = []
    for argument, value in zip(callee.body.block.args, op.arguments, strict=True):
        if isinstance(value.type, MemRefType):
            if value in kernel.buffers:
                kernel.buffers[argument] = kernel.buffers[value]
            passed.append(())
        else:
            passed.append((rw.value(value),))
    rw.inline(callee.body.block, *passed)
    last = callee.body.block.last_op
    for result, value in zip(op.results, () if last is None else last.operands, strict=True):
        rw.define(result, rw.value(value))
