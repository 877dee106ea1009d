"""Turns kernels into loops, for targets without thread ids and barriers: a loop over blocks, and in it over lanes.

What a gpu.module holds moves into the module around it, and gets a name that is free there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    i8,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects import gpu
from hologram.dialects.arith import constant_of
from hologram.dialects.gpu import drop_address_space
from hologram.dialects.op_builder import INDEX, OpBuilder
from hologram.errors import PassError
from hologram.lowering.processor.lane_loops import Cloner, Ids, LaneLoops, Point, Storage
from hologram.lowering.processor.lane_plan import Plan, check_no_barrier
from hologram.support.splicing import append
from hologram.support.walking import operations, symbol_of
from hologram.transforms.analysis.uniformity import LANE_IDS, UNIFORM_IDS


def _set_symbol(op: Operation, name: str) -> None:
    (op.properties if "sym_name" in op.properties else op.attributes)["sym_name"] = StringAttr(name)


def _is_same(op: Operation, other: Operation | None) -> bool:
    """Return whether two functions are equal, as those that fill the trap record are."""
    if not isinstance(op, func.FuncOp) or not isinstance(other, func.FuncOp) or op.properties != other.properties:
        return False
    return op.body.is_structurally_equivalent(other.body)


def free_names(module: gpu.ModuleOp) -> dict[str, str]:
    """Gives the symbols in `module` names that are free around it. Returns the old name of each new one.

    What the module around has already, a declaration or an equal function, is dropped.
    """
    parent = module.parent_op()
    assert parent is not None
    around = {symbol_of(o): o for o in parent.regions[0].block.ops if o is not module}
    taken = set(around)
    changed: dict[str, str] = {}
    old_names: dict[str, str] = {}
    for op in list(module.body.block.ops):
        if (name := symbol_of(op)) is None:
            continue
        if name in taken and (isinstance(op, func.FuncOp) and not op.body.blocks or _is_same(op, around.get(name))):
            Rewriter.erase_op(op)
            continue
        if name in taken:
            changed[name] = _free_name(f"{module.sym_name.data}_{name}", taken)
            _set_symbol(op, changed[name])
        old_names[changed.get(name, name)] = name
        taken.add(changed.get(name, name))
    if changed:
        for op in operations(module):
            _rename_references(op, changed)
    return old_names


def _free_name(base: str, taken: set[str | None]) -> str:
    name, n = base, 0
    while name in taken:
        name, n = f"{base}_{n}", n + 1
    return name


def _rename_references(op: Operation, changed: dict[str, str]) -> None:
    for key, value in op.properties.items():
        if isinstance(value, SymbolRefAttr) and (new := changed.get(value.string_value())) is not None:
            op.properties[key] = SymbolRefAttr(new)


def functions_with_ids(module: gpu.ModuleOp) -> frozenset[str]:
    """The device functions that read ids, themselves or through a call, by name."""
    functions = {
        name: op
        for op in module.body.block.ops
        if (isinstance(op, func.FuncOp) or (isinstance(op, gpu.FuncOp) and op.kernel is None))
        and (name := symbol_of(op)) is not None
    }
    names = {
        name for name, op in functions.items() if any(isinstance(o, (*LANE_IDS, *UNIFORM_IDS)) for o in operations(op))
    }
    before = -1
    while before != len(names):
        before = len(names)
        names |= {name for name, op in functions.items() if _calls(op, names)}
    return frozenset(names)


def _calls(op: Operation, names: set[str]) -> bool:
    return any(isinstance(o, func.CallOp) and o.callee.string_value() in names for o in operations(op))


Sizes = tuple[int | None, int | None, int | None]
"""A block's size where it is constant, x first."""

OWN_ATTRIBUTES = ("gpu.kernel", "sym_name", "workgroup_attributions")
LEADING_ARGUMENTS = ("grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared_bytes")
ID_ARGUMENTS = 12
"""A device function with ids takes the block's, the lane's, the grid's size and the block's size, x, y, z of each."""


@dataclass(frozen=True)
class ConvertGpuToScfPass(ModulePass):
    """Turns each kernel into a function that loops over blocks and lanes, and each launch into a call of it.

    The function takes the grid's size x, y, z and the block's size x, y, z before its own arguments. Its lane loops are
    split at barriers; x is innermost. Address spaces are dropped. What a block keeps beyond 64 KiB, or of a size that
    is not known, is on the heap. Values that all lanes share are computed once for a block; what a lane needs after a
    barrier is computed again where that is cheap, else kept in an array over lanes.

    Before::

        gpu.module @m {
          gpu.func @k(%a: memref<?xf32>) kernel {
            %x = gpu.thread_id x
            ...
          }
        }
        gpu.launch_func @m::@k blocks in (%g, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : memref<?xf32>)

    After::

        func.func private @k(%gx, %gy, %gz, %bx, %by, %bz: index, %a: memref<?xf32>) {
          scf.parallel (%z, %y, %x) = (%c0, %c0, %c0) to (%gz, %gy, %gx) step (%c1, %c1, %c1) {
            scf.for %thread_x = %c0 to %c32 step %c1 {
              ...
            }
          }
        }
        call @k(%g, %c1, %c1, %c32, %c1, %c1, %a)
    """

    name = "convert-gpu-to-scf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        launches = [o for o in operations(op) if isinstance(o, gpu.LaunchFuncOp)]
        lowered = {
            name: kernel
            for module in [o for o in operations(op) if isinstance(o, gpu.ModuleOp)]
            for name, kernel in _lower_module(module, launches).items()
        }
        for launch in launches:
            _lower_launch(launch, lowered)
        for nested in operations(op):
            nested.attributes.pop("gpu.container_module", None)
            if nested.dialect_name() == "gpu":
                raise PassError(
                    nested,
                    "gpu-op-outside-kernel",
                    f"'{nested.name}' has no form on the CPU here",
                    hint="outside kernels only gpu.launch_func does",
                )


@dataclass
class Lowered:
    """A kernel that became a function."""

    name: str
    block_size: Sequence[int] | None
    takes_shared: bool


def _lower_module(module: gpu.ModuleOp, launches: Sequence[gpu.LaunchFuncOp]) -> dict[tuple[str, str], Lowered]:
    """Lowers what a gpu.module holds into the module around it, and erases it. Gives its kernels by both names."""
    names = free_names(module)
    callees = functions_with_ids(module)
    lowered: dict[tuple[str, str], Lowered] = {}
    before = InsertPoint.before(module)
    for op in list(module.body.block.ops):
        if isinstance(op, gpu.FuncOp) and op.kernel is not None:
            name = op.sym_name.data
            key = (module.sym_name.data, names[name])
            size = None if op.known_block_size is None else cast(Sequence[int], op.known_block_size.get_values())
            mine = [o for o in launches if _target(o) == key]
            shared = any(isinstance(o, gpu.DynamicSharedMemoryOp) for o in operations(op))
            lowered[key] = Lowered(name, size, shared)
            grid = _agreed([gpu.grid_of(launch) for launch in mine])
            Rewriter.insert_op(_lower_kernel(op, _block_size(size, mine), grid, callees, shared), before)
        elif isinstance(op, (gpu.FuncOp, func.FuncOp)):
            check_no_barrier(op)
            Rewriter.insert_op(_lower_function(op, callees), before)
        else:
            op.detach()
            Rewriter.insert_op(_lower_other(op), before)
    Rewriter.erase_op(module, safe_erase=False)
    return lowered


def _lower_other(op: Operation) -> Operation:
    """A global, or whatever else device code holds: it stays, without address spaces."""
    if isinstance(op, memref.GlobalOp) and op.type.memory_space == gpu.WORKGROUP:
        raise PassError(
            op,
            "gpu-shared-global",
            f"the global '{op.sym_name.data}' is in workgroup memory, which each block has of its own",
            hint="make it a workgroup attribution of the kernel",
        )
    for key, value in op.properties.items():
        op.properties[key] = drop_address_space(value)
    return op


# Kernels


def _block_size(known: Sequence[int] | None, launches: Sequence[gpu.LaunchFuncOp]) -> Sizes:
    """The block's size: the known one, else what all launches agree on."""
    if known is not None:
        return (known[0], known[1], known[2])
    return _agreed([gpu.block_of(launch) for launch in launches])


def _agreed(launches: Sequence[Sequence[SSAValue]]) -> Sizes:
    """The constant sizes on which all launches agree, along each axis."""
    sizes = [{constant_of(launch[axis]) for launch in launches} for axis in range(3)]
    x, y, z = (next(iter(known)) if len(known) == 1 else None for known in sizes)
    return (x, y, z)


def _lower_kernel(
    op: gpu.FuncOp, sizes: Sizes, grid: Sizes, callees: frozenset[str], takes_shared: bool
) -> func.FuncOp:
    """The function with the loops of kernel `op`. Takes the dynamic shared bytes after the sizes if it uses them.

    Along an axis with one block there is no loop.
    """
    _check_structured(op)
    _declare_attributions(op)
    plan = Plan(op.body.block)
    leading = [INDEX] * (7 if takes_shared else 6)
    own = [drop_address_space(t) for t in op.function_type.inputs]
    entry = Block(arg_types=[*leading, *own])
    for arg, name in zip(entry.args[: len(leading)], LEADING_ARGUMENTS, strict=False):
        arg.name_hint = name
    start = OpBuilder(entry, op)
    zero, one = start.index(0), start.index(1)
    size = [start.index(arg if n is None else n) for arg, n in zip(entry.args[3:6], sizes, strict=True)]
    loops = [d for d in (2, 1, 0) if grid[d] != 1] or [0]
    body = Block(arg_types=[INDEX] * len(loops))
    place = dict(zip(loops, body.args, strict=True))
    for axis, arg in place.items():
        arg.name_hint = f"block_id_{'xyz'[axis]}"
    ids = Ids(
        grid=Point(entry.args[:3]), size=Point(size), block=Point(place.get(d, zero) for d in range(3)),
        thread=Point((zero, zero, zero)),
    )  # fmt: skip
    # What lanes take from the stack is given back after each block: a scope of its own.
    takes_stack = any(isinstance(nested, memref.AllocaOp) and nested.dynamic_sizes for nested in operations(op))
    code = Block() if takes_stack else body
    storage = Storage(op)
    if takes_shared:
        ids.shared = storage.make(code, i8, [DYNAMIC_INDEX], [entry.args[6]])
    cloner = Cloner(ids, callees)
    cloner.define_all(op.body.block.args, entry.args[len(leading) :])
    lanes = LaneLoops(plan, cloner, op, sizes, zero, one, storage)
    lanes.declare(code)
    lanes.emit(plan.nodes, code)
    storage.free(code)
    if code is not body:
        append(code, memref.AllocaScopeReturnOp.build(operands=[[]]), op)
        append(body, memref.AllocaScopeOp.build(result_types=[[]], regions=[Region(code)]), op)
    append(body, scf.ReduceOp(), op)
    blocks, count = [ids.grid[d] for d in loops], len(loops)
    start.emit(scf.ParallelOp([zero] * count, blocks, [one] * count, Region(body)))
    start.emit(func.ReturnOp())
    return _function(op, FunctionType.from_lists([*leading, *own], []), Region(entry), len(leading))


def _check_structured(op: gpu.FuncOp) -> None:
    if len(op.body.blocks) != 1:
        raise PassError(
            op,
            "gpu-kernel-unstructured",
            f"the kernel '{op.sym_name.data}' has branches between blocks",
            hint="write its control flow with scf.if, scf.for and scf.while",
        )


def _declare_attributions(op: gpu.FuncOp) -> None:
    """Turns workgroup and private attributions into buffers that the kernel's body declares."""
    block = op.body.block
    for arg in reversed(block.args[op.argument_count :]):
        assert block.first_op is not None
        buffer = OpBuilder(block.first_op, op).op(memref.AllocaOp.build(operands=[[], []], result_types=[arg.type]))
        buffer.name_hint = arg.name_hint
        arg.replace_all_uses_with(buffer)
        block.erase_arg(arg)


def _function(op: gpu.FuncOp | func.FuncOp, type: FunctionType, body: Region, leading: int) -> func.FuncOp:
    """A private function with the attributes of `op`, whose arguments come after `leading` others."""
    name = op.sym_name.data
    arg_attrs = op.arg_attrs
    if arg_attrs is not None:
        trailing = len(type.inputs) - leading - len(arg_attrs)
        empty = DictionaryAttr({})
        arg_attrs = ArrayAttr([*[empty] * leading, *arg_attrs, *[empty] * trailing])
    new = func.FuncOp(name, type, body, StringAttr("private"), arg_attrs=arg_attrs, res_attrs=op.res_attrs)
    new.attributes |= {key: value for key, value in op.attributes.items() if key not in OWN_ATTRIBUTES}
    new.location = op.location
    return new


def _lower_function(op: gpu.FuncOp | func.FuncOp, callees: frozenset[str]) -> func.FuncOp:
    """A device function: it takes the ids after its arguments if it, or what it calls, reads any."""
    extra = [INDEX] * (ID_ARGUMENTS if op.sym_name.data in callees else 0)
    type = cast(FunctionType, drop_address_space(op.function_type))
    type = FunctionType.from_lists([*type.inputs, *extra], type.outputs.data)
    body = Region()
    if op.body.blocks:
        # Without ids the body has no use for any of these.
        nothing = Point(op.body.blocks[0].args[:0])
        cloner = Cloner(Ids(nothing, nothing, nothing, nothing), callees)
        body = cloner.region(op.body, entry=lambda old, new: _enter(cloner, old, new, extra))
    return _function(op, type, body, 0)


def _enter(cloner: Cloner, old: Block, entry: Block, types: Sequence[Attribute]) -> None:
    """Gives the entry block the arguments of the old one, and the ids after them."""
    cloner.define_all(old.args, [entry.insert_arg(cloner.type(a.type), a.index) for a in old.args])
    args = [entry.insert_arg(type, len(entry.args)) for type in types]
    block, thread, grid, size = (Point(args[n : n + 3]) for n in range(0, ID_ARGUMENTS, 3))
    cloner.ids = Ids(grid=grid, size=size, block=block, thread=thread)


# Launches


def _target(op: gpu.LaunchFuncOp) -> tuple[str, str]:
    nested = op.kernel.nested_references.data
    return (op.kernel.root_reference.data, nested[0].data if nested else "")


def _lower_launch(op: gpu.LaunchFuncOp, lowered: dict[tuple[str, str], Lowered]) -> None:
    kernel = lowered.get(_target(op))
    if kernel is None:
        raise PassError(op, "gpu-kernel-unknown", f"there is no kernel {op.kernel}", hint=_known_kernels(lowered))
    if op.asyncDependencies or op.asyncToken is not None or op.asyncObject is not None:
        raise PassError(
            op, "gpu-launch-async", "asynchronous launches have no form on the CPU here", hint="launch without tokens"
        )
    _check_block(op, kernel)
    sizes = [*gpu.grid_of(op), *gpu.block_of(op)]
    at = OpBuilder(op)
    if kernel.takes_shared:
        sizes.append(op.dynamicSharedMemorySize or at.index(0))
    sizes = [at.core.index_cast(v, INDEX) for v in sizes]
    at.emit(func.CallOp(kernel.name, [*sizes, *op.kernelOperands], []))
    Rewriter.erase_op(op)


def _known_kernels(lowered: dict[tuple[str, str], Lowered]) -> str:
    names = ", ".join(f"@{module}::@{name}" for module, name in lowered)
    return f"kernels here: {names}" if names else "no gpu.module here has a kernel"


def _check_block(op: gpu.LaunchFuncOp, kernel: Lowered) -> None:
    for axis, value, known in zip("xyz", gpu.block_of(op), kernel.block_size or (), strict=False):
        if (constant := constant_of(value)) is not None and constant != known:
            raise PassError(
                op,
                "gpu-launch-block-size",
                f"the kernel {op.kernel} is for blocks of {known} lanes along {axis}, but is launched with {constant}",
                hint="launch it with its known_block_size, or remove that",
            )
