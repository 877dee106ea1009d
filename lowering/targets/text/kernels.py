"""Kernels as text: one structured printer over the flat kernel form, and a table a language.

`print_kernels(module, language)` writes a `gpu.module`. The languages here are OpenCL C, WGSL and MSL, which are also
the output forms `opencl-c`, `wgsl` and `msl`, of the gpu.modules of a module at the stage `flat`; they are what
`gpu-module-to-binary` puts into a binary. A plugin brings a table of its own (docs/tutorials/add-a-device.mdx).

A lane that traps records it and ends. In a kernel without barriers it returns, unless the language takes only so many
returns; in one with barriers, which all lanes of the block must come to, it goes on without touching memory: accesses
are guarded by a variable, what it would have read is 0, it divides by 1, and it leaves loops without barriers.

Before it is written, device code is prepared: calls that a language can't make are put in line, arrays share places.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import IO, TYPE_CHECKING, cast

from xdsl.dialects import cf, func, memref
from xdsl.dialects.builtin import ArrayAttr, DenseIntOrFPElementsAttr, DictionaryAttr, MemRefType, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.target import Target

from hologram.dialects import gpu, marks
from hologram.dialects.shapes import written_out
from hologram.errors import PassError, UsageError, did_you_mean
from hologram.lowering.blocks.device_modules import device_modules
from hologram.lowering.rewriting.hidden_arguments import TRAP
from hologram.lowering.rewriting.inline_calls import callees_first, calls_in, inline_calls
from hologram.lowering.targets.text import addresses, scalars, vectors
from hologram.lowering.targets.text.kinds import element_kind, kind_of, space_of, static_size
from hologram.lowering.targets.text.language import Language, Parameter
from hologram.lowering.targets.text.printer import RULES, TRAP_FUNCTIONS, Printer, patterns_of
from hologram.support.walking import operations

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


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
    called: set[str] = set()
    pending: list[Operation] = [op for op in module.body.block.ops if isinstance(op, gpu.FuncOp)]
    while pending:
        for call in calls_in(pending.pop()):
            name = call.callee.string_value()
            if name in functions and name not in called:
                called.add(name)
                pending.append(functions[name])
    return called


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
    wanted: list[tuple[func.CallOp, func.FuncOp]] = []
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
            wanted.append((call, callee))
    inline_calls(op, wanted)


def print_kernels(module: gpu.ModuleOp, language: Language) -> str:
    """The text of a gpu.module in the flat kernel form."""
    ready = prepare(module, language)
    p = Printer(language)
    ops = list(ready.body.block.ops)
    p.module_names |= {op.sym_name.data for op in ops if isinstance(op, func.FuncOp | gpu.FuncOp)}
    p.module_names |= {*TRAP_FUNCTIONS}
    p.spaces = addresses.spaces_in(ready) or p.spaces
    for op in ops:
        if isinstance(op, memref.GlobalOp):
            _table(p, op)
    for op in ops:
        if isinstance(op, func.FuncOp):
            _function(p, op)
    for op in ops:
        if isinstance(op, gpu.FuncOp):
            _kernel(p, op)
    used = {o.callee.string_value() for o in operations(ready) if isinstance(o, func.CallOp)}
    traps = [text for n, words in TRAP_FUNCTIONS.items() if n in used and (text := language.trap(n, words))]
    parts = [
        "\n".join(language.head()),
        "\n".join(p.globals),
        *language.helpers.values(),
        *traps,
        "\n".join(language.finish(p.lines)),
    ]
    return "\n\n".join(part for part in parts if part).rstrip() + "\n"


def _table(p: Printer, op: memref.GlobalOp) -> None:
    """A constant array."""
    values = op.initial_value
    if op.constant is None or not isinstance(values, DenseIntOrFPElementsAttr):
        raise PassError(
            op,
            "kernel-text-global",
            f"the global '{op.sym_name.data}' is not constant, and {p.language.name} has no others",
            hint="pass a buffer to the kernel",
        )
    kind = element_kind(op.type, op)
    p.known(kind, op)
    patterns = patterns_of(written_out(values), p.language.bits(kind), static_size(op.type))
    stored = "i8" if kind == "i1" else kind
    name = p.fresh(op.sym_name.data)
    p.module_names.add(name)
    p.tables[op.sym_name.data] = (name, kind)
    p.globals += p.language.table(kind, name, [p.language.literal(stored, n) for n in patterns])


def _parameters(p: Printer, op: Operation, block: Block, count: int) -> list[Parameter]:
    """The first arguments of a block as parameters."""
    changed = {root_of(v) for o in operations(op) for v in _written(o)}
    atomic = {root_of(o.operands[n]) for o in operations(op) for n in _atomic(o)}
    parameters: list[Parameter] = []
    attributes = _argument_attributes(op)
    for arg in block.args[:count]:
        name = p.fresh(arg.name_hint or "arg")
        p.values[arg] = name
        memory = isinstance(arg.type, MemRefType)
        kind = element_kind(arg.type, op) if memory else kind_of(arg.type, op)
        p.known(kind, op)
        space = space_of(arg.type) if memory else ""
        mine = attributes[arg.index]
        access = mine.get(marks.ACCESS)
        written = arg in changed or (isinstance(access, StringAttr) and access.data != "read")
        parameter = Parameter(name, arg, memory, kind, space, written, arg in atomic, marks.ALIGN in mine)
        parameter.is_trap, parameter.joined = TRAP.attribute in mine, marks.JOINED in mine
        parameters.append(parameter)
        if memory:
            p.parameters[arg] = parameter
    return parameters


def _argument_attributes(op: Operation) -> Sequence[Mapping[str, Attribute]]:
    """The attributes of a function's arguments, by number."""
    given = op.get_attr_or_prop("arg_attrs")
    known = cast("ArrayAttr[DictionaryAttr]", given) if isinstance(given, ArrayAttr) else ()
    none: Mapping[str, Attribute] = {}
    return [*(a.data for a in known), *[none] * (len(op.regions[0].block.args) - len(known))]


def _written(op: Operation) -> list[SSAValue]:
    """The buffers that an operation may write; calls may write what they are given, and so may what chooses."""
    if isinstance(op, memref.StoreOp | memref.AtomicRMWOp):
        return [op.memref]
    if op.name == "memref.generic_atomic_rmw":
        return [op.operands[0]]
    if op.name == "vector.store":
        return [op.operands[1]]
    if op.name in ("func.call", "arith.select", "scf.yield", "scf.for", "scf.while", "scf.condition"):
        return [v for v in op.operands if isinstance(v.type, MemRefType)]
    return []


def _atomic(op: Operation) -> list[int]:
    """The numbers of the operands that are buffers which an operation changes atomically."""
    if isinstance(op, func.CallOp) and op.callee.string_value() in TRAP_FUNCTIONS:
        return [0]
    return {"memref.atomic_rmw": [1], "memref.generic_atomic_rmw": [0]}.get(op.name, [])


def root_of(value: SSAValue) -> SSAValue:
    """The buffer that a view or a cast is of."""
    while isinstance(value.owner, memref.CastOp | memref.ViewOp):
        value = value.owner.operands[0]
    return value


def _shares_buffers(op: gpu.FuncOp) -> bool:
    """Return whether a buffer of the kernel is read and written, as far as its attributes say."""
    attributes = _argument_attributes(op)
    for argument in op.body.block.args[: op.argument_count]:
        mine = attributes[argument.index]
        access = mine.get(marks.ACCESS)
        known = isinstance(access, StringAttr) and access.data in ("read", "write")
        if isinstance(argument.type, MemRefType) and TRAP.attribute not in mine and not known:
            return True
    return False


def _function(p: Printer, op: func.FuncOp) -> None:
    p.taken, p.numbers = set(), {}
    p.function, p.alive, p.may_have_ended = op, None, False
    block = op.body.block
    parameters = _parameters(p, op, block, len(block.args))
    outputs = op.function_type.outputs.data
    result = kind_of(outputs[0], op) if outputs else None
    p.line(p.language.function(op.sym_name.data, result, parameters))
    p.open_last()
    p.block(block)
    assert block.last_op is not None
    if outputs:
        p.line(f"return {p.value(block.last_op.operands[0])};")
    p.close()
    p.line("")


def _kernel(p: Printer, op: gpu.FuncOp) -> None:
    p.taken, p.numbers = set(), {}
    p.function = op
    name = op.sym_name.data
    if name in p.language.reserved or not (name.isidentifier() and name.isascii()):
        raise PassError(
            op,
            "kernel-text-name",
            f"the kernel '{name}' can't have this name in {p.language.name}",
            hint="name it by letters, digits and underscores, and not by a word of the language",
        )
    if len(op.body.blocks) != 1:
        raise PassError(
            op,
            "kernel-text-blocks",
            f"the kernel '{op.sym_name.data}' has branches between blocks",
            hint="kernels as text have structured control flow: run structure-control-flow before",
        )
    block = op.body.block
    nested = operations(op)
    p.shared = p.fresh("shared") if any(isinstance(o, gpu.DynamicSharedMemoryOp) for o in nested) else None
    parameters = _parameters(p, op, block, op.argument_count)
    p.language.shares_buffers = _shares_buffers(op)
    known = None if op.known_block_size is None else [int(n) for n in op.known_block_size.get_values()]
    for line in p.language.kernel(p, op.sym_name.data, parameters, known, p.shared):
        p.line(line)
    p.open_last()
    for line in p.entry:
        p.line(line)
    p.entry = []
    for argument, space in [*((a, "workgroup") for a in op.workgroup), *((a, "private") for a in op.private)]:
        _attribution(p, op, argument, space)
    exits = sum(isinstance(o, cf.AssertOp) for o in nested)
    most = 0 if any(isinstance(o, gpu.BarrierOp) for o in nested) else p.language.most_exits
    p.alive, p.may_have_ended = None, False
    if most is not None and exits > most:
        p.alive = p.fresh("alive")
        p.line(p.language.variable("i1", p.alive, p.language.literal("i1", 1)))
    p.block(block)
    p.close()
    p.line("")


def _attribution(p: Printer, op: gpu.FuncOp, argument: SSAValue, space: str) -> None:
    name = p.fresh(argument.name_hint or "shared")
    kind = element_kind(argument.type, op)
    p.known(kind, op)
    atomic = any(root_of(o.operands[n]) is argument for o in operations(op) for n in _atomic(o))
    p.array(argument, Parameter(name, argument, True, kind, space, atomic=atomic), static_size(argument.type))


def emit(module: Operation, language: Language) -> str:
    """All gpu.modules of a module, one after the other."""
    return "\n".join(print_kernels(o, language) for o in device_modules(module))


FEATURES = frozenset("f16 bf16 f64 i8 i16 i64 atomics64 subgroups fma fences".split())
"""What devices may have or not, as `Limits.features` names it. Each language uses of it what it has words for."""


_LANGUAGES = {"opencl-c": ("opencl", "OpenCL"), "wgsl": ("wgsl", "Wgsl"), "msl": ("msl", "Msl")}
"""The module here and the class of each language."""


def language(name: str, features: Collection[str]) -> Language:
    """The table of a language for a device with some features."""
    for feature in features:
        if feature not in FEATURES:
            raise UsageError(
                "kernel-text-feature",
                f"there is no feature '{feature}' of devices",
                hint=did_you_mean(feature, FEATURES) or f"there are: {', '.join(sorted(FEATURES))}",
            )
    module, table = _LANGUAGES[name]
    return getattr(import_module(f"{__package__}.{module}"), table)(features=frozenset(features))


@dataclass(frozen=True)
class TextTarget(Target):
    """The base of the output forms of kernels as text."""

    features: tuple[str, ...] = ()

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(emit(module, language(self.name, self.features)))


@dataclass(frozen=True)
class OpenCLTarget(TextTarget):
    """Prints kernels as OpenCL C 1.2. `features` are what the device has of f16, f64, atomics64 and, of 2.0, fences."""

    name = "opencl-c"

    features: tuple[str, ...] = ("f64", "atomics64")


@dataclass(frozen=True)
class WgslTarget(TextTarget):
    """Prints kernels as WGSL. `features` are what the device has of f16, f64 and i64."""

    name = "wgsl"


@dataclass(frozen=True)
class MslTarget(TextTarget):
    """Prints kernels as Metal 3.2."""

    name = "msl"


def _code(name: str, module: gpu.ModuleOp, target: str, features: Sequence[str]) -> bytes:
    """A gpu.module in flat form as a language's text."""
    return print_kernels(module, language(name, features)).encode()


opencl_code, wgsl_code, msl_code = (partial(_code, name) for name in _LANGUAGES)


__all__ = [
    "Language",
    "Parameter",
    "Printer",
    "RULES",
    "addresses",
    "print_kernels",
    "scalars",
    "vectors",
]
