"""Random tensor programs as array-level programs of the machine form: through all its prints unchanged, and lifted they
do what they did."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from fuzz.counts import FUZZING, PROGRAMS, seed
from fuzz.tensor_programs import Choices, Program, build
from hologram import isa
from hologram.dialects import make_context
from hologram.errors import HologramError, TrapError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.lowering.machine.assign_registers import AssignRegistersPass
from hologram.lowering.machine.lift_machine import LiftMachinePass
from hologram.lowering.pipelines.pipelines import run_pipeline, stages_for
from hologram.transforms.analysis.verifier import verify_module
from machine_form.random_programs import check_inverses

SEED = seed("arrays")
COUNT = PROGRAMS // 10 if FUZZING else 24
WITHOUT_FORM = ("machine-array-size", "assign-arrays-empty", "assign-level")
"""Arrays without elements have no place in machine code, nor have constants that are arrays."""


class Seeded(Choices):
    """Decisions of a random number generator."""

    def __init__(self, random: Random):
        self._random = random

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, high)


def on_buffers(program: Program) -> ModuleOp:
    """The program on memrefs."""
    context = make_context()
    module = parse_module(program.text, "program.mlir", context)
    stages = stages_for("cpu")
    run_pipeline(module, context, stages[: [stage.name for stage in stages].index("buffers") + 1])
    return module


def results(module: ModuleOp, program: Program, shapes: list[Any]) -> list[Any] | str:
    """The results of the interpreter, or that it traps."""
    (name,) = (op.sym_name.data for op in module.body.block.ops if isinstance(op, func.FuncOp))
    outs = [np.zeros_like(np.asarray(shape)) for shape in shapes]
    try:
        interpret(module, name, [*(a.copy() for a in program.arguments), *outs])
    except TrapError:
        return "trap"
    return [out.tobytes() for out in outs]


def check(number: int) -> bool:
    """One program; whether it became an array-level program."""
    program = build(Seeded(Random(f"{SEED} {number}")))
    module = on_buffers(program)
    original = module.clone()
    try:
        AssignRegistersPass().apply(make_context(), module)
    except HologramError as error:
        if error.code not in WITHOUT_FORM:
            raise
        return False
    if not any(op.name == "machine.arrays" for op in module.body.block.ops):
        assert any(op.dialect_name() == "memref" for op in module.walk()), f"why not?\n{module}"
        return False
    verify_module(module)
    check_inverses(isa.disassemble(module))
    LiftMachinePass().apply(make_context(), module)
    verify_module(module)
    arguments = [a.copy() for a in program.arguments]
    try:
        found: Any = interpret(parse_module(program.text, "program.mlir", make_context()), None, arguments)
    except TrapError:
        return True
    shapes: list[Any] = [*found] if isinstance(found, tuple) else [found]
    assert results(module, program, shapes) == results(original, program, shapes), program.text
    return True


def test_programs_on_arrays_are_array_level_programs():
    made = [check(number) for number in range(COUNT)]
    assert sum(made) * 3 > len(made)
