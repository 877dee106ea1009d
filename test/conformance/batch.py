"""A batch: one program that runs many cells of the table, and what judges its results. Runs on every backend."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import hologram
from conformance.exact import Judge
from conformance.values import Array
from hologram import isa
from hologram.dialects import make_context
from hologram.dialects.atlas.lanes.programs import ProgramOp
from hologram.driver.source import text_source
from hologram.errors import HologramError, TrapError
from hologram.interpreter import interpret, interpret_program
from hologram.interpreter.core.state import AtlasState
from hologram.lowering.machine.lift_machine import LiftMachinePass
from hologram.resonance import Resonance

BACKENDS = ("interpreter", "cpu")
PASS = "pass"


@dataclass(frozen=True, order=True)
class Cell:
    """An instruction (with its modifiers) under its types."""

    instruction: str
    """The name in the table of machine instructions, or of control."""
    variant: str = ""
    """The modifiers, or what is exercised of it."""
    types: tuple[str, ...] = ()


@dataclass
class Check:
    """The check of a cell on an argument after a launch."""

    cell: Cell
    argument: int
    verify: Callable[[Array], str | None]


@dataclass
class Launch:
    """One launch of a program: arguments (arrays are copied first), and what is wanted of it."""

    arguments: Sequence[Any]
    checks: Sequence[Check] = ()
    grid: int | tuple[int, int, int] = 1
    """The blocks; a number is along x."""
    trap: Cell | None = None
    """The cell that must trap."""
    reason: str = ""
    """The text that the trap must have on every backend."""
    sums: tuple[Cell, Sequence[int]] | None = None
    """The cell that wants these sums of R, as multiples of 2^-64."""

    @property
    def cells(self) -> list[Cell]:
        """The cells that want something of it; one may be there twice."""
        others = (self.trap, self.sums and self.sums[0])
        return [*(check.cell for check in self.checks), *(cell for cell in others if cell is not None)]


@dataclass
class Batch:
    """A program and its launches."""

    text: str
    launches: list[Launch] = field(default_factory=list[Launch])
    part: Callable[[Collection[Cell]], Batch] | None = None
    """The batch of some of the cells alone, for devices that refuse the program for the sake of others."""

    @property
    def cells(self) -> list[Cell]:
        """Every cell, once."""
        return list(dict.fromkeys(cell for launch in self.launches for cell in launch.cells))


Run = Callable[[Sequence[Any], tuple[int, int, int]], Resonance | None]
"""Launches a program: the arguments, of which arrays change, and the blocks. Gives the sums of R."""


def on_interpreter(text: str) -> Run:
    """The reference; a text that begins with a function is MLIR, and is called."""
    if text.startswith("func.func"):
        parsed = text_source(text.encode(), "batch.mlir").read(make_context())

        def call(arguments: Sequence[Any], grid: tuple[int, int, int]) -> None:
            interpret(parsed, None, arguments)

        return call
    module = isa.assemble(text)
    LiftMachinePass().apply(make_context(), module)
    name = next(op.sym_name.data for op in module.walk() if isinstance(op, ProgramOp))

    def run(arguments: Sequence[Any], grid: tuple[int, int, int]) -> Resonance:
        state = AtlasState()
        interpret_program(module, name, arguments, grid, state=state)
        return state.resonance

    return run


def on_cpu(text: str) -> Run:
    """Compiled, as users compile."""
    kernel = hologram.Executor().compile(text, cache=False)

    def run(arguments: Sequence[Any], grid: tuple[int, int, int]) -> Resonance | None:
        sizes = () if text.startswith("func.func") else grid
        return kernel.launch(*arguments, *sizes).resonance

    return run


MAKERS: dict[str, Callable[[str], Run]] = {"interpreter": on_interpreter, "cpu": on_cpu}


Observe = Callable[[Cell, Array], None]
"""Hears of each array that a cell's check was given."""


def outcomes(batch: Batch, backend: str, observe: Observe | None = None) -> dict[Cell, str]:
    """The outcome of each cell: `pass`, or the fault."""
    found = dict.fromkeys(batch.cells, PASS)
    try:
        run = MAKERS[backend](batch.text)
    except HologramError as error:
        return dict.fromkeys(batch.cells, f"refused: {error}")
    for launch in batch.launches:
        for cell, problem in _problems(launch, run, observe):
            if found[cell] == PASS:
                found[cell] = problem
    return found


def _problems(launch: Launch, run: Run, observe: Observe | None) -> list[tuple[Cell, str]]:
    """The faults of a launch, by cell."""
    arguments = copy.deepcopy(list(launch.arguments))
    cells = [check.cell for check in launch.checks] + ([launch.sums[0]] if launch.sums else [])
    trapped, sums = None, None
    try:
        sums = run(arguments, launch.grid if isinstance(launch.grid, tuple) else (launch.grid, 1, 1))
    except TrapError as error:
        trapped = str(error)
    except HologramError as error:
        return [(cell, f"refused: {error}") for cell in (*cells, launch.trap) if cell is not None]
    if launch.trap is None and trapped is not None:
        return [(cell, f"traps: {trapped}") for cell in cells]
    if launch.trap is not None and (trapped is None or launch.reason not in trapped):
        return [(launch.trap, f"does not trap for {launch.reason}" if trapped is None else f"traps: {trapped}")]
    if observe is not None:
        for check in launch.checks:
            observe(check.cell, arguments[check.argument])
    judged = ((check.cell, check.verify(arguments[check.argument])) for check in launch.checks)
    found = [(cell, problem) for cell, problem in judged if problem is not None]
    if launch.sums is not None and (sums is None or sums.fixed != tuple(launch.sums[1])):
        found.append((launch.sums[0], "the sums of R are wrong"))
    return found


def each(judges: Sequence[Judge], values: Callable[[Array], Sequence[Any]], rows: Sequence[Any] = ()) -> Any:
    """Checks every element of an argument; the first that is wrong is told, with its operands."""

    def verify(array: Array) -> str | None:
        for number, (judge, value) in enumerate(zip(judges, values(array), strict=True)):
            if (problem := judge(value)) is not None:
                operands = f" of {rows[number]}" if rows else ""
                return f"lane {number}{operands}: {problem}"
        return None

    return verify
