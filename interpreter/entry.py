"""Runs of functions and programs on a caller's arrays and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects import marks
from hologram.dialects.atlas.lanes.programs import ProgramOp
from hologram.errors import InputError, did_you_mean, where_of
from hologram.interpreter.core.machine import Machine
from hologram.interpreter.core.state import AtlasState
from hologram.interpreter.core.values import Array, Value, from_caller, to_caller, write_back
from hologram.interpreter.handlers import handlers_for
from hologram.interpreter.lanes.launch import launch_program
from hologram.lowering.rewriting.hidden_arguments import CLASSES, position
from hologram.support.recursion import deep_recursion

CIRCUIT = "sigil.circuit"


def call_entry(
    module: ModuleOp, entry: str | None, args: Sequence[Any], step_limit: int, state: AtlasState | None
) -> tuple[Array, ...]:
    """See `hologram.interpreter.interpret`."""
    state = state or AtlasState()
    if any(op.name == CIRCUIT for op in module.body.block.ops):
        # Circuits import their dialect, which other modules need not know.
        from hologram.interpreter.circuits import find_circuit, run_circuit

        if (circuit := find_circuit(module, entry)) is not None:
            run_circuit(circuit, len(args), state.classes)
            return ()
    function = find_entry(module, entry)
    types = list(function.function_type.inputs.data)
    if len(args) == len(types) - 1 and position(function, CLASSES) == len(args):
        args = [*args, state.classes]
    values = arguments(function, function.body.blocks[0].args if function.body.blocks else (), types, args)
    with deep_recursion():
        results = Machine(module, handlers_for(module), step_limit, state).call(function, values)
    for value, given, type in zip(values, args, types, strict=True):
        write_back(value, given, type)
    unsigned = _unsigned(function.res_attrs, len(results))
    return tuple(
        to_caller(value, type, unsigned=flag)
        for value, type, flag in zip(results, function.function_type.outputs, unsigned, strict=True)
    )


def arguments(op: Operation, names: Sequence[SSAValue], types: Sequence[Attribute], args: Sequence[Any]) -> list[Value]:
    """A caller's arguments as values."""
    if len(args) != len(types):
        raise InputError(
            "interpreter-argument-count",
            f"{_title(op)} takes {len(types)} arguments, found {len(args)}",
            where=where_of(op),
        )
    values: list[Value] = []
    for number, (given, type) in enumerate(zip(args, types, strict=True)):
        hint = names[number].name_hint if number < len(names) else None
        values.append(
            from_caller(given, type, f"argument {number}" + (f" (%{hint})" if hint else "") + f" of {_title(op)}")
        )
    return values


def _title(op: Operation) -> str:
    name = op.properties.get("sym_name")
    return f"@{name.data}" if isinstance(name, StringAttr) else f"'{op.name}'"


def _unsigned(attrs: ArrayAttr[Any] | None, count: int) -> list[bool]:
    """Return for each result whether its ISA type is unsigned."""
    if attrs is None:
        return [False] * count
    types = [d.data.get(marks.TYPE) for d in attrs]
    return [isinstance(t, StringAttr) and t.data.startswith("u") for t in types]


def find_entry(module: ModuleOp, entry: str | None) -> func.FuncOp:
    """The function of this name; without a name the only public one, else `main`."""
    functions = {f.sym_name.data: f for f in module.ops if isinstance(f, func.FuncOp)}
    if entry is not None and entry in functions:
        return functions[entry]
    if entry is not None:
        raise InputError(
            "interpreter-no-entry",
            f"there is no function @{entry} in the module",
            hint=did_you_mean(entry, functions)
            or "it has " + (", ".join(f"@{n}" for n in functions) or "no functions"),
        )
    public = [f for f in functions.values() if f.sym_visibility is None or f.sym_visibility.data == "public"]
    if len(public) == 1:
        return public[0]
    if "main" in functions:
        return functions["main"]
    raise InputError(
        "interpreter-entry",
        f"the module has {len(public)} public functions, and none is called main",
        hint="name the function to call",
    )


def call_program(
    module: ModuleOp,
    name: str,
    args: Sequence[Any],
    grid: Sequence[int],
    block: Sequence[int] | None,
    step_limit: int,
    state: AtlasState | None,
) -> None:
    """See `hologram.interpreter.interpret_program`."""
    machine = Machine(module, handlers_for(module), step_limit, state or AtlasState())
    program = machine.symbol(name)
    if not isinstance(program, ProgramOp):
        programs = [op.sym_name.data for op in module.walk() if isinstance(op, ProgramOp)]
        raise InputError(
            "interpreter-no-program",
            f"there is no atlas.program @{name} in the module",
            hint=did_you_mean(name, programs) or "it has " + (", ".join(f"@{n}" for n in programs) or "no programs"),
        )
    types = list(program.function_type.inputs.data)
    values = arguments(program, program.entry.args, types, args)
    with deep_recursion():
        launch_program(machine, program, program, grid, block, values)
    for value, given, type in zip(values, args, types, strict=True):
        write_back(value, given, type)
