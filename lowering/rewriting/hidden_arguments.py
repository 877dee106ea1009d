"""Arguments that a function takes behind its own, because of what its code does: they are added here, call by call.

Each is a memref with an argument attribute that says what it is, in the order of `ORDER`: the trap record, class
memory, the sums of R. Only functions that need one, or that call one that does, take it; the launch passes it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IntegerType,
    MemRefType,
    ModuleOp,
    SymbolRefAttr,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter as IRRewriter

from hologram.classes import ARENA_BYTES, CLASS_COUNT
from hologram.dialects import marks
from hologram.dialects.atlas.lanes.programs import CallOp, FuncOp, LaunchOp, ProgramOp
from hologram.support import hidden
from hologram.support.walking import operations, symbol_of

Function = func.FuncOp | ProgramOp | FuncOp


@dataclass(frozen=True)
class Hidden:
    """One kind of such arguments."""

    name: str
    """The name that the value gets."""
    type: MemRefType[Attribute]

    @property
    def attribute(self) -> str:
        """The argument attribute that marks it."""
        return marks.MARKS[f"hologram.{self.name}"].name


TRAP = Hidden(hidden.TRAP, MemRefType(i64, [8]))
"""The trap record."""
CLASSES = Hidden(hidden.CLASSES, MemRefType(i8, [ARENA_BYTES]))
"""The bytes of class memory."""
RESONANCE = Hidden(hidden.RESONANCE, MemRefType(i64, [2 * CLASS_COUNT]))
"""The sums of R, for each class the low and the high word of a multiple of 2^-64."""
ORDER = (TRAP, CLASSES, RESONANCE)
"""All kinds, in the order of the launch ABI."""


def position(function: Function, hidden: Hidden) -> int | None:
    """The number of a function's hidden argument of this kind, if it has one."""
    for number, attrs in enumerate(function.arg_attrs or ()):
        if hidden.attribute in attrs.data:
            return number
    return None


def find(function: Function, hidden: Hidden) -> SSAValue | None:
    """The hidden argument of this kind of a function, if it takes one."""
    number = position(function, hidden)
    return None if number is None else function.body.blocks[0].args[number]


def add_hidden(module: ModuleOp, needs: Callable[[Operation], Collection[Hidden]]) -> None:
    """Gives each function what its operations need, or what it has to pass on to those that it calls."""
    functions = dict(_functions(module, ""))
    needed: dict[Hidden, set[str]] = {
        kind: {name for name, op in functions.items() if position(op, kind) is not None} for kind in ORDER
    }
    for name, op in functions.items():
        for nested in operations(op):
            for kind in needs(nested):
                needed[kind].add(name)
    for kind, names in needed.items():
        if names:
            _add(functions, kind, names)


def _functions(scope: Operation, prefix: str) -> Iterator[tuple[str, Function]]:
    """The functions and kernels with a body; those of a module for a device behind its name."""
    for op in scope.regions[0].block.ops:
        if is_function(op) and op.regions[0].blocks:
            yield f"{prefix}{symbol_of(op)}", cast("Function", op)
        elif op.name == "gpu.module":
            yield from _functions(op, f"{symbol_of(op)}::")


def is_function(op: Operation) -> bool:
    """Return whether an operation is a function, a program or a kernel."""
    return isinstance(op, Function) or op.name == "gpu.func"


def _callee_within(caller: str, op: Operation) -> str | None:
    """The name of what a call starts, where the caller stands."""
    name, (scope, inside, _) = callee_of(op), caller.rpartition("::")
    return name if name is None or "::" in name else f"{scope}{inside}{name}"


def _add(functions: dict[str, Function], kind: Hidden, needing: set[str]) -> None:
    calls = {
        name: [(c, callee) for c in operations(op) if (callee := _callee_within(name, c)) in functions]
        for name, op in functions.items()
    }
    while more := {n for n, cs in calls.items() if n not in needing and any(callee in needing for _, callee in cs)}:
        needing |= more
    places = {name: _insert(functions[name], kind) for name in needing if find(functions[name], kind) is None}
    for name in needing:
        value = find(functions[name], kind)
        assert value is not None
        for call, callee in calls[name]:
            if callee in places:
                pass_on(call, places[callee], value)


_SEGMENTS, _KERNEL_OPERANDS = "operandSegmentSizes", 11
"""The property of `gpu.launch_func` with the numbers of its operands, and which are those of the kernel."""
_STARTS = {func.CallOp, CallOp, LaunchOp}


def callee_of(op: Operation) -> str | None:
    """The name of what a call or launch starts."""
    if type(op) not in _STARTS:  # As most operations; patterns ask class by class.
        kernel = op.properties.get("kernel") if op.name == "gpu.launch_func" else None
        return None if kernel is None else "::".join(cast("SymbolRefAttr", kernel).string_value().split("."))
    match op:
        case func.CallOp() | CallOp():
            return op.callee.string_value()
        case LaunchOp():
            return op.program.string_value()
        case _:
            return None


def _insert(function: Function, kind: Hidden) -> int:
    """Adds the argument where the order wants it, and gives its number."""
    later = [position(function, other) for other in ORDER[ORDER.index(kind) + 1 :]]
    number = min((p for p in later if p is not None), default=len(function.function_type.inputs))
    insert_argument(function, number, kind.type, kind.name, {kind.attribute: UnitAttr()})
    return number


def insert_argument(
    function: Function, number: int, type: Attribute, name: str, attrs: Mapping[str, Attribute]
) -> SSAValue:
    """Adds an argument with a name and attributes before that with this number."""
    argument = function.body.blocks[0].insert_arg(type, number)
    argument.name_hint = name
    inputs = list(function.function_type.inputs)
    attributes = [DictionaryAttr({})] * len(inputs) if function.arg_attrs is None else list(function.arg_attrs)
    inputs.insert(number, type)
    attributes.insert(number, DictionaryAttr(dict(attrs)))
    function.properties["function_type"] = FunctionType.from_lists(inputs, list(function.function_type.outputs))
    function.properties["arg_attrs"] = ArrayAttr(attributes)
    return argument


def pass_on(call: Operation, number: int, value: SSAValue) -> None:
    """Has a call or launch pass a value as the argument with this number."""
    if call.name == "gpu.launch_func":
        sizes = [int(n) for n in cast("DenseArrayBase[IntegerType]", call.properties[_SEGMENTS]).get_values()]
        number += sum(sizes[:_KERNEL_OPERANDS])
        sizes[_KERNEL_OPERANDS] += 1
        call.properties[_SEGMENTS] = DenseArrayBase.from_list(i32, sizes)
    if not isinstance(call, LaunchOp):
        call.operands = [*call.operands[:number], value, *call.operands[number:]]
        return
    arguments = [*call.arguments[:number], value, *call.arguments[number:]]
    new = LaunchOp(call.program.string_value(), call.grid, call.block, arguments, call.shared)
    new.attributes, new.location = call.attributes, call.location
    IRRewriter.replace_op(call, new)
