"""Prepares device code for its text: calls that a language can't make are put in line, arrays share places."""

from __future__ import annotations

from xdsl.dialects import cf, func, memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Block, Operation
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects import gpu
from hologram.errors import PassError
from hologram.lowering.blocks.inline_device_calls import callees_first, calls_in, inline
from hologram.lowering.targets.text.kinds import space_of
from hologram.lowering.targets.text.language import Language
from hologram.lowering.targets.text.printer import TRAP_FUNCTIONS
from hologram.support.walking import operations

_IDS = (gpu.ThreadIdOp, gpu.BlockIdOp, gpu.BlockDimOp, gpu.GridDimOp)


def prepare(module: gpu.ModuleOp, language: Language) -> gpu.ModuleOp:
    """A copy in which no call stands that the language can't make, and no function that nobody calls."""
    copy = module.clone()
    functions = {op.sym_name.data: op for op in copy.body.block.ops if isinstance(op, func.FuncOp)}
    order = callees_first(functions)
    for name in order:
        if name not in TRAP_FUNCTIONS:
            _inline_calls(functions[name], functions, language)
    for kernel in copy.body.block.ops:
        if isinstance(kernel, gpu.FuncOp):
            _inline_calls(kernel, functions, language)
            if language.shares_arrays:
                _share_arrays(kernel)
    called = _called_by_kernels(copy, functions)
    for name, function in functions.items():
        function.detach()
        if name not in called or name in TRAP_FUNCTIONS:
            function.erase()
    for name in order:
        if name in called and name not in TRAP_FUNCTIONS:
            copy.body.block.add_op(functions[name])
    return copy


def _share_arrays(kernel: gpu.FuncOp) -> None:
    """Gives arrays of a lane, of which none is needed while another is, one place at the top of the kernel."""
    known: dict[Attribute, list[tuple[memref.AllocaOp, list[Block]]]] = {}
    top = kernel.body.block
    for op in list(operations(kernel)):
        block = op.parent
        if not isinstance(op, memref.AllocaOp) or block is None or block is top or op.dynamic_sizes:
            continue
        if space_of(op.memref.type) == "workgroup":
            continue
        places = known.setdefault(op.memref.type, [])
        free = next((place for place in places if all(_apart(block, other) for other in place[1])), None)
        op.detach()
        if free is None:
            places.append((op, [block]))
            Rewriter.insert_op(op, InsertPoint.at_start(top))
            continue
        op.memref.replace_all_uses_with(free[0].memref)
        op.erase()
        free[1].append(block)


def _apart(one: Block, other: Block) -> bool:
    """Return whether neither block is the other or stands in it."""
    return not _contains(one, other) and not _contains(other, one)


def _contains(outer: Block, inner: Block | None) -> bool:
    while inner is not None and inner is not outer:
        inner = inner.parent_block()
    return inner is not None


def _called_by_kernels(module: gpu.ModuleOp, functions: dict[str, func.FuncOp]) -> set[str]:
    found: set[str] = set()
    pending: list[Operation] = [op for op in module.body.block.ops if isinstance(op, gpu.FuncOp)]
    while pending:
        for call in calls_in(pending.pop()):
            name = call.callee.string_value()
            if name in functions and name not in found:
                found.add(name)
                pending.append(functions[name])
    return found


def _goes_in_line(function: func.FuncOp, language: Language) -> bool:
    """Return whether a function must stand in the kernel: it ends lanes, waits, or has what functions can't have."""
    if any(isinstance(o, cf.AssertOp | gpu.BarrierOp) for o in operations(function)):
        return True
    if len(function.function_type.outputs) > 1:
        return True
    if not language.functions_have_ids and any(isinstance(o, _IDS) for o in operations(function)):
        return True
    takes_memory = any(isinstance(t, MemRefType) for t in function.function_type.inputs)
    return takes_memory and not language.functions_take_memory


def _inline_calls(op: Operation, functions: dict[str, func.FuncOp], language: Language) -> None:
    for call in calls_in(op):
        name = call.callee.string_value()
        if name in TRAP_FUNCTIONS:
            continue
        callee = functions.get(name)
        if callee is None or not callee.body.blocks:
            raise PassError(
                call,
                "kernel-text-callee",
                f"the function '{name}' has no body in the gpu.module",
                hint="outline-gpu-kernels copies what kernels call into the module",
            )
        if _goes_in_line(callee, language):
            inline(call, callee)
