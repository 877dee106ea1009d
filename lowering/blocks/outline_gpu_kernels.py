"""Moves the bodies of launches into kernels of one gpu.module, with the functions and tables that they use."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects import gpu
from hologram.dialects.arith import constant_of
from hologram.dialects.op_builder import OpBuilder
from hologram.errors import PassError
from hologram.lowering.blocks.flat_launches import launch_of_kernel
from hologram.lowering.processor.outline_parallel_loops import VIEWS
from hologram.lowering.rewriting.hidden_arguments import ORDER, find
from hologram.support.splicing import move
from hologram.support.walking import enclosing, is_within, operations, symbol_of

KERNELS = "kernels"
"""What the gpu.module is called."""
IDS = (gpu.BlockIdOp, gpu.ThreadIdOp, gpu.GridDimOp, gpu.BlockDimOp)
"""What the first twelve arguments of a launch's body are, x, y and z of each."""


@dataclass(frozen=True)
class OutlineGpuKernelsPass(ModulePass):
    """Moves the body of each `gpu.launch` into a kernel, and launches that; joins all gpu.modules to `@kernels`.

    What the body uses from outside becomes arguments. Constants and views of buffers are made again inside, so that a
    buffer is one argument, however it is looked at. Buffers in workgroup memory become attributions. Functions that
    kernels call, and globals that they read, are copied into the gpu.module.

    Before::

        gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, ...) threads(%tx, %ty, %tz) in (%sx = %c128, ...) {
          %tile = memref.alloca() : memref<128xf32, #gpu.address_space<workgroup>>
          memref.store %v, %a[%tx] : memref<?xf32>
          gpu.terminator
        }

    After::

        gpu.launch_func @kernels::@f_kernel blocks in (%n, ...) threads in (%c128, ...)
          args(%v : f32, %a : memref<?xf32>)

        gpu.module @kernels {
          gpu.func @f_kernel(%v: f32, %a: memref<?xf32>) workgroup(%tile : memref<128xf32, ...>) kernel {
            %tx = gpu.thread_id x
            memref.store %v, %a[%tx] : memref<?xf32>
            gpu.return
          }
        }
    """

    name = "outline-gpu-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        launches = [o for o in operations(op) if isinstance(o, gpu.LaunchOp)]
        modules = [o for o in op.body.block.ops if isinstance(o, gpu.ModuleOp)]
        if not launches and not modules:
            return
        target = _join(op, modules)
        names = {name for o in target.body.block.ops if (name := symbol_of(o)) is not None}
        for launch in launches:
            _outline(launch, target, names)
        _copy_symbols(op, target)
        op.attributes["gpu.container_module"] = UnitAttr()


# One gpu.module


def _join(module: ModuleOp, modules: Sequence[gpu.ModuleOp]) -> gpu.ModuleOp:
    """The gpu.module that holds what all held."""
    taken = {symbol_of(o) for o in module.body.block.ops if o not in modules}
    name = _free(KERNELS, taken)
    target = gpu.ModuleOp(name, Region(Block()))
    target.location = modules[0].location if modules else module.location
    module.body.block.add_op(target)
    moved: dict[tuple[str, str], str] = {}
    taken = set[str | None]()
    for old in modules:
        for op in list(old.body.block.ops):
            symbol = symbol_of(op)
            op.detach()
            if symbol is None or _is_there(op, target):
                continue
            fresh = _free(symbol, taken)
            taken.add(fresh)
            moved[old.sym_name.data, symbol] = fresh
            if fresh != symbol:
                (op.properties if "sym_name" in op.properties else op.attributes)["sym_name"] = StringAttr(fresh)
            target.body.block.add_op(op)
        Rewriter.erase_op(old)
    for launch in operations(module):
        if isinstance(launch, gpu.LaunchFuncOp) and len(launch.kernel.nested_references) == 1:
            key = (launch.kernel.root_reference.data, launch.kernel.nested_references.data[0].data)
            if key in moved:
                launch.properties["kernel"] = SymbolRefAttr(name, [moved[key]])
    return target


def _is_there(op: Operation, target: gpu.ModuleOp) -> bool:
    """Return whether an equal function is there already, such as those that fill the trap record."""
    others = [o for o in target.body.block.ops if symbol_of(o) == symbol_of(op)]
    return isinstance(op, func.FuncOp) and any(o.is_structurally_equivalent(op) for o in others)


def _free(base: str, taken: Collection[str | None]) -> str:
    name, number = base, 0
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    return name


# Launches


@dataclass
class _Captures:
    """The values that a launch uses from outside: arguments, or values that are computed again in the kernel."""

    launch: gpu.LaunchOp
    entry: Block
    arguments: list[SSAValue] = field(default_factory=list[SSAValue])
    inside: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    made: list[Operation] = field(default_factory=list[Operation])

    def replace(self) -> None:
        """Has all operations of the body use values of the kernel."""
        body = self.launch.body.block
        for op in operations(self.launch)[1:]:
            op.operands = [v if is_within(v, self.launch) else self.value(v) for v in op.operands]
        first = body.first_op
        assert first is not None
        body.insert_ops_before(self.made, first)

    def value(self, outer: SSAValue) -> SSAValue:
        """The value in the kernel that an outer value is."""
        if (known := self.inside.get(outer)) is None:
            known = self.inside[outer] = self._again(outer) or self._argument(outer)
            known.name_hint = known.name_hint or outer.name_hint
        return known

    def _argument(self, outer: SSAValue) -> SSAValue:
        self.arguments.append(outer)
        return self.entry.insert_arg(outer.type, len(self.entry.args))

    def _again(self, outer: SSAValue) -> SSAValue | None:
        if not isinstance(outer, OpResult):
            return None
        if not isinstance(outer.op, arith.ConstantOp | memref.GetGlobalOp) and outer.op.name not in VIEWS:
            return None
        new = outer.op.clone_without_regions()
        new.operands = [self.value(v) for v in outer.op.operands]
        new.location = outer.op.location
        self.made.append(new)
        return new.results[outer.index]


def _outline(launch: gpu.LaunchOp, target: gpu.ModuleOp, names: set[str]) -> None:
    if len(launch.body.blocks) != 1:
        raise PassError(
            launch,
            "gpu-launch-unstructured",
            "the body of this launch has branches between blocks",
            hint="write its control flow with scf.if, scf.for and scf.while",
        )
    body = launch.body.block
    if len(body.args) > 12 or launch.asyncDependencies or launch.asyncToken is not None:
        raise PassError(
            launch,
            "gpu-launch-form",
            "a launch with tokens, clusters or buffers among the arguments of its body can't be outlined",
            hint="make buffers in the body by memref.alloca, in #gpu.address_space<workgroup> where lanes share them",
        )
    _ids_to_ops(launch, body)
    entry = Block()
    captures = _Captures(launch, entry)
    captures.replace()
    shared = [o for o in body.ops if isinstance(o, memref.AllocaOp) and o.memref.type.memory_space == gpu.WORKGROUP]
    for alloca in shared:
        argument = entry.insert_arg(alloca.memref.type, len(entry.args))
        argument.name_hint = alloca.memref.name_hint
        alloca.memref.replace_all_uses_with(argument)
        body.erase_op(alloca)
    move(list(body.ops)[:-1], entry)
    OpBuilder(entry, launch).emit(gpu.ReturnOp())
    name, number = f"{_function_name(launch)}_kernel", 1
    while name in names:
        # The number stands inside, as others number what belongs to a kernel behind its name.
        name, number = f"{_function_name(launch)}_{number}_kernel", number + 1
    names.add(name)
    sizes = [constant_of(v) for v in gpu.block_of(launch)]
    known = [n for n in sizes if n is not None]
    inputs = [v.type for v in captures.arguments]
    kernel = gpu.FuncOp(
        name,
        FunctionType.from_lists(inputs, []),
        Region(entry),
        workgroup=[o.memref.type for o in shared],
        known_block_size=known if len(known) == 3 else None,
    )
    kernel.properties["arg_attrs"] = ArrayAttr([_role(v) for v in captures.arguments])
    kernel.location = launch.location
    kernel.attributes |= {k: v for k, v in launch.attributes.items() if k.startswith(("hologram.", "nvvm."))}
    target.body.block.add_op(kernel)
    call = launch_of_kernel(launch, SymbolRefAttr(target.sym_name.data, [name]), captures.arguments)
    Rewriter.replace_op(launch, call)


def _role(value: SSAValue) -> DictionaryAttr:
    """Return the attributes that mark a hidden argument of the host function, for the kernel's argument that it is
    passed to."""
    function = value.block.parent_op() if isinstance(value, BlockArgument) else None
    if not isinstance(function, func.FuncOp) or value not in function.body.blocks[0].args:
        return DictionaryAttr({})
    kinds = [kind for kind in ORDER if find(function, kind) is value]
    return DictionaryAttr({kind.attribute: UnitAttr() for kind in kinds})


def _function_name(op: Operation) -> str:
    parent = enclosing(op, func.FuncOp)
    return parent.sym_name.data if parent is not None else "launch"


def _ids_to_ops(launch: gpu.LaunchOp, body: Block) -> None:
    """Makes operations of the twelve arguments of a launch's body; those without use are left out."""
    axes = (gpu.X, gpu.Y, gpu.Z)
    sizes = gpu.block_of(launch)
    for number, argument in enumerate(body.args):
        if not argument.uses:
            continue
        kind = IDS[number // 3]
        size = constant_of(sizes[number % 3]) if kind is gpu.BlockDimOp else None
        assert body.first_op is not None
        at = OpBuilder(body.first_op, launch)
        value = at.op(kind(axes[number % 3])) if size is None else at.index(size)
        value.name_hint = argument.name_hint
        argument.replace_all_uses_with(value)


# What kernels use


def _copy_symbols(module: ModuleOp, target: gpu.ModuleOp) -> None:
    """Copies what the gpu.module refers to, and what that refers to, into it."""
    around = {name: o for o in module.body.block.ops if o is not target and (name := symbol_of(o)) is not None}
    there = {symbol_of(o) for o in target.body.block.ops}
    pending = list(target.body.block.ops)
    while pending:
        for name in sorted({n for o in operations(pending.pop()) for n in _references(o)} - there):
            if (source := around.get(name)) is None:
                continue
            copy = source.clone()
            if isinstance(copy, func.FuncOp):
                copy.properties["sym_visibility"] = StringAttr("private")
            target.body.block.add_op(copy)
            there.add(name)
            pending.append(copy)


def _references(op: Operation) -> set[str]:
    if isinstance(op, func.CallOp):
        return {op.callee.string_value()}
    if isinstance(op, memref.GetGlobalOp):
        return {op.name_.string_value()}
    return set()
